"""Defects of permits and budgets."""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from quintet.quota.budget import Budget
from quintet.quota.cost import NOTHING
from quintet.quota.limiter import AdaptiveLimiter
from quintet.runtime.calls import CallAttempt, Permits
from tests.soak.controls.control import Control, replaced


def _twice(original: Any) -> Any:
    def leave(limiter: Any, permit: Any, *args: Any, **options: Any) -> None:
        original(limiter, permit, *args, **options)
        if limiter._in_flight:
            original(limiter, next(iter(limiter._in_flight)), *args, **options)

    return leave


def _after_the_call(original: Any) -> Any:
    def run_obstacle(budget: Any, held: Any) -> Any:
        reserved = sum((each.cost for each in budget._held.values()), start=NOTHING)
        if budget._stopped is None and budget._run.holds(budget._spent.cost - reserved):
            return None
        return original(budget, held)

    return run_obstacle


def _under_the_old_number(original: Any) -> Any:
    numbers: WeakKeyDictionary[Permits, dict[Any, str]] = WeakKeyDictionary()

    def hold(permits: Permits, path: Any, incarnation: int, *args: Any, **options: Any) -> Any:
        holding = original(permits, path, incarnation, *args, **options)
        first = numbers.setdefault(permits, {}).setdefault((path, incarnation), holding.reserve.permit)
        holding.reserve = replace(holding.reserve, permit=first)
        return holding

    return hold


def _unless_cancelled(original: Any) -> Any:
    async def leave(holding: Any, kind: Any, error: Any, trace: Any) -> None:
        if not isinstance(error, asyncio.CancelledError):
            await original(holding, kind, error, trace)

    return leave


LIMITS = (
    Control(
        "a permit returned twice",
        "No more calls are in flight than the limit.",
        lambda: replaced(AdaptiveLimiter, "leave", _twice),
    ),
    Control(
        "a budget checked after the call",
        "A budget is never exceeded.",
        lambda: replaced(Budget, "_run_obstacle", _after_the_call),
    ),
    Control(
        "a retried call under the old number",
        "Every attempt at a call has a permit of its own.",
        lambda: replaced(Permits, "hold", _under_the_old_number),
    ),
    Control(
        "a reservation that is not given back",
        "A call that is cancelled gives back its permit.",
        lambda: replaced(CallAttempt, "__aexit__", _unless_cancelled),
    ),
)
