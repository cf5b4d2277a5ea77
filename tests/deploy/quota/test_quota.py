"""The quota on hosts: budgets stop a run or end an episode, waiting is not working time, and every permit returns."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path as FilePath
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from pydantic import BaseModel

from quintet.errors import BudgetSpent, EndpointFailed, EndpointUnavailable, HostLost, Overloaded
from quintet.events import CallMade, CutShort, EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Fork
from quintet.messages.execution import Execute
from quintet.messages.paths import Path, episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.quota import Reserve, Settle
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins.catalogue import model
from quintet.ports.model import Asked, Completion, Model, Sampling, Usage
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import AdaptiveLimiter, RateLimits
from quintet.quota.prices import Price
from quintet.quota.quota import LocalLimiters, QueueTime, Quota, RefusedKeys
from quintet.runtime.calls import Permits
from quintet.runtime.host import Host
from quintet.runtime.local import LocalRuntime, Loopback
from quintet.runtime.retries import RetryPolicy
from quintet.runtime.spec import Limits, RunSpec
from tests.simulation.content import content
from tests.simulation.scenes import GOALS, Around, adapt, planned, played, spec_of
from tests.simulation.virtual import run

HERE = episode_path("task", 0, 0)
FEW = GOALS[:3]


class Counting:
    """A tenth of the reserved tokens is used by every call, after a virtual second."""

    name = "counting"

    def __init__(self) -> None:
        self.inner = Around(model("sim-weak"))
        self.calls = 0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self.draw(prompt, sampling, None)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        return await self.draw(prompt, sampling, asked)

    async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
        self.calls += 1
        await asyncio.sleep(1)
        if asked is None:
            completion = await self.inner.complete(prompt, sampling)
        else:
            completion = await self.inner.answer(prompt, sampling, asked)
        return Completion(
            text=completion.text, usage=Usage(prompt_tokens=prompt.most_tokens // 10, completion_tokens=10)
        )


class Endless(Counting):
    """Looks around for ever."""

    async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
        completion = await super().draw(prompt, sampling, asked)
        return msgspec.structs.replace(completion, text="Thought: On.\nAction: inventory")


def budgeted(journal: SqliteJournal, **limits: int) -> Quota:
    return Quota(LocalLimiters(RateLimits()).limiter, budget_in(journal, **limits))


def budget_in(
    journal: SqliteJournal, *, run: int | None = None, episode: int | None = None, calls: int | None = None
) -> Budget:
    return Budget(Allowance(tokens=run), Allowance(tokens=episode), free, journal.charges, episode_calls=calls)


def free(_model: str, _usage: Usage) -> int:
    return 0


def spent(journal: SqliteJournal) -> int:
    return sum(each.tokens for each in journal.charges.earlier())


async def outcome(spec: RunSpec, journal: SqliteJournal, quota: Quota | None = None) -> list[EpisodeEnded]:
    return await played(spec, journal, planned(spec, FEW), concurrency=3, quota=quota)


def test_a_run_stops_when_its_budget_is_spent_and_a_larger_one_takes_it_to_the_same_end() -> None:
    whole, broken = SqliteJournal(":memory:"), SqliteJournal(":memory:")
    counting = Counting()
    spec = adapt(counting)
    run(outcome(spec, whole))
    calls = counting.calls
    starts = 0
    for budget in range(20_000, 10_000_000, 40_000):
        try:
            starts += 1
            run(outcome(spec, broken, budgeted(broken, run=budget)))
        except BudgetSpent:
            assert spent(broken) <= budget
        else:
            break
    assert starts > 2
    assert content(broken) == content(whole)
    assert counting.calls == 2 * calls, "what was committed was paid for again"


async def test_an_episode_that_has_spent_its_allowance_ends_unsolved_and_its_replay_too() -> None:
    journal = SqliteJournal(":memory:")
    spec = adapt(Counting())
    ended = await outcome(spec, journal, budgeted(journal, episode=3000))
    assert {(end.state, end.reason) for end in ended} == {("unsolved", "episode budget")}
    assert len(ended) == len(FEW)
    cut = [record.event for record in journal.reader.records() if isinstance(record.event, CutShort)]
    assert {(event.path, event.reason) for event in cut} == {(end.path, "episode budget") for end in ended}

    async with LocalRuntime(spec, journal, concurrency=3) as runtime:
        assert {end.reason for end in [end async for end in runtime.run(planned(spec, FEW))]} == {"episode budget"}


async def test_waiting_for_permits_is_no_working_time() -> None:
    spec = replace(adapt(Counting()), limits=Limits(episode=100.0))
    journal = SqliteJournal(":memory:")
    one_at_a_time = Quota(LocalLimiters(RateLimits(calls=1)).limiter)

    ended = await outcome(spec, journal, one_at_a_time)
    assert asyncio.get_running_loop().time() > 100, "no call waited for long"
    assert "time limit" not in {end.reason for end in ended}


@pytest.mark.parametrize(("limits", "most"), [(RateLimits(), 2), (RateLimits(calls=5), 5)])
def test_a_model_has_no_more_calls_in_flight_than_it_can_work_on_unless_a_limit_says_how_many(
    limits: RateLimits, most: int
) -> None:
    limiter = LocalLimiters(limits, parallel={"here": 2}).limiter
    here, other = limiter("here"), limiter("other")
    assert isinstance(here, AdaptiveLimiter)
    assert isinstance(other, AdaptiveLimiter)
    assert here.most == most
    assert other.most == AdaptiveLimiter(limits).most


def test_an_overloaded_endpoint_slows_a_run_down_and_ends_no_episode() -> None:
    class Busy(Counting):
        def __init__(self) -> None:
            super().__init__()
            self.now = 0
            self.refused = 0

        async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
            if self.now >= 2:
                self.refused += 1
                raise Overloaded("429")
            self.now += 1
            try:
                return await super().draw(prompt, sampling, asked)
            finally:
                self.now -= 1

    undisturbed, busy = SqliteJournal(":memory:"), SqliteJournal(":memory:")
    endpoint = Busy()
    patient = replace(adapt(endpoint), limits=Limits(model=RetryPolicy(repeats=0)))
    run(outcome(patient, busy, budgeted(busy, run=10**9)))
    run(outcome(adapt(Counting()), undisturbed))
    assert endpoint.refused > 0
    assert content(busy) == content(undisturbed)
    used = [record.event.completion.usage for record in busy.reader.records() if isinstance(record.event, CallMade)]
    assert spent(busy) == sum(usage.prompt_tokens + usage.completion_tokens for usage in used)


def begun() -> SqliteJournal:
    """A journal in which the episode of `HERE` has begun."""
    journal = SqliteJournal(":memory:")
    journal.begin(HERE)
    return journal


@asynccontextmanager
async def asking(quota: Quota) -> AsyncGenerator[Host, None]:
    host = Host(DRIVER, Loopback(DRIVER), SqliteJournal(":memory:"))
    host.spawn("quota", quota)
    yield host
    await host.close()


def reserve(permit: str, host: str = "host") -> Reserve:
    return Reserve(permit=permit, host=host, model="model", prompt_tokens=10, completion_tokens=10)


TO = Address(host=DRIVER, role="quota")


async def test_a_permit_that_returns_before_it_is_granted_is_never_granted() -> None:
    quota = Quota(LocalLimiters(RateLimits(calls=1)).limiter)
    async with asking(quota) as host:
        await host.ask(TO, reserve("host/1"), path=HERE, incarnation=1)
        waiting = asyncio.create_task(host.ask(TO, reserve("host/2"), path=HERE, incarnation=1))
        await asyncio.sleep(1)
        host.tell(TO, Settle(permit="host/2", outcome="refused"))
        host.tell(TO, Settle(permit="host/3", outcome="refused"))
        host.tell(TO, Settle(permit="host/1", outcome="answered"))
        await asyncio.wait([waiting])
        late = asyncio.create_task(host.ask(TO, reserve("host/3"), path=HERE, incarnation=1))
        await asyncio.wait([late])
        assert not quota.permits
        await host.ask(TO, reserve("host/4"), path=HERE, incarnation=1)
        assert list(quota.permits) == ["host/4"]
        assert [type(task.exception()).__name__ for task in (waiting, late)] == ["HostLost", "HostLost"]


async def test_for_how_long_the_oldest_call_is_in_flight_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("quintet.quota.quota.time", SimpleNamespace(monotonic=lambda: now[0]))
    quota = Quota(LocalLimiters(RateLimits(calls=2)).limiter)
    async with asking(quota) as host:
        assert quota.oldest_call() == 0
        for permit in ("host/1", "host/2"):
            await host.ask(TO, reserve(permit), path=HERE, incarnation=1)
            now[0] += 7
        assert quota.oldest_call() == 14
        host.tell(TO, Settle(permit="host/1", outcome="answered"))
        await host.delivered()
        assert quota.oldest_call() == 7


async def test_a_dead_hosts_permits_return_and_what_it_reserved_is_charged_in_full() -> None:
    journal = begun()
    quota = budgeted(journal, run=1000)
    async with asking(quota) as host:
        await host.ask(TO, reserve("dying/1", "dying"), path=HERE, incarnation=1)
        await host.ask(TO, reserve("living/1", "living"), path=HERE, incarnation=1)
        host.host_lost(HostName("dying"))
        assert list(quota.permits) == ["living/1"]
        host.tell(TO, Settle(permit="living/1", outcome="refused"))
        late = asyncio.create_task(host.ask(TO, reserve("dying/2", "dying"), path=HERE, incarnation=1))
        await asyncio.wait([late])
        assert not quota.permits
        assert spent(journal) == 20


async def test_a_call_that_is_cancelled_while_it_waits_leaves_nothing_behind() -> None:
    quota = Quota(LocalLimiters(RateLimits(calls=1)).limiter)
    async with asking(quota) as host:
        permits = Permits(host)

        async def call(number: int) -> None:
            path = Path(f"{HERE}/{number}")
            async with permits.hold(path, 1, "model", Usage(prompt_tokens=1, completion_tokens=1)) as permit:
                await asyncio.sleep(10)
                permit.answered(Completion(text="", usage=Usage(prompt_tokens=1)))

        calls = [asyncio.create_task(call(number)) for number in range(5)]
        await asyncio.sleep(5)
        for task in calls:
            task.cancel()
        await asyncio.wait(calls)
        await asyncio.sleep(1)
        assert not quota.permits
        await asyncio.wait_for(call(9), 20)


async def test_nothing_is_granted_while_it_pauses_not_even_what_waited_for_the_budget_or_the_limiter() -> None:
    quota = Quota(LocalLimiters(RateLimits(calls=1)).limiter, budget_in(begun(), run=45))
    async with asking(quota) as host:
        await host.ask(TO, reserve("host/1"), path=HERE, incarnation=1)
        waiting = [
            asyncio.create_task(host.ask(TO, reserve(f"host/{number}"), path=HERE, incarnation=1)) for number in (2, 3)
        ]
        await asyncio.sleep(1)
        quota.pause()
        host.tell(TO, Settle(permit="host/1", outcome="refused"))
        await asyncio.sleep(5)
        assert not quota.permits
        quota.resume()
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert len(quota.permits) == 1


async def test_a_call_that_waits_for_the_budget_holds_no_place_at_a_limiter() -> None:
    quota = Quota(LocalLimiters(RateLimits(requests=8)).limiter, budget_in(begun(), run=20))
    granted: list[int] = []
    async with asking(quota) as host:

        async def call(number: int) -> None:
            await host.ask(TO, reserve(f"host/{number}"), path=HERE, incarnation=1)
            granted.append(number)
            await asyncio.sleep(1)
            host.tell(TO, Settle(permit=f"host/{number}", outcome="refused"))

        calls = [asyncio.create_task(call(number)) for number in range(20)]
        await asyncio.sleep(50)
        assert len(granted) == 8
        for task in calls:
            task.cancel()
        await asyncio.wait(calls)
        await asyncio.sleep(1)
        assert not quota.permits


async def test_calls_in_flight_when_a_run_is_left_are_settled(tmp_path: FilePath) -> None:
    journal = SqliteJournal(file := tmp_path / "journal.sqlite")
    quota = budgeted(journal, run=10**9)
    spec = adapt(Counting())

    async with LocalRuntime(spec, journal, concurrency=6, quota=quota) as runtime:
        episodes = runtime.run(planned(spec))
        async for _ in episodes:
            break
        await episodes.aclose()
    assert not quota.permits
    assert "open" not in states(file)
    journal.close()


def states(file: FilePath) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [("answered", "open", "lost")[state] for (state,) in connection.execute("SELECT state FROM _charges")]


def test_an_endpoint_that_refuses_one_call_cuts_off_no_other_that_may_be_paid(tmp_path: FilePath) -> None:
    class Refusing(Counting):
        async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
            if self.calls == 20:
                self.calls += 1
                raise EndpointUnavailable("404")
            return await super().draw(prompt, sampling, asked)

    journal = SqliteJournal(file := tmp_path / "journal.sqlite")
    with pytest.raises(EndpointUnavailable):
        run(outcome(adapt(Refusing()), journal, budgeted(journal, run=10**9)))
    made = sum(isinstance(record.event, CallMade) for record in journal.reader.records())
    assert states(file).count("answered") == made
    assert states(file).count("lost") == 1, "the one that was refused"
    used = [record.event.completion.usage for record in journal.reader.records() if isinstance(record.event, CallMade)]
    assert spent(journal) == sum(usage.prompt_tokens + usage.completion_tokens for usage in used)
    journal.close()


@pytest.mark.parametrize(
    ("waits", "seconds"),
    [
        pytest.param([(0, 10, 0), (5, 20, 0), (30, 40, 0)], 30, id="waits-that-overlap-count-once"),
        pytest.param(
            [(5, 10, 3), (8, 10, 7), (12, 20, 9), (30, 31, 0)],
            (10 - 1) + (20 - 10) + (31 - 30),
            id="a-failed-attempts-time-counts-and-no-second-twice",
        ),
    ],
)
async def test_an_episode_has_waited(waits: list[tuple[float, float, float]], seconds: float) -> None:
    time = QueueTime()

    async def wait(begin: float, end: float, already: float) -> None:
        await asyncio.sleep(begin)
        with time.waiting(HERE, already=already):
            await asyncio.sleep(end - begin)

    await asyncio.gather(*(wait(*each) for each in waits))
    assert time.seconds(HERE) == seconds
    time.forget(HERE)
    assert time.seconds(HERE) == 0


async def test_an_outage_cuts_no_episode_short() -> None:
    class AwayForLong(Counting):
        async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
            if 2.0 <= asyncio.get_running_loop().time() < 400.0:
                await asyncio.sleep(5.0)
                raise EndpointFailed("502")
            return await super().draw(prompt, sampling, asked)

    spec = replace(adapt(AwayForLong()), limits=Limits(model=RetryPolicy(seconds=1_000.0), episode=150.0))

    (ended,) = await played(spec, SqliteJournal(":memory:"), planned(spec, ("beehive",)), concurrency=1)
    seconds = asyncio.get_running_loop().time()
    assert seconds > 400.0
    assert ended.reason != "time limit"


async def test_a_time_limit_outlives_a_lost_question_about_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = 0

    async def queued() -> float:
        nonlocal lost
        lost += 1
        if lost < 3:
            raise HostLost("a batch")
        return 0.0

    spec = replace(adapt(Counting()), limits=Limits(episode=5.0))

    async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=1) as runtime:
        monkeypatch.setattr(runtime.host.actors["subtask"], "_queued", queued)
        (ended,) = [end async for end in runtime.run(planned(spec, ("beehive",)))]
    assert ended.reason == "time limit"


class CrowdConfig(BaseModel):
    """Of branches that execute at the same time, each in a world of its own."""

    branches: int = 64
    calls: int = 20
    race: bool = False
    """The first to end stops the others."""


class Crowd(Method[CrowdConfig]):
    name = "crowd"
    version = "1"
    requests = (Execute,)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        most = self.config.calls

        async def branch(number: int) -> None:
            session = (await episode.ask(Fork(session=episode.session))).session
            setting = f"Branch {number}."
            await episode.ask(
                Execute(session=session, setting=setting, goal=episode.goal, max_calls=most, patience=most)
            )

        async with episode.branches() as group:
            for number in range(1, self.config.branches + 1):
                group.start(branch, number)
            if self.config.race:
                await group.first()
        return Solved(session=episode.session, reward=0.0, done=False)


def crowd(model: Model, **config: Any) -> RunSpec:
    return spec_of(Crowd(CrowdConfig(**config)), {"execute": "Act."}, model)


def test_sixty_four_parallel_branches_go_to_the_last_cent_and_resume_without_paying_anything_twice(
    tmp_path: FilePath,
) -> None:
    class Priced(Counting):
        async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
            self.calls += 1
            await asyncio.sleep(1 + int(prompt.node.address[:2], 16) / 256)
            usage = Usage(prompt_tokens=prompt.most_tokens // 4, completion_tokens=7)
            return Completion(text="Thought: On.\nAction: inventory", usage=usage)

    price = Price(input=Decimal(1), cached_input=Decimal(1), output=Decimal(4))

    def cost(_model: str, usage: Usage) -> int:
        return price.cost(usage)

    priced = Priced()
    spec = crowd(priced)
    journal = SqliteJournal(file := tmp_path / "journal.sqlite", prices={priced.name: price})

    async def start(nanodollars: int) -> None:
        budget = Budget(Allowance(nanodollars=nanodollars), Allowance(), cost, journal.charges)
        quota = Quota(LocalLimiters(RateLimits()).limiter, budget)
        try:
            await played(spec, journal, planned(spec, ("stick",)), concurrency=1, quota=quota)
        finally:
            charged = sum(each.nanodollars for each in journal.charges.earlier())
            assert charged == (budget.spent.nanodollars or 0) <= nanodollars

    cent = 10_000_000
    with pytest.raises(BudgetSpent):
        run(start(cent))
    spent_first = sum(each.nanodollars for each in journal.charges.earlier())
    dearest = cost("", Usage(prompt_tokens=1500, completion_tokens=512))
    assert cent - dearest < spent_first <= cent, "what was left did not hold one more call"
    run(start(1000 * cent))
    assert priced.calls == 64 * 20, "a completion that was in the journal was paid again"
    assert set(states(file)) == {"answered"}
    journal.close()


# A key that is refused

CANCELLED = Settle(permit="here/1", outcome="cancelled")
ANSWERED = Settle(permit="here/2", outcome="answered")
REFUSED_CALL, REFUSED_MODEL, REFUSED_KEY = (
    Settle(permit="here/3", outcome="refused", refuses=refuses) for refuses in ("call", "model", "key")
)


@pytest.mark.parametrize(
    ("before", "free"),
    [
        ([], False),
        ([("mine", "m", REFUSED_KEY)], True),
        ([("mine", "other", REFUSED_KEY)], True),
        ([("theirs", "m", REFUSED_KEY)], False),
        ([("mine", "m", REFUSED_MODEL)], True),
        ([("mine", "other", REFUSED_MODEL)], False),
        ([("mine", "m", REFUSED_CALL)], False),
        ([("mine", "other", ANSWERED), ("mine", "m", REFUSED_KEY)], False),
        ([("mine", "other", ANSWERED), ("mine", "m", REFUSED_MODEL)], True),
        ([("mine", "m", ANSWERED), ("mine", "m", REFUSED_MODEL)], False),
        ([("theirs", "m", ANSWERED), ("mine", "m", REFUSED_KEY)], True),
    ],
)
def test_a_call_that_was_cut_off_cost_nothing_only_if_its_key_was_refused_and_never_let_in(
    before: list[tuple[str, str, Settle]], free: bool
) -> None:
    keys = RefusedKeys()
    for account, name, settle in before:
        keys.brought_nothing(account, name, settle)
    assert keys.brought_nothing("mine", "m", CANCELLED) is free
    assert not keys.brought_nothing("", "m", CANCELLED), "nobody knows who is billed"


# A limit of calls


def begun_calls(journal: SqliteJournal) -> set[Path]:
    """The calls of `crowd`'s episode that were begun, in all starts."""
    return set(journal.charges.calls(episode_path("stick", 0, 0)))


async def crowded(journal: SqliteJournal, quota: Quota, counting: Counting) -> list[EpisodeEnded]:
    spec = crowd(counting)
    return await played(spec, journal, planned(spec, ("stick",)), concurrency=1, quota=quota)


@pytest.mark.parametrize("most", [1, 63, 64, 65, 300])
def test_sixty_four_parallel_branches_make_exactly_as_many_calls_as_an_episode_may(most: int) -> None:
    journal, counting = SqliteJournal(":memory:"), Endless()
    (end,) = run(crowded(journal, budgeted(journal, calls=most), counting))
    assert (end.state, end.reason) == ("unsolved", "episode budget")
    assert counting.calls == len(begun_calls(journal)) == most


@pytest.mark.parametrize("seconds", [0.5, 2.5, 4.5])
async def test_a_kill_leaves_no_room_for_further_calls(seconds: float, tmp_path: FilePath) -> None:
    killed, copy = tmp_path / "killed.sqlite", tmp_path / "copy.sqlite"
    first, most = SqliteJournal(killed), 300

    running = asyncio.create_task(crowded(first, budgeted(first, calls=most), Endless()))
    await asyncio.sleep(seconds)
    with closing(sqlite3.connect(killed)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)  # what a kill at this moment would leave
    running.cancel()
    await asyncio.wait([running])
    first.close()
    journal = SqliteJournal(copy)
    before = begun_calls(journal)
    done = {record.event.path for record in journal.reader.records() if isinstance(record.event, CallMade)}
    assert len(done) < len(before) < most, "no call was in flight"
    counting = Endless()
    (end,) = await crowded(journal, budgeted(journal, calls=most), counting)
    assert end.reason == "episode budget"
    assert len(begun_calls(journal)) == most
    assert counting.calls == most - len(done)
    journal.close()


def test_a_call_that_an_endpoint_refuses_for_now_counts_once() -> None:
    class Busy(Counting):
        """Refuses each call twice, and then answers it."""

        def __init__(self) -> None:
            super().__init__()
            self.attempts: Counter[int | None] = Counter()

        async def draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
            completion = await super().draw(prompt, sampling, asked)
            self.attempts[sampling.seed] += 1
            if self.attempts[sampling.seed] < 3:
                raise EndpointFailed("502") if self.attempts[sampling.seed] == 1 else Overloaded("429")
            return completion

    journal, busy = SqliteJournal(":memory:"), Busy()
    (end,) = run(crowded(journal, budgeted(journal, calls=100), busy))
    made = sum(isinstance(record.event, CallMade) for record in journal.reader.records())
    assert end.reason == "episode budget"
    assert made <= len(begun_calls(journal)) == 100 < busy.calls


# Calls of a branch that was stopped


class Racing:
    """Answers in the first branch after a second, in the second after an hour."""

    name = "racing"

    def __init__(self) -> None:
        self.reserved: dict[int, int] = {}
        """By branch, the most tokens that its call can use."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        branch = 1 if any("Branch 1." in message.content for message in prompt.messages()) else 2
        self.reserved[branch] = prompt.most_tokens + sampling.max_tokens
        await asyncio.sleep(1 if branch == 1 else 3600)
        return Completion(text="Action: inventory", usage=Usage(prompt_tokens=5, completion_tokens=2))


@pytest.mark.parametrize(("a_minute", "in_flight"), [(None, True), (1, False)])
async def test_a_stopped_branch_s_call_is_charged_in_full_if_it_was_begun(
    a_minute: int | None, in_flight: bool
) -> None:
    racing, journal = Racing(), SqliteJournal(":memory:")
    spec = crowd(racing, branches=2, calls=1, race=True)
    quota = Quota(LocalLimiters(RateLimits(requests=a_minute)).limiter, budget_in(journal, run=10**9))

    (end,) = await played(spec, journal, planned(spec, ("stick",)), concurrency=1, quota=quota)
    assert end.state == "solved"
    assert not quota.permits
    assert asyncio.get_running_loop().time() < 10, "nobody waits for the call that was stopped"
    assert set(racing.reserved) == ({1, 2} if in_flight else {1})
    assert spent(journal) == 5 + 2 + racing.reserved.get(2, 0)
    assert quota.spent is not None
    assert (quota.spent.nanodollars, quota.spent.tokens) == (0, spent(journal))
    assert len(begun_calls(journal)) == len(racing.reserved)
