"""The batcher: collects calls for a moment, submits them together, once, and waits for the answers. One a run."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from quintet.batches.store import BatchStore, StoredBatch
from quintet.errors import EndpointFailed, EndpointUnavailable, JournalFault, ModelFault, one_line
from quintet.messages.batches import AnswerInBatch, BatchAnswered
from quintet.messages.paths import Path, episode_of
from quintet.ports.batches import BatchRefused, TakesBatches
from quintet.roles.context import current
from quintet.runtime.retries import RETRIED

_log = logging.getLogger("quintet.batches")

_T = TypeVar("_T")
_MOST_MISSED: Final = 4
"""Batches that end without an answer to a call, until it fails."""
_CLOCKS_APART: Final = 86_400.0
"""Seconds by which the provider's clock may be behind ours."""


@dataclass(frozen=True)
class BatchTimes:
    """How long calls are collected, and how often a batch is asked for."""

    window_seconds: float = 5.0
    """From the first call of a batch until it is submitted."""
    calls: int = 10_000
    """The most of a batch."""
    poll_seconds: float = 30.0
    """Between two looks at a batch."""


class Batcher:
    """Answers calls by batches.

    A batch, with the calls in it, is on the disk before it is submitted. After a crash it is looked for at the provider
    before it is submitted again, so no call is paid twice.

    Args:
        models: the providers, by the name of the model.
        tell: called with what is submitted and answered, and how long that took.
        waiting: counts the time inside as waiting of an episode, which is no working time.
    """

    def __init__(
        self,
        models: Mapping[str, TakesBatches],
        store: BatchStore,
        waiting: Callable[[Path], AbstractContextManager[None]],
        times: BatchTimes | None = None,
        tell: Callable[[str], None] = _log.warning,
    ) -> None:
        self._models = models
        self._store = store
        self._queue_time = waiting
        self._times = times or BatchTimes()
        self._tell = tell
        self._answers: defaultdict[str, asyncio.Future[bytes]] = defaultdict(asyncio.Future)
        """Of the calls that are waited for."""
        self._timers: dict[str, asyncio.Task[None]] = {}
        """By model, the one that ends the window."""
        self._carried: dict[int, asyncio.Task[None]] = {}
        """By number, the batches on their way."""

    async def receive(self, request: AnswerInBatch) -> BatchAnswered:
        with self._queue_time(episode_of(current().path)):
            return BatchAnswered(answer=await self._answer(request))

    def begin(self) -> None:
        """Go on with what an earlier start left, also where nobody waits for it yet."""
        for batch in self._store.open_batches():
            self._carry_on(batch, is_new=False)
        for model in self._store.models_waiting():
            self._collect_for_a_while(model)

    async def aclose(self) -> None:
        """Stop waiting. What was submitted is found again by the next start."""
        tasks = [*self._timers.values(), *self._carried.values()]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def _answer(self, asked: AnswerInBatch) -> bytes:
        found = self._store.answer(asked.call)
        if found is not None:
            return found
        self._store.add(asked)
        answer = self._answers[asked.call]
        batch = self._store.batch_of(asked.call)
        if batch is None:
            self._collect_for_a_while(asked.model)
        elif batch.number not in self._carried:  # it met a fault
            self._carry_on(batch, is_new=False)
        return await asyncio.shield(answer)

    def _collect_for_a_while(self, model: str) -> None:
        if model not in self._timers:
            self._timers[model] = asyncio.create_task(self._window(model))
        if self._store.waiting(model) >= self._times.calls:
            self._begin_batches(model)

    async def _window(self, model: str) -> None:
        await asyncio.sleep(self._times.window_seconds)
        del self._timers[model]
        self._begin_batches(model)

    def _begin_batches(self, model: str) -> None:
        try:
            while (batch := self._store.begin_batch(model, self._times.calls)) is not None:
                self._carry_on(batch, is_new=True)
        except JournalFault as fault:  # no one else would tell those that wait
            self._fail(tuple(self._answers), fault)

    def _carry_on(self, batch: StoredBatch, *, is_new: bool) -> None:
        self._carried[batch.number] = asyncio.create_task(self._carry(batch, is_new=is_new))

    async def _carry(self, batch: StoredBatch, *, is_new: bool) -> None:
        provider = self._models[batch.model]
        try:
            remote = batch.remote or await self._submit(provider, batch, is_new=is_new)
            answers = await self._collect(provider, batch, remote)
            given_up = self._store.collected(batch, answers, _MOST_MISSED)
        except Exception as error:  # noqa: BLE001  each call that waits raises it, within its own episode
            self._fail(batch.bodies, error)
            return
        finally:
            del self._carried[batch.number]
        for call, answer in answers.items():
            if (waiting := self._answers.pop(call, None)) is not None and not waiting.done():
                waiting.set_result(answer)
        said = f"{batch.model}: expected an answer by one of {_MOST_MISSED} batches, got none"
        self._fail(given_up, EndpointFailed(said))
        if self._store.waiting(batch.model):
            self._collect_for_a_while(batch.model)

    async def _submit(self, provider: TakesBatches, batch: StoredBatch, *, is_new: bool) -> str:
        found = "" if is_new else await self._patiently(batch, partial(self._find, provider, batch))
        try:
            remote = found or await provider.submit_batch(batch.name, batch.bodies)
        except (ModelFault, EndpointUnavailable) as fault:
            if not isinstance(fault, RETRIED):  # it was not taken
                self._store.forget(batch)
            raise
        self._store.submitted(batch, remote)
        calls = f"{len(batch.bodies):,} calls to {batch.model}"
        self._tell(f"batch {batch.number}, {calls}, is {'found' if found else 'submitted'}; it may take a day")
        return remote

    async def _find(self, provider: TakesBatches, batch: StoredBatch) -> str:
        """What the provider calls a batch that an earlier start may have submitted; empty: it did not."""
        since = batch.created - _CLOCKS_APART
        return await provider.find_batch(batch.name, batch.bodies, since) or ""

    async def _collect(self, provider: TakesBatches, batch: StoredBatch, remote: str) -> Mapping[str, bytes]:
        loop = asyncio.get_running_loop()
        since = loop.time()
        try:
            answers = await self._patiently(batch, partial(provider.collect_batch, remote))
        except BatchRefused:
            self._store.forget(batch)
            raise
        known = {call: answer for call, answer in answers.items() if call in batch.bodies}
        answered = f"{len(known):,} of {len(batch.bodies):,} calls were answered"
        self._tell(f"batch {batch.number}: {answered} after {loop.time() - since:,.0f} s")
        return known

    async def _patiently(self, batch: StoredBatch, ask: Callable[[], Awaitable[_T | None]]) -> _T:
        """Ask until there is an answer: nothing is lost by waiting, and nothing may be submitted meanwhile."""
        while True:
            try:
                if (answer := await ask()) is not None:
                    return answer
            except RETRIED as fault:
                _log.warning(
                    "batch %d: %s; asked again in %g s", batch.number, one_line(fault), self._times.poll_seconds
                )
            await asyncio.sleep(self._times.poll_seconds)

    def _fail(self, calls: Iterable[str], error: Exception) -> None:
        for call in calls:
            if (waiting := self._answers.pop(call, None)) is not None and not waiting.done():
                waiting.set_exception(error)
                waiting.exception()  # who waited may be gone
