"""The feed: hands what a run's journal committed to any number of readers, none of which can hold up the run.

Hooks, live spans, metrics and `run.stream()` read it. What must miss nothing watches the journal itself.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from quintet.errors import UsageError
from quintet.events import CallMade, EpisodeEnded, Exchanged, NodeGrown, Record, StepTaken
from quintet.messages.message import request_name
from quintet.messages.paths import Path
from quintet.messages.solving import Solve

BUFFER = 10_000
"""Items that wait for a reader, unless it asks for another number: some seconds of a fast run."""


class EpisodeStart(NamedTuple):
    """An episode, a visit or the learner started, or started again. The journal counts it and has no event of it."""

    path: Path
    incarnation: int
    """From 1; more than 1: it goes on from what earlier starts journaled."""
    at: float
    """Seconds since the Unix epoch."""


FeedItem: TypeAlias = EpisodeStart | Record
"""What a reader gets."""


class Subscription:
    """What one reader has not read yet, oldest first: an async iterator for one task, on any event loop of any thread.

    It ends after the run's last record, or once it is closed. If more waits than the buffer holds, the oldest are
    dropped and counted.

    Args:
        buffer: how many items wait at most.
        leave: called once with this subscription when its reader closes it.
    """

    def __init__(self, buffer: int, leave: "Callable[[Subscription], None]") -> None:
        if buffer < 1:
            raise UsageError(f"subscription: expected a buffer of at least 1 item, got {buffer}")
        self.lost = 0
        """Items that were dropped so far because the reader was slow."""
        self._buffer = buffer
        self._leave = leave
        self._lock = threading.Lock()
        self._items: deque[FeedItem] = deque()
        self._closed = False
        self._reader: _Reader | None = None

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> FeedItem:
        while True:
            with self._lock:
                if self._items:
                    return self._items.popleft()
                if self._closed:
                    raise StopAsyncIteration
                if self._reader is not None and not self._reader.woken.done():
                    raise RuntimeError("subscription: expected one reader, got two; subscribe once for each")
                loop = asyncio.get_running_loop()
                self._reader = reader = _Reader(threading.get_ident(), loop, loop.create_future())
            await reader.woken

    def take(self) -> list[FeedItem]:
        """All that waits now; for a reader that looks from time to time instead of waiting. From any thread."""
        with self._lock:
            items = list(self._items)
            self._items.clear()
        return items

    def close(self) -> None:
        """Read no further. From any thread."""
        self._leave(self)
        self.end(unread=False)

    def add(self, items: Sequence[FeedItem]) -> None:
        """Let the reader have more; returns at once. From the feed's thread."""
        with self._lock:
            if self._closed:
                return
            self._items.extend(items)
            while len(self._items) > self._buffer:
                self._items.popleft()
                self.lost += 1
        self._wake()

    def end(self, *, unread: bool) -> None:
        """Nothing follows; the reader may take what is `unread`, or not."""
        with self._lock:
            self._closed = True
            if not unread:
                self._items.clear()
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            reader, self._reader = self._reader, None
        if reader is not None:
            reader.wake()


class _Reader(NamedTuple):
    thread: int
    loop: asyncio.AbstractEventLoop
    woken: "asyncio.Future[None]"

    def wake(self) -> None:
        with suppress(RuntimeError):  # its loop is closed: nobody reads any more
            if threading.get_ident() == self.thread:
                self._set()
            else:
                self.loop.call_soon_threadsafe(self._set)

    def _set(self) -> None:
        if not self.woken.done():
            self.woken.set_result(None)


class Feed:
    """What the journal of a run commits from now on, for whoever subscribes. Fed on the run's event loop."""

    def __init__(self) -> None:
        self._readers: tuple[Subscription, ...] = ()
        self._lock = threading.Lock()
        self._closed = False

    def subscribe(self, buffer: int = BUFFER) -> Subscription:
        """A reader of all commits from now on, in their order, from any thread; a `UsageError` for a buffer below 1."""
        subscription = Subscription(buffer, self._drop)
        with self._lock:
            if self._closed:
                subscription.end(unread=True)
            else:
                self._readers = (*self._readers, subscription)
        return subscription

    def _drop(self, subscription: Subscription) -> None:
        with self._lock:
            self._readers = tuple(reader for reader in self._readers if reader is not subscription)

    def begun(self, episode: Path, incarnation: int) -> None:
        """An incarnation of an episode started."""
        if self._readers:
            self.committed([EpisodeStart(episode, incarnation, time.time())])

    def committed(self, items: Sequence[FeedItem]) -> None:
        """These are in the journal."""
        for reader in self._readers:
            reader.add(items)

    def close(self) -> None:
        """The run is over: every reader ends once it has read what waits for it."""
        with self._lock:
            self._closed = True
            readers, self._readers = self._readers, ()
        for reader in readers:
            reader.end(unread=True)


_SUBTASK: Final = request_name(Solve)


class EventStream:
    """An async iterator over records. `record.event` is one of these.

    - `CallMade`: a model answered;
    - `StepTaken`: a world answered an action;
    - `Exchanged` of a `solve`: a subtask ended, or an episode's outermost one;
    - `NodeGrown`: a node of a search tree was grown, or stands otherwise now;
    - `EpisodeEnded`: an attempt ended.

    A loop that is slow does not hold up the run: it loses the oldest events beyond the buffer, and `lost` counts them.
    Leave a loop early inside `async with`, or the episodes go on until the run is closed.

    Args:
        work: runs the episodes that the stream is of, and ends with them; None: it ends with the run.
    """

    def __init__(self, subscription: Subscription, work: Coroutine[Any, Any, None] | None = None) -> None:
        self._subscription = subscription
        self._work = None if work is None else asyncio.create_task(work)
        if self._work is not None:
            self._work.add_done_callback(lambda _: subscription.end(unread=True))

    @property
    def runs(self) -> bool:
        """Whether it runs episodes now."""
        return self._work is not None and not self._work.done()

    @property
    def lost(self) -> int:
        """Events of all kinds that were dropped so far, because the loop was slow."""
        return self._subscription.lost

    def __aiter__(self) -> "EventStream":
        return self

    async def __anext__(self) -> Record:
        """The next event.

        Raises:
            Suspension: the episodes cannot go on; see `Evaluation.run`.
        """
        async for item in self._subscription:
            if isinstance(item, Record) and _is_shown(item):
                return item
        if self._work is not None:
            await self._work
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the episodes that the stream runs, and leave them for a resume."""
        self._subscription.close()
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait([self._work])

    async def __aenter__(self) -> "EventStream":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _is_shown(item: Record) -> bool:
    match item.event:
        case Exchanged(request=request):
            return request == _SUBTASK
        case CallMade() | StepTaken() | NodeGrown() | EpisodeEnded():
            return True
        case _:
            return False
