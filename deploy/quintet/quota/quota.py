"""The quota actor: one for a run, on the driver's host. Every attempt at a model call asks it first."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Protocol, assert_never

from quintet.errors import HostLost
from quintet.messages.paths import Path, episode_of
from quintet.messages.quota import Charge, Granted, HasQueued, Outcome, Permit, Queued, QuotaRequest, Reserve, Settle
from quintet.ports.model import Usage
from quintet.ports.transport import HostName
from quintet.quota.budget import Budget
from quintet.quota.limiter import AdaptiveLimiter, RateLimits
from quintet.quota.prices import Nanodollars
from quintet.quota.queue_time import QueueTime
from quintet.roles.context import current

QUOTA: Final = "quota"
"""Its role on the driver's host."""

_REMEMBERED = 10_000
"""Of permits that returned before they were granted, the newest that are remembered: batches overtake each other."""


class Gate(Protocol):
    """Where calls of one model wait for their turn."""

    async def enter(self, permit: Permit, tokens: int) -> None:
        """Wait for room; see `AdaptiveLimiter.enter`."""
        ...

    def leave(
        self, permit: Permit, outcome: Outcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        """A call is over; see `AdaptiveLimiter.leave`."""
        ...


@dataclass(frozen=True)
class _Granted:
    host: str
    gate: Gate


class Quota:
    """Grants permits. A permit is given only when there is room at the model's gate and in the budget.

    Args:
        gate: makes the gate of a model, by its name.
        budget: what the run may spend; None: anything.
    """

    def __init__(self, gate: Callable[[str], Gate], budget: Budget | None = None) -> None:
        self._budget = budget
        self._make_gate = gate
        self._gates: dict[str, Gate] = {}
        self._granted: dict[Permit, _Granted] = {}
        self._returned: dict[Permit, None] = {}
        """Permits returned before they were granted."""
        self._waits = QueueTime()
        self._lost: set[str] = set()
        self._going = asyncio.Event()
        self._going.set()
        self._empty = asyncio.Event()
        self._empty.set()

    async def receive(self, request: QuotaRequest) -> Granted | Queued:
        path = current().path
        match request:
            case Reserve():
                with self._waits.waiting(episode_of(path), already=request.lost):
                    await asyncio.sleep(request.pause)
                    return await self._reserve(request, path)
            case HasQueued():
                return Queued(seconds=self._waits.seconds(episode_of(path)))
            case _:
                assert_never(request)

    def hear(self, settle: Settle) -> None:
        if settle.permit in self._granted:
            usage = Usage() if settle.outcome in ("overloaded", "refused", "unused") else settle.usage
            self._return(settle.permit, settle.outcome, usage, settle.retry_after)
        else:
            self._returned[settle.permit] = None
            if len(self._returned) > _REMEMBERED:
                del self._returned[next(iter(self._returned))]

    def pause(self) -> None:
        """Grant nothing until `resume`; calls in flight go on."""
        self._going.clear()

    def resume(self) -> None:
        """Grant permits again."""
        self._going.set()

    async def drained(self) -> None:
        """Wait until no call is in flight; paused, none begins meanwhile."""
        await self._empty.wait()

    def release(self, episode: Path, incarnation: int) -> None:
        """An incarnation of an episode is over."""
        self._waits.forget(episode)

    @property
    def spent(self) -> tuple[Nanodollars, int] | None:
        """Of what the run may spend, dollars and tokens, reservations included; None where no books are kept."""
        return None if self._budget is None else self._budget.spent

    @property
    def permits(self) -> Sequence[Permit]:
        """Those that are out."""
        return tuple(self._granted)

    def host_lost(self, host: HostName) -> None:
        """A host died: its permits return, and what they reserved is charged in full."""
        self._lost.add(host)
        for permit in [permit for permit, granted in self._granted.items() if granted.host == host]:
            self._return(permit, "failed", None)

    async def _reserve(self, request: Reserve, path: Path) -> Granted:
        permit = request.permit
        gate = self._gate(request.model)
        most = Usage(prompt_tokens=request.prompt_tokens, completion_tokens=request.completion_tokens)
        budget = self._budget
        if budget is not None:  # first: whoever waits here keeps nobody from a gate
            await budget.hold(Charge(permit=permit, path=path, model=request.model, usage=most))
        try:
            await self._enter(gate, permit, request.prompt_tokens + request.completion_tokens)
            try:
                if permit in self._returned or request.host in self._lost:
                    raise HostLost(f"{path}: permit {permit} was returned before it was granted")
                if budget is not None:
                    budget.commit(permit)
            except BaseException:
                gate.leave(permit, "unused")
                raise
        except BaseException:
            if budget is not None:
                budget.drop(permit)
            raise
        self._granted[permit] = _Granted(request.host, gate)
        self._empty.clear()
        return Granted()

    async def _enter(self, gate: Gate, permit: Permit, tokens: int) -> None:
        while True:
            await self._going.wait()
            await gate.enter(permit, tokens)
            if self._going.is_set():
                return
            gate.leave(permit, "unused")  # paused while it stood at the gate

    def _return(self, permit: Permit, outcome: Outcome, usage: Usage | None, retry_after: float | None = None) -> None:
        granted = self._granted.pop(permit, None)
        if granted is None:
            return
        tokens = None if usage is None else usage.prompt_tokens + usage.completion_tokens
        granted.gate.leave(permit, outcome, tokens=tokens, retry_after=retry_after)
        if self._budget is not None:
            self._budget.settle(permit, usage, answered=outcome == "answered")
        if not self._granted:
            self._empty.set()

    def _gate(self, model: str) -> Gate:
        if model not in self._gates:
            self._gates[model] = self._make_gate(model)
        return self._gates[model]


def own_pace(ceilings: RateLimits, at_once: Mapping[str, int] = MappingProxyType({})) -> Callable[[str], Gate]:
    """Gates that this run alone passes, every model under the same ceilings.

    Args:
        ceilings: of every model.
        at_once: by name, how many calls a model can work on, where that is known and `ceilings` has no number of calls.
    """

    def gate(model: str) -> Gate:
        return AdaptiveLimiter(ceilings if ceilings.calls is not None else replace(ceilings, calls=at_once.get(model)))

    return gate


def unlimited() -> Quota:
    """A quota that knows no ceiling and no budget; only the pace adapts."""
    return Quota(own_pace(RateLimits()))
