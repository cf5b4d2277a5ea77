"""The events of a run as they are committed, for a loop in the program that opened it."""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Final

from quintet.events import CallMade, EpisodeEnded, Exchanged, NodeGrown, Record, StepTaken
from quintet.messages.message import request_name
from quintet.messages.solving import Solve
from quintet.runs.feed import Subscription

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
        subscription: to the run's feed.
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

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _is_shown(item: Record) -> bool:
    match item.event:
        case Exchanged(request=request):
            return request == _SUBTASK
        case CallMade() | StepTaken() | NodeGrown() | EpisodeEnded():
            return True
        case _:
            return False
