"""The local runtime: one host in this process, which sends to itself, and a journal written inline. No Ray."""

from collections.abc import Callable

from quintet.errors import HostLost, Undecodable
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import DRIVER, Batch, HostName
from quintet.quota.quota import Quota
from quintet.runtime.roles import Placement
from quintet.runtime.runtime import Runtime
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


class LocalRuntime(Runtime):
    """Runs episodes on one event loop, `concurrency` at a time."""

    def __init__(self, spec: RunSpec, journal: SqliteJournal, *, concurrency: int, quota: Quota | None = None) -> None:
        super().__init__(spec, journal, Loopback(DRIVER), quota)
        self.roles = spec.spawn_roles(self.host, Placement({}))
        self.drive({DRIVER: concurrency}, [DRIVER], homes=[DRIVER])
