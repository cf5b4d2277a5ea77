"""Refs: a role of an open run, held by any code of the program and asked concurrently."""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol

from quintet.errors import Fault, RunClosed, Suspension, UsageError
from quintet.events import CallMade
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path, episode_of
from quintet.ports.model import Usage
from quintet.ports.roles import Roles
from quintet.quota.prices import NANODOLLARS, Nanodollars, Price
from quintet.roles.context import current
from quintet.roles.role import Role


@dataclass(frozen=True)
class RefAnswer(Generic[ReplyT]):
    """A role's reply, and what it took."""

    reply: ReplyT
    path: Path
    """Of the visit, under which the journal has its calls if it keeps them."""
    calls: int
    """Model calls that were answered."""
    usage: Usage
    """Their tokens together."""
    dollars: float | None
    """Their cost in USD; None: one of the models has no price."""
    seconds: float
    """From the request to the reply."""


class Ref:
    """A role of an open run. Hold it as long as the run is open; ask it from any task of any thread, concurrently."""

    def __init__(self, role: str, door: "Door") -> None:
        self.role = role
        """Its name."""
        self._door = door

    async def ask(self, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        """Ask the role, and wait for its one reply. A cancelled ask is dropped at the role too.

        Each ask stands alone: its path, its seeds and the sessions it opens are its own. To ask several things about
        one session, use `Evaluation.visit`.

        Raises:
            UsageError: the role does not answer such requests.
            RunClosed: the run is closed, or was before the reply.
            Fault: what kept the request from its reply. It is not asked again.
        """
        return await self._door.ask(self.role, request)

    def __repr__(self) -> str:
        return f"Ref({self.role!r})"


class Door(Protocol):
    """The way from a ref to its run."""

    async def ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]: ...


@dataclass
class _Meter:
    """What a visit used so far."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    nanodollars: Nanodollars | None = 0

    def add(self, call: CallMade, price: Price | None) -> None:
        used, new = self.usage, call.completion.usage
        self.calls += 1
        self.usage = Usage(
            prompt_tokens=used.prompt_tokens + new.prompt_tokens,
            completion_tokens=used.completion_tokens + new.completion_tokens,
            cached_tokens=used.cached_tokens + new.cached_tokens,
            reasoning_tokens=used.reasoning_tokens + new.reasoning_tokens,
        )
        if price is None or self.nanodollars is None:
            self.nanodollars = None
        else:
            self.nanodollars += price.cost(new)


class RunDoor:
    """The door of a run in this process. Made on the run's event loop.

    Args:
        roles: of the run.
        visit: opens a visit.
        prices: by model.
    """

    def __init__(
        self,
        roles: Collection[Role],
        visit: Callable[[], AbstractAsyncContextManager[Roles]],
        prices: Mapping[str, Price],
    ) -> None:
        self._roles = {role.name: role for role in roles}
        self._visit = visit
        self._prices = prices
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._under_way = 0
        self._idle = asyncio.Event()
        self._meters: dict[Path, _Meter] = {}
        """Of the visits under way."""

    def ref(self, role: str) -> Ref:
        """A ref to a role.

        Raises:
            UsageError: the run has no such role.
        """
        if role not in self._roles:
            raise UsageError(f"ref: expected a role of this run, {_listed(self._roles)}, got {role!r}")
        return Ref(role, self)

    async def ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        self._check(role, request)
        self._enter(role)
        if asyncio.get_running_loop() is self._loop:
            try:
                return await self._ask(role, request)
            finally:
                self._leave()
        answer: Future[RefAnswer[ReplyT]] = Future()
        self._loop.call_soon_threadsafe(self._ask_for, answer, role, request)
        return await asyncio.wrap_future(answer)

    def _check(self, role: str, request: Request[Any]) -> None:
        accepted = self._roles[role].requests
        if type(request) not in accepted:
            names = _listed(kind.__name__ for kind in accepted)
            raise UsageError(f"ref: expected a request that {role} answers, {names}, got {type(request).__name__}")

    def _ask_for(self, answer: "Future[RefAnswer[ReplyT]]", role: str, request: Request[ReplyT]) -> None:
        """Ask here for a caller on another loop."""
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
        dollars = None if meter.nanodollars is None else meter.nanodollars / NANODOLLARS
        return RefAnswer(reply, path, meter.calls, meter.usage, dollars, time.perf_counter() - started)

    def committed(self, call: CallMade) -> None:
        """Count a call, if it is one of a visit under way."""
        if self._meters and (meter := self._meters.get(episode_of(call.path))) is not None:
            meter.add(call, self._prices.get(call.model))

    def _enter(self, role: str) -> None:
        with self._lock:
            if self._closed:
                raise _closed(role)
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
        """Wait until every caller has an answer or an error."""
        await self._idle.wait()


def _closed(role: str) -> Fault:
    return RunClosed(f"{role}: expected an open run, got one that was closed")


def _listed(names: Any) -> str:
    return ", ".join(names)
