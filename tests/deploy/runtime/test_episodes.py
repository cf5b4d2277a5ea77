"""Episodes that a learner asks for: each is run once, in its turn, and the attempt that counted stays the one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest

from quintet.errors import EndpointFailed, LearnerFaulted, ModelFault
from quintet.events import Decided
from quintet.journal.writer import SqliteJournal
from quintet.messages.learning import EpisodeRan, Learned, RunEpisode
from quintet.messages.paths import Path, attempt_of, episode_path
from quintet.messages.planning import RevisePlan
from quintet.messages.prompts import Prompt
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.methods.base.learner_context import LearnerContext
from quintet.ports.model import Completion, Sampling
from quintet.runtime.driver import Driver
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from tests.simulation.learners import LEARN, apprentice, seated
from tests.simulation.scenes import Fetcher, Slow
from tests.simulation.virtual import run

Run = LearnerContext

MEASURED = (*LEARN.held_out, *LEARN.test, "cake")
FIRST, AGAIN = episode_path("beehive", 0, 0), episode_path("beehive", 0, 1)
OTHER = episode_path("lantern", 0, 0)


class Moody:
    """A model that faults as long as it is told to, but answers when it is greeted."""

    name = "fetcher"

    def __init__(self, fault: ModelFault | None = None, *, times: int = 1_000_000) -> None:
        self.fault = fault or ModelFault("not now")
        self.times = times

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if prompt.messages()[-1].content == "Hello.":
            return Completion(text="Hello.")
        if self.times:
            self.times -= 1
            raise self.fault
        return await Slow(Fetcher()).complete(prompt, sampling)


class _AsTold(AutoPlanLearner):
    def __init__(self, config: AutoPlanLearning, do: Callable[[Run], Awaitable[None]]) -> None:
        super().__init__(config)
        self._do = do

    async def learn(self, run: Run) -> Learned:
        await run.publish(0, "")
        await self._do(run)
        return Learned(version=0)


@dataclass
class Scene:
    """A learner that does as it is told, on one journal."""

    learn: Callable[[Run], Awaitable[None]]
    model: Slow | Moody = field(default_factory=lambda: Slow(Fetcher()))
    journal: SqliteJournal = field(default_factory=lambda: SqliteJournal(":memory:"))
    concurrency: int = 1

    def play(
        self, *further: Planned, operate: Callable[[Driver], Awaitable[None]] | None = None, learns: bool = True
    ) -> list[Path]:
        """Run to the end, or until the learner faults; the episodes in the order of their ends."""
        spec = self.spec()

        async def scene() -> list[Path]:
            async with LocalRuntime(spec, self.journal, concurrency=self.concurrency) as runtime:
                learner = seated(spec, runtime, self.journal)
                working = None if operate is None else asyncio.ensure_future(operate(runtime.runner))
                ended = [end.path async for end in runtime.run([*(learner if learns else ()), *further])]
                if working is not None:
                    await working
                return ended

        return run(scene())

    def spec(self) -> RunSpec:
        return replace(apprentice(self.model), learner=_AsTold(AutoPlanLearning(), self.learn))

    def planned(self, path: Path) -> Planned:
        """An episode that nobody asks for."""
        solve_request = EpisodeRequests(self.spec(), learn=LEARN, version=self.journal.reader.version)
        return Planned(path, solve_request(attempt_of(path).task, 0))

    @property
    def counted(self) -> list[str]:
        """The attempts that were decided to count."""
        events = (record.event for record in self.journal.reader.records())
        return [event.answer for event in events if isinstance(event, Decided) and event.question == "attempt"]


def test_an_episode_whose_end_is_found_is_not_run_again() -> None:
    told: list[EpisodeRan] = []

    async def twice(context: Run) -> None:
        for _ in range(2):
            told.extend(await context.experience(["beehive"], 0))

    scene = Scene(twice)
    assert scene.play() == [FIRST]
    assert scene.journal.reader.incarnations()[FIRST] == 1
    assert told[0] == told[1]
    assert told[0].experience is not None
    assert told[0].experience.turns


def test_what_an_episode_went_through_is_told_only_where_it_is_learnt_from() -> None:
    told: list[EpisodeRan] = []

    async def measured(context: Run) -> None:
        told.append(await context.roles.ask(RunEpisode(task="purple bed", version=0)))

    Scene(measured).play()
    assert [ran.experience for ran in told] == [None]


def test_the_attempt_that_counted_stays_the_one_whatever_is_repeated_later() -> None:
    told: list[EpisodeRan] = []

    async def then_revise(context: Run) -> None:
        told.extend(await context.experience(["beehive"], 0))
        await context.roles.ask(RevisePlan(plan="", lessons=()))

    model = Moody()
    scene = Scene(then_revise, model)
    with pytest.raises(LearnerFaulted, match="not now"):
        scene.play()
    model.times = 0
    assert scene.play(scene.planned(AGAIN), learns=False) == [AGAIN]
    assert scene.play() == []
    assert [ran.faulted for ran in told] == [True, True]
    assert scene.counted == ["0"]


def test_of_several_attempts_the_newest_counts_where_none_has_yet() -> None:
    told: list[EpisodeRan] = []

    async def once(context: Run) -> None:
        told.extend(await context.experience(["beehive"], 0))

    async def requeue(driver: Driver) -> None:
        await asyncio.sleep(1.5)
        assert [begun.path for begun in driver.under_way if begun.has_slot] == [FIRST]
        await driver.requeue(FIRST, scene.planned(AGAIN))

    scene = Scene(once)
    assert scene.play(operate=requeue) == [FIRST, AGAIN]
    assert scene.counted == ["1"]
    end = scene.journal.reader.end(AGAIN)
    assert end is not None
    assert [(ran.faulted, ran.reward) for ran in told] == [(False, end.reward)]


def test_an_attempt_that_is_still_to_begin_counts_too() -> None:
    told: list[EpisodeRan] = []

    async def revise_first(context: Run) -> None:
        await context.roles.ask(RevisePlan(plan="", lessons=()))
        told.extend(await context.experience(["beehive"], 0))

    model = Moody()
    scene = Scene(revise_first, model)
    with pytest.raises(LearnerFaulted, match="not now"):
        scene.play()
    assert scene.play(scene.planned(FIRST), learns=False) == [FIRST]
    model.times = 0
    assert scene.play(scene.planned(OTHER), scene.planned(AGAIN)) == [OTHER, AGAIN]
    assert [ran.faulted for ran in told] == [False]
    assert scene.counted == ["1"]


def test_an_episode_to_learn_from_that_its_surroundings_failed_is_made_once_more() -> None:
    told: list[EpisodeRan] = []

    async def once(context: Run) -> None:
        told.extend(await context.experience(["beehive"], 0))

    scene = Scene(once, Moody(EndpointFailed("502"), times=5))
    assert scene.play() == [FIRST, AGAIN]
    assert [ran.faulted for ran in told] == [False]
    assert scene.counted == ["1"]


def test_a_learner_does_not_learn_from_a_batch_that_its_surroundings_failed_and_takes_it_up_again() -> None:
    told: list[EpisodeRan] = []

    async def once(context: Run) -> None:
        told.extend(await context.experience(["beehive"], 0))
        await context.publish(1, "learnt")

    model = Moody(EndpointFailed("502"))
    scene = Scene(once, model)
    for attempt in (1, 2):
        with pytest.raises(LearnerFaulted, match=f"beehive/0/{attempt}: expected an episode to learn from"):
            scene.play()
        assert scene.journal.reader.published().keys() == {0}
        assert scene.counted == []
    model.times = 0
    assert scene.play() == [episode_path("beehive", 0, 3)]
    assert scene.counted == ["3"]
    assert scene.play() == []
    assert [ran.faulted for ran in told] == [False, False]
    assert scene.journal.reader.published()[1] == "learnt"


def test_an_episode_that_is_measured_by_is_left_as_its_surroundings_failed_it() -> None:
    rates: list[float | None] = []

    async def measured(context: Run) -> None:
        rates.append(await context.measure(["cake"], 0))

    assert Scene(measured, Moody(EndpointFailed("502"), times=5)).play() == [episode_path("cake", 0, 0)]
    assert rates == [None]


def test_what_is_learnt_from_goes_ahead_of_all_that_waits() -> None:
    async def collecting(context: Run) -> None:
        await asyncio.sleep(0.5)
        await context.experience(LEARN.training[:2], 0)

    async def measuring(context: Run) -> None:
        await asyncio.sleep(0.7)
        await context.measure(["stick"], 0)

    async def overlapping(context: Run) -> None:
        async with context.branches() as group:
            group.start(context.measure, MEASURED, 0)
            group.start(collecting, context)
            group.start(measuring, context)

    ended = [path.split("/")[0] for path in Scene(overlapping).play()]
    assert ended[0] in MEASURED
    assert sorted(ended[1:3]) == sorted(LEARN.training[:2])
    assert sorted([ended[0], *ended[3:-1]]) == sorted(MEASURED)
    assert ended[-1] == "stick"
