"""Deadlines: each late thing is expired once, at its time, by one timer."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from quintet.runtime.deadlines import Deadlines
from tests.simulation.virtual import run


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
