"""Places: who waits for one, and who does not."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.paths import episode_path
from quintet.roles.places import HeldPlace, SessionPlaces, Tenant
from tests.simulation.virtual import run

ONE, TWO, THREE = (Tenant(episode_path("task", epoch, 0), 1) for epoch in range(3))


async def asked(places: SessionPlaces, *tenants: Tenant) -> list["asyncio.Task[HeldPlace]"]:
    """Tasks that take a place each, once they have got as far as they get."""
    tasks = [asyncio.create_task(places.take(tenant)) for tenant in tenants]
    await asyncio.sleep(1)
    return tasks


async def end(*tasks: "asyncio.Task[HeldPlace]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_who_finds_no_free_place_waits_in_turn() -> None:
    places = SessionPlaces(1)
    first, second, third = await asked(places, ONE, TWO, THREE)
    assert (first.done(), second.done(), places.held, places.waiting) == (True, False, 1, 2)
    first.result().give_back()
    places.release(ONE.episode, 1)
    await asyncio.sleep(0)
    assert (second.done(), third.done()) == (True, False)
    await end(third)


async def test_two_that_wait_for_one_tenant_get_theirs_together() -> None:
    places = SessionPlaces(1)
    first, *both = await asked(places, ONE, TWO, TWO)
    first.result().give_back()
    places.release(ONE.episode, 1)
    await asyncio.sleep(0)
    assert [task.done() for task in both] == [True, True]


async def test_a_place_is_given_back_once() -> None:
    places = SessionPlaces(2)
    first, second = await asked(places, ONE, ONE)
    first.result().give_back()
    first.result().give_back()
    assert places.held == 1
    second.result().give_back()
    places.release(ONE.episode, 1)
    assert places.held == 0


@pytest.mark.parametrize("granted", [False, True])
async def test_who_is_cancelled_while_it_waits_has_none(*, granted: bool) -> None:
    places = SessionPlaces(1)
    first, second, third = await asked(places, ONE, TWO, THREE)
    if granted:  # in the moment in which it is cancelled
        first.result().give_back()
        places.release(ONE.episode, 1)
    second.cancel()
    await asyncio.wait([second])
    assert second.cancelled()
    places.release(TWO.episode, 1)
    if not granted:
        first.result().give_back()
        places.release(ONE.episode, 1)
    await asyncio.sleep(0)
    assert third.done()
    assert (places.held, places.waiting) == (1, 0)


@given(st.lists(st.tuples(st.sampled_from(["take", "cancel", "give", "release"]), st.integers(0, 4)), max_size=40))
def test_nobody_waits_beside_a_free_place_and_all_come_back(moves: list[tuple[str, int]]) -> None:
    async def scene() -> None:
        places, tasks = SessionPlaces(2), dict[int, list[asyncio.Task[HeldPlace]]]()
        for move, number in moves:
            tenant, own = Tenant(episode_path("task", number, 0), 1), tasks.setdefault(number, [])
            if move == "take":
                own.append(asyncio.create_task(places.take(tenant)))
            elif move == "release":
                await _leave(own)
                places.release(tenant.episode, 1)
            elif own and move == "cancel":
                own[-1].cancel()
            elif own and own[-1].done() and not own[-1].cancelled():
                own.pop().result().give_back()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not places.waiting or places.held >= 2
        for number, own in tasks.items():
            await _leave(own)
            places.release(episode_path("task", number, 0), 1)
        assert (places.held, places.waiting) == (0, 0)

    run(scene())


async def _leave(own: "list[asyncio.Task[HeldPlace]]") -> None:
    for task in own:
        task.cancel()
    if own:
        await asyncio.wait(own)
    for task in own:
        if not task.cancelled():
            task.result().give_back()
    own.clear()
