"""Branches: several things at once, ends that are taken one by one, and what a replay does with them."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from random import Random
from typing import Any

import pytest

from quintet.errors import ActorCrashed, ModelFault, ReplayMismatch
from quintet.events import AnyEvent, BranchEnded, BranchStopped, Decided
from quintet.messages.paths import child
from quintet.roles.branches import Branch, Branches, branches
from quintet.roles.context import current, decide
from tests.actors.roles.test_context import HERE, converse, sleep_then

GROUP = child(HERE, 1)


def ended(number: int, place: int = 1) -> BranchEnded:
    return BranchEnded(path=child(GROUP, number), place=place)


def stopped(number: int) -> BranchStopped:
    return BranchStopped(path=child(GROUP, number))


def test_branches_run_at_once_and_keep_their_order() -> None:
    async def work() -> tuple[list[str], float]:
        async with branches() as group:
            started = [group.start(sleep_then, 3 - number, str(number)) for number in range(3)]
        return [branch.result() for branch in started], asyncio.get_running_loop().time()

    assert converse(work())[0] == (["0", "1", "2"], 3)


async def failing(seconds: float = 0.0) -> str:
    await asyncio.sleep(seconds)
    raise ModelFault("no answer")


async def patient(ended: list[str], tidying: float = 0.0) -> None:
    try:
        await asyncio.sleep(3600)
    finally:
        await asyncio.sleep(tidying)
        ended.append("tidy")


async def ending(error: BaseException) -> None:
    raise error


async def untidy() -> None:
    try:
        await asyncio.sleep(3600)
    finally:
        raise KeyError("cleanup")


@pytest.mark.parametrize("failures", [0, 2], ids=["the parent fails", "branches fail"])
def test_a_failure_ends_the_other_branches_and_leaves_the_group_with_the_cause(failures: int) -> None:
    ended: list[str] = []

    async def work() -> None:
        async with branches() as group:
            group.start(patient, ended)
            group.start(untidy)
            for _ in range(failures):
                group.start(failing, 1)
            if not failures:
                await failing(1)

    with pytest.raises(ModelFault, match="no answer"):
        converse(work())
    assert ended == ["tidy"]


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize(
    ("error", "match"),
    [(asyncio.CancelledError(), "branch 1 cancelled itself"), (SystemExit(7), "SystemExit: 7")],
    ids=["cancels itself", "exits"],
)
def test_a_branch_that_ends_itself_oddly_crashes_its_group(error: BaseException, match: str, taken: bool) -> None:
    async def work() -> None:
        async with branches() as group:
            group.start(ending, error)
            if taken:
                await group.next()

    with pytest.raises(ActorCrashed, match=match):
        converse(work())


async def _race(delays: tuple[float, ...], ran: list[str]) -> tuple[int, str]:
    async def runner(seconds: float, name: str) -> str:
        ran.append(name)
        return await sleep_then(seconds, name)

    async with branches() as race:
        runners = [race.start(runner, seconds, f"runner {number}") for number, seconds in enumerate(delays, 1)]
        winner = await race.first()
    return winner, runners[winner - 1].result()


def test_the_first_to_end_wins_and_that_is_committed() -> None:
    found, committed = converse(_race((3.0, 1.0, 2.0), []))
    assert found == (2, "runner 2")
    assert committed == [ended(2), stopped(1), stopped(3)]


def test_a_replay_obeys_the_decided_race_and_does_not_run_the_losers() -> None:
    ran: list[str] = []
    found, committed = converse(_race((3.0, 1.0, 2.0), ran), ended(3), stopped(1), stopped(2))
    assert found == (3, "runner 3")
    assert ran == ["runner 3"]
    assert committed == []


def test_losers_are_cancelled_once_the_race_is_decided_and_of_equals_the_first_started_wins() -> None:
    async def work() -> tuple[int, float]:
        winner, _ = await _race((3600.0, 1.0, 1.0), [])
        return winner, asyncio.get_running_loop().time()

    assert converse(work())[0] == (2, 1.0)


@pytest.mark.parametrize("taken", [False, True])
def test_leaving_a_group_waits_for_its_branches_however_often_the_parent_is_cancelled(taken: bool) -> None:
    ended: list[str] = []

    async def work() -> None:
        async with branches() as group:
            group.start(patient, ended, 5)
            if taken:
                await group.next()

    async def scene() -> tuple[bool, list[str]]:
        parent = asyncio.create_task(work())
        for _ in range(3):
            await asyncio.sleep(1)
            parent.cancel()
        await asyncio.wait([parent])
        return parent.cancelled(), list(ended)

    assert converse(scene()) == ((True, ["tidy"]), [])


async def _begin_after_a_stop(group: Branches) -> None:
    await group.stop()
    group.start(sleep_then, 1.0, "")


async def _race_twice(group: Branches) -> None:
    group.start(sleep_then, 1.0, "")
    await group.first()
    await group.first()


async def _read_a_loser(group: Branches) -> None:
    runners = [group.start(sleep_then, seconds, "") for seconds in (1.0, 2.0)]
    await group.first()
    runners[1].result()


async def _ask_from_within(ask: Callable[[Branches], Coroutine[Any, Any, object]], group: Branches) -> None:
    group.start(ask, group)


FROM_WITHIN = "expected calls from task/0/0, got one from task/0/0/1/1"


@pytest.mark.parametrize(
    ("misuse", "match"),
    [
        (Branches.first, "expected a branch that runs, got none"),
        (_begin_after_a_stop, "expected a group that goes on"),
        (_race_twice, "expected a group that goes on"),
        (_read_a_loser, "branch 2: expected one whose end was taken"),
        *((partial(_ask_from_within, ask), FROM_WITHIN) for ask in (Branches.next, Branches.stop, Branches.first)),
    ],
)
def test_a_group_is_used_by_its_parent_alone_and_not_after_its_end(
    misuse: Callable[[Branches], Coroutine[Any, Any, object]], match: str
) -> None:
    async def work() -> None:
        async with branches() as group:
            await misuse(group)

    with pytest.raises(RuntimeError, match=match):
        converse(work())


def test_a_group_begun_beside_an_ask_in_flight_is_refused() -> None:
    async def work() -> None:
        with current().turn():
            branches()

    with pytest.raises(RuntimeError, match="two things in flight"):
        converse(work())


async def _pool(delays: tuple[float, ...], workers: int, taken: list[int]) -> None:
    """Take the ends one by one, and start the next piece of work for each, as an asynchronous search does."""
    left = list(delays)
    async with branches() as group:
        started = [group.start(sleep_then, left.pop(0), "") for _ in range(workers)]
        while len(taken) < len(delays):
            taken.append(await group.next())
            if left:
                started.append(group.start(sleep_then, left.pop(0), ""))


def test_ends_are_taken_in_their_order_and_branches_started_in_between() -> None:
    async def work() -> tuple[list[int], float]:
        taken: list[int] = []
        await _pool((5.0, 1.0, 3.0, 0.5), 2, taken)
        return taken, asyncio.get_running_loop().time()

    found, committed = converse(work())
    assert found == ([2, 3, 4, 1], 5.0)
    assert committed == [ended(2, 1), ended(3, 2), ended(4, 3), ended(1, 4)]


@pytest.mark.parametrize("seed", range(20))
def test_killed_at_every_end_a_pool_resumes_to_the_same_ends(seed: int) -> None:
    random = Random(seed)
    delays, later = (tuple(random.uniform(0, 9) for _ in range(8)) for _ in range(2))
    workers = random.randint(1, 8)
    whole: list[int] = []
    _, committed = converse(_pool(delays, workers, whole))
    for kept in range(len(committed) + 1):
        resumed: list[int] = []
        _, added = converse(_pool(later, workers, resumed), *committed[:kept])
        assert resumed[:kept] == whole[:kept]
        assert sorted(resumed) == sorted(whole)
        assert [event.place for event in added if isinstance(event, BranchEnded)] == list(range(kept + 1, 9))


def test_a_result_can_be_read_once_its_end_is_taken_and_not_before() -> None:
    async def work() -> str:
        async with branches() as group:
            runners = [group.start(sleep_then, seconds, str(seconds)) for seconds in (2.0, 1.0)]
            await asyncio.sleep(3)
            with pytest.raises(RuntimeError, match="branch 2: expected one whose end was taken"):
                runners[1].result()
            assert await group.next() == 2
            first = runners[1].result()
        return f"{first} {runners[0].result()}"

    assert converse(work())[0] == "1.0 2.0"


async def _stop_after(delays: tuple[float, ...], ends: int, ran: list[str]) -> list[Branch[str]]:
    async def runner(seconds: float, name: str) -> str:
        ran.append(name)
        return await sleep_then(seconds, name)

    async with branches() as group:
        runners = [group.start(runner, seconds, f"runner {number}") for number, seconds in enumerate(delays, 1)]
        for _ in range(ends):
            await group.next()
        await group.stop()
    return runners


def test_a_branch_whose_end_was_not_taken_is_stopped_even_if_it_ended() -> None:
    runners, committed = converse(_stop_after((1.0, 1.0, 9.0), 1, []))
    assert committed == [ended(1), stopped(2), stopped(3)]
    assert runners[0].result() == "runner 1"
    for runner in runners[1:]:
        with pytest.raises(RuntimeError, match="got one stopped"):
            runner.result()


@pytest.mark.parametrize("ends", range(4))
def test_a_replay_does_not_run_what_was_stopped(ends: int) -> None:
    ran: list[str] = []
    _, committed = converse(_stop_after((3.0, 1.0, 2.0), ends, []))
    _, added = converse(_stop_after((1.0, 2.0, 3.0), ends, ran), *committed)
    assert added == []
    assert ran == [f"runner {number}" for number in sorted((2, 3, 1)[:ends])]


def test_a_kill_before_the_stop_lets_the_replay_stop_them() -> None:
    _, committed = converse(_stop_after((3.0, 1.0, 2.0), 1, []))
    ran: list[str] = []
    _, added = converse(_stop_after((1.0, 2.0, 3.0), 1, ran), *committed[:1])
    assert added == [stopped(1), stopped(3)]
    assert len(ran) == 3


def test_the_winner_and_those_it_stops_are_committed_at_once() -> None:
    commits: list[tuple[AnyEvent, ...]] = []

    async def work() -> None:
        commit = current().commit

        async def counted(*events: AnyEvent) -> None:
            commits.append(events)
            await commit(*events)

        current().commit = counted
        await _race((2.0, 1.0), [])

    converse(work())
    assert commits == [(ended(2), stopped(1))]


def test_a_failing_branch_is_raised_where_its_end_is_taken_and_the_group_is_over() -> None:
    async def work() -> None:
        async with branches() as group:
            group.start(sleep_then, 0.5, "")
            group.start(failing, 1)
            group.start(sleep_then, 3600, "")
            assert await group.next() == 1
            with pytest.raises(ModelFault, match="no answer"):
                await group.next()
            with pytest.raises(RuntimeError, match="stopped or failed"):
                await group.next()
            raise KeyError("given up")

    with pytest.raises(KeyError, match="given up"):
        converse(work())


def test_a_failure_that_was_caught_leaves_the_group_again_and_of_a_branch_that_is_stopped_it_is_dropped() -> None:
    async def work(*, stops: bool) -> None:
        async with branches() as group:
            group.start(failing)
            await asyncio.sleep(1)
            if stops:
                await group.stop()
            else:
                with pytest.raises(ModelFault):
                    await group.first()

    with pytest.raises(ModelFault, match="no answer"):
        converse(work(stops=False))
    assert converse(work(stops=True))[1] == [stopped(1)]


@pytest.mark.parametrize(
    ("recorded", "match"),
    [
        ([stopped(1), stopped(2)], "expected no further end, got end 1 of 2 branches"),
        ([ended(1, 2)], "expected no further end, got end 1 of 2 branches"),
        ([ended(3)], "expected branch 3 to end, got end 1 of 2 branches"),
        ([ended(1), stopped(3)], r"the branches \[3\] stopped, got 1 and \[2\]"),
        ([ended(2), ended(1, 2)], "expected 2 ends"),
        ([Decided(path=GROUP, question="", answer="")], "expected decided"),
        ([Decided(path=child(GROUP, 1), question="", answer="")], "expected decided, got branch_ended"),
    ],
)
def test_another_history_than_the_recorded_one_diverges(recorded: list[AnyEvent], match: str) -> None:
    with pytest.raises(ReplayMismatch, match=match):
        converse(_race((1.0, 2.0), []), *recorded)


def test_a_group_that_was_stopped_when_it_was_recorded_is_not_waited_for() -> None:
    async def work() -> None:
        async with branches() as group:
            group.start(sleep_then, 1.0, "")

    with pytest.raises(ReplayMismatch, match=r"the branches \[1\] stopped, got 0 and \[\]"):
        converse(work(), stopped(1))


def test_a_decision_where_a_group_is_recorded_diverges() -> None:
    with pytest.raises(ReplayMismatch, match="expected a request with 1 events below it, got decided"):
        converse(decide("first", 1), ended(1))
