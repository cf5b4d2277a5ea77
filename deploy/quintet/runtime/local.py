"""The local runtime: one host in this process, with the journal written inline. No Ray."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager
from types import TracebackType

from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.ports.refs import Roles
from quintet.ports.transport import DRIVER
from quintet.quota.quota import QUOTA, Quota, unlimited
from quintet.runtime.driver import Driver
from quintet.runtime.host import Host
from quintet.runtime.loopback import Loopback
from quintet.runtime.planned import Planned
from quintet.runtime.roles import Placement
from quintet.runtime.runtime import visiting
from quintet.runtime.spec import RunSpec


class LocalRuntime:
    """Runs an assembly's episodes on one event loop; opened by `async with`.

    Args:
        concurrency: episodes at a time.
        quota: grants every model call; None: without rate limits and budget.
    """

    def __init__(self, spec: RunSpec, journal: SqliteJournal, *, concurrency: int, quota: Quota | None = None) -> None:
        self.host = Host(DRIVER, Loopback(DRIVER), journal)
        self.host.spawn(QUOTA, quota or unlimited())
        self._assembly = spec
        self._journal = journal
        self.roles = spec.spawn_roles(self.host, Placement({}))
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
