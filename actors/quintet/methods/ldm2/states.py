"""States in short: the prompt parts that stand for the turns, and the batch memories that are played."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.memory import Summarize
from quintet.messages.parts import PromptPart, Recollection, Situation
from quintet.methods.base.episode import Episode
from quintet.roles.recollection import with_goal_type
from quintet.roles.turn_text import observed_actions


async def describe_state(episode: Episode, turns: Sequence[Turn]) -> Situation:
    """Ask for an evaluation and a summary of the turns; what is seen now stands as it is.

    Args:
        turns: from the start of the task; without any, what is seen is the setting.

    Source: LDM2, section 3.2, equation 6.
    """
    seen = turns[-1].observation if turns else episode.setting
    steps = observed_actions(episode.setting, turns)
    history = await episode.ask(Summarize(goal=episode.goal, steps=steps, observation=seen))
    return Situation(observation=seen, evaluation=history.evaluation, summary=history.summary)


def batch_numbers(episode: Episode) -> range:
    """The numbers of the batch memories; with an empty memory 0 alone, which stands for none."""
    given = _given(episode)
    return range(1, given.batches + 1) if given and given.batches else range(1)


async def select_batch(episode: Episode, batch: int) -> tuple[PromptPart, ...]:
    """The episode's prompt parts with one batch memory to recall from. The type of the goal is asked for once.

    If a model refuses to name it, every recall asks again.

    Args:
        episode: with the memory, if there is one, among its parts.
        batch: its number; 0: none.
    """
    given = _given(episode)
    others = tuple(part for part in episode.parts if not isinstance(part, Recollection))
    if given is None or not batch:
        return others
    typed = partial(with_goal_type, episode.roles, given, episode.goal, batch=batch)
    recollection = await episode.unless_refused(typed) or replace(given, batch=batch, goal="", goal_type=None)
    return (*others, recollection)


def with_agreement(parts: Sequence[PromptPart], share: float | None) -> tuple[PromptPart, ...]:
    """The parts, of which the recollection has this share; see `Recollection.agreement`."""
    return tuple(replace(part, agreement=share) if isinstance(part, Recollection) else part for part in parts)


def _given(episode: Episode) -> Recollection | None:
    return next((part for part in episode.parts if isinstance(part, Recollection)), None)
