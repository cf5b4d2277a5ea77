"""The sessions that are open on a host: held, called one call at a time, and closed in the background."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from quintet.environments.adapters.called import CalledState
from quintet.errors import SessionGone, one_line
from quintet.messages.environment import Session, Task
from quintet.messages.paths import Path, episode_of, is_within
from quintet.roles.by_episode import ByEpisode
from quintet.roles.context import current
from quintet.roles.places import HeldPlace

_log = logging.getLogger("quintet.environment")

_T = TypeVar("_T")

_CLOSE_SECONDS: Final = 10.0
"""How long states may take to close when their host does, and for how long one that closes keeps its place."""


@dataclass(slots=True, eq=False)
class OpenSession:
    """A state, and what it was opened with."""

    task: Task
    state: CalledState
    place: HeldPlace | None
    """None: the world has any number, or the episode is a visitor on this host."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held during each call about the state, so that they are made in the order in which they come."""


class _Key(NamedTuple):
    incarnation: int
    path: Path
    """That made the session; its id."""


class OpenSessions:
    """The sessions of one world on one host. A session's name is the path that made it."""

    def __init__(self, world: str, host: str) -> None:
        self.closing: Final[set[asyncio.Task[None]]] = set()
        """The ends of sessions that still close."""
        self._world = world
        self._host = host
        self._open: dict[_Key, OpenSession] = {}
        self._keys: ByEpisode[_Key] = ByEpisode()

    def __len__(self) -> int:
        return len(self._open)

    def hold(self, task: Task, state: CalledState, place: HeldPlace | None) -> Session:
        """Name the session of a state that was made for the running request."""
        session = Session(id=current().path, host=self._host)
        key = self._key(session)
        self._open[key] = OpenSession(task, state, place)
        self._keys.add(episode_of(key.path), key)
        return session

    def find(self, session: Session) -> OpenSession:
        """An open session; a `SessionGone` if it was closed, or lost."""
        held = self._open.get(self._key(session))
        if held is None:
            raise SessionGone(f"session {session.id}: expected an open session on {self._host}, got one closed or lost")
        return held

    async def call(self, session: Session, call: Callable[[CalledState], Awaitable[_T]]) -> _T:
        """What a call about a state returns, in order; cancelled, it ends the session. A `SessionGone` if closed."""
        held = self.find(session)
        async with held.turn:
            self.find(session)  # a call before it may have closed it
            try:
                return await call(held.state)
            except asyncio.CancelledError:
                self.drop(session)
                raise

    def drop(self, session: Session) -> None:
        """End a session, if it is there; what its state holds is closed once no call uses it."""
        self._drop(self._key(session))

    def drop_below(self, path: Path, incarnation: int) -> None:
        """End the sessions that were made at a path or below it, in an incarnation up to this one."""
        for key in self._keys.of(episode_of(path)):
            if key.incarnation <= incarnation and is_within(key.path, path):
                self._drop(key)

    def drop_all(self) -> None:
        """End every session."""
        for key in list(self._open):
            self._drop(key)

    async def aclose(self) -> None:
        """End every session, and wait for a bounded time until they are closed."""
        self.drop_all()
        if self.closing:
            _, late = await asyncio.wait(self.closing, timeout=_CLOSE_SECONDS)
            for closing in late:
                closing.cancel()

    def _drop(self, key: _Key) -> None:
        held = self._open.pop(key, None)
        if held is None:
            return
        self._keys.discard(episode_of(key.path), key)
        if not held.state.holds:
            leave_place(held.place)
            return
        closing = asyncio.create_task(self._close(held))
        self.closing.add(closing)
        closing.add_done_callback(self.closing.discard)
        if held.place is not None:
            late = asyncio.get_running_loop().call_later(_CLOSE_SECONDS, held.place.give_back)
            closing.add_done_callback(lambda _: late.cancel())

    async def _close(self, held: OpenSession) -> None:
        async with held.turn:
            try:
                await held.state.close()
            except Exception as error:  # noqa: BLE001  nobody waits for it, and its session is gone
                _log.warning("%s: close: %s: %s", self._world, type(error).__name__, one_line(error))
            finally:
                leave_place(held.place)

    def _key(self, session: Session) -> _Key:
        # Two incarnations of an episode give the same ids; only one of them is alive.
        return _Key(current().incarnation, Path(session.id))


def leave_place(place: HeldPlace | None) -> None:
    """Give a place back, if there is one."""
    if place is not None:
        place.give_back()
