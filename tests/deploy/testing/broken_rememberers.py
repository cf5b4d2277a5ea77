"""Learners of a memory and of a notebook that keep the contract, and others that break it in one place each.

All are on TextCraft.
"""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, TypeAlias

import msgspec
from msgspec import structs

from quintet.messages.learning import EpisodeRan, Learned
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import AddNote, Note, ReplaceNote, VoteNote
from quintet.messages.parts import PromptPart, Recollection
from quintet.messages.store import NamedType, Seal, StoreTuples
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec
from tests.deploy.testing.broken_learners import Deaf, Good, LearningConfig

_ROUNDS = 2

Run: TypeAlias = LearnerContext
Remember: TypeAlias = Callable[[Run, int], Awaitable[None]]
"""Stores what comes in with the version after this one."""


async def _store(run: Run, ran: EpisodeRan, version: int, place: int) -> None:
    """Store one tuple of an episode."""
    assert ran.experience is not None
    new = MemoryTuple(
        goal=ran.experience.task,
        evaluation="",
        summary="",
        observation=ran.experience.opening,
        action="inventory",
        goal_type=1,
        observation_type=1,
    )
    types = NamedType(number=1, name="goals"), NamedType(number=1, name="views", goal_type=1)
    await run.ask(StoreTuples(version=version, batch=1, place=place, types=types, processes=((new,),)))


async def _in_task_order(run: Run, version: int) -> None:
    for place, ran in enumerate(await run.experience(run.training, version)):
        await _store(run, ran, version + 1, place)


async def _as_they_ended(run: Run, version: int) -> None:
    ended: list[EpisodeRan] = []

    async def one(task: str) -> None:
        ended.extend(await run.experience([task], version))

    async with run.branches() as group:
        for task in run.training:
            group.start(one, task)
    for place, ran in enumerate(ended):
        await _store(run, ran, version + 1, place)


_stored: set[tuple[str, int]] = set()


async def _each_once_in_this_process(run: Run, version: int) -> None:
    for place, ran in enumerate(await run.experience(run.training[:2], version)):
        assert ran.experience is not None
        if (ran.experience.task, version) not in _stored:
            _stored.add((ran.experience.task, version))
            await _store(run, ran, version + 1, place)


class MemoryLearner(LearnerSpec[LearningConfig]):
    """Stores a tuple of every training task in each of two rounds, and keeps the last version."""

    learns = "memory"
    worlds = {"textcraft": {"split": "dev"}}
    remember: ClassVar[Remember] = staticmethod(_in_task_order)

    async def learn(self, run: Run) -> Learned:
        await self.publish(run, 0)
        for version in range(_ROUNDS):
            await type(self).remember(run, version)
            await self.publish(run, version + 1)
        await run.measure(run.test, _ROUNDS)
        await run.measure(run.held_out, 0)
        return Learned(version=_ROUNDS)

    async def publish(self, run: Run, version: int) -> None:
        sealed = await run.ask(Seal(version=version))
        await run.publish(version, msgspec.json.encode(sealed).decode())

    def versions(self, training: int, trajectories: int = 0) -> int:
        return _ROUNDS


class _ForgetfulLearner(MemoryLearner):
    remember: ClassVar[Remember] = staticmethod(_each_once_in_this_process)


class _RacingLearner(MemoryLearner):
    remember: ClassVar[Remember] = staticmethod(_as_they_ended)


class _BlankLearner(MemoryLearner):
    async def publish(self, run: Run, version: int) -> None:
        sealed = await run.ask(Seal(version=version))
        assert sealed is not None
        await run.publish(version, msgspec.json.encode(structs.replace(sealed, tuples=0, batches=0)).decode())


class NotebookLearner(LearnerSpec[LearningConfig]):
    """Notes down every training task in each of two rounds, votes for what was recalled, and replaces what it edits."""

    learns = "notebook"
    worlds = {"textcraft": {"split": "dev"}}
    memory = {"retrieval": "lexical", "most": 2}

    async def learn(self, run: Run) -> Learned:
        for version in range(_ROUNDS):
            await run.publish(version, await run.seal(version))
            before = await run.notes(version)
            for place, ran in enumerate(await run.experience(run.training, version)):
                assert ran.experience is not None
                task = ran.experience.task
                votes = [VoteNote(id=each.id, helpful=1) for each in before if each.note.about == task]
                replaced = [ReplaceNote(id=each.id, by=before[0].id) for each in before[1:][place : place + 1]]
                added = AddNote(note=Note(text=f"Round {version}.", about=task, episode=f"{task}/{version}/0"))
                ids = await run.change_notes(version + 1, place, added, *votes, *replaced)
                assert len(ids) == 1 + len(votes) + len(replaced)
        await run.publish(_ROUNDS, await run.seal(_ROUNDS))
        await run.measure(run.test, _ROUNDS)
        return Learned(version=_ROUNDS)

    def versions(self, training: int, trajectories: int = 0) -> int:
        return _ROUNDS


class Rememberer(Good):
    """A few turns of the executor, which recalls before each."""

    learner = MemoryLearner


class NoteTaker(Good):
    """A few turns of the executor, which is shown notes for its task."""

    learner = NotebookLearner


_newest: dict[str, Recollection] = {}


class Newer(Rememberer):
    """Recalls from the newest version that any episode has read."""

    def parts(self, episode: Episode) -> tuple[PromptPart, ...]:
        for part in episode.parts:
            if isinstance(part, Recollection) and part.version >= _newest.get("", part).version:
                _newest[""] = part
        return tuple(_newest.values())


class Oblivious(Rememberer):
    """Recalls nothing."""

    parts = Deaf.parts


def _with(learner: type[LearnerSpec[Any]]) -> type[Rememberer]:
    return type("RemembererMethod", (Rememberer,), {"learner": learner})


Forgetful = _with(_ForgetfulLearner)
RacingRememberer = _with(_RacingLearner)
Blank = _with(_BlankLearner)
