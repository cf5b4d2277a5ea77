"""Operators under faults: cancelled once, repeated once, nothing lost, and a replay sees the same."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path as FilePath
from random import Random
from typing import Any

import pytest

from quintet.errors import EndpointUnavailable, UsageError
from quintet.events import Cancelled, CutShort, EpisodeEnded, Record, Requeued
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, is_within, without_attempt
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.plugins.catalogue import model
from quintet.ports.model import Sampling
from quintet.runtime.driver import Driver
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import Placement
from quintet.runtime.spec import Limits, RunSpec
from quintet.testing.content import Content
from quintet.testing.replay import with_model
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster, Faults, colocated
from tests.simulation.content import content
from tests.simulation.network import Network
from tests.simulation.replays import Mute, replayed
from tests.simulation.scenes import GOALS, Slow, adapt, planned, played
from tests.simulation.test_crashes import POSITIONS, crashed
from tests.simulation.test_faults import faults
from tests.simulation.virtual import run

Operate = Callable[[Driver], Coroutine[Any, Any, None]]

VICTIM, OTHER = Path("beehive/0/0"), Path("lantern/0/0")
PAIR, FEW = GOALS[:2], GOALS[:4]


@cache
def spec() -> RunSpec:
    return adapt(Slow(model("sim-weak")), max_depth=2, max_steps=6)


def cluster(
    journal: SqliteJournal,
    placement: Placement = COLOCATED,
    *,
    random: Random | None = None,
    sky: Faults | None = None,
    slots: int = 2,
    of: RunSpec | None = None,
) -> Cluster:
    sky = sky or Faults()
    network = Network(random or Random(0), delay=sky.delay, loss=sky.loss)
    built = Cluster(of or spec(), journal, network, placement, slots=slots)
    built.inject(sky)
    return built


async def operated(
    cluster: Cluster, operate: Operate | None = None, goals: tuple[str, ...] = FEW
) -> list[EpisodeEnded]:
    """Run episodes while an operator is at work."""
    working = asyncio.create_task(operate(cluster.runner)) if operate else None
    ends = await cluster.finish(planned(cluster.spec, goals))
    if working is not None:
        await working
    assert len({end.path for end in ends}) == len(ends)
    assert sorted(end.path for end in ends) == sorted(
        row.path for row in cluster.journal.reader.episodes() if row.state is not None
    )
    return sorted(ends, key=lambda end: end.path)


def ran(
    journal: SqliteJournal, operate: Operate | None = None, goals: tuple[str, ...] = FEW, **options: Any
) -> list[EpisodeEnded]:
    """The ends of a cluster's episodes while an operator is at work."""

    async def scene() -> list[EpisodeEnded]:
        return await operated(cluster(journal, **options), operate, goals)

    return run(scene())


def after(seconds: float, operate: Operate) -> Operate:
    async def later(driver: Driver) -> None:
        await asyncio.sleep(seconds)
        await operate(driver)

    return later


async def until(it_is_so: Callable[[], bool]) -> None:
    while not it_is_so():  # noqa: ASYNC110  in virtual time
        await asyncio.sleep(0.01)


@cache
def without_faults(goals: tuple[str, ...] = FEW) -> Content:
    journal = SqliteJournal(":memory:")
    ran(journal, goals=goals)
    return content(journal)


def of_episode(events: Content, path: Path) -> dict[tuple[str, str], str]:
    """What happened in an episode, whichever attempt it is, and without why it is one."""
    return {
        (without_attempt(Path(place)), kind): str(event).replace(path, first(path))
        for (place, kind), event in events.items()
        if is_within(Path(place), path) and not isinstance(event, Requeued)
    }


def first(path: Path) -> Path:
    """The first attempt at the same."""
    return Path(f"{path.rpartition('/')[0]}/0")


def is_cancelled(end: EpisodeEnded) -> bool:
    return end.state == "unsolved" and end.cancelled


class Watched(SqliteJournal):
    """A journal that says when so many events of an episode are about to be written."""

    def __init__(self, episode: Path, position: int, then: Callable[[], None]) -> None:
        super().__init__(":memory:")
        self._episode = episode
        self._position = position
        self._then = then

    async def append(self, records: Iterable[Record]) -> None:
        records = tuple(records)
        for record in records:
            if is_within(record.event.path, self._episode):
                self._position -= 1
                if self._position == 0:
                    self._then()
        await super().append(records)


async def cancelled_at(position: int, placement: Placement) -> tuple[list[EpisodeEnded], SqliteJournal, bool]:
    """Cancel the victim as its event of this number is about to be written.

    Returns:
        The ends, the journal, and whether the driver refused.
    """
    attempts: list[asyncio.Task[EpisodeEnded]] = []
    journal = Watched(VICTIM, position, lambda: attempts.append(asyncio.create_task(under.runner.cancel(VICTIM))))
    under = cluster(journal, placement)
    ends = await operated(under, goals=PAIR)
    (attempt,) = attempts
    return ends, journal, isinstance(attempt.exception(), UsageError)


@POSITIONS
@pytest.mark.parametrize("placement", [COLOCATED, PER_ROLE], ids=["colocated", "per-role"])
def test_an_episode_cancelled_at_any_event_ends_once_and_its_replay_the_same(placement: Placement, apart: int) -> None:
    events = sum(is_within(Path(path), VICTIM) for path, _ in without_faults(PAIR))
    assert events > 20
    expected = of_episode(without_faults(PAIR), OTHER)
    outcomes: set[bool] = set()
    for position in (*range(1, events, apart), events):
        ends, journal, refused = run(cancelled_at(position, placement))
        assert [is_cancelled(end) for end in ends] == [not refused, False], f"at event {position}"
        assert replayed(spec(), journal) == ends
        assert of_episode(content(journal), OTHER) == expected
        outcomes.add(refused)
    assert outcomes == {True, False}, "an episode that is ending cannot be cancelled"


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 1.0, 30.0])
def test_a_queued_episode_is_cancelled_without_being_run(seconds: float) -> None:
    journal = SqliteJournal(":memory:")
    last = Path(f"{FEW[-1]}/0/0")

    async def cancel(driver: Driver) -> None:
        assert last in driver.queued
        assert is_cancelled(await driver.cancel(last))
        assert last not in driver.queued

    ends = ran(journal, after(seconds, cancel), placement=colocated("host"), slots=1)
    assert [end.path for end in ends if is_cancelled(end)] == [last]
    kinds = {record.event.kind for record in journal.reader.records(last)}
    assert kinds == {"cancelled", "exchanged", "episode_ended"}
    assert replayed(spec(), journal) == ends


async def test_of_two_operators_who_cancel_at_once_the_second_is_refused() -> None:
    async def cancel(driver: Driver) -> None:
        first, second = await asyncio.gather(driver.cancel(VICTIM), driver.cancel(VICTIM), return_exceptions=True)
        assert isinstance(first, EpisodeEnded)
        assert is_cancelled(first)
        assert isinstance(second, UsageError)

    await operated(cluster(SqliteJournal(":memory:")), after(2.0, cancel), PAIR)


async def test_what_is_cancelled_gives_back_one_place_and_no_more() -> None:
    most: list[int] = []
    async with LocalRuntime(spec(), SqliteJournal(":memory:"), concurrency=2) as runtime:

        async def operate() -> None:
            await asyncio.sleep(1)
            for goal in ("beehive", FEW[-1]):
                await runtime.runner.cancel(Path(f"{goal}/0/0"))
            while runtime.runner.under_way:
                most.append(len(runtime.runner.under_way))
                await asyncio.sleep(0.1)

        working = asyncio.create_task(operate())
        assert len([end async for end in runtime.run(planned(spec(), FEW))]) == len(FEW)
        await working
    assert max(most) == 2


@pytest.mark.parametrize(
    "tenth", [tenth if tenth % 8 == 0 else pytest.param(tenth, marks=pytest.mark.slow) for tenth in range(0, 40, 2)]
)
def test_cancelling_while_the_episode_is_taken_over_ends_it_once(tenth: int) -> None:
    journal = SqliteJournal(":memory:")

    async def cancel(driver: Driver) -> None:
        assert is_cancelled(await driver.cancel(VICTIM))

    sky = Faults(delay=1.0, kills=[(3.0, name) for name in COLOCATED.hosts["subtask"][:2]])
    ends = ran(journal, after(2.0 + tenth / 10, cancel), GOALS[:3], random=Random(tenth), sky=sky)
    assert [end.path for end in ends if is_cancelled(end)] == [VICTIM]
    assert replayed(spec(), journal) == ends


def reason_when_cancelled_at(seconds: float) -> str:
    """Why the victim ended, which has a time limit of five seconds."""
    limited = replace(spec(), limits=Limits(episode=5.0))
    journal = SqliteJournal(":memory:")

    async def cancel(driver: Driver) -> None:
        with suppress(UsageError):
            await driver.cancel(VICTIM)

    sky, chance = Faults(delay=0.8), Random(int(seconds * 1000))
    ends = ran(journal, after(seconds, cancel), PAIR, placement=PER_ROLE, random=chance, sky=sky, of=limited)
    ended_by = [event for event in content(journal).values() if isinstance(event, CutShort | Cancelled)]
    (early,) = [event for event in ended_by if event.path == VICTIM]
    assert (ends[0].reason, ends[0].cancelled) == (early.reason, isinstance(early, Cancelled))
    assert replayed(limited, journal) == ends
    return ends[0].reason


def test_of_a_time_limit_and_a_cancellation_at_once_the_first_in_the_journal_counts() -> None:
    reasons = {reason_when_cancelled_at(5 + turn / 20) for turn in range(-5, 40, 4)}
    assert reasons == {"time limit", "cancelled by operator"}


async def until_it_dies(file: FilePath, at: tuple[Path, str], operate: Operate, goals: tuple[str, ...]) -> None:
    async def work(journal: SqliteJournal) -> None:
        async with LocalRuntime(spec(), journal, concurrency=2) as runtime, asyncio.TaskGroup() as group:
            group.create_task(operate(runtime.runner))
            async for _ in runtime.run(planned(spec(), goals)):
                pass

    await crashed(file, 1_000_000, work, at)


@pytest.mark.parametrize("seconds", [0.0, 0.5, 7.0])
def test_a_crash_between_the_decision_and_the_end_resumes_to_that_end_without_running(
    seconds: float, tmp_path: FilePath
) -> None:
    async def cancel(driver: Driver) -> None:
        await driver.cancel(VICTIM)

    run(until_it_dies(tmp_path / "journal", (VICTIM, "cancelled"), after(seconds, cancel), ("beehive",)))
    resumed = SqliteJournal(tmp_path / "journal")
    assert all(row.state is None for row in resumed.reader.episodes())
    mute = with_model(spec(), Mute())
    (end,) = run(played(mute, resumed, planned(mute, ("beehive",)), concurrency=1))
    assert is_cancelled(end)
    resumed.close()


def again(path: Path, of: RunSpec | None = None) -> Planned:
    """The attempt after this one."""
    task, epoch, attempt = path.split("/")
    return Planned(Path(f"{task}/{epoch}/{int(attempt) + 1}"), Solve(task=(of or spec()).task(task, int(epoch))))


def test_an_ended_episode_is_repeated_at_once_and_to_the_same_content() -> None:
    journal = SqliteJournal(":memory:")

    async def requeue(driver: Driver) -> None:
        await until(lambda: any(row.state is not None for row in journal.reader.episodes()))
        path = next(row.path for row in journal.reader.episodes() if row.state is not None)
        await driver.requeue(path, again(path))

    ends = ran(journal, requeue, placement=colocated("host"), slots=1)
    (repeated,) = [end.path for end in ends if end.path.endswith("/1")]
    assert len(ends) == len(FEW) + 1
    assert of_episode(content(journal), repeated) == of_episode(without_faults(), first(repeated))
    assert content(journal)[repeated, "requeued"] == Requeued(path=repeated, repeats=first(repeated))
    assert replayed(spec(), journal) == ends


@pytest.mark.parametrize("seconds", [0.5, 3.0, 10.0])
def test_a_running_episode_that_is_requeued_ends_cancelled_and_runs_again(seconds: float) -> None:
    journal = SqliteJournal(":memory:")

    async def requeue(driver: Driver) -> None:
        await driver.requeue(VICTIM, again(VICTIM))

    ends = ran(journal, after(seconds, requeue))
    assert is_cancelled(ends[0])
    assert (ends[0].path, ends[1].path) == (VICTIM, "beehive/0/1")
    assert of_episode(content(journal), ends[1].path) == of_episode(without_faults(), VICTIM)
    assert replayed(spec(), journal) == ends


async def test_a_run_that_is_about_to_finish_still_runs_what_is_requeued() -> None:
    journal = SqliteJournal(":memory:")

    ends: list[EpisodeEnded] = []
    under = cluster(journal)
    async for end in under.run(planned(spec(), PAIR)):
        ends.append(end)
        if len(ends) == len(PAIR):  # nothing runs and nothing is queued, but the run has not been left
            assert under.runner.under_way == []
            assert under.runner.queued == []
            await under.runner.requeue(VICTIM, again(VICTIM))
    with pytest.raises(UsageError, match="expected a run under way"):
        await under.runner.requeue(VICTIM, again(VICTIM))
    with pytest.raises(UsageError, match="does neither"):
        await under.runner.cancel(VICTIM)
    assert [end.path for end in ends][2:] == ["beehive/0/1"]
    assert "beehive/0/2" not in {row.path for row in journal.reader.episodes()}


@pytest.mark.parametrize("seconds", [0.5, 6.0])
def test_a_crash_right_after_a_requeue_keeps_the_further_attempt(seconds: float, tmp_path: FilePath) -> None:
    async def requeue(driver: Driver) -> None:
        await driver.requeue(VICTIM, again(VICTIM))

    place = (again(VICTIM).path, "requeued")
    run(until_it_dies(tmp_path / "journal", place, after(seconds, requeue), PAIR))
    journal = SqliteJournal(tmp_path / "journal")
    assert "beehive/0/1" in {row.path for row in journal.reader.episodes()}
    assert journal.reader.end(again(VICTIM).path) is None
    journal.close()


@pytest.mark.parametrize("placement", [COLOCATED, PER_ROLE], ids=["colocated", "per-role"])
def test_while_it_is_paused_no_episode_begins_and_no_call_and_nothing_is_lost(placement: Placement) -> None:
    slow = Slow(model("sim-weak"))
    of = adapt(slow, max_depth=2, max_steps=6)
    journal = SqliteJournal(":memory:")
    seen: list[tuple[int, int, int]] = []

    async def pause(driver: Driver) -> None:
        for _ in range(3):
            await asyncio.sleep(4.3)
            driver.pause()
            await asyncio.sleep(5)  # the calls in flight return
            for _ in range(2):
                seen.append((slow.calls, len(driver.under_way), len(driver.queued)))
                await asyncio.sleep(1000)
            driver.resume()

    assert len(ran(journal, pause, placement=placement, slots=1, of=of)) == len(FEW)
    assert [before == later for before, later in zip(seen[::2], seen[1::2], strict=True)] == [True] * 3
    assert len({calls for calls, _, _ in seen}) == 3, "it went on in between"
    assert content(journal) == without_faults()


async def test_a_paused_run_ends_what_is_cancelled_and_keeps_what_is_requeued() -> None:
    journal = SqliteJournal(":memory:")

    async def operate(driver: Driver) -> None:
        driver.pause()
        assert is_cancelled(await driver.cancel(VICTIM))
        await driver.requeue(VICTIM, again(VICTIM))
        await asyncio.sleep(100)
        assert driver.queued[0] == again(VICTIM).path
        driver.resume()

    assert len(await operated(cluster(journal), after(1.0, operate))) == len(FEW) + 1


async def test_a_run_begins_when_everybody_who_paused_it_has_resumed() -> None:
    trainer = object()

    async def resume(driver: Driver) -> None:
        driver.resume()
        await asyncio.sleep(100)
        begun = len(driver.under_way)
        driver.resume(trainer)
        assert begun == 0

    under = cluster(SqliteJournal(":memory:"))
    for by in (trainer, None, None):
        under.runner.pause(by)
    assert len(await operated(under, after(100.0, resume))) == len(FEW)


class Away(Slow):
    """Cannot be asked once it has begun so many calls, while others are in flight."""

    begun: int = 0

    async def before(self, prompt: Prompt, sampling: Sampling) -> None:
        self.begun += 1
        if self.begun > 9:
            raise EndpointUnavailable("401")
        await super().before(prompt, sampling)


async def test_no_call_begins_while_a_run_waits_for_those_in_flight_whoever_resumes() -> None:
    away = Away(model("sim-weak"))
    under = cluster(SqliteJournal(":memory:"), of=adapt(away, max_depth=2, max_steps=6))

    async def resume(driver: Driver) -> None:
        await until(lambda: away.begun > 9)
        while driver.under_way:
            driver.pause()
            driver.resume()
            await asyncio.sleep(0.01)

    resuming = asyncio.create_task(resume(under.runner))
    with pytest.raises(EndpointUnavailable):
        await under.finish(planned(under.spec, FEW))
    await resuming
    assert away.begun == 10
    assert not under.runner.paused


async def test_a_run_that_began_paused_begins_when_it_is_resumed() -> None:
    async def resume(driver: Driver) -> None:
        assert driver.under_way == []
        driver.resume()

    under = cluster(SqliteJournal(":memory:"))
    under.runner.pause()
    assert len(await operated(under, after(100.0, resume))) == len(FEW)


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow, id=str(seed)) for seed in range(6, 60))]
)
def test_every_attempt_ends_once_under_any_operation_and_any_faults(seed: int) -> None:
    random = Random(seed)
    placement = random.choice([COLOCATED, PER_ROLE])
    journal = SqliteJournal(":memory:")
    sky = faults(random, placement)
    touched: set[str] = set()
    expected = {episode.path for episode in planned(spec(), FEW)}

    async def cancel(driver: Driver, goal: str) -> None:
        await driver.cancel(max(path for path in expected if path.startswith(f"{goal}/")))

    async def requeue(driver: Driver, goal: str) -> None:
        newest = max(path for path in expected if path.startswith(f"{goal}/"))
        await driver.requeue(newest, again(newest))
        expected.add(again(newest).path)

    async def operate(driver: Driver) -> None:
        for _ in range(random.randint(1, 8)):
            await asyncio.sleep(random.choice([0.0, random.uniform(0, 5), random.uniform(0, 30)]))
            goal = random.choice(FEW)
            match random.randrange(4):
                case 0:
                    driver.concurrency = random.randint(1, 6)
                case 1:
                    driver.pause()
                    await asyncio.sleep(random.uniform(0, 20))
                    driver.resume()
                case action:
                    with suppress(UsageError):
                        await (cancel if action == 2 else requeue)(driver, goal)
                        touched.add(goal)

    ends = ran(journal, operate, placement=placement, random=random, sky=sky)
    events = content(journal)
    assert {end.path for end in ends} == expected
    for end in ends:
        assert end.fault is None
        if not is_cancelled(end):
            assert of_episode(events, end.path) == of_episode(without_faults(), first(end.path))
    assert {end.path.split("/")[0] for end in ends if is_cancelled(end)} <= touched
    assert replayed(spec(), journal) == ends
