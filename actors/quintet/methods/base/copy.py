"""Copies of a session that are closed when they are left, unless they are kept."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from quintet.errors import Fault, WorldFault
from quintet.messages.environment import Close, CloseBranch, Fork, Open, Session, Snapshot, Task
from quintet.messages.paths import Path, is_within
from quintet.ports.roles import Roles
from quintet.roles.branches import wait_for_ends
from quintet.roles.context import current


class Copy:
    """A copy of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.kept = False

    def keep(self) -> None:
        """Leave the copy open at the end of its block."""
        self.kept = True


@asynccontextmanager
async def forked(roles: Roles, task: Task, session: Session) -> AsyncGenerator[Copy, None]:
    """A copy of a session, closed at the end of the block unless it is kept.

    Args:
        session: to copy; it stays open where it is.

    A copy on the session's host is equal to it, in every world: nothing that is done in one is seen in the other. In a
    spread branch the copy is restored from a snapshot, so the world has to be one whose `exact` is true.

    If the block raises, as in a cancelled branch, the copy is closed even if it was kept, since nobody gets it. A fault
    of that close is dropped, since the exception says more.
    """
    asked = asyncio.create_task(_copy(roles, task, session))
    try:
        await wait_for_ends([asked])
    except asyncio.CancelledError:
        if asked.exception() is None:
            await _close_after_failure(roles, asked.result())
        raise
    copy = Copy(asked.result())
    try:
        yield copy
    except BaseException:
        await _close_after_failure(roles, copy.session)
        raise
    if not copy.kept:
        await _close(roles, copy.session)


async def _copy(roles: Roles, task: Task, session: Session) -> Session:
    """Copy a session on its host; in a spread branch, one from outside the branch is opened on the branch's host.

    The paths of sessions say which it is, since no decision may depend on hosts.

    Raises:
        WorldFault: what was opened on the branch's host shows other words than its origin, so it is no copy.
    """
    spread = current().spread
    if spread is None or is_within(Path(session.id), spread):
        return (await roles.ask(Fork(session=session))).session
    taken = await roles.ask(Snapshot(session=session))
    opened = await roles.ask(Open(task=task, snapshot=taken.snapshot, origin=session.id))
    if not opened.exact:
        await _close_after_failure(roles, opened.session)
        expected = "a copy that shows what its origin does; branches spread in a world that goes back exactly"
        raise WorldFault(f"{session.id}: expected {expected}, got one in other words")
    return opened.session


async def close_branch_sessions(roles: Roles, session: Session) -> None:
    """Close every session that was made under the running path, on the host of `session`, after a failure there.

    A fault of that is dropped, since the failure says more.
    """
    with suppress(Fault):
        await _closed(roles, CloseBranch(session=session, branch=current().path))


async def _close(roles: Roles, session: Session) -> None:
    await _closed(roles, Close(session=session))


async def _closed(roles: Roles, request: Close | CloseBranch) -> None:
    """Close sessions, however often the caller is cancelled meanwhile."""
    closed = asyncio.create_task(roles.ask(request))
    try:
        await wait_for_ends([closed])
    finally:
        fault = closed.exception()  # read in every case, or asyncio logs it; a cancellation says more
    if fault is not None:
        raise fault


async def _close_after_failure(roles: Roles, session: Session) -> None:
    with suppress(Fault):
        await _close(roles, session)
