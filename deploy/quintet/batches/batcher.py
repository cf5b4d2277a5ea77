"""The batcher: collects calls for a moment, submits them together, once, and waits for the answers. One a run."""

import asyncio
import itertools
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeVar

from quintet.batches.store import BatchStore, StoredBatch
from quintet.errors import EndpointFailed, EndpointUnavailable, JournalFault, ModelFault, NoAnswer, one_line
from quintet.messages.batches import AnswerInBatch, BatchAnswered
from quintet.messages.paths import episode_of
from quintet.messages.quota import Permit, PermitOutcome, Settle
from quintet.ports.batches import BatchLost, BatchRefused, BatchUnknown, NoRoomForBatch, TakesBatches
from quintet.quota.quota import Quota
from quintet.roles.context import current
from quintet.runtime.retries import RETRIED

_log = logging.getLogger("quintet.batches")

_T = TypeVar("_T")
_MOST_MISSED: Final = 4
"""Batches that end without an answer to a call, until it fails."""
_LOOKS: Final = 3
"""Looks in a row at which a provider has no answers to a batch, until it is lost."""
_AROUND: Final = 200
"""Bytes that a call is sent with, at most, beside its body."""
_DAY: Final = 86_400.0
"""Seconds that a provider may take for a batch, and by which its clock may be behind ours."""


@dataclass(frozen=True)
class BatchTimes:
    """How long calls are collected, and how often a batch is asked for."""

    window_seconds: float = 5.0
    """From the first call of a batch until it is submitted."""
    calls: int = 10_000
    """The most of a batch."""
    poll_seconds: float = 30.0
    """Between two looks at a batch."""
    size: int = 200_000_000
    """The most bytes of a batch: OpenAI takes files of 200 MB, and Anthropic batches of 256 MB."""


class _Asker(NamedTuple):
    permit: Permit
    answer: asyncio.Future[bytes]


class Batcher:
    """Answers calls by batches.

    A batch, with the calls in it, is on the disk before it is submitted. After a crash it is looked for at the provider
    before its calls are in another, so no call is paid twice. A call is in a batch only if an attempt that waits for it
    holds its permit, and is charged from then on.

    Args:
        models: the providers, by the name of the model.
        quota: the run's, which grants the permits; the time that calls wait is no working time.
        tell: called with what is submitted, answered and lost, and how long that took.
    """

    def __init__(
        self,
        models: Mapping[str, TakesBatches],
        store: BatchStore,
        quota: Quota,
        times: BatchTimes | None = None,
        tell: Callable[[str], None] = _log.warning,
    ) -> None:
        self._models = models
        self._store = store
        self._quota = quota
        self._times = times or BatchTimes()
        self._tell = tell
        self._askers: defaultdict[str, list[_Asker]] = defaultdict(list)
        """By call, who waits for it."""
        self._queues: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        """By model, the bodies of the calls that wait for the next batch."""
        self._missed: Counter[str] = Counter()
        """By call without an answer, how many batches ended without one."""
        self._timers: dict[str, asyncio.Task[None]] = {}
        """By model, the one that ends the window."""
        self._carried: defaultdict[str, dict[int, asyncio.Task[None]]] = defaultdict(dict)
        """By model and number, the batches on their way."""
        self._fitting: dict[str, int] = {}
        """By model whose provider had no room for a batch, the most calls of the next; they go one at a time."""
        self._without_room: set[str] = set()
        """Calls that somebody waits for, and for which there was no room once, with no other beside them."""

    async def receive(self, request: AnswerInBatch) -> BatchAnswered:
        with self._quota.waiting(episode_of(current().path)):
            return BatchAnswered(answer=await self._answer(request))

    def begin(self) -> None:
        """Go on with the batches that an earlier start left, also where nobody waits for them yet."""
        for batch in self._store.open_batches():
            self._carry_on(batch, is_new=False)

    async def aclose(self) -> None:
        """Stop waiting. What was submitted is found again by the next start."""
        carried = itertools.chain.from_iterable(each.values() for each in self._carried.values())
        tasks = [*self._timers.values(), *carried]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def _answer(self, asked: AnswerInBatch) -> bytes:
        stored = self._store.call(asked.call)
        if stored is not None:
            self._quota.begin_batch([asked.permit])
            if stored.answer is not None:
                return stored.answer
            if stored.batch is None:
                self._pay([asked.permit])
                self._store.forget(asked.call)
                raise NoAnswer(f"{asked.model}: expected an answer by batch, got that its batch was lost")
        asker = _Asker(asked.permit, asyncio.get_running_loop().create_future())
        self._askers[asked.call].append(asker)
        try:
            if stored is None or stored.batch is None:
                self._queue(asked.model, {asked.call: asked.body})
            elif stored.batch not in self._carried[asked.model]:  # it met a fault
                self._carry_on(self._store.batch(stored.batch), is_new=False)
            return await asker.answer
        finally:
            self._askers[asked.call].remove(asker)
            if not self._askers[asked.call]:
                del self._askers[asked.call]
                self._without_room.discard(asked.call)

    def _queue(self, model: str, bodies: Mapping[str, bytes]) -> None:
        self._queues[model].update(bodies)
        if model not in self._timers:
            self._timers[model] = asyncio.create_task(self._window(model))
        if len(self._queues[model]) >= self._times.calls and model not in self._fitting:
            self._begin_batches(model)

    async def _window(self, model: str) -> None:
        await asyncio.sleep(self._times.window_seconds)
        while model in self._fitting and (on_their_way := self._carried[model].values()):
            await asyncio.wait(on_their_way)
            await asyncio.sleep(self._times.window_seconds)  # what their answers lead to goes along
        del self._timers[model]
        self._begin_batches(model)

    def _begin_batches(self, model: str) -> None:
        """Begin batches of the calls that somebody still waits for; one alone, if there was no room for more."""
        queue = self._queues.pop(model, {})
        permits = {call: [*filter(self._quota.holds, self._permits(call))] for call in queue}
        needed = {call: body for call, body in queue.items() if permits[call]}
        cuts = self._cut(needed, self._fitting.get(model, self._times.calls))
        if model in self._fitting:
            for later in cuts[1:]:
                self._queue(model, later)
            del cuts[1:]
        try:
            for bodies in cuts:
                batch = self._store.begin_batch(model, bodies)
                self._quota.begin_batch(permit for call in bodies for permit in permits[call])
                self._carry_on(batch, is_new=True)
        except JournalFault as fault:  # no one else would tell those that wait
            self._fail(needed, fault)

    def _cut(self, bodies: Mapping[str, bytes], most: int) -> list[dict[str, bytes]]:
        """Batches of at most so many calls each, and of no more bytes than one may have, but for a call alone."""
        cuts = list[dict[str, bytes]]()
        left = 0
        for call, body in bodies.items():
            size = len(body) + _AROUND
            if not cuts or len(cuts[-1]) == most or size > left:
                cuts.append({})
                left = self._times.size
            cuts[-1][call] = body
            left -= size
        return cuts

    def _permits(self, call: str) -> list[Permit]:
        return [asker.permit for asker in self._askers.get(call, ())]

    def _carry_on(self, batch: StoredBatch, *, is_new: bool) -> None:
        self._carried[batch.model][batch.number] = asyncio.create_task(self._carry(batch, is_new=is_new))

    async def _carry(self, batch: StoredBatch, *, is_new: bool) -> None:
        provider = self._models[batch.model]
        answers: Mapping[str, bytes] = {}
        try:
            try:
                if remote := batch.remote or await self._submit(provider, batch, is_new=is_new):
                    answers = await self._collect(provider, batch, remote)
            except BatchLost as fault:
                self._lose(batch, one_line(fault), is_new=is_new)
                return
            except NoRoomForBatch as fault:
                await self._wait_for_room(batch, fault)
                return
            self._store.end(batch, answers)
        except Exception as error:  # noqa: BLE001  each call that waits raises it, within its own episode
            self._fail(batch.bodies, error)
            if self._store.is_open(batch):  # it may be answered, whatever was said
                self._settle((permit for call in batch.bodies for permit in self._permits(call)), "failed")
            return
        finally:
            del self._carried[batch.model][batch.number]
        if batch.model in self._fitting:
            self._fitting[batch.model] = min(2 * self._fitting[batch.model], self._times.calls)
        for call, answer in answers.items():
            self._missed.pop(call, None)
            for asker in self._waiting(call):
                asker.answer.set_result(answer)
        self._missed.update(left := {call for call in batch.bodies if call not in answers and self._waiting(call)})
        given_up = {call for call in left if self._missed[call] >= _MOST_MISSED}
        said = f"{batch.model}: expected an answer by one of {_MOST_MISSED} batches, got none"
        self._fail(given_up, EndpointFailed(said))
        if again := {call: body for call, body in batch.bodies.items() if call in left - given_up}:
            self._quota.leave_batch(permit for call in again for permit in self._permits(call))
            self._queue(batch.model, again)

    def _lose(self, batch: StoredBatch, reason: str, *, is_new: bool) -> None:
        """Charge a batch, since it was paid, and forget it: those that wait ask again.

        What nobody waits for yet is charged when it is asked for.
        """
        said = f"batch {batch.number}: {reason}; those of its {len(batch.bodies):,} calls that are needed are sent anew"
        _log.warning("%s", said)
        self._tell(said)
        permits = {call: [*filter(self._quota.holds, self._permits(call))] for call in batch.bodies}
        held = itertools.chain.from_iterable(permits.values())
        self._settle(held, "answered") if is_new else self._pay(held)
        self._store.lose(batch, [call for call in batch.bodies if not permits[call]], reason)
        self._fail(batch.bodies, NoAnswer(reason))

    async def _wait_for_room(self, batch: StoredBatch, fault: NoRoomForBatch) -> None:
        """Queue the calls of a refused batch again: for when those beside it have ended, else later, half of them.

        Raises:
            NoRoomForBatch: it is one call, no other takes its room, and it was waited for.
        """
        alone, calls = len(self._carried[batch.model]) == 1, len(batch.bodies)
        if alone and calls == 1:
            if self._without_room.issuperset(batch.bodies):
                raise fault
            self._without_room.update(filter(self._waiting, batch.bodies))
        fitting = self._fitting.get(batch.model, self._times.calls)
        self._fitting[batch.model] = half = max(1, calls // 2) if alone else fitting
        when = f"in batches of at most {half:,}" if alone else "when the batches on their way have ended"
        said = f"batch {batch.number}: {one_line(fault)}; its {calls:,} calls are sent again, {when}"
        _log.warning("%s", said)
        self._tell(said)
        self._quota.leave_batch(permit for call in batch.bodies for permit in self._permits(call))
        if alone:
            await asyncio.sleep(self._times.poll_seconds)  # what others sent may end
        self._queue(batch.model, batch.bodies)

    def _pay(self, permits: Iterable[Permit]) -> None:
        """Charge calls of a lost batch that earlier attempts began.

        These left charges to take up. Where there is none, a start charged the call, and was killed before it noted so.
        """
        for permit in permits:
            self._settle([permit], "answered" if self._quota.takes_up(permit) else "unused")

    def _settle(self, permits: Iterable[Permit], outcome: PermitOutcome) -> None:
        """Charge attempts in full, whatever is said of them later; what `failed` may still be answered."""
        for permit in filter(self._quota.holds, permits):
            self._quota.hear(Settle(permit=permit, outcome=outcome))

    async def _submit(self, provider: TakesBatches, batch: StoredBatch, *, is_new: bool) -> str:
        """Submit a new batch, or find what the provider calls one that may have been submitted; empty: it was not."""
        if is_new:
            try:
                remote = await provider.submit_batch(batch.name, batch.bodies)
            except (ModelFault, EndpointUnavailable) as fault:
                if not isinstance(fault, RETRIED):  # it was not taken
                    self._store.end(batch, {})
                raise
        elif not (remote := await self._find(provider, batch)):
            await asyncio.sleep(self._times.poll_seconds)  # a request that was under way at a kill may arrive later
            if not (remote := await self._find(provider, batch)):
                return ""
        self._store.submitted(batch, remote)
        calls = f"{len(batch.bodies):,} calls to {batch.model}"
        self._tell(f"batch {batch.number}, {calls}, is {'submitted' if is_new else 'found'}; it may take a day")
        return remote

    async def _find(self, provider: TakesBatches, batch: StoredBatch) -> str:
        """What the provider calls a batch; empty: it has none of that name."""

        async def find() -> str:
            return await provider.find_batch(batch.name, batch.bodies, batch.created - _DAY) or ""

        return await self._patiently(batch, find)

    async def _collect(self, provider: TakesBatches, batch: StoredBatch, remote: str) -> Mapping[str, bytes]:
        loop = asyncio.get_running_loop()
        since = loop.time()
        try:
            answers = await self._look(provider, batch, remote)
        except BatchRefused:
            self._store.end(batch, {})
            raise
        except BatchUnknown as fault:
            await self._refuse_if_it_may_be_answered(provider, batch, fault)
            raise
        known = {call: answer for call, answer in answers.items() if call in batch.bodies}
        answered = f"{len(known):,} of {len(batch.bodies):,} calls were answered"
        self._tell(f"batch {batch.number}: {answered} after {loop.time() - since:,.0f} s")
        return known

    async def _look(self, provider: TakesBatches, batch: StoredBatch, remote: str) -> Mapping[str, bytes]:
        """The answers, once there are some.

        A provider may list a batch as ended a moment before it has the file of its answers. So it is lost where they
        are missing several times in a row, and not where the provider knows it no more: it knows it for longer than it
        keeps the file.
        """
        ask = partial(provider.collect_batch, remote)
        for _ in range(_LOOKS - 1):
            with suppress(BatchLost):
                return await self._patiently(batch, ask)
            await asyncio.sleep(self._times.poll_seconds)
        return await self._patiently(batch, ask)

    async def _refuse_if_it_may_be_answered(
        self, provider: TakesBatches, batch: StoredBatch, unknown: BatchUnknown
    ) -> None:
        """Suspend the run, unless the provider cannot answer a batch any more that it does not know.

        It may be the batch of another key's account, or of another address, and be worked on for a day.
        """
        if time.time() < batch.created + _DAY or await self._find(provider, batch):
            remedy = "is the key that of its account? Its calls are submitted anew once it is a day old and not listed"
            raise EndpointUnavailable(f"{one_line(unknown)}; {remedy}") from unknown

    async def _patiently(self, batch: StoredBatch, ask: Callable[[], Awaitable[_T | None]]) -> _T:
        """Ask until there is an answer: nothing is lost by waiting, and nothing may be submitted meanwhile."""
        pause = self._times.poll_seconds
        while True:
            try:
                if (answer := await ask()) is not None:
                    return answer
            except RETRIED as fault:
                _log.warning("batch %d: %s; asked again in %g s", batch.number, one_line(fault), pause)
            await asyncio.sleep(pause)

    def _waiting(self, call: str) -> list[_Asker]:
        return [asker for asker in self._askers.get(call, ()) if not asker.answer.done()]

    def _fail(self, calls: Iterable[str], error: Exception) -> None:
        for call in calls:
            for asker in self._waiting(call):
                asker.answer.set_exception(error)
                asker.answer.exception()  # who waited may be gone
