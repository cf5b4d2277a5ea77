"""The runtime port, and how every runtime lets roles be asked from outside any episode."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from types import TracebackType
from typing import Protocol

from quintet.events import EpisodeEnded
from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import VISIT, Path
from quintet.ports.roles import Roles
from quintet.ports.transport import HostName, Release
from quintet.roles.context import RequestContext, running
from quintet.runtime.driver import Driver
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Planned


class Runtime(Protocol):
    """Where a run's actors live. Opened by `async with`; leaving it ends what still runs."""

    @property
    def whereabouts(self) -> str:
        """Where to look at the actors, once the runtime is open; empty: nowhere."""
        ...

    @property
    def host(self) -> Host:
        """The driver's own."""
        ...

    @property
    def roles(self) -> Roles:
        """As they are asked from the driver's host, once the runtime is open."""
        ...

    @property
    def runner(self) -> Driver:
        """Starts episodes on hosts, and carries out an operator's commands."""
        ...

    def run(self, episodes: Iterable[Planned]) -> AsyncGenerator[EpisodeEnded, None]:
        """Run episodes; see `Driver.run`."""
        ...

    def visit(self) -> AbstractAsyncContextManager[Roles]:
        """Ask single roles from outside any episode; see `visit_roles`."""
        ...

    async def __aenter__(self) -> "Runtime": ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@asynccontextmanager
async def visit_roles(
    host: Host, journal: SqliteJournal, roles: Roles, hosts: Sequence[HostName]
) -> AsyncGenerator[Roles, None]:
    """Lend the roles to a caller outside any episode.

    The visit is journaled like an episode, under `~visit/0/N`; its sessions are closed at its end.
    """
    newest = journal.reader.attempt(VISIT, 0)
    path = Path(f"{VISIT}/0/{0 if newest is None else newest + 1}")
    incarnation = journal.begin(path)
    commit = partial(host.recorder.commit, incarnation=incarnation)
    note = partial(host.recorder.note, incarnation=incarnation)
    try:
        with running(RequestContext(path, incarnation, Recording(path), commit, note)):
            yield roles
        await host.recorder.settle(path, incarnation)
    finally:
        host.release(hosts, Release(path=path, incarnation=incarnation))
