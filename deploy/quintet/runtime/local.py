"""The local runtime: one host in this process, which sends to itself, and a journal written inline. No Ray."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from types import TracebackType

from quintet.errors import HostLost, Undecodable, UsageError
from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.ports.roles import Roles
from quintet.ports.transport import DRIVER, Batch, HostName
from quintet.quota.quota import QUOTA, Quota, unlimited
from quintet.runtime.driver import Driver
from quintet.runtime.gateway import AcceptedRequests, Visits
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Planned
from quintet.runtime.refs import Gateway
from quintet.runtime.roles import Placement
from quintet.runtime.spec import RunSpec


class Loopback:
    """The transport of a host that sends to itself: hands every batch back at once, and loses none."""

    def __init__(self, name: HostName) -> None:
        self._name = name
        self._receive: Callable[[Batch], None] | None = None

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._receive = receive

    def deliver(self, to: HostName, batch: Batch) -> None:
        if to != self._name or self._receive is None:
            raise HostLost(f"expected the one host {self._name}, got {to}")
        try:
            self._receive(batch)
        except Undecodable as error:
            raise HostLost(f"{to}: {error}") from error


class LocalRuntime:
    """Runs episodes on one event loop; opened by `async with`.

    Args:
        concurrency: episodes at a time.
        quota: grants every model call; None: without rate limits and budget.
    """

    def __init__(self, spec: RunSpec, journal: SqliteJournal, *, concurrency: int, quota: Quota | None = None) -> None:
        self.host = Host(DRIVER, Loopback(DRIVER), journal)
        self.host.spawn(QUOTA, quota or unlimited())
        self._spec = spec
        self._visits = Visits(self.host, journal)
        self.roles = spec.spawn_roles(self.host, Placement({}))
        only, slots = [DRIVER], {DRIVER: concurrency}
        self.runner = Driver(self.host, journal, slots=slots, hosts=only, world=spec.world, homes=only)

    @property
    def whereabouts(self) -> str:
        return ""

    def run(self, episodes: Iterable[Planned]) -> AsyncGenerator[EpisodeEnded, None]:
        """Run episodes; see `Driver.run`."""
        return self.runner.run(episodes)

    def visit(self) -> AbstractAsyncContextManager[Roles]:
        """Ask single roles from outside any episode."""
        return self._visits.open(self.roles, [DRIVER], self.runner.homes)

    def remote_gateway(self, accepted: AcceptedRequests) -> Gateway:
        raise UsageError("ref: expected a run on Ray (runtime.kind) to hand a ref to another process, got a local one")

    async def __aenter__(self) -> "LocalRuntime":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.host.close()
        await self._spec.aclose()
