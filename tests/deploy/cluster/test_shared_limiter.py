"""A shared quota: one limiter for several runs, whose permits return however a run ends."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from quintet.cluster.head import Head
from quintet.cluster.ray_api import ray
from quintet.cluster.shared_limiter import SharedLimiters
from quintet.errors import UsageError
from quintet.ports.transport import HostName
from quintet.quota.limiter import RateLimits

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.ray,
    pytest.mark.xdist_group("ray"),
    pytest.mark.usefixtures("local_cluster"),
]


class Staying:
    """The part of a host that a shared quota uses."""

    async def wait_forever(self) -> None:
        await asyncio.Event().wait()


def host() -> Any:
    return ray.remote(Staying).options(num_cpus=0).remote()


async def join_quota(name: str, limits: RateLimits, *hosts: Any) -> SharedLimiters:
    shared = SharedLimiters(name, limits)
    await shared.join({HostName(f"host-{number}"): each for number, each in enumerate(hosts)}, Head())
    return shared


async def soon(so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await so():  # noqa: ASYNC110  Ray does not report the end of an actor
            await asyncio.sleep(0.05)


async def gone(name: str) -> bool:
    def look() -> bool:
        with suppress(ValueError):
            ray.get_actor(f"quota {name}", namespace="quintet")
            return False
        return True

    return await asyncio.to_thread(look)


async def test_two_runs_of_equal_limits_share_places_and_a_dead_ones_return_and_the_quota_ends_with_the_last() -> None:
    limits = RateLimits(calls=3)
    ours, theirs = host(), host()
    one, other = await join_quota("both", limits, ours), await join_quota("both", limits, theirs)
    expected = r"runtime\.quota: expected the limits of quota both, which other runs share \(calls 3\), got no limits"
    with pytest.raises(UsageError, match=expected):
        await join_quota("both", RateLimits(), ours)
    most = now = 0
    together = asyncio.Barrier(3)

    async def call(shared: SharedLimiters, number: int) -> None:
        nonlocal most, now
        limiter = shared.limiter("model")
        await limiter.enter(f"host/{number}", 1)
        now += 1
        most = max(most, now)
        await together.wait()  # fewer at a time would wait for ever
        now -= 1
        limiter.leave(f"host/{number}", "answered")

    async with asyncio.timeout(60):
        await asyncio.gather(*(call(shared, number) for number in range(12) for shared in (one, other)))
    assert most == 3

    held = one.limiter("model")
    for number in range(3):
        await held.enter(f"host/held-{number}", 1)
    waiting = asyncio.create_task(other.limiter("model").enter("host/next", 1))
    leaving = asyncio.create_task(other.limiter("model").enter("host/cancelled", 1))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    leaving.cancel()
    await asyncio.wait([leaving])
    await asyncio.to_thread(ray.kill, ours)
    async with asyncio.timeout(60):
        await waiting
    for number in range(2):  # the other two places are free again, the cancelled one took none
        async with asyncio.timeout(60):
            await other.limiter("model").enter(f"host/more-{number}", 1)
    await asyncio.to_thread(ray.kill, theirs)
    await soon(lambda: gone("both"))


@pytest.mark.slow
async def test_a_quota_that_dies_begins_anew_for_the_calls_of_both_runs_and_forgets_those_in_flight() -> None:
    ours, theirs = host(), host()
    limits = RateLimits(calls=2)
    one, other = await join_quota("mortal", limits, ours), await join_quota("mortal", limits, theirs)
    await one.limiter("model").enter("host/in-flight", 1)
    quota = await asyncio.to_thread(ray.get_actor, "quota mortal", namespace="quintet")
    await asyncio.to_thread(ray.kill, quota)
    await soon(lambda: gone("mortal"))
    async with asyncio.timeout(60):
        await asyncio.gather(one.limiter("model").enter("host/1", 1), other.limiter("model").enter("host/2", 1))
    one.limiter("model").leave("host/in-flight", "answered")
    third = asyncio.create_task(one.limiter("model").enter("host/3", 1))
    await asyncio.sleep(0.2)
    assert not third.done(), "two calls at a time, as before"
    other.limiter("model").leave("host/2", "answered")
    async with asyncio.timeout(60):
        await third
    for each in (ours, theirs):
        await asyncio.to_thread(ray.kill, each)
    await soon(lambda: gone("mortal"))


@pytest.mark.slow
async def test_a_call_that_waits_while_its_quota_dies_goes_on() -> None:
    ours = host()
    shared = await join_quota("waiting", RateLimits(calls=1), ours)
    await shared.limiter("model").enter("host/1", 1)
    waiting = asyncio.create_task(shared.limiter("model").enter("host/2", 1))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    quota = await asyncio.to_thread(ray.get_actor, "quota waiting", namespace="quintet")
    await asyncio.to_thread(ray.kill, quota)
    async with asyncio.timeout(60):
        await waiting
    await asyncio.to_thread(ray.kill, ours)
    await soon(lambda: gone("waiting"))
