"""The runtime port: where a run's actors live."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Protocol

from quintet.events import EpisodeEnded
from quintet.ports.roles import Roles
from quintet.runtime.driver import Driver
from quintet.runtime.gateway import AcceptedRequests
from quintet.runtime.host import Host
from quintet.runtime.incarnation import Planned
from quintet.runtime.refs import Gateway


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
        """Ask single roles from outside any episode; see `Visits.open`."""
        ...

    def remote_gateway(self, accepted: AcceptedRequests) -> Gateway:
        """The gateway of the run for other processes.

        Raises:
            UsageError: the runtime is in this process only.
        """
        ...

    async def __aenter__(self) -> "Runtime": ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
