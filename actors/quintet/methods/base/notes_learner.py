"""A learner of notes, and the method that hands them on: play some tasks, note what they taught, complete a version."""

from collections.abc import Sequence
from typing import Generic, Literal, TypeVar

from pydantic import Field

from quintet.messages.learning import EpisodeRan, Experience, Learned, Version
from quintet.messages.notes import NoteChange
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import ConfigT, Description, LearnerSpec, Method
from quintet.methods.base.versions import VersionOptions, publish_versions, refuse_wrong_source


class NotesOptions(VersionOptions):
    """Options of learners of notes: how many tasks a version is learnt from, and how often they are played."""

    source: Literal["played", "given"] = "played"
    """What is learnt from. `played`: the tasks to learn from. `given`: trajectories from a file (`--trajectories`) or
    from earlier runs (`--from-run`), in place of the tasks."""

    window: int | None = Field(default=1, ge=1)
    """Tasks that are played with one version, side by side; what they teach makes the next version, so none of them
    knows what the others taught. None: all of them."""

    rounds: int = Field(default=1, ge=1)
    """Passes over the tasks to learn from, in the same order; 1 along a stream."""


NotesT = TypeVar("NotesT", bound=NotesOptions)


class NotesLearner(LearnerSpec[NotesT], Generic[NotesT]):
    """Learns notes along its tasks. Version n is what was noted after n windows of tasks.

    A subclass says what is noted of an episode (`note`), or of a whole window (`note_window`). Its `worlds` may differ.
    """

    learns = "notebook"
    worlds = {
        "alfworld": {"split": "train", "tasks": 24},
        "textcraft": {"split": "dev", "tasks": 24},
        "hotpotqa": {"split": "train", "tasks": 24},
        "webshop": {"split": "train", "tasks": 24},
    }
    follows_streams = True

    async def note(
        self, run: LearnerContext, version: Version, ran: EpisodeRan, experience: Experience
    ) -> Sequence[NoteChange]:
        """The changes that an episode's teaching makes; none: it taught nothing. A window's are asked for at once.

        Args:
            version: with which it was played; `run.notes(version)` are those that it could recall.
            ran: the episode, which did not fault.
            experience: what it went through.
        """
        return ()

    async def note_window(self, run: LearnerContext, version: Version, ran: Sequence[EpisodeRan]) -> None:
        """Change the notebook of the next version by what a window of episodes taught; see `note`."""

        async def note(place: int, each: EpisodeRan, experience: Experience) -> None:
            if changes := await self.note(run, version, each, experience):
                await run.change_notes(version + 1, place, *changes)

        async with run.branches() as group:
            for place, each in enumerate(ran):
                if each.experience is not None and not each.faulted:
                    group.start(note, place, each, each.experience)

    async def learn(self, run: LearnerContext) -> Learned:
        """Publish version 0, and one after every window of tasks."""
        total = len(run.training) if self.plays() else run.trajectories
        window = self._window(total)
        starts = range(0, total, window)

        async def learnt_from(first: int, version: Version) -> Sequence[EpisodeRan]:
            if self.plays():
                return await run.experience(run.training[first : first + window], version)
            return await run.given(first, window)

        async def make(version: Version) -> str:
            if version:
                ran = await learnt_from(starts[(version - 1) % len(starts)], version - 1)
                await self.note_window(run, version - 1, ran)
            return await run.seal(version)

        return await publish_versions(run, self.config, self.versions(len(run.training), run.trajectories), make)

    def plays(self) -> bool:
        return self.config.source == "played"

    def versions(self, training: int, trajectories: int = 0) -> int:
        refuse_wrong_source(self.config.source, trajectories)
        if self.stream and not self.plays():
            raise ValueError("learning.source: expected 'played' along a stream, got 'given'")
        total, what = (training, "tasks to learn from") if self.plays() else (trajectories, "given trajectories")
        window = self._window(total)
        if window > total:
            raise ValueError(f"learning.window: expected at most {total}, the {what}, got {window}")
        if self.stream and self.config.rounds > 1:
            expected = "1 along a stream, whose tasks are played once"
            raise ValueError(f"learning.rounds: expected {expected}, got {self.config.rounds}")
        return -(-total // window) * self.config.rounds

    def episodes(self, training: int, held_out: int, test: int, trajectories: int = 0) -> int:
        last = self.versions(training, trajectories)
        return training * self.config.rounds + self.config.episodes(last, held_out, test)

    def _window(self, total: int) -> int:
        return self.config.window or max(1, total)


class NotesMethod(Method[ConfigT], Generic[ConfigT]):
    """A method with a learner of notes: it attempts every task by its inner method, which is shown the notes."""

    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.attempt()

    def describe(self) -> Description:
        return Description(budget=self.budget_of_attempts(1))

    def most_calls(self) -> int | None:
        return self.most_calls_of_attempts(1)
