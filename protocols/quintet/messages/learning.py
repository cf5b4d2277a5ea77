"""What is said when something is learnt across episodes: to the learner, and to the one who runs episodes for it."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.execution import Turn
from quintet.messages.message import Message, Request

Version: TypeAlias = Annotated[int, Meta(ge=0)]
"""Of what is learnt: 0 is what a learner begins with, and every update publishes the next one."""


class Experience(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an episode went through."""

    task: str
    opening: str
    """As the world published it, goal included; empty where no session was opened."""
    turns: tuple[Turn, ...]
    """The steps of the world in order, each under the thought and the action that led to it. Turns in which nothing was
    done are left out."""
    reason: str = ""
    """Why it ended without success; empty where it succeeded, or nobody said."""


class EpisodeRan(Message, frozen=True, kw_only=True, tag="episode_ran"):
    """An episode ended."""

    faulted: bool
    """It came to no result; what is said of it otherwise counts for nothing."""
    reward: float
    """The best earned, in [0, 1]."""
    experience: Experience | None
    """None where it is not learnt from."""

    @property
    def succeeded(self) -> bool:
        """Whether the reward was earned in full."""
        return not self.faulted and self.reward >= 1


class RunEpisode(Request[EpisodeRan], frozen=True, kw_only=True, tag="run_episode"):
    """Run a task of the run, or wait for its end where somebody asked before.

    What is learnt is read at a pinned version. Whether the episode explores follows from the task, which is either one
    to learn from or one to be measured by.
    """

    task: str
    version: Version
    """Published before."""
    learnt_from: bool = False
    """It goes before every episode that waits, since the learner waits for it, and the answer brings what it went
    through."""

    def subject(self) -> str:
        return self.task


class Learned(Message, frozen=True, kw_only=True, tag="learned"):
    """The learner is done."""

    version: Version
    """The one it stands by."""


class Learn(Request[Learned], frozen=True, kw_only=True, tag="learn"):
    """Learn from some tasks, and measure by others. The three lists have no task in common."""

    journaled: ClassVar[bool] = True

    training: tuple[str, ...]
    """Names of the tasks to learn from."""
    held_out: tuple[str, ...]
    """Tasks by which a version is chosen; empty where none is held out."""
    test: tuple[str, ...]
    """Tasks by which versions are measured; nothing is chosen by them."""
    start: str = ""
    """Version 0."""

    def subject(self) -> str:
        return f"{len(self.training)} tasks"


LearnerRequest: TypeAlias = Learn
EpisodesRequest: TypeAlias = RunEpisode
