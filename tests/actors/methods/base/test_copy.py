"""Copies of a session: closed when they are left, unless they are kept, whatever ends the block."""

import asyncio
import gc
from typing import Any, TypeVar

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.errors import HostLost, ModelFault, WorldFault
from quintet.messages.environment import Close, Fork, Open, Session, Snapshot, Step
from quintet.messages.message import ReplyT, Request
from quintet.methods.base.copy import forked
from quintet.ports.roles import Roles
from quintet.ports.world import World
from quintet.roles.branches import branches
from tests.actors.fakes import TASK, Kitchens, Script
from tests.actors.roles.test_context import converse
from tests.actors.shop import TEA, Shop

T = TypeVar("T")


class Late:
    """The roles of a kitchen, each of whose answers takes a second.

    Args:
        fails: requests of this kind are answered by a fault.
        world: another one than the kitchen.
    """

    def __init__(self, fails: type[Request[Any]] | None = None, world: World | None = None) -> None:
        self.kitchens = Kitchens(Script({}), world=world)
        self._fails = fails

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        reply = await self.kitchens.ask(request)
        await asyncio.sleep(1)
        if self._fails is not None and isinstance(request, self._fails):
            raise HostLost(f"{type(request).__name__} failed")
        return reply

    @property
    def sessions(self) -> int:
        return self.kitchens.actor.sessions


def test_a_copy_is_closed_when_it_is_left_and_one_that_is_kept_is_not() -> None:
    roles = Late()

    async def work() -> list[int]:
        session = await roles.kitchens.opened()
        async with forked(roles, TASK, session) as copy:
            during = roles.sessions
            assert copy.session != session
        left = roles.sessions
        async with forked(roles, TASK, session) as copy:
            copy.keep()
        return [during, left, roles.sessions]

    assert converse(work())[0] == [2, 1, 2]


@pytest.mark.parametrize("kept", [False, True])
def test_a_copy_whose_block_raises_is_closed_since_nobody_gets_it(kept: bool) -> None:
    roles = Late()

    async def work() -> None:
        session = await roles.kitchens.opened()
        async with forked(roles, TASK, session) as copy:
            if kept:
                copy.keep()
            raise ModelFault("no answer")

    with pytest.raises(ModelFault, match="no answer"):
        converse(work())
    assert roles.sessions == 1


async def nested(roles: Roles, session: Session, depth: int) -> None:
    """Copies of copies, each in a branch of its own, and work in the innermost ones."""
    async with forked(roles, TASK, session) as copy:
        if depth == 0:
            await roles.ask(Step(session=copy.session, action="wait"))
            await asyncio.sleep(3600)
        async with branches() as group:
            for _ in range(2):
                group.start(nested, roles, copy.session, depth - 1)


@pytest.mark.parametrize("seconds", [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.5, 100.0])
@pytest.mark.parametrize("again", [None, 0.0, 0.5, 1.5])
def test_whenever_a_branch_is_stopped_its_copies_are_closed_in_nested_groups_too(
    seconds: float, again: float | None
) -> None:
    roles = Late()

    async def work() -> tuple[int, bool]:
        session = await roles.kitchens.opened()

        async def stopped() -> None:
            async with branches() as group:
                group.start(nested, roles, session, 2)
                await asyncio.sleep(seconds)
                await group.stop()

        parent = asyncio.create_task(stopped())
        if again is not None:  # the parent is cancelled while it stops them, or shortly before
            await asyncio.sleep(seconds + again)
            parent.cancel()
        await asyncio.wait([parent])
        return roles.sessions, parent.cancelled()

    (sessions, cancelled), _ = converse(work())
    assert sessions == 1
    assert again is not None or not cancelled


@pytest.mark.parametrize("fails", [Fork, Close])
def test_a_fault_does_not_hide_the_cancellation(fails: type[Request[Any]]) -> None:
    roles = Late(fails)

    async def work() -> bool:
        session = await roles.kitchens.opened()

        async def hold() -> None:
            async with forked(roles, TASK, session):
                await asyncio.sleep(3600)

        task = asyncio.create_task(hold())
        await asyncio.sleep(0.5 if fails is Fork else 1.5)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert converse(work())[0]


def test_a_close_that_fails_while_it_is_cancelled_logs_nothing() -> None:
    roles, logged = Late(Close), list[str]()

    async def work() -> bool:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context["message"]))
        session = await roles.kitchens.opened()

        async def hold() -> None:
            async with forked(roles, TASK, session):
                pass

        task = asyncio.create_task(hold())
        await asyncio.sleep(1.5)
        task.cancel()
        await asyncio.wait([task])
        cancelled = task.cancelled()
        del task
        await asyncio.sleep(1)
        gc.collect()
        return cancelled

    assert converse(work())[0]
    assert logged == []


@pytest.mark.parametrize("fails", [Fork, Close])
def test_a_fault_of_the_copy_itself_is_raised(fails: type[Request[Any]]) -> None:
    async def work() -> None:
        roles = Late(fails)
        async with forked(roles, TASK, await roles.kitchens.opened()):
            pass

    with pytest.raises(HostLost, match=f"{fails.__name__} failed"):
        converse(work())


def test_in_a_spread_branch_a_session_from_outside_is_opened_anew_and_one_from_inside_is_forked() -> None:
    roles = Late()

    async def work() -> dict[str, list[type[Request[Any]]]]:
        session = await roles.kitchens.opened()
        asked: dict[str, list[type[Request[Any]]]] = {}

        async def copied(where: str, session: Session) -> Session:
            before = len(roles.kitchens.asked)
            async with forked(roles, TASK, session) as copy:
                copy.keep()
            asked[where] = [type(request) for request in roles.kitchens.asked[before:]]
            return copy.session

        async def in_branch(*, spread: bool, where: str, session: Session) -> Session:
            async with branches(spread=spread) as group:
                branch = group.start(copied, where, session)
            return branch.result()

        async def spread() -> None:
            copy = await copied("from outside", session)
            await copied("from inside", copy)
            await in_branch(spread=False, where="in a group inside", session=copy)
            await in_branch(spread=False, where="in a group inside, from outside", session=session)
            await in_branch(spread=True, where="in a spread group inside", session=copy)

        await in_branch(spread=False, where="in a plain branch", session=session)
        async with branches(spread=True) as group:
            group.start(spread)
        return asked

    assert converse(work())[0] == {
        "in a plain branch": [Fork],
        "from outside": [Snapshot, Open],
        "from inside": [Fork],
        "in a group inside": [Fork],
        "in a group inside, from outside": [Snapshot, Open],
        "in a spread group inside": [Snapshot, Open],
    }
    opened = [request for request in roles.kitchens.asked if isinstance(request, Open)]
    first, *moved = opened
    assert first.origin == ""
    assert all(open.snapshot is not None and open.origin for open in moved)


def test_a_copy_that_moves_is_closed_when_its_branch_is_stopped_in_the_middle_and_its_origin_is_not() -> None:
    roles = Late()

    async def work(seconds: float) -> int:
        session = await roles.kitchens.opened()

        async def hold() -> None:
            async with forked(roles, TASK, session):
                await asyncio.sleep(3600)

        async with branches(spread=True) as group:
            group.start(hold)
            await asyncio.sleep(seconds)
            await group.stop()
        await roles.ask(Step(session=session, action="wait"))
        return roles.sessions

    for number, seconds in enumerate((0.5, 1.5, 2.5), start=1):
        assert converse(work(seconds))[0] == 1, number
        roles = Late()


@pytest.mark.parametrize("spread", [False, True])
def test_what_moves_to_another_host_in_other_words_is_no_copy(spread: bool) -> None:
    roles = Late(world=as_world(Shop()))

    async def work() -> None:
        opened = await roles.ask(Open(task=TEA))

        async def copy() -> None:
            async with forked(roles, TEA, opened.session) as copied:
                await roles.ask(Step(session=copied.session, action="click 13"))

        async with branches(spread=spread) as group:
            group.start(copy)

    if spread:
        with pytest.raises(WorldFault, match="expected a copy that shows what its origin does; branches spread in"):
            converse(work())
    else:
        converse(work())
    assert roles.sessions == 1
