"""Trials: several goes at one goal, each from the same state and in a session of its own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from quintet.messages.environment import Close, Open, Session, Snapshot
from quintet.messages.reflection import Choose, Chosen
from quintet.messages.solving import DecisionProcess, Solved, Unsolved
from quintet.methods.base.episode import Episode


@dataclass(frozen=True)
class TrialStart:
    """The state in which a method's trials begin. The first trial acts in the episode's own session.

    The outermost method's trials begin at the task's opening. An inner method's begin in the state of the session that
    it was given, which may lie in the middle of the task.
    """

    episode: Episode
    snapshot: bytes | None
    """Of the episode's session before the first trial; None: trials begin at the task's opening."""

    @classmethod
    async def of(cls, episode: Episode, *, trials: int) -> "TrialStart":
        """Write down the state that the episode's session is in, if a second trial may begin there.

        Args:
            episode: before its first action.
            trials: the most that are made.

        Raises:
            WorldFault: an inner method may make a second trial, in a world that cannot copy its states.
        """
        if trials == 1 or episode.is_outermost:
            return cls(episode, None)
        taken = await episode.ask(Snapshot(session=episode.session))
        return cls(episode, taken.snapshot)

    async def open(self) -> Session:
        """A new session in that state."""
        origin = "" if self.snapshot is None else self.episode.session.id
        opened = await self.episode.ask(Open(task=self.episode.task, snapshot=self.snapshot, origin=origin))
        return opened.session


def has_succeeded(episode: Episode, trial: Solved | Unsolved) -> bool:
    """Whether a trial reached the goal: by a full reward, or for a part of the task by its own account."""
    return trial.reward >= 1 or (episode.subgoal and isinstance(trial, Solved))


async def keep_best(episode: Episode, one: Solved | Unsolved, other: Solved | Unsolved) -> Solved | Unsolved:
    """The trial that reached the goal, else the one with the greater reward; of equal ones, `one`.

    It is offered, and the other's session is closed.
    """
    first, second = ((has_succeeded(episode, trial), trial.reward) for trial in (one, other))
    best, worse = (other, one) if second > first else (one, other)
    episode.offer(best)
    if worse.session is not None:
        await episode.ask(Close(session=worse.session))
    return best


async def choose_trial(episode: Episode, trials: Sequence[Solved | Unsolved]) -> Solved | Unsolved:
    """The trial that the reflector chooses, which is told no reward; the first, if it makes no choice or refuses.

    Equal ones are one option, and there is no choice where all are. The other trials' sessions are closed.
    """
    options = {trial.turns: trial for trial in reversed(trials)}
    first, *others = different = [trial for trial in trials if options[trial.turns] is trial]
    chosen = first
    if others:
        request = Choose(
            setting=episode.setting,
            goal=episode.goal,
            options=tuple(trial.turns for trial in different),
            ended=tuple(range(1, len(different) + 1)),
            phase="choices",
        )
        reply = await episode.unless_refused(episode.ask, request)
        chosen = different[reply.number - 1 if isinstance(reply, Chosen) else 0]
    for trial in trials:
        if trial is not chosen and trial.session is not None:
            await episode.ask(Close(session=trial.session))
    return chosen


def with_processes(
    episode: Episode, answer: Solved | Unsolved, trials: Iterable[Solved | Unsolved]
) -> Solved | Unsolved:
    """The answer with trials as what a learner may learn from, in this order. One without a session is left out."""
    processes = (
        DecisionProcess(goal=episode.goal, setting=episode.setting, session=trial.session.id, reward=trial.reward)
        for trial in trials
        if trial.session is not None
    )
    return replace(answer, processes=tuple(processes))
