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

from quintet.errors import UsageError
from quintet.events import Cancelled, CutShort, EpisodeEnded, Record, Requeued
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, is_within, without_attempt
from quintet.messages.solving import Solve
from quintet.plugins.catalogue import model
from quintet.roles.environment import Environment
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
from tests.simulation.scenes import GOALS, Slow, adapt, planned
from tests.simulation.test_crashes import POSITIONS
from tests.simulation.test_faults import Mute, faults
from tests.simulation.virtual import run

Operate = Callable[[Driver], Coroutine[Any, Any, None]]

VICTIM, OTHER = Path("beehive/0/0"), Path("lantern/0/0")
PAIR = ("beehive", "lantern")


@cache
def spec() -> RunSpec:
    return adapt(Slow(model("sim-weak")), max_depth=2, max_steps=6)


def cluster(
    journal: SqliteJournal,
    placement: Placement = COLOCATED,
    *,
    random: Random | None = None,
    delay: float = 0.0,
    slots: int = 2,
    of: RunSpec | None = None,
) -> Cluster:
    network = Network(random or Random(0), delay=delay)
    return Cluster(of or spec(), journal, network, placement, slots=slots)


async def operated(
    cluster: Cluster, operate: Operate | None = None, goals: tuple[str, ...] = GOALS, of: RunSpec | None = None
) -> list[EpisodeEnded]:
    """Run episodes while an operator is at work; afterwards nothing that lives may hold anything."""
    working = asyncio.create_task(operate(cluster.runner)) if operate else None
    ends = [end async for end in cluster.run(planned(of or spec(), goals))]
    if working is not None:
        await working
    await cluster.settle()
    for host in cluster.survivors():
        assert host.idle, f"{host.name} is not idle"
        for actor in host.actors.values():
            assert not isinstance(actor, Environment) or actor.sessions == 0, f"{host.name} holds sessions"
    assert len({end.path for end in ends}) == len(ends)
    assert sorted(end.path for end in ends) == sorted(
        row.path for row in cluster.journal.reader.episodes() if row.state is not None
    )
    return sorted(ends, key=lambda end: end.path)


def after(seconds: float, operate: Operate) -> Operate:
    async def later(driver: Driver) -> None:
        await asyncio.sleep(seconds)
        await operate(driver)

    return later


async def until(it_is_so: Callable[[], bool]) -> None:
    while not it_is_so():  # noqa: ASYNC110  in virtual time
        await asyncio.sleep(0.01)


@cache
def without_faults(goals: tuple[str, ...] = GOALS) -> Content:
    async def scene() -> Content:
        journal = SqliteJournal(":memory:")
        await operated(cluster(journal), goals=goals)
        return content(journal)

    return run(scene())


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


def replayed(journal: SqliteJournal, of: RunSpec | None = None) -> list[EpisodeEnded]:
    """The ends that the journal alone leads to, without a call; nothing new is written."""
    before = content(journal)
    mute = with_model(of or spec(), Mute())

    async def scene() -> list[EpisodeEnded]:
        ended = sorted(row.path for row in journal.reader.episodes() if row.state is not None)
        again = [Planned(path, Solve(task=mute.task(path.split("/")[0], 0))) for path in ended]
        async with LocalRuntime(mute, journal, concurrency=1) as runtime:
            return sorted([end async for end in runtime.run(again)], key=lambda end: end.path)

    ends = run(scene())
    assert content(journal) == before
    return ends


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
        assert replayed(journal) == ends
        assert of_episode(content(journal), OTHER) == expected
        outcomes.add(refused)
    assert outcomes == {True, False}, "an episode that is ending cannot be cancelled"


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 1.0, 30.0])
def test_a_queued_episode_is_cancelled_without_being_run(seconds: float) -> None:
    journal = SqliteJournal(":memory:")
    last = Path(f"{GOALS[-1]}/0/0")

    async def cancel(driver: Driver) -> None:
        assert last in driver.queued
        assert is_cancelled(await driver.cancel(last))
        assert last not in driver.queued

    async def scene() -> list[EpisodeEnded]:
        only_one = colocated("host")
        return await operated(cluster(journal, only_one, slots=1), after(seconds, cancel))

    ends = run(scene())
    assert [end.path for end in ends if is_cancelled(end)] == [last]
    kinds = {record.event.kind for record in journal.reader.records(last)}
    assert kinds == {"cancelled", "exchanged", "episode_ended"}
    assert replayed(journal) == ends


async def test_of_two_operators_who_cancel_at_once_the_second_is_refused() -> None:
    async def cancel(driver: Driver) -> None:
        first, second = await asyncio.gather(driver.cancel(VICTIM), driver.cancel(VICTIM), return_exceptions=True)
        assert isinstance(first, EpisodeEnded)
        assert is_cancelled(first)
        assert isinstance(second, UsageError)

    await operated(cluster(SqliteJournal(":memory:")), after(2.0, cancel), PAIR)


def test_what_is_cancelled_gives_back_one_place_and_no_more() -> None:
    async def scene() -> int:
        async with LocalRuntime(spec(), SqliteJournal(":memory:"), concurrency=2) as runtime:
            most = 0

            async def operate() -> None:
                nonlocal most
                await asyncio.sleep(1)
                for goal in ("beehive", GOALS[-1]):
                    await runtime.runner.cancel(Path(f"{goal}/0/0"))
                while runtime.runner.under_way:
                    most = max(most, len(runtime.runner.under_way))
                    await asyncio.sleep(0.1)

            working = asyncio.create_task(operate())
            assert len([end async for end in runtime.run(planned(spec()))]) == len(GOALS)
            await working
            return most

    assert run(scene()) == 2


@pytest.mark.parametrize(
    "tenth", [tenth if tenth % 8 == 0 else pytest.param(tenth, marks=pytest.mark.slow) for tenth in range(0, 40, 2)]
)
def test_cancelling_while_the_episode_is_taken_over_ends_it_once(tenth: int) -> None:
    journal = SqliteJournal(":memory:")

    async def cancel(driver: Driver) -> None:
        assert is_cancelled(await driver.cancel(VICTIM))

    async def scene() -> list[EpisodeEnded]:
        under = cluster(journal, random=Random(tenth), delay=1.0)
        under.inject(Faults(kills=[(3.0, name) for name in COLOCATED.hosts["subtask"][:2]]))
        return await operated(under, after(2.0 + tenth / 10, cancel), GOALS[:3])

    ends = run(scene())
    assert [end.path for end in ends if is_cancelled(end)] == [VICTIM]
    assert replayed(journal) == ends


def reason_when_cancelled_at(seconds: float) -> str:
    """Why the victim ended, which has a time limit of five seconds."""
    limited = replace(spec(), limits=Limits(episode=5.0))
    journal = SqliteJournal(":memory:")

    async def cancel(driver: Driver) -> None:
        with suppress(UsageError):
            await driver.cancel(VICTIM)

    async def scene() -> list[EpisodeEnded]:
        under = cluster(journal, PER_ROLE, random=Random(int(seconds * 1000)), delay=0.8, of=limited)
        return await operated(under, after(seconds, cancel), PAIR, limited)

    ends = run(scene())
    ended_by = [event for event in content(journal).values() if isinstance(event, CutShort | Cancelled)]
    (early,) = [event for event in ended_by if event.path == VICTIM]
    assert (ends[0].reason, ends[0].cancelled) == (early.reason, isinstance(early, Cancelled))
    assert replayed(journal, limited) == ends
    return ends[0].reason


def test_of_a_time_limit_and_a_cancellation_at_once_the_first_in_the_journal_counts() -> None:
    reasons = {reason_when_cancelled_at(5 + turn / 20) for turn in range(-5, 40, 4)}
    assert reasons == {"time limit", "cancelled by operator"}


class DiesAt(SqliteJournal):
    """A journal whose process dies once it has committed an event of a kind at a path."""

    def __init__(self, file: FilePath, place: tuple[Path, str]) -> None:
        super().__init__(file)
        self._place = place
        self.died = asyncio.Event()

    def _flush(self) -> None:
        if self.died.is_set():
            self._waiting.clear()
        places = [(record.event.path, record.event.kind) for group in self._waiting for record in group.records]
        if self._place in places:
            del self._waiting[places.index(self._place) + 1 :]
            self.died.set()
        super()._flush()

    async def append(self, records: Iterable[Record]) -> None:
        await super().append(records)
        if self.died.is_set():
            await asyncio.Event().wait()


async def until_it_dies(journal: DiesAt, operate: Operate, goals: tuple[str, ...]) -> None:
    async with LocalRuntime(spec(), journal, concurrency=2) as runtime:

        async def consume() -> None:
            async for _ in runtime.run(planned(spec(), goals)):
                pass

        tasks = [asyncio.create_task(consume()), asyncio.create_task(operate(runtime.runner))]
        await journal.died.wait()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    journal.close()


@pytest.mark.parametrize("seconds", [0.0, 0.5, 7.0])
def test_a_crash_between_the_decision_and_the_end_resumes_to_that_end_without_running(
    seconds: float, tmp_path: FilePath
) -> None:
    async def cancel(driver: Driver) -> None:
        await driver.cancel(VICTIM)

    run(until_it_dies(DiesAt(tmp_path / "journal", (VICTIM, "cancelled")), after(seconds, cancel), ("beehive",)))
    resumed = SqliteJournal(tmp_path / "journal")
    assert all(row.state is None for row in resumed.reader.episodes())
    mute = with_model(spec(), Mute())

    async def resume() -> list[EpisodeEnded]:
        async with LocalRuntime(mute, resumed, concurrency=1) as runtime:
            return [end async for end in runtime.run(planned(mute, ("beehive",)))]

    (end,) = run(resume())
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

    async def scene() -> list[EpisodeEnded]:
        one = colocated("host")
        return await operated(cluster(journal, one, slots=1), requeue)

    ends = run(scene())
    (repeated,) = [end.path for end in ends if end.path.endswith("/1")]
    assert len(ends) == len(GOALS) + 1
    assert of_episode(content(journal), repeated) == of_episode(without_faults(), first(repeated))
    assert content(journal)[repeated, "requeued"] == Requeued(path=repeated, repeats=first(repeated))
    assert replayed(journal) == ends


@pytest.mark.parametrize("seconds", [0.5, 3.0, 10.0])
def test_a_running_episode_that_is_requeued_ends_cancelled_and_runs_again(seconds: float) -> None:
    journal = SqliteJournal(":memory:")

    async def requeue(driver: Driver) -> None:
        await driver.requeue(VICTIM, again(VICTIM))

    async def scene() -> list[EpisodeEnded]:
        return await operated(cluster(journal), after(seconds, requeue))

    ends = run(scene())
    assert is_cancelled(ends[0])
    assert (ends[0].path, ends[1].path) == (VICTIM, "beehive/0/1")
    assert of_episode(content(journal), ends[1].path) == of_episode(without_faults(), VICTIM)
    assert replayed(journal) == ends


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
    run(until_it_dies(DiesAt(tmp_path / "journal", place), after(seconds, requeue), PAIR))
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

    async def scene() -> list[EpisodeEnded]:
        return await operated(cluster(journal, placement, slots=1, of=of), pause, of=of)

    ends = run(scene())
    assert len(ends) == len(GOALS)
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

    assert len(await operated(cluster(journal), after(1.0, operate))) == len(GOALS) + 1


async def test_a_run_that_began_paused_begins_when_it_is_resumed() -> None:
    async def resume(driver: Driver) -> None:
        assert driver.under_way == []
        driver.resume()

    under = cluster(SqliteJournal(":memory:"))
    under.runner.pause()
    assert len(await operated(under, after(100.0, resume))) == len(GOALS)


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow, id=str(seed)) for seed in range(8, 60))]
)
def test_every_attempt_ends_once_under_any_operation_and_any_faults(seed: int) -> None:
    random = Random(seed)
    placement = random.choice([COLOCATED, PER_ROLE])
    journal = SqliteJournal(":memory:")
    sky = faults(random, placement)
    touched: set[str] = set()
    expected = {episode.path for episode in planned(spec())}

    async def cancel(driver: Driver, goal: str) -> None:
        await driver.cancel(max(path for path in expected if path.startswith(f"{goal}/")))

    async def requeue(driver: Driver, goal: str) -> None:
        newest = max(path for path in expected if path.startswith(f"{goal}/"))
        await driver.requeue(newest, again(newest))
        expected.add(again(newest).path)

    async def operate(driver: Driver) -> None:
        for _ in range(random.randint(1, 8)):
            await asyncio.sleep(random.choice([0.0, random.uniform(0, 5), random.uniform(0, 30)]))
            goal = random.choice(GOALS)
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

    async def scene() -> list[EpisodeEnded]:
        network = Network(random, delay=sky.delay, loss=sky.loss)
        under = Cluster(spec(), journal, network, placement, slots=2)
        under.inject(sky)
        return await operated(under, operate)

    ends, events = run(scene()), content(journal)
    assert {end.path for end in ends} == expected
    for end in ends:
        assert end.fault is None
        if not is_cancelled(end):
            assert of_episode(events, end.path) == of_episode(without_faults(), first(end.path))
    assert {end.path.split("/")[0] for end in ends if is_cancelled(end)} <= touched
    assert replayed(journal) == ends
