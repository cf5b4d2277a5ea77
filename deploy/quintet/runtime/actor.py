"""What an actor may implement beside `receive`, for its host or the driver to call."""

from typing import Any, Protocol, runtime_checkable

from quintet.messages.paths import Path
from quintet.ports.transport import HostName


@runtime_checkable
class KeepsSessions(Protocol):
    """Holds something for an episode until the episode is released."""

    def release(self, episode: Path, incarnation: int) -> None:
        """The episode's incarnations up to this one are over."""
        ...


@runtime_checkable
class HasSessions(Protocol):
    """Has sessions, which are lost if its host ends."""

    @property
    def sessions(self) -> int:
        """How many are open."""
        ...


@runtime_checkable
class Hears(Protocol):
    """Also takes one-way messages. The annotation of `hear` says which."""

    def hear(self, message: Any, /) -> None: ...


@runtime_checkable
class KeepsPermits(Protocol):
    """Holds something for a host until the host returns it or dies."""

    def host_lost(self, host: HostName) -> None: ...


@runtime_checkable
class Pausable(Protocol):
    """Is paused together with the run: the quota, so that no model call begins."""

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    async def drain(self) -> None:
        """Wait until everything that it began has ended."""
        ...
