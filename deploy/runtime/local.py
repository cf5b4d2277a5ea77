"""The local runtime: one host in this process, with the journal written inline. No Ray."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager
from types import TracebackType

from deploy.journal.writer import SqliteJournal
from deploy.quota.quota import QUOTA, Quota, unlimited
from deploy.runtime.assembly import Assembly
from deploy.runtime.driver import Driver
from deploy.runtime.host import Host
from deploy.runtime.loopback import Loopback
from deploy.runtime.planned import Planned
from deploy.runtime.roles import Placement
from deploy.runtime.runtime import visiting
from protocols.events import EpisodeEnded
from protocols.refs import Roles
from protocols.transport import DRIVER


class LocalRuntime:
    """Runs an assembly's episodes on one event loop; opened by `async with`.

    Args:
        concurrency: episodes at a time.
        quota: whom every model call asks first; None: one without ceilings and budget.
    """

    def __init__(
        self, assembly: Assembly, journal: SqliteJournal, *, concurrency: int, quota: Quota | None = None
    ) -> None:
        self.host = Host(DRIVER, Loopback(DRIVER), journal)
        self.host.spawn(QUOTA, quota or unlimited())
        self._assembly = assembly
        self._journal = journal
        self.roles = assembly.furnish(self.host, Placement({}))
        self.runner = Driver(self.host, journal, slots={DRIVER: concurrency}, hosts=[DRIVER])

    @property
    def whereabouts(self) -> str:
        return ""

    def run(self, episodes: Iterable[Planned]) -> AsyncGenerator[EpisodeEnded, None]:
        """Run episodes; see `Driver.run`."""
        return self.runner.run(episodes)

    def visit(self) -> AbstractAsyncContextManager[Roles]:
        """Ask single roles from outside any episode."""
        return visiting(self.host, self._journal, self.roles, [DRIVER])

    async def __aenter__(self) -> "LocalRuntime":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.host.close()
        await self._assembly.aclose()
