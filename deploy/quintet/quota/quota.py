"""The quota actor: grants a permit to every attempt at a model call. One a run, on the driver's host."""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol, assert_never

from quintet.config.runtime_sections import LimitsSection, PaceSection
from quintet.errors import HostLost, UsageError
from quintet.messages.paths import Path, episode_of
from quintet.messages.quota import (
    Charge,
    Granted,
    HasQueued,
    Permit,
    PermitOutcome,
    Queued,
    QuotaRequest,
    Reserve,
    Settle,
)
from quintet.ports.model import Usage
from quintet.ports.transport import HostName
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.cost import Cost
from quintet.quota.limiter import FIRST_CALLS, AdaptiveLimiter, RateLimits
from quintet.quota.prices import NANODOLLARS
from quintet.roles.context import current


@dataclass(slots=True)
class _Wait:
    seconds: float = 0.0
    """Of finished waits."""
    calls: int = 0
    """That wait now."""
    since: float = 0.0
    """When the first of them started to wait."""
    counted: float = -math.inf
    """When the last finished wait ended. Time before it does not count again."""


class QueueTime:
    """Sums by episode, until the episode is forgotten."""

    def __init__(self) -> None:
        self._by_episode: dict[Path, _Wait] = {}

    @contextmanager
    def waiting(self, episode: Path, *, already: float = 0.0) -> Generator[None, None, None]:
        """Count the time inside as waiting of a call's episode; the call has waited some seconds already."""
        loop = asyncio.get_running_loop()
        wait = self._by_episode.setdefault(episode, _Wait())
        start = max(loop.time() - already, wait.counted)
        wait.since = min(wait.since, start) if wait.calls else start
        wait.calls += 1
        try:
            yield
        finally:
            wait.calls -= 1
            if not wait.calls:
                wait.counted = loop.time()
                wait.seconds += wait.counted - wait.since

    def seconds(self, episode: Path) -> float:
        """How long it has waited so far."""
        wait = self._by_episode.get(episode, _Wait())
        return wait.seconds + (asyncio.get_running_loop().time() - wait.since if wait.calls else 0.0)

    def forget(self, episode: Path) -> None:
        """Drop an episode that ended."""
        self._by_episode.pop(episode, None)


QUOTA: Final = "quota"
"""Name of its role on the driver's host."""

_REMEMBERED = 10_000
"""How many permits that returned before their grant are remembered: batches can overtake each other."""


class Limiter(Protocol):
    """Lets the calls of one model start; an `AdaptiveLimiter`, or one that runs share."""

    async def enter(self, permit: Permit, tokens: int) -> None:
        """Wait for room; see `AdaptiveLimiter.enter`."""
        ...

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        """End a call; see `AdaptiveLimiter.leave`."""
        ...


class _WithoutLimits:
    """For calls that wait for a batch."""

    async def enter(self, permit: Permit, tokens: int) -> None: ...

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None: ...


_WITHOUT_LIMITS: Final = _WithoutLimits()


class _Granted(NamedTuple):
    host: str
    model: str
    account: str
    limiter: Limiter
    at: float
    """By `time.monotonic`, for a display in another thread."""
    batched: bool


class RefusedKeys:
    """The keys that endpoints have refused since this start, and never let in."""

    def __init__(self) -> None:
        self._answered: set[tuple[str, str]] = set()
        """Accounts and models."""
        self._refused: set[tuple[str, str]] = set()
        """The same; no model: all of the account."""

    def brought_nothing(self, account: str, model: str, settle: Settle) -> bool:
        """Whether a call certainly cost nothing. One that was cancelled under way did not, if its key was refused.

        A key that was let in before may have been withdrawn after the cancelled call was let in.
        """
        match settle.outcome:
            case "answered":
                self._answered.add((account, model))
            case "refused" if settle.refuses != "call":
                self._refused.add((account, "" if settle.refuses == "key" else model))
            case "cancelled" if account:
                if (account, "") in self._refused:
                    return all(account != each for each, _ in self._answered)
                return (account, model) in self._refused and (account, model) not in self._answered
            case _:
                pass
        return settle.outcome in ("overloaded", "refused", "unused")


class Quota:
    """Grants a permit when the limiter of a model, by its name, and the budget, if there is one, both have room."""

    def __init__(self, make_limiter: Callable[[str], Limiter], budget: Budget | None = None) -> None:
        self._budget = budget
        self._make_limiter = make_limiter
        self._limiters: dict[str, Limiter] = {}
        self._granted: dict[Permit, _Granted] = {}
        self._returned: OrderedDict[Permit, None] = OrderedDict()
        """Permits returned before they were granted."""
        self._refused_keys = RefusedKeys()
        self._queue_time = QueueTime()
        self._dead_hosts: set[str] = set()
        self._running = asyncio.Event()
        self._running.set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._in_flight = 0
        """Calls with a permit, but for those that wait for a batch."""
        self._not_begun: set[Permit] = set()
        """Of calls that wait for a batch which is not begun."""

    async def receive(self, request: QuotaRequest) -> Granted | Queued:
        path = current().path
        match request:
            case Reserve():
                with self._queue_time.waiting(episode_of(path), already=request.lost):
                    if request.pause:
                        await asyncio.sleep(request.pause)
                    return await self._reserve(request, path)
            case HasQueued():
                return Queued(seconds=self._queue_time.seconds(episode_of(path)))
            case _:
                assert_never(request)

    def hear(self, settle: Settle) -> None:
        if granted := self._granted.get(settle.permit):
            free = self._refused_keys.brought_nothing(granted.account, granted.model, settle)
            usage = Usage() if free else settle.usage
            self._return(settle.permit, settle.outcome, usage, settle.retry_after, settle.answers)
        else:
            self._returned[settle.permit] = None
            if len(self._returned) > _REMEMBERED:
                self._returned.popitem(last=False)

    def holds(self, permit: Permit) -> bool:
        """Whether a permit was granted and has not returned."""
        return permit in self._granted

    def takes_up(self, permit: Permit) -> bool:
        """Whether a permit is charged in place of an earlier attempt's; see `Budget.takes_up`."""
        return self._budget is not None and self._budget.takes_up(permit)

    def begin_batch(self, permits: Iterable[Permit]) -> None:
        """Calls that waited for a batch are in one: from now on they are charged, also if nobody waits any more."""
        self._not_begun.difference_update(permits)

    def leave_batch(self, permits: Iterable[Permit]) -> None:
        """Calls that a batch did not answer wait for another: until it is begun, they cost nothing."""
        self._not_begun.update(filter(self.holds, permits))

    def waiting(self, episode: Path) -> AbstractContextManager[None]:
        """Count the time inside as waiting of an episode, as that for a permit."""
        return self._queue_time.waiting(episode)

    def pause(self) -> None:
        """Grant nothing until `resume`; calls in flight go on."""
        self._running.clear()

    def resume(self) -> None:
        """Grant permits again."""
        self._running.set()

    async def drain(self) -> None:
        """Wait until no call is in flight, but for those that wait for a batch. Pause first, so that none starts."""
        await self._idle.wait()

    def release(self, episode: Path, incarnation: int) -> None:
        """Drop an episode whose incarnation ended."""
        self._queue_time.forget(episode)
        if self._budget is not None:
            self._budget.forget(episode)

    @property
    def spent(self) -> Cost | None:
        """By all starts of the run, reservations included; None without a budget."""
        return None if self._budget is None else self._budget.spent

    def set_budget(self, run: Allowance) -> None:
        """Go on under another budget of the run; a `UsageError` if the run does not count what it spends."""
        if self._budget is None:
            raise UsageError("budget: expected a run that counts what it spends, got one that does not")
        self._budget.change(run)

    @property
    def permits(self) -> Sequence[Permit]:
        """The ones that calls in flight hold."""
        return tuple(self._granted)

    def oldest_call(self) -> float:
        """For how many seconds the oldest call in flight has been; 0 without one. Any thread may ask."""
        first = list(self._granted.values())[:1]  # a list of a view is made in one step
        return time.monotonic() - first[0].at if first else 0.0

    def host_lost(self, host: HostName) -> None:
        """Take back the permits of a host that died. What they reserved is charged in full."""
        self._dead_hosts.add(host)
        for permit in [permit for permit, granted in self._granted.items() if granted.host == host]:
            self._return(permit, "failed", None)

    async def _reserve(self, request: Reserve, path: Path) -> Granted:
        permit = request.permit
        limiter = _WITHOUT_LIMITS if request.batched else self._limiter(request.model)
        most = Usage(prompt_tokens=request.prompt_tokens, completion_tokens=request.completion_tokens)
        answers, budget = request.answers, self._budget
        if budget is not None:  # first: a call that waits for the budget must not hold a place at the limiter
            charge = Charge(
                permit=permit,
                path=path,
                model=request.model,
                usage=most,
                answers=request.answers,
                apart=request.apart,
                batched=request.batched,
            )
            charge = await budget.hold(charge)
            most, answers = charge.usage, charge.answers
        try:
            await self._enter(limiter, permit, most.prompt_tokens + most.completion_tokens)
            try:
                if permit in self._returned or request.host in self._dead_hosts:
                    raise HostLost(f"{path}: permit {permit} was returned before it was granted")
                if budget is not None:
                    budget.commit(permit)
            except BaseException:
                limiter.leave(permit, "unused")
                raise
        except BaseException:
            if budget is not None:
                budget.drop(permit)
            raise
        granted = _Granted(request.host, request.model, request.account, limiter, time.monotonic(), request.batched)
        self._granted[permit] = granted
        if granted.batched:
            self._not_begun.add(permit)
        else:
            self._in_flight += 1
            self._idle.clear()
        return Granted(answers=answers)

    async def _enter(self, limiter: Limiter, permit: Permit, tokens: int) -> None:
        while True:
            await self._running.wait()
            await limiter.enter(permit, tokens)
            if self._running.is_set():
                return
            limiter.leave(permit, "unused")  # paused while it waited

    def _return(
        self,
        permit: Permit,
        outcome: PermitOutcome,
        usage: Usage | None,
        retry_after: float | None = None,
        answers: int = 1,
    ) -> None:
        granted = self._granted.pop(permit, None)
        if granted is None:
            return
        if permit in self._not_begun:
            self._not_begun.discard(permit)
            usage = usage if outcome == "answered" else Usage()
        tokens = None if usage is None else usage.prompt_tokens + usage.completion_tokens
        granted.limiter.leave(permit, outcome, tokens=tokens, retry_after=retry_after)
        self._in_flight -= not granted.batched
        if not self._in_flight:
            self._idle.set()  # before what may fail, or nobody could wait for the end of the calls any more
        if self._budget is not None:
            self._budget.settle(permit, usage, answered=outcome == "answered", answers=answers)

    def _limiter(self, model: str) -> Limiter:
        if model not in self._limiters:
            self._limiters[model] = self._make_limiter(model)
        return self._limiters[model]


@dataclass
class LocalLimiters:
    """The limiters of this process alone: of a run, or of a study's arms, one after the other."""

    limits: RateLimits = field(default_factory=RateLimits)
    """Of every model."""
    pace: Mapping[str, RateLimits] = field(default_factory=dict[str, RateLimits])
    """By name, the limits of models that have their own."""
    parallel: Mapping[str, int] = field(default_factory=dict[str, int])
    """By name, how many calls a model can work on; used where its limits have no number of calls."""
    starts: Mapping[str, int] = field(default_factory=dict[str, int])
    """By name, how many calls of a model are in flight at first; `FIRST_CALLS` of any other."""
    _made: dict[str, AdaptiveLimiter] = field(default_factory=dict[str, AdaptiveLimiter], init=False)

    def limiter(self, model: str) -> AdaptiveLimiter:
        """The limiter of a model."""
        if model not in self._made:
            self._made[model] = AdaptiveLimiter(self._limits_of(model), self.starts.get(model, FIRST_CALLS))
        return self._made[model]

    def sustained(self, before: Mapping[str, int]) -> Mapping[str, int]:
        """By name, how many calls at once the models that were called sustain; see `AdaptiveLimiter.sustained`."""
        return {model: limiter.sustained(before.get(model, FIRST_CALLS)) for model, limiter in self._made.items()}

    def begin(
        self,
        limits: RateLimits,
        pace: Mapping[str, RateLimits],
        parallel: Mapping[str, int] | None = None,
        starts: Mapping[str, int] | None = None,
    ) -> None:
        """Begin the next run, once the one before has ended; see `LocalLimiters`.

        A model that both call goes on at the pace that it had, and the calls of the last minute count.
        """
        self.parallel = parallel or {}
        self.starts = starts or {}
        for limiter in self._made.values():
            limiter.begin()
        self.change(limits, pace)

    def change(self, limits: RateLimits, pace: Mapping[str, RateLimits]) -> None:
        """Go on under other limits; see `LocalLimiters`."""
        self.limits, self.pace = limits, pace
        for model, limiter in self._made.items():
            limiter.change(self._limits_of(model))

    def _limits_of(self, model: str) -> RateLimits:
        limits = self.pace.get(model, self.limits)
        return limits if limits.calls is not None else replace(limits, calls=self.parallel.get(model))


def unlimited() -> Quota:
    """A quota without rate limits and budget; concurrency still adapts."""
    return Quota(LocalLimiters(RateLimits()).limiter)


def allowance(dollars: float | None, tokens: int | None) -> Allowance:
    """What may be spent; None: no limit."""
    return Allowance(None if dollars is None else round(dollars * NANODOLLARS), tokens)


def rates_of(
    limits: LimitsSection, shard: int | None = None, shards: int = 1
) -> tuple[RateLimits, Mapping[str, RateLimits]]:
    """The rate limits of every model, and by name those of the models that have their own; of a shard, its part."""
    every = RateLimits(limits.calls, limits.requests_per_minute, limits.tokens_per_minute)
    own = {pace.model: _own(pace, every) for pace in limits.pace}
    if shard is None:
        return every, own
    return every.share(shard, shards), {model: each.share(shard, shards) for model, each in own.items()}


def _own(pace: PaceSection, every: RateLimits) -> RateLimits:
    return RateLimits(
        every.calls if pace.calls is None else pace.calls,
        every.requests if pace.requests_per_minute is None else pace.requests_per_minute,
        every.tokens if pace.tokens_per_minute is None else pace.tokens_per_minute,
    )
