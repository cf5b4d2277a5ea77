"""Visits: roles are asked from outside any episode, each visit under a path of its own."""

import itertools
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import partial

from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import VISIT, VISITS, Path
from quintet.ports.roles import Roles
from quintet.ports.transport import HostName, Release
from quintet.roles.context import RequestContext, running
from quintet.runtime.homes import Homes
from quintet.runtime.host import Host


class Visits:
    """The visits to one run, on the driver's host. One costs the same whatever was asked before.

    Args:
        host: the driver's own.
        journal: of the run, where visits are kept like episodes that have no end, under `~visit/0/N`.
    """

    def __init__(self, host: Host, journal: SqliteJournal) -> None:
        self._host = host
        self._journal = journal
        self._numbers: Iterator[int] | None = None
        """Of the next visits; None until the first one of this start."""

    @asynccontextmanager
    async def open(self, roles: Roles, hosts: Iterable[HostName], homes: Homes) -> AsyncGenerator[Roles, None]:
        """Lend the roles to the running task, which asks one thing at a time. Its sessions are closed at the end.

        Args:
            roles: as they are asked from the driver's host.
            hosts: which release the visit when it is over, those that joined meanwhile too.
            homes: of which its sessions have one, like an episode's.
        """
        if self._numbers is None:
            newest = self._journal.reader.attempt(VISIT, 0)
            self._numbers = itertools.count(0 if newest is None else newest + 1)
        path = Path(f"{VISITS}/{next(self._numbers)}")
        incarnation = self._journal.begin(path)
        commit = partial(self._host.recorder.commit, incarnation=incarnation)
        note = partial(self._host.recorder.note, incarnation=incarnation)
        home = homes.take(self._host.name)
        try:
            with running(RequestContext(path, incarnation, Recording(path), commit, note, home=home)):
                yield roles
            await self._host.recorder.settle(path, incarnation)
        finally:
            homes.leave(home)
            self._host.release(hosts, Release(path=path, incarnation=incarnation))
            self._journal.leave(path)
