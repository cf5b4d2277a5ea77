"""The context of a learner: its tasks, the roles it asks, episodes it runs, and versions it publishes."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

import msgspec

from quintet.messages.learning import EpisodeRan, Experience, Feedback, RunEpisode, Version
from quintet.messages.memory import RecallNotes, RememberNotes, Trajectory
from quintet.messages.message import ReplyT, Request
from quintet.messages.notes import NoteChange, StoredNote
from quintet.messages.reflection import AttemptJudged, JudgeAttempt
from quintet.messages.solving import DecisionProcess
from quintet.messages.store import FindNotes, ReadTrajectories, Seal
from quintet.methods.base.context import MethodContext
from quintet.roles.branches import branches
from quintet.roles.context import publish, seeded_random, unless_refused
from quintet.roles.conversations import paragraphs
from quintet.roles.turn_text import ENDED, as_sentence, turn_of


@dataclass(frozen=True)
class LearnerContext(MethodContext):
    """The context of a learner's `learn`. It offers no model client, clock or Ray."""

    seed: int
    """Of the run."""
    training: tuple[str, ...]
    """Names of the training tasks."""
    held_out: tuple[str, ...]
    """Tasks that may decide which version is chosen."""
    test: tuple[str, ...]
    """Tasks that measure versions. Nothing may depend on their results."""
    start: str
    """The content of version 0."""
    trajectories: int = 0
    """How many trajectories lie in the run's store to learn from; see `ReadTrajectories`."""
    feedback: Feedback = "reward"
    """Whence `experience` knows whether an episode succeeded."""

    async def ask(self, request: Request[ReplyT]) -> ReplyT | None:
        """Ask the role that answers such requests.

        Returns:
            None if its model permanently refuses (say, the prompt is too long). The refusal is journaled, so a replay
            does not ask again, and the learner goes on without the answer.
        """

        async def asked() -> ReplyT:
            return await self.roles.ask(request)

        return await unless_refused(asked)

    async def notes(self, version: Version, *, section: str = "") -> tuple[StoredNote, ...]:
        """The active notes of a sealed version of the run's notebook, in the order of their entry.

        Args:
            section: only of this one; empty: of all.
        """
        return (await self.roles.ask(FindNotes(version=version, section=section))).notes

    async def similar(self, version: Version, text: str, most: int) -> tuple[tuple[StoredNote, float], ...]:
        """The active notes of a sealed version that are nearest to a text, nearest first, each with its cosine.

        What is found is an event, and what embeds the text is a call: a replay pays for neither. The run needs an
        embedder (`memory.embedder`).

        Args:
            text: `Note.found_by` of a note, say, by which that note itself has the cosine 1.
            most: notes.
        """
        request = RecallNotes(version=version, goal=text, retrieval="embedding", most=most, budget=None)
        recalled = await self.roles.ask(request)
        return tuple(zip(recalled.notes, recalled.scores, strict=True))

    async def change_notes(self, version: Version, place: int, *changes: NoteChange) -> tuple[int, ...]:
        """Change the run's notebook, in a version that is not sealed; see `ChangeNotes`.

        Args:
            place: in the version, from 0. It names these changes, so that a replay stores nothing twice, and orders
                them among those of other places, whichever arrive first: say the number of their task.

        Returns:
            The id of the note that each change is about.
        """
        return (await self.roles.ask(RememberNotes(version=version, place=place, changes=changes))).ids

    async def seal(self, version: Version) -> str:
        """Complete a version of the run's memory or notebook, and return its content for `publish`."""
        return msgspec.json.encode(await self.roles.ask(Seal(version=version))).decode()

    async def publish(self, version: Version, content: str) -> None:
        """Publish a version for later episodes to read; see `quintet.roles.context`."""
        await publish(version, content)

    async def experience(self, tasks: Sequence[str], version: Version) -> list[EpisodeRan]:
        """Run training tasks with a version, in parallel and ahead of all queued episodes.

        Returns:
            The result of each, in the order of the tasks. With judged feedback its reward is 1 or 0, as a model
            judges, and nothing else in it tells the world's; an episode without a verdict counts as faulted.
        """
        return await self._with_feedback(await self._run(tasks, version, for_training=True))

    async def given(self, first: int, count: int) -> list[EpisodeRan]:
        """Read trajectories that the run was given, as episodes that earned their reward; see `experience`.

        An episode's last observation is not known, nor are its thoughts.

        Args:
            first: the number of the first one, from 0.
            count: how many; fewer at the end.
        """
        read = await self.roles.ask(ReadTrajectories(first=first, count=count))
        return await self._with_feedback(list(map(_as_episode, read.trajectories)))

    async def _with_feedback(self, ran: list[EpisodeRan]) -> list[EpisodeRan]:
        if self.feedback == "reward":
            return ran
        async with self.branches() as group:
            judged = [group.start(self._judge, each) for each in ran]
        return [branch.result() for branch in judged]

    async def _judge(self, ran: EpisodeRan) -> EpisodeRan:
        """What ran, with a model's verdict in place of all that tells a reward."""
        if ran.faulted or ran.experience is None:
            return ran
        experience = ran.experience
        processes = tuple(msgspec.structs.replace(each, reward=0.0) for each in experience.processes)
        shown = msgspec.structs.replace(experience, reason="", processes=processes)
        verdict = await self.ask(JudgeAttempt(experience=shown))
        if not isinstance(verdict, AttemptJudged):
            return EpisodeRan(faulted=True, reward=0.0, experience=None)
        return EpisodeRan(faulted=False, reward=float(verdict.succeeded), experience=shown)

    async def measure(self, tasks: Sequence[str], version: Version) -> float | None:
        """Run tasks with a version, in parallel.

        Returns:
            The share with the full reward among those that did not fault; None if all faulted.
        """
        ends = await self._run(tasks, version, for_training=False)
        successes = [float(end.succeeded) for end in ends if not end.faulted]
        return fmean(successes) if successes else None

    async def _run(self, tasks: Sequence[str], version: Version, *, for_training: bool) -> list[EpisodeRan]:
        async with branches() as group:
            requests = [RunEpisode(task=task, version=version, for_training=for_training) for task in tasks]
            ran = [group.start(self._episode, request) for request in requests]
        return [branch.result() for branch in ran]

    async def _episode(self, request: RunEpisode) -> EpisodeRan:
        return await self.roles.ask(request)

    def random(self) -> Random:
        """A generator seeded by the run's seed and the current path: the same in every replay."""
        return seeded_random(self.seed)


def _as_episode(given: Trajectory) -> EpisodeRan:
    setting, *seen = (step.observation for step in given.steps)
    turns = tuple(turn_of(step.action, after) for step, after in zip(given.steps, (*seen, ENDED), strict=True))
    process = DecisionProcess(goal=given.goal, setting=setting, session="", reward=given.reward, turns=turns)
    experience = Experience(
        task=given.task,
        task_type=given.task_type,
        opening=paragraphs(setting, f"Goal: {as_sentence(given.goal)}"),
        turns=turns,
        processes=(process,),
    )
    return EpisodeRan(faulted=False, reward=given.reward, experience=experience)
