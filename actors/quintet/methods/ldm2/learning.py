"""LDM2's learner: forms a memory from trajectories, and refines it in rounds of explored goals."""

from asyncio import Semaphore
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import msgspec

from quintet.errors import UsageError
from quintet.messages.learning import EpisodeRan, Learned, Version
from quintet.messages.memory import Form, Remember, Trajectory
from quintet.messages.paths import Path, episode_of
from quintet.messages.reflection import Compare
from quintet.messages.solving import DecisionProcess
from quintet.messages.store import ReadTrajectories, Seal
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec
from quintet.methods.base.versions import publish_versions, refuse_wrong_source
from quintet.methods.ldm2.config import Ldm2Learning
from quintet.roles.turn_text import observed_actions

EXPERT: Final = "expert"
"""The purpose of an episode in which the world's expert is followed."""
EXPLORE: Final = "explore"
"""The purpose of an episode in which trees are grown."""

_FORMS: Final = 4
"""How many batch memories are formed at once: while one waits for its types, the others keep the models busy."""

_Read: TypeAlias = Callable[[int, int], Awaitable[tuple[Trajectory, ...]]]
"""Reads trajectories: the number of the first, from 0, and how many."""


class Ldm2Learner(LearnerSpec[Ldm2Learning]):
    """Publishes a version of the memory once all that comes in with it is stored."""

    requests = (Form, Remember, Compare)
    learns = "memory"
    worlds = {
        "alfworld": {"split": "train", "tasks": 48},
        "textcraft": {"split": "dev", "tasks": 48},
        "hotpotqa": {"split": "train", "tasks": 48},
        "webshop": {"split": "train", "tasks": 48},
    }

    async def learn(self, run: LearnerContext) -> Learned:
        """Publish version 0, the version that is formed, and one for every round.

        The next round explores while a version is measured, and does not depend on the measure.

        Source: LDM2, sections 3.2 and 3.3. Differs: a round reads the memory of its beginning, and all its goals are
        explored at once; tuples are added in the order of tasks (ours).
        """
        formation, rounds = self._split(len(run.training))
        known = 0

        def of(numbers: range) -> Sequence[str]:
            return run.training[numbers.start : numbers.stop]

        async def make(version: Version) -> str:
            nonlocal known
            if version > self._formed:
                await self._refine(run, version, of(rounds[version - self._formed - 1]), known)
            elif version:
                await self._form_first(run, version, of(formation), known)
            sealed = await run.roles.ask(Seal(version=version))
            known = sealed.batches
            return msgspec.json.encode(sealed).decode()

        return await publish_versions(run, self.config, self.versions(len(run.training), run.trajectories), make)

    async def _form_first(self, run: LearnerContext, version: Version, tasks: Sequence[str], known: int) -> None:
        """Form batch memories from the expert's episodes, or from the trajectories that the run was given.

        They come after those of version 0.
        """
        if self.config.source == "given":

            async def read(first: int, count: int) -> tuple[Trajectory, ...]:
                return (await run.roles.ask(ReadTrajectories(first=first, count=count))).trajectories

            await self._form(run, version, known, run.trajectories, read)
            return
        ran = await run.experience(tasks, version - 1)
        followed = [_trajectory(process) for _, process in _processes(ran)]
        if not followed:
            reasons = sorted({ran.experience.reason for ran in ran if ran.experience is not None})
            raise UsageError(
                "learning.source: expected a world whose expert solves tasks, got no solved one of "
                f"{len(tasks)} ({'; '.join(reasons)}). Give trajectories with --trajectories FILE or --from-run RUN"
            )
        await self._form_from(run, version, known, followed)

    async def _refine(self, run: LearnerContext, version: Version, tasks: Sequence[str], known: int) -> None:
        """Explore goals, and remember what surpassed the processes that the memory led to.

        An empty memory has no types to index by: what is found forms its first batch memories (ours).
        """
        found = _processes(await run.experience(tasks, version - 1))
        if not known:
            await self._form_from(run, version, known, [_trajectory(process) for _, process in found])
            return
        async with run.branches(spread=True) as group:
            for place, process in found:
                group.start(
                    run.ask,
                    Remember(
                        version=version,
                        batch=process.batch,
                        place=place * known + process.batch - 1,
                        trajectory=_trajectory(process),
                        first=process.first,
                    ),
                )

    async def _form_from(
        self, run: LearnerContext, version: Version, known: int, trajectories: Sequence[Trajectory]
    ) -> None:
        async def read(first: int, count: int) -> tuple[Trajectory, ...]:
            return tuple(trajectories[first : first + count])

        await self._form(run, version, known, len(trajectories), read)

    async def _form(self, run: LearnerContext, version: Version, known: int, total: int, read: _Read) -> None:
        """Form all batch memories, a few at once; the trajectories of one are read when its turn comes.

        Source: LDM2, section 3.1, which divides the trajectories in order.
        """
        gate = Semaphore(_FORMS)

        async def form(batch: int, first: int, count: int) -> None:
            async with gate:
                trajectories = await read(first, count)
                await run.ask(Form(version=version, batch=batch, place=first, trajectories=trajectories))

        async with run.branches(spread=True) as group:
            for batch, share in enumerate(divide(total, self.config.batch_of(total)), known + 1):
                group.start(form, batch, share.start, len(share))

    def versions(self, training: int, trajectories: int = 0) -> int:
        config = self.config
        refuse_wrong_source(config.source, trajectories)
        goals = config.goals_of(training)
        explored = config.rounds * goals
        if explored > training:
            expected = f"at most {training}, the tasks to learn from, in {config.rounds} rounds"
            raise ValueError(f"learning.goals: expected {expected}, got {goals} in each")
        if config.source == "none":
            return config.rounds
        from_given = config.source == "given"
        source = (
            "that were given" if from_given else f"of the expert, with {explored} of {training} tasks left for rounds"
        )
        formed = trajectories if from_given else training - explored
        batch = config.batch_of(formed)
        if batch > formed:
            raise ValueError(f"learning.batch: expected at most {formed}, the trajectories {source}, got {batch}")
        return 1 + config.rounds

    def purpose(self, version: Version) -> str:
        return EXPERT if self.config.source == "expert" and version == 0 else EXPLORE

    def episodes(self, training: int, held_out: int, test: int, trajectories: int = 0) -> int:
        formation, rounds = self._split(training)
        explored = sum(map(len, rounds))
        last = self._formed + len(rounds)
        return len(formation) + explored + self.config.episodes(last, held_out, test)

    @property
    def _formed(self) -> int:
        """How many versions are formed before the first round."""
        return int(self.config.source != "none")

    def _split(self, training: int) -> tuple[range, list[range]]:
        """The numbers of the tasks that the expert solves, and of those of each round, which are the last ones."""
        goals = self.config.goals_of(training)
        first = training - self.config.rounds * goals
        rounds = [range(at, at + goals) for at in range(first, training, goals)]
        return range(first if self.config.source == "expert" else 0), rounds


def divide(total: int, batch: int) -> list[range]:
    """The numbers of the trajectories of each batch memory, from 0, in order.

    Args:
        batch: of one batch memory. A remainder of at least half of it is one too; a lesser one joins the last.
    """
    starts = list(range(0, total, batch))
    if len(starts) > 1 and 2 * (total - starts[-1]) < batch:
        starts.pop()
    return [range(start, end) for start, end in pairwise([*starts, total])]


def _processes(ran: Sequence[EpisodeRan]) -> list[tuple[int, DecisionProcess]]:
    """What is worth remembering, each with the number of its episode, from 0. Episodes that faulted are left out."""
    return [
        (place, process)
        for place, episode in enumerate(ran)
        if episode.experience is not None and not episode.faulted
        for process in episode.experience.processes
        if process.turns
    ]


def _trajectory(process: DecisionProcess) -> Trajectory:
    return Trajectory(
        goal=process.goal,
        steps=observed_actions(process.setting, process.turns),
        reward=process.reward,
        source=episode_of(Path(process.session)),
    )
