"""Messages of learning across episodes: to the learner, and to the role that runs episodes for it."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.message import Message, Request
from quintet.messages.notes import NoteId
from quintet.messages.solving import DecisionProcess

Version: TypeAlias = Annotated[int, Meta(ge=0, le=32_767)]
"""The number of a learner's published content: 0 is the content at the start, and every update publishes the next."""


MemoryKind: TypeAlias = Literal["memory", "notebook"]
"""What a store has: a memory has tuples, a notebook has notes. Everything else is the same for both."""

LearntKind: TypeAlias = Literal["plan", "memory", "notebook"]
"""What a learner learns. `plan`: a text for every prompt. `memory`: tuples that lie in a store. `notebook`: notes that
do."""


Feedback: TypeAlias = Literal["reward", "judged"]
"""Whence a learner knows whether an episode succeeded. `reward`: the world says so. `judged`: a model does, which is
shown no reward."""


class Experience(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The turns of an episode, for a learner."""

    task: str
    task_type: str = ""
    """As the world names it; empty: its tasks have no types."""
    opening: str
    """As the world published it, goal included; empty if no session was opened."""
    turns: tuple[Turn, ...]
    """Those of the episode's answer. If it was cut short or faulted: the steps in the session used last."""
    reason: str = ""
    """Why it ended without success; empty if it succeeded, or if no reason was given."""
    processes: tuple[DecisionProcess, ...] = ()
    """Those of the episode's answer, with their turns."""
    recalled: tuple[NoteId, ...] = ()
    """The notes of a notebook that were recalled in it, each once."""

    @property
    def goal(self) -> str:
        """That of its processes; the opening, which includes it, if there are none."""
        return self.processes[0].goal if self.processes else self.opening

    @property
    def attempts(self) -> tuple["Experience", ...]:
        """One for each of several processes, with its turns and no reason; else itself. None of them has processes."""
        if len(self.processes) < 2:
            return (replace(self, processes=()),)
        return tuple(replace(self, turns=each.turns, reason="", processes=()) for each in self.processes)


class EpisodeRan(Message, frozen=True, kw_only=True, tag="episode_ran"):
    """An episode ended."""

    faulted: bool
    """It has no result; ignore the other fields."""
    reward: float
    """The best earned, in [0, 1]."""
    experience: Experience | None
    """None unless the episode is for training."""

    @property
    def succeeded(self) -> bool:
        """Whether the reward was earned in full."""
        return not self.faulted and self.reward >= 1


class RunEpisode(Request[EpisodeRan], frozen=True, kw_only=True, tag="run_episode"):
    """Run a task of the run, or wait for its end if it was requested before.

    The episode reads a pinned version. A training episode explores; one that measures a version does not.
    """

    task: str
    version: Version
    """Published before."""
    for_training: bool = False
    """The learner waits for it: it starts before all queued episodes, and the answer has its experience."""

    def subject(self) -> str:
        return self.task


class Learned(Message, frozen=True, kw_only=True, tag="learned"):
    """The learner is done."""

    version: Version
    """The version that it chose."""


class Learn(Request[Learned], frozen=True, kw_only=True, tag="learn"):
    """Learn from some tasks, and measure by others. The three lists share no task."""

    journaled: ClassVar[bool] = True

    training: tuple[str, ...]
    """Names of the training tasks."""
    held_out: tuple[str, ...]
    """Tasks that decide which version is chosen; may be empty."""
    test: tuple[str, ...]
    """Tasks that measure versions; they decide nothing."""
    start: str = ""
    """The content of version 0."""
    trajectories: int = 0
    """How many trajectories the run was given to learn from; they lie in the store."""
    feedback: Feedback = "reward"

    def subject(self) -> str:
        return f"{len(self.training)} tasks"
