"""How many sessions there may be, and the copies of sessions that wait for a connection."""

import asyncio
import secrets
from collections import Counter
from dataclasses import asdict, dataclass
from typing import NamedTuple

from quintet.errors import UsageError
from quintet.world_server.frames import FrameError
from quintet.world_server.idle import IdleTimer
from quintet.world_server.session import WorldSession


@dataclass(frozen=True, kw_only=True)
class SessionLimits:
    """What bounds the sessions of a server."""

    sessions: int = 32_768
    """The most sessions at a time."""
    client_sessions: int | None = None
    """The most at a time of one client, by its address; by default as many as of all."""
    idle_seconds: float = 1_800.0
    """A session without a message for so long ends."""
    call_seconds: float = 300.0
    """A session ends if one call of its world takes longer."""
    frame_bytes: int = 2**20
    """The most bytes of a client's message."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value is not None and not value > 0:
                raise UsageError(f"{name}: expected above 0, got {value}")


class _WaitingCopy(NamedTuple):
    session: WorldSession
    of: WorldSession
    client: str
    idle: IdleTimer


class Sessions:
    """Counts the sessions of a server, and holds the copies that no connection has taken yet."""

    def __init__(self, limits: SessionLimits) -> None:
        self.limits = limits
        self._of_client = Counter[str]()
        self._copies: dict[str, _WaitingCopy] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return self._of_client.total()

    def admit(self, client: str) -> None:
        """Count a session of a client.

        Raises:
            FrameError: there are as many as there may be.
        """
        most = self.limits.client_sessions
        for there, may, whose in ((len(self), self.limits.sessions, ""), (self._of_client[client], most, " a client")):
            if may is not None and there >= may:
                further = {"active_sessions": there, "max_sessions": may}
                raise FrameError("CAPACITY_REACHED", f"expected at most {may} sessions{whose}, got one more", **further)
        self._of_client[client] += 1

    def leave(self, client: str) -> None:
        """A session of a client has ended."""
        self._of_client[client] -= 1
        if not self._of_client[client]:
            del self._of_client[client]

    async def fork(self, session: WorldSession, client: str) -> str:
        """Copy a session; the id of the copy, which waits for a connection as long as a session may be idle.

        Call `end_copies` when the session's own connection has ended.
        """
        self.admit(client)
        try:
            copy = await session.fork()
        except BaseException:
            self.leave(client)
            raise
        name = secrets.token_urlsafe(16)
        idle = IdleTimer(self.limits.idle_seconds, lambda: self._drop(name))
        self._copies[name] = _WaitingCopy(copy, session, client, idle)
        return name

    def take(self, name: str, client: str) -> WorldSession:
        """A copy, for a connection of a client, which it counts for from now on.

        Raises:
            FrameError: there is none, or the client has as many sessions as it may have.
        """
        if name not in self._copies:
            raise FrameError("SESSION_ERROR", "session_id: expected that of a fork that nobody has taken, got another")
        owner = self._copies[name].client
        self.leave(owner)
        try:
            self.admit(client)
        except FrameError:
            self._of_client[owner] += 1
            raise
        return self._remove(name).session

    def end_copies(self, session: WorldSession) -> None:
        """The connection of a session has ended: close the copies of it that nobody has taken."""
        for name in [name for name, copy in self._copies.items() if copy.of is session]:
            self._drop(name)

    async def aclose(self) -> None:
        """Close the copies that wait."""
        for name in list(self._copies):
            self._drop(name)
        if self._ending:
            await asyncio.wait(self._ending)

    def _remove(self, name: str) -> _WaitingCopy:
        copy = self._copies.pop(name)
        copy.idle.cancel()
        return copy

    def _drop(self, name: str) -> None:
        copy = self._remove(name)
        self.leave(copy.client)
        ending = asyncio.ensure_future(copy.session.close())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
