"""What every runtime is: the driver's host, the roles as it asks them, the driver, and visits."""

import itertools
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from types import TracebackType
from typing import Self

from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import VISIT, VISITS, Path
from quintet.ports.roles import Roles
from quintet.ports.transport import DRIVER, HostName, Release, Transport
from quintet.quota.quota import QUOTA, Quota, unlimited
from quintet.roles.context import RequestContext, running
from quintet.runtime.driver import Driver
from quintet.runtime.gateway import AcceptedRequests
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Planned
from quintet.runtime.refs import Gateway
from quintet.runtime.spec import RunSpec


class Runtime:
    """Where a run's actors live. Opened by `async with`; leaving it ends what still runs.

    Args:
        journal: of the run. Visits are kept in it like episodes that have no end, under `~visit/0/N`.
        quota: grants every model call; None: without rate limits and budget.
    """

    roles: Roles
    """As they are asked from the driver's host, once the runtime is open."""
    runner: Driver
    """Starts episodes on hosts, and carries out an operator's commands, once the runtime is open."""

    def __init__(self, spec: RunSpec, journal: SqliteJournal, transport: Transport, quota: Quota | None = None) -> None:
        self.spec = spec
        self.journal = journal
        self.quota = quota or unlimited()
        self.host = Host(DRIVER, transport, journal)
        """The driver's own."""
        self.host.spawn(QUOTA, self.quota)
        self._visit_numbers: Iterator[int] | None = None
        """Of the next visits; None until the first one of this start."""

    def drive(self, slots: Mapping[HostName, int], hosts: Sequence[HostName], homes: Sequence[HostName]) -> None:
        """Make the driver; see `Driver`."""
        self.runner = Driver(self.host, self.journal, slots=slots, hosts=hosts, world=self.spec.world, homes=homes)

    @property
    def whereabouts(self) -> str:
        """Where to look at the actors, once the runtime is open; empty: nowhere."""
        return ""

    def run(self, episodes: Iterable[Planned], *, last: bool = False) -> AsyncGenerator[EpisodeEnded, None]:
        """Run episodes; see `Driver.run`."""
        return self.runner.run(episodes, last=last)

    @asynccontextmanager
    async def visit(self) -> AsyncGenerator[Roles, None]:
        """Lend the roles to the running task, outside any episode. It asks one thing at a time.

        The visit's sessions are closed at the end. One costs the same whatever was asked before.
        """
        if self._visit_numbers is None:
            newest = self.journal.reader.attempt(VISIT, 0)
            self._visit_numbers = itertools.count(0 if newest is None else newest + 1)
        path, recorder = Path(f"{VISITS}/{next(self._visit_numbers)}"), self.host.recorder
        incarnation = self.journal.begin(path)
        commit = partial(recorder.commit, incarnation=incarnation)
        note = partial(recorder.note, incarnation=incarnation)
        home = self.runner.homes.take(DRIVER)
        try:
            with running(RequestContext(path, incarnation, Recording(path), commit, note, home=home)):
                yield self.roles
            await recorder.settle(path, incarnation)
        finally:
            self.runner.homes.leave(home)
            self.host.release(self.runner.hosts, Release(path=path, incarnation=incarnation))
            self.journal.leave(path)

    def remote_gateway(self, accepted: AcceptedRequests) -> Gateway:
        """The gateway of the run for other processes; a `UsageError` if the runtime is in this process only."""
        raise UsageError("ref: expected a run on Ray (runtime.kind) to hand a ref to another process, got a local one")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.host.close()
        await self.spec.aclose()
