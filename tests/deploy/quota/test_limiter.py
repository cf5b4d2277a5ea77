"""The limiter: starts low, grows while calls are answered, shrinks once per overloaded round, and keeps its limits."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.quota import PermitOutcome
from quintet.quota.limiter import AdaptiveLimiter, RateLimits

NO_LIMIT = RateLimits()
DOUBLES_AFTER = "quintet.quota.limiter._DOUBLES_AFTER"
IS_OVERLOAD = "quintet.quota.overload.OverloadDetector.is_overload"


class Endpoint:
    """Takes a virtual second for every call, and is overloaded by more than `holds` at a time."""

    def __init__(self, limiter: AdaptiveLimiter, holds: int = 10**9) -> None:
        self.limiter = limiter
        self.holds = holds
        self.busy = 0
        self.most = 0
        self.begun: list[float] = []
        self.outcomes: list[PermitOutcome] = []

    async def call(self, number: int, tokens: int = 1, used: int | None = None) -> None:
        await self.limiter.enter(f"host/{number}", tokens)
        self.begun.append(asyncio.get_running_loop().time())
        self.busy += 1
        self.most = max(self.most, self.busy)
        outcome: PermitOutcome = "overloaded" if self.busy > self.holds else "answered"
        self.outcomes.append(outcome)
        await asyncio.sleep(1 if outcome == "answered" else 0.1)
        self.busy -= 1
        self.limiter.leave(f"host/{number}", outcome, tokens=used)


def calls(endpoint: Endpoint, number: int, **how: Any) -> Coroutine[Any, Any, None]:
    async def all_at_once() -> None:
        async with asyncio.TaskGroup() as group:
            for each in range(number):
                group.create_task(endpoint.call(each, **how))

    return all_at_once()


async def test_it_starts_low_and_quintuples_with_every_round_of_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DOUBLES_AFTER, 1e9)
    endpoint = Endpoint(AdaptiveLimiter(NO_LIMIT))
    await calls(endpoint, 16 + 80 + 400)
    begun = endpoint.begun
    assert [begun.count(second) for second in (0.0, 1.0, 2.0)] == [16, 80, 400]


async def test_it_does_not_grow_while_calls_in_flight_are_below_the_limit() -> None:
    endpoint = Endpoint(limiter := AdaptiveLimiter(NO_LIMIT))
    for number in range(100):
        await endpoint.call(number)
    assert limiter.most == 16


async def test_it_finds_what_an_endpoint_can_take_and_stays_near_it() -> None:
    endpoint = Endpoint(AdaptiveLimiter(NO_LIMIT), holds=40)
    await calls(endpoint, 4000)
    late = endpoint.outcomes[2000:]
    assert late.count("overloaded") < 0.1 * len(late)
    assert len(late) / (endpoint.begun[-1] - endpoint.begun[2000]) > 20, "less than half of what it can take is used"


@pytest.mark.parametrize(("at_a_time", "rounds", "most"), [(16, 1, 8), (1, 50, 1)])
async def test_an_overloaded_round_shrinks_it_once_and_never_to_nothing(at_a_time: int, rounds: int, most: int) -> None:
    limiter = AdaptiveLimiter(NO_LIMIT)
    for _ in range(rounds):
        for number in range(at_a_time):
            await limiter.enter(f"host/{number}", 1)
        for number in range(at_a_time):
            limiter.leave(f"host/{number}", "overloaded")
    assert limiter.most == most


@pytest.mark.parametrize(
    ("asked", "again"),
    [
        pytest.param([90.0], 90.0, id="an-endpoint-is-left-alone-until-it-said"),
        pytest.param([90.0, 5.0], 90.0, id="a-later-and-shorter-one-does-not-shorten-the-first"),
        pytest.param([36_000.0], 300.0, id="after-one-of-hours-calls-start-again-after-minutes"),
    ],
)
async def test_a_retry_after_holds(asked: list[float], again: float) -> None:
    limiter = AdaptiveLimiter(NO_LIMIT)
    for number in range(len(asked)):
        await limiter.enter(f"host/{number}", 1)
    for number, seconds in enumerate(asked):
        limiter.leave(f"host/{number}", "overloaded", retry_after=seconds)
    await limiter.enter("host/again", 1)
    assert asyncio.get_running_loop().time() == again


async def test_a_limit_of_calls_holds() -> None:
    endpoint = Endpoint(AdaptiveLimiter(RateLimits(calls=5)))
    await calls(endpoint, 100)
    assert endpoint.most == 5


async def test_no_more_requests_begin_in_any_minute_than_allowed() -> None:
    endpoint = Endpoint(AdaptiveLimiter(RateLimits(requests=30)))
    await calls(endpoint, 200)
    begun = endpoint.begun
    assert max(sum(start <= other < start + 60 for other in begun) for start in begun) == 30


async def test_a_minute_that_rounding_makes_shorter_lets_nothing_more_begin() -> None:
    limiter, loop = AdaptiveLimiter(RateLimits(requests=1)), asyncio.get_running_loop()
    await asyncio.sleep(0.1)
    await limiter.enter("host/1", 1)
    limiter.leave("host/1", "answered")
    began = loop.time()
    for number in range(2, 40):
        await limiter.enter(f"host/{number}", 1)
        assert loop.time() >= began + 60
        began = loop.time()
        limiter.leave(f"host/{number}", "answered")
        await asyncio.sleep(0.1 * number / 7)


@pytest.mark.parametrize(("used", "a_minute"), [(None, 10), (50, 20)])
async def test_tokens_count_with_their_bound_until_the_answer_says_how_many_there_were(
    used: int | None, a_minute: int
) -> None:
    endpoint = Endpoint(AdaptiveLimiter(RateLimits(tokens=1000)))
    await calls(endpoint, 40, tokens=100, used=used)
    begun = endpoint.begun
    within = max(sum(start <= other < start + 60 for other in begun) for start in begun)
    assert a_minute - 1 <= within <= a_minute


async def test_a_call_larger_than_the_limit_waits_until_it_is_alone() -> None:
    endpoint = Endpoint(AdaptiveLimiter(RateLimits(tokens=10)))
    await calls(endpoint, 2, tokens=1000)
    assert endpoint.begun == [0.0, 60.0]


@pytest.mark.parametrize("granted", [False, True], ids=["while-it-waits", "in-the-moment-of-its-grant"])
async def test_a_caller_that_is_cancelled_leaves_its_place(*, granted: bool) -> None:
    limiter = AdaptiveLimiter(RateLimits(calls=1))
    await limiter.enter("host/1", 1)
    gone, stays = (asyncio.create_task(limiter.enter(f"host/{number}", 1)) for number in (2, 3))
    await asyncio.sleep(0)
    if granted:
        limiter.leave("host/1", "answered")
    gone.cancel()
    await asyncio.wait([gone])
    limiter.leave("host/1", "answered")
    async with asyncio.timeout(1):
        await stays


async def test_a_permit_returns_once() -> None:
    limiter = AdaptiveLimiter(RateLimits(calls=2))
    await limiter.enter("host/1", 1)
    await limiter.enter("host/2", 1)
    limiter.leave("host/1", "answered")
    limiter.leave("host/1", "answered")
    limiter.leave("host/9", "overloaded")
    await limiter.enter("host/3", 1)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(limiter.enter("host/4", 1), 1)


@pytest.mark.parametrize(
    ("outcome", "limits", "seconds"),
    [
        pytest.param("unused", RateLimits(requests=5, tokens=1000), 0.0, id="one-without-a-call-counts-for-no-limit"),
        pytest.param("refused", RateLimits(tokens=1000), 0.0, id="a-refused-one-has-no-tokens"),
        pytest.param("refused", RateLimits(requests=5), 60.0, id="and-is-a-request"),
    ],
)
async def test_a_permit_that_brought_no_answer(outcome: PermitOutcome, limits: RateLimits, seconds: float) -> None:
    limiter = AdaptiveLimiter(limits)
    for number in range(6):
        await limiter.enter(f"host/{number}", 300)
        limiter.leave(f"host/{number}", outcome)
    assert asyncio.get_running_loop().time() == seconds


async def test_a_call_that_was_never_made_holds_no_part_of_the_minute() -> None:
    limiter = AdaptiveLimiter(RateLimits(requests=2))
    begun: list[float] = []
    await limiter.enter("host/unused", 1)
    await asyncio.sleep(10)
    await limiter.enter("host/made", 1)
    limiter.leave("host/unused", "unused")
    for number in range(2):
        await limiter.enter(f"host/{number}", 1)
        begun.append(asyncio.get_running_loop().time())
    assert begun == [10.0, 70.0]


async def test_a_call_of_more_than_a_minute_is_counted_once() -> None:
    limiter = AdaptiveLimiter(RateLimits(tokens=1000))
    begun: list[float] = []
    await limiter.enter("host/long", 1000)
    await asyncio.sleep(90)
    await limiter.enter("host/next", 600)
    limiter.leave("host/long", "answered", tokens=10)
    for number in range(2):
        await limiter.enter(f"host/{number}", 600)
        begun.append(asyncio.get_running_loop().time())
    assert begun == [150.0, 210.0]


async def test_the_next_run_goes_on_at_its_pace_without_what_the_last_one_left_in_flight() -> None:
    limiter = AdaptiveLimiter(RateLimits(requests=40))
    await calls(Endpoint(limiter), 16)
    most = limiter.most
    for number in range(20):
        await limiter.enter(f"host/lost/{number}", 1)
    limiter.begin()
    endpoint = Endpoint(limiter)
    await calls(endpoint, 5)
    assert limiter.most == most > 16
    assert [round(second) for second in endpoint.begun] == [1, 1, 1, 1, 60], "the calls of the last minute count"


@pytest.mark.parametrize("lost", [0, 512])
async def test_calls_that_the_last_run_left_in_flight_do_not_hide_that_all_of_the_next_are_refused(lost: int) -> None:
    limiter = AdaptiveLimiter(NO_LIMIT, 512)
    for number in range(lost):
        await limiter.enter(f"host/lost/{number}", 1)
    limiter.begin()
    refused = 0
    while limiter.most == 512:
        await limiter.enter(f"host/{refused}", 1)
        limiter.leave(f"host/{refused}", "overloaded")
        refused += 1
    assert refused == 8


@pytest.mark.parametrize(("doubles_after", "seconds"), [(1.0, 9.0), (1e9, 120.0)], ids=["by-time-too", "control"])
async def test_five_thousand_long_calls_are_in_flight_after_seconds(
    doubles_after: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DOUBLES_AFTER, doubles_after)
    limiter = AdaptiveLimiter(NO_LIMIT)

    async def call(number: int) -> None:
        await limiter.enter(f"host/{number}", 1)
        begun.append(asyncio.get_running_loop().time())
        await asyncio.sleep(30)
        limiter.leave(f"host/{number}", "answered")

    begun: list[float] = []
    async with asyncio.TaskGroup() as group:
        for number in range(5000):
            group.create_task(call(number))
    assert begun[-1] == seconds


async def test_it_starts_where_it_is_told() -> None:
    endpoint = Endpoint(AdaptiveLimiter(NO_LIMIT, start=300))
    await calls(endpoint, 300)
    assert endpoint.begun == [0.0] * 300


async def test_time_alone_does_not_grow_it_after_an_overload() -> None:
    limiter = AdaptiveLimiter(NO_LIMIT)
    for number in range(16):
        await limiter.enter(f"host/{number}", 1)
    for number in range(16):
        limiter.leave(f"host/{number}", "overloaded")
    assert limiter.most == 8
    waiting = [asyncio.create_task(limiter.enter(f"host/again/{number}", 1)) for number in range(9)]
    await asyncio.sleep(60)
    assert [task.done() for task in waiting] == [True] * 8 + [False]
    waiting[-1].cancel()


async def worked(
    limiter: AdaptiveLimiter, workers: int, seconds: float, refuses: Callable[[int], bool]
) -> tuple[int, int]:
    """Answers and refusals of calls of one second, by workers that try again until they are stopped.

    `refuses` is asked with the number of calls that are being answered.
    """
    answered = refused = busy = numbers = 0

    async def work() -> None:
        nonlocal answered, refused, busy, numbers
        pause = 0.5
        while True:
            numbers += 1
            permit = f"host/{numbers}"
            await limiter.enter(permit, 1)
            if refuses(busy):
                refused += 1
                limiter.leave(permit, "overloaded")
                await asyncio.sleep(pause)
                pause = min(30.0, 2 * pause)
                continue
            busy += 1
            await asyncio.sleep(1)
            busy -= 1
            answered += 1
            pause = 0.5
            limiter.leave(permit, "answered")

    tasks = [asyncio.create_task(work()) for _ in range(workers)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    return answered, refused


def each_is_an_overload(*_: object) -> bool:
    return True


async def test_refusals_at_any_concurrency_do_not_slow_it_down() -> None:
    random = Random(7)
    answered, _ = await worked(limiter := AdaptiveLimiter(NO_LIMIT), 500, 60, lambda _: random.random() < 0.1)
    assert limiter.most > 400
    assert answered > 0.75 * 500 * 60


async def test_refusals_at_any_concurrency_slow_down_a_limiter_that_does_not_compare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(IS_OVERLOAD, each_is_an_overload)
    random = Random(7)
    answered, _ = await worked(limiter := AdaptiveLimiter(NO_LIMIT), 500, 60, lambda _: random.random() < 0.1)
    assert limiter.most < 20
    assert answered < 20 * 60


@pytest.mark.parametrize("noise", [0.0, 0.1])
async def test_a_hard_limit_is_found_and_kept_also_among_refusals_at_random(noise: float) -> None:
    random = Random(7)
    limiter = AdaptiveLimiter(NO_LIMIT)
    await worked(limiter, 500, 30, lambda busy: busy >= 40 or random.random() < noise)
    limiter.begin()
    answered, refused = await worked(limiter, 500, 120, lambda busy: busy >= 40 or random.random() < noise)
    assert answered > 0.6 * 40 * 120
    assert refused < (noise + 0.1) * (answered + refused)


async def test_a_rate_a_minute_is_used_up_with_no_more_refusals_than_by_cutting_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def by_the_minute() -> tuple[int, int]:
        starts: list[float] = []

        def refuses(_: int) -> bool:
            now = asyncio.get_running_loop().time()
            if len(starts) >= 600 and starts[-600] > now - 60:
                return True
            starts.append(now)
            return False

        return await worked(AdaptiveLimiter(NO_LIMIT), 200, 600, refuses)

    answered, refused = await by_the_minute()
    monkeypatch.setattr(IS_OVERLOAD, each_is_an_overload)
    _, by_cutting = await by_the_minute()
    assert answered > 0.85 * 600 * 10
    assert refused <= 1.05 * by_cutting


@given(limit=st.integers(256, 1_000), shards=st.integers(1, 256))
def test_the_parts_of_shards_come_to_the_whole_limit_and_none_is_without(limit: int, shards: int) -> None:
    whole = RateLimits(calls=limit)
    parts = [whole.share(shard, shards) for shard in range(shards)]
    assert sum(part.calls or 0 for part in parts) == limit
    assert all(part.calls for part in parts)
    assert {(part.requests, part.tokens) for part in parts} == {(None, None)}
