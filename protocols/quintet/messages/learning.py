"""Messages of learning across episodes: to the learner, and to the role that runs episodes for it."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.execution import Turn
from quintet.messages.message import Message, Request

Version: TypeAlias = Annotated[int, Meta(ge=0)]
"""A version of what is learnt: 0 is what a learner begins with, and every update publishes the next one."""


class Experience(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was done in an episode, for a learner."""

    task: str
    opening: str
    """As the world published it, goal included; empty if no session was opened."""
    turns: tuple[Turn, ...]
    """As the episode's answer says. If it was cut short or faulted: the steps in the session acted in last."""
    reason: str = ""
    """Why it ended without success; empty if it succeeded, or if no reason was given."""


class EpisodeRan(Message, frozen=True, kw_only=True, tag="episode_ran"):
    """An episode ended."""

    faulted: bool
    """It has no result; ignore the other fields."""
    reward: float
    """The best earned, in [0, 1]."""
    experience: Experience | None
    """None if it is not learnt from."""

    @property
    def succeeded(self) -> bool:
        """Whether the reward was earned in full."""
        return not self.faulted and self.reward >= 1


class RunEpisode(Request[EpisodeRan], frozen=True, kw_only=True, tag="run_episode"):
    """Run a task of the run, or wait for its end if it was asked for before.

    What is learnt is read at a pinned version. The episode explores if its task is one to learn from, and not if it is
    one to measure by.
    """

    task: str
    version: Version
    """Published before."""
    for_training: bool = False
    """It starts before every episode that waits, since the learner waits for it, and the answer has its experience."""

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
    """Names of the tasks to learn from."""
    held_out: tuple[str, ...]
    """Tasks by which a version is chosen; empty if none is held out."""
    test: tuple[str, ...]
    """Tasks by which versions are measured; nothing is chosen by them."""
    start: str = ""
    """Version 0."""

    def subject(self) -> str:
        return f"{len(self.training)} tasks"


LearnerRequest: TypeAlias = Learn
EpisodesRequest: TypeAlias = RunEpisode
