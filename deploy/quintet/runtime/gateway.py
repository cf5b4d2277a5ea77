"""The gateway of a run: where refs, in this process and in others, ask its roles."""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias, Union

import msgspec

from quintet.errors import Fault, FaultNote, RunBusy, RunClosed, Suspension, Undecodable, UsageError
from quintet.events import CallMade
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path, episode_of
from quintet.messages.visit import Visit, Visited, VisitFailed
from quintet.messages.wire import encode
from quintet.ports.model import Usage
from quintet.ports.roles import Roles
from quintet.quota.cost import NOTHING, Cost
from quintet.quota.prices import Price
from quintet.roles.context import current
from quintet.roles.role import Role
from quintet.runtime.refs import Gateway, Ref, RefAnswer

GATEWAY: Final = "gateway"
"""The role that answers refs of other processes. It lives on the driver's host only, and no placement names it."""

AcceptedRequests: TypeAlias = Mapping[str, Sequence[str]]
"""By role, the names of the requests that it answers."""


@dataclass
class _Meter:
    cost: Cost = NOTHING
    usage: Usage = field(default_factory=Usage)

    def add(self, call: CallMade, price: Price | None) -> None:
        used, new = self.usage, call.completion.usage
        self.cost += Cost.of(new, price)
        self.usage = Usage(
            prompt_tokens=used.prompt_tokens + new.prompt_tokens,
            completion_tokens=used.completion_tokens + new.completion_tokens,
            cached_tokens=used.cached_tokens + new.cached_tokens,
            reasoning_tokens=used.reasoning_tokens + new.reasoning_tokens,
        )


class RunGateway:
    """The gateway of a run in this process, made on its event loop; `remote_gateway` makes that of other processes.

    Args:
        max_asks: how many asks may be under way at once, at least 1; None: any number.
    """

    def __init__(
        self,
        roles: Collection[Role],
        visit: Callable[[], AbstractAsyncContextManager[Roles]],
        remote_gateway: Callable[[AcceptedRequests], Gateway],
        prices: Mapping[str, Price],
        *,
        max_asks: int | None = None,
    ) -> None:
        if max_asks is not None and max_asks < 1:
            raise UsageError(f"max_asks: expected at least 1, got {max_asks}")
        self._accepted: AcceptedRequests = {role.name: tuple(kind.__name__ for kind in role.requests) for role in roles}
        self._decoders = {role.name: msgspec.msgpack.Decoder(_any_of(role.requests)) for role in roles}
        self._visit = visit
        self._for_other_processes = remote_gateway
        self._prices = prices
        self._max_asks = max_asks
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._under_way = 0
        self._idle = asyncio.Event()
        self._meters: dict[Path, _Meter] = {}
        """Of the visits under way."""

    def ref(self, role: str) -> Ref:
        """A ref to a role; a `UsageError` if the run has no such role."""
        if role not in self._accepted:
            raise UsageError(f"ref: expected a role of this run, {', '.join(self._accepted)}, got {role!r}")
        return Ref(role, self)

    async def ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        refuse_other_request(self._accepted, role, request)
        self._enter(role)
        if asyncio.get_running_loop() is self._loop:
            try:
                return await self._ask(role, request)
            finally:
                self._leave()
        answer: Future[RefAnswer[ReplyT]] = Future()
        try:
            self._loop.call_soon_threadsafe(self._ask_for, answer, role, request)
        except RuntimeError as error:  # its loop is closed, and the run was not
            self._leave()
            raise _closed(role) from error
        return await asyncio.wrap_future(answer)

    def remote_gateway(self) -> Gateway:
        return self._for_other_processes(self._accepted)

    async def receive(self, request: Visit) -> Visited | VisitFailed:
        """Answer a ref in another process, as an actor on the driver's host."""
        try:
            asked = self._decoders[request.role].decode(request.request)
        except (msgspec.DecodeError, KeyError) as error:
            raise Undecodable(f"{request.role}: {error}") from error
        try:
            found = await self.ask(request.role, asked)
        except Fault as fault:
            return VisitFailed(fault=FaultNote.of(fault))
        return Visited(
            reply=encode(found.reply),
            path=found.path,
            calls=found.calls,
            usage=found.usage,
            dollars=found.dollars,
            seconds=found.seconds,
        )

    def _ask_for(self, answer: "Future[RefAnswer[ReplyT]]", role: str, request: Request[ReplyT]) -> None:
        task = self._loop.create_task(self._ask(role, request))
        task.add_done_callback(partial(self._settle, answer, role))

        def drop(left: "Future[RefAnswer[ReplyT]]") -> None:
            if left.cancelled():
                self._loop.call_soon_threadsafe(task.cancel)

        answer.add_done_callback(drop)

    def _settle(self, answer: "Future[RefAnswer[ReplyT]]", role: str, task: "asyncio.Task[RefAnswer[ReplyT]]") -> None:
        self._leave()
        if not answer.set_running_or_notify_cancel():
            return  # its caller has left
        if task.cancelled():
            answer.set_exception(_closed(role))
        elif (error := task.exception()) is not None:
            answer.set_exception(error)
        else:
            answer.set_result(task.result())

    async def _ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        started = time.perf_counter()
        try:
            async with self._visit() as roles:
                path, meter = current().path, _Meter()
                self._meters[path] = meter
                try:
                    reply = await roles.ask(request)
                finally:
                    del self._meters[path]
        except Suspension as fault:
            if self._closed:
                raise _closed(role) from fault
            raise
        return RefAnswer(reply, path, meter.cost.calls, meter.usage, meter.cost.usd, time.perf_counter() - started)

    def committed(self, call: CallMade) -> None:
        """Count a call, if it is one of a visit under way."""
        if self._meters and (meter := self._meters.get(episode_of(call.path))) is not None:
            meter.add(call, self._prices.get(call.model))

    def _enter(self, role: str) -> None:
        with self._lock:
            if self._closed:
                raise _closed(role)
            if self._under_way == self._max_asks:
                raise RunBusy(f"{role}: expected at most {self._max_asks} asks at once (max_asks), got one more")
            self._under_way += 1

    def _leave(self) -> None:
        with self._lock:
            self._under_way -= 1
            if self._closed and not self._under_way:
                self._idle.set()

    def close(self) -> None:
        """Refuse further requests; what is under way ends with the runtime."""
        with self._lock:
            self._closed = True
            if not self._under_way:
                self._idle.set()

    async def drain(self) -> None:
        """Refuse further requests, and wait until every caller has an answer or an error."""
        self.close()
        await self._idle.wait()


def _closed(role: str) -> Fault:
    return RunClosed(f"{role}: expected an open run, got one that was closed")


def refuse_other_request(accepted: AcceptedRequests, role: str, request: Request[Any]) -> None:
    """Refuse a request that a role does not answer."""
    if type(request).__name__ not in accepted[role]:
        names, got = ", ".join(accepted[role]), type(request).__name__
        raise UsageError(f"ref: expected a request that {role} answers, {names}, got {got}")
    meant = getattr(request, "role", role)  # several roles answer `Complete`, which names its own
    if meant != role:
        raise UsageError(f"ref: expected a request of {role}, got one of {meant}")


def _any_of(requests: Iterable[type[Request[Any]]]) -> Any:
    return Union[tuple(requests)]  # noqa: UP007  of as many as there are
