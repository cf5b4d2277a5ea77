"""States in short: the prompt parts that stand for the turns, and the batch memories that are played."""

from collections.abc import Sequence

from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.memory import Classify, Summarize
from quintet.messages.parts import PromptPart, Recollection, Situation
from quintet.methods.base.episode import Episode
from quintet.roles.turn_text import observed_actions


async def describe(episode: Episode, turns: Sequence[Turn]) -> Situation:
    """Ask for an evaluation and a summary of the turns; what is seen now stands as it is.

    Args:
        episode: whose goal is pursued.
        turns: from the start of the task; without any, what is seen is the setting.

    Source: LDM2, section 3.2, equation 6.
    """
    seen = turns[-1].observation if turns else episode.setting
    steps = observed_actions(episode.setting, turns)
    told = await episode.ask(Summarize(goal=episode.goal, steps=steps, observation=seen))
    return Situation(observation=seen, evaluation=told.evaluation, summary=told.summary)


def batches(episode: Episode) -> range:
    """The numbers of the batch memories; with an empty memory 0 alone, which stands for none."""
    given = _given(episode)
    return range(1, given.batches + 1) if given and given.batches else range(1)


async def recalling(episode: Episode, batch: int, agreement: float | None) -> tuple[PromptPart, ...]:
    """The episode's prompt parts with one batch memory to recall from. The type of the goal is asked for once.

    Args:
        episode: with the memory, if there is one, among its parts.
        batch: its number; 0: none.
        agreement: see `Recollection`.
    """
    given = _given(episode)
    others = tuple(part for part in episode.parts if not isinstance(part, Recollection))
    if given is None or not batch:
        return others
    recollection = replace(given, batch=batch, agreement=agreement, goal="", goal_type=None)
    if given.retrieval == "embedding":
        return (*others, recollection)
    request = Classify(version=given.version, batch=batch, goal=episode.goal)
    classified = await episode.unless_refused(episode.ask, request)
    goal_type = None if classified is None else classified.goal_type
    return (*others, replace(recollection, goal=episode.goal, goal_type=goal_type))


def _given(episode: Episode) -> Recollection | None:
    return next((part for part in episode.parts if isinstance(part, Recollection)), None)
