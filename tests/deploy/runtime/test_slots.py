"""The driver's slots, the deadlines of requests, and incarnations of episodes."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.events import EpisodeEnded, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path
from quintet.ports.transport import HostName
from quintet.runtime.deadlines import Deadlines
from quintet.runtime.slots import Slots
from quintet.testing.replay import run_episode
from tests.deploy.journal.records import append
from tests.simulation.scenes import Fetcher, contest, ends_of, planned
from tests.simulation.virtual import run

A, B, C = HostName("a"), HostName("b"), HostName("c")


def test_slots_are_taken_on_the_host_with_the_most_free_ones() -> None:
    slots = Slots({A: 1, B: 3}, set())
    assert [slots.take() for _ in range(5)] == [B, B, A, B, None]
    slots.give_back(A)
    assert slots.take() == A
    assert slots.concurrency == 4


def test_the_slots_of_a_dead_host_are_lost() -> None:
    lost: set[HostName] = set()
    slots = Slots({A: 2, B: 2}, lost)
    assert {slots.take(), slots.take()} == {A, B}
    lost.add(A)
    assert (slots.concurrency, slots.living) == (2, [B])
    assert [slots.take(), slots.take()] == [B, None]
    lost.add(B)
    assert (slots.concurrency, slots.living, slots.take()) == (0, [], None)


def test_a_host_without_slots_takes_the_last_one() -> None:
    lost: set[HostName] = set()
    slots = Slots({A: 1, B: 0, C: 0}, lost)
    assert [slots.take(), slots.take()] == [A, None]
    lost.add(A)
    slots.give_back(A)
    assert slots.concurrency == 1
    assert [slots.take(), slots.take()] == [B, None]


def test_one_host_more_shares_the_slots_and_one_that_leaves_takes_none_along() -> None:
    slots = Slots({A: 4}, set())
    assert [slots.take() for _ in range(3)] == [A, A, A]
    slots.add_host(B, like=A, instead=False)
    assert (slots.concurrency, slots.take(), slots.take()) == (4, B, None)
    slots.retire(A)
    assert (slots.concurrency, slots.living, slots.take()) == (4, [B], None)
    slots.give_back(A)
    assert slots.take() == B


def test_a_set_concurrency_is_spread_evenly_and_outlives_a_host() -> None:
    lost: set[HostName] = set()
    slots = Slots({A: 1, B: 1, C: 1}, lost)
    slots.concurrency = 5
    assert sorted(slots.take() or "" for _ in range(5)) == [A, A, B, B, C]
    assert slots.take() is None
    lost.add(C)
    assert slots.concurrency == 5
    assert slots.take() is not None
    assert slots.take() is None


def test_after_a_smaller_number_nothing_begins_until_enough_have_left() -> None:
    slots = Slots({A: 4, B: 4}, set())
    taken = [slots.take() for _ in range(8)]
    slots.concurrency = 2
    for _ in range(4):
        slots.give_back(A)
    assert taken.count(B) == 4
    assert slots.take() is None, "four still run on the other host"
    for _ in range(3):
        slots.give_back(B)
    assert slots.take() == A
    assert slots.take() is None


def expiries(things: list[tuple[float, float, float | None]]) -> dict[int, float]:
    """When each thing is expired, by its number.

    Args:
        things: when each is watched, for how many seconds, and after how many it ends by itself.
    """
    expired: dict[int, float] = {}

    async def scene() -> None:
        loop = asyncio.get_running_loop()

        def expire(number: int) -> None:
            assert number not in expired
            expired[number] = loop.time()

        deadlines = Deadlines(expire)

        async def watch(number: int, start: float, seconds: float, ends_after: float | None) -> None:
            await asyncio.sleep(start)
            deadlines.watch(number, start + seconds)
            if ends_after is not None:
                await asyncio.sleep(ends_after)
                deadlines.drop(number)

        await asyncio.gather(*(watch(number, *thing) for number, thing in enumerate(things)))
        await asyncio.sleep(1_000)
        deadlines.close()

    run(scene())
    return expired


TIMES = st.integers(0, 100).map(float)


@given(st.lists(st.tuples(TIMES, TIMES, st.none() | TIMES)))
def test_what_does_not_end_in_time_is_expired_at_its_deadline(things: list[tuple[float, float, float | None]]) -> None:
    expired = expiries(things)
    for number, (start, seconds, ends_after) in enumerate(things):
        if ends_after is None or ends_after > seconds:
            assert expired[number] == start + seconds
        elif ends_after < seconds:
            assert number not in expired


async def test_a_closed_one_expires_nothing() -> None:
    expired: list[str] = []

    deadlines = Deadlines(expired.append)
    deadlines.watch("late", 5.0)
    deadlines.close()
    await asyncio.sleep(10)
    assert expired == []


EPISODE = Path("beehive/0/0")


def end_after(*starts: tuple[float, float]) -> Record:
    """The end of an episode whose earlier starts wrote three records each: when each began, and when it was killed."""
    spec, journal = contest(model=Fetcher()), SqliteJournal(":memory:")
    left = run_episode(spec, "beehive")
    for number, (began, killed) in enumerate(starts, 1):
        first, *further = left[3 * (number - 1) : 3 * number]
        journal.begin(EPISODE)
        written = [replace(first, at=began + 2, seconds=2.0), *(replace(each, at=killed) for each in further)]
        run(append(journal, [replace(record, incarnation=number) for record in written]))
    assert len(run(ends_of(spec, journal, planned(spec, ("beehive",))))) == 1
    (end,) = [record for record in journal.reader.records(EPISODE) if isinstance(record.event, EpisodeEnded)]
    assert end.incarnation == len(starts) + 1
    return end


def test_an_episodes_seconds_are_those_of_all_its_starts() -> None:
    assert end_after((1_000, 1_060), (5_000, 5_007)).seconds == pytest.approx(67, abs=5)
    assert 0 < end_after().seconds < 30
