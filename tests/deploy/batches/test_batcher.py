"""The batcher, in virtual time: what is collected, submitted and waited for, and what a kill at any place costs."""

import asyncio
import itertools
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as replaced

from quintet.batches.batcher import Batcher, BatchTimes
from quintet.batches.store import BATCHES_FILE, BatchStore, StoredBatch, lost_batches
from quintet.errors import (
    EndpointFailed,
    EndpointUnavailable,
    Fault,
    JournalFault,
    ModelFault,
    NoAnswer,
    Unreachable,
)
from quintet.messages.batches import AnswerInBatch
from quintet.messages.quota import HasQueued, PermitOutcome, Queued, Reserve, Settle
from quintet.ports.batches import BatchLost, BatchRefused, BatchUnknown, NoRoomForBatch
from quintet.quota.quota import Quota, unlimited
from tests.deploy.batches.providers import Provider, lost
from tests.deploy.runtime.journaled_calls import requested
from tests.simulation.virtual import run

TIMES = BatchTimes(window_seconds=5.0, calls=100, poll_seconds=30.0)
NUMBERS = itertools.count(1)


def asked(*names: str) -> list[AnswerInBatch]:
    return [AnswerInBatch(model="m", call=name, permit=f"p/{next(NUMBERS)}", body=name.encode()) for name in names]


@dataclass
class Asking:
    """Asks a batcher as calls do: under permits."""

    batcher: Batcher
    quota: Quota

    async def answers(self, calls: Sequence[AnswerInBatch]) -> list[Any]:
        found = await asyncio.gather(*map(self.answer, calls), return_exceptions=True)
        return [each.decode() if isinstance(each, bytes) else each for each in found]

    async def answer(self, call: AnswerInBatch) -> bytes:
        reserve = Reserve(
            permit=call.permit, host="here", model="m", prompt_tokens=1, completion_tokens=1, batched=True
        )
        with requested():
            await self.quota.receive(reserve)
            outcome: PermitOutcome = "cancelled"
            try:
                answer = (await self.batcher.receive(call)).answer
                outcome = "answered"
            finally:
                self.quota.hear(Settle(permit=call.permit, outcome=outcome))
            return answer


@contextmanager
def batching(
    store: BatchStore, provider: Provider, times: BatchTimes = TIMES, tell: Callable[[str], None] = print
) -> Generator[Asking, None, None]:
    quota = unlimited()
    with closing(store):
        yield Asking(Batcher({"m": provider}, store, quota, times, tell), quota)


def pass_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    later = time.time() + 90_000
    monkeypatch.setattr(time, "time", lambda: later)


async def test_calls_within_a_window_are_one_batch_and_wait_as_in_a_queue() -> None:
    provider = Provider()
    with batching(BatchStore(":memory:"), provider) as asking:
        begun = asyncio.get_running_loop().time()
        assert await asking.answers(asked("a", "b", "c")) == ["answer to a", "answer to b", "answer to c"]
        assert asyncio.get_running_loop().time() - begun == pytest.approx(5 + 30)
        with requested():
            queued = await asking.quota.receive(HasQueued())
        assert isinstance(queued, Queued)
        assert queued.seconds == pytest.approx(35)
        assert [calls for _, calls in provider.submitted] == [("a", "b", "c")]
        assert await asking.answers(asked("b")) == ["answer to b"], "it is known"
        assert len(provider.submitted) == 1


async def test_a_full_batch_is_submitted_at_once_and_a_larger_one_is_cut() -> None:
    provider = Provider()
    with batching(BatchStore(":memory:"), provider, replace(TIMES, calls=2, window_seconds=1000.0)) as asking:
        waiting = [asyncio.create_task(asking.answer(each)) for each in asked(*"abcde")]
        await asyncio.sleep(100)
        assert [calls for _, calls in provider.submitted] == [("a", "b"), ("c", "d")]
        await asyncio.gather(*waiting)
        assert provider.submitted[2][1] == ("e",)


async def test_a_batch_that_would_have_more_bytes_than_one_may_is_cut() -> None:
    provider = Provider()
    with batching(BatchStore(":memory:"), provider, replace(TIMES, size=3000)) as asking:
        sizes = (1300, 1300, 1300, 1301, 4000, 1)
        await asking.answers(
            [replaced(call, body=size * b" ") for call, size in zip(asked(*"abcdef"), sizes, strict=True)]
        )
        expected = [("a", "b"), ("c",), ("d",), ("e",), ("f",)]
        assert [calls for _, calls in provider.submitted] == expected, "200 bytes are sent beside each body"


async def test_what_an_expired_batch_left_is_submitted_again_and_nothing_else() -> None:
    provider = Provider(expires={"remote-0"})
    with batching(BatchStore(":memory:"), provider) as asking:
        assert len(await asking.answers(asked("a", "b", "c"))) == 3
        assert [calls for _, calls in provider.submitted] == [("a", "b", "c"), ("b", "c")]
        assert not vars(asking.batcher)["_missed"], "it is forgotten once a call is answered"


async def test_a_call_that_no_batch_answers_fails() -> None:
    provider = Provider(expires={f"remote-{number}" for number in range(9)})
    with batching(BatchStore(":memory:"), provider) as asking:
        (*_, last) = await asking.answers(asked(*"abcdef"))
        assert isinstance(last, EndpointFailed)
        assert len(provider.submitted) == 4


@pytest.mark.parametrize("fault", [NoAnswer("lost"), Unreachable("none"), EndpointFailed("500")])
async def test_a_batch_that_may_have_been_submitted_is_looked_for_before_it_is_again(fault: Fault) -> None:
    provider = Provider(faults=[fault])
    with batching(BatchStore(":memory:"), provider) as asking:
        assert await asking.answers(asked("a")) == [fault]
        provider.faults = [NoAnswer("who knows"), None, None]
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


class LosesAnswers(Provider):
    """Takes a batch, and is not heard to."""

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        raise NoAnswer(await super().submit_batch(name, bodies))


class HearsLate(Provider):
    """Hears of a batch when the connection has long been broken."""

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        asyncio.get_running_loop().call_later(20, self._hear, name, bodies)
        raise NoAnswer("lost")

    def _hear(self, name: str, bodies: Mapping[str, bytes]) -> None:
        self.submitted.append((name, tuple(bodies)))
        self.bodies.update(bodies)


async def test_a_batch_that_reaches_the_provider_after_it_was_looked_for_is_not_submitted_again() -> None:
    provider = HearsLate()
    with batching(BatchStore(":memory:"), provider) as asking:
        assert isinstance((await asking.answers(asked("a")))[0], NoAnswer)
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


async def test_a_batch_is_found_where_the_providers_clock_is_behind() -> None:
    provider = LosesAnswers(clock=time.time() - 3600)
    with batching(BatchStore(":memory:"), provider) as asking:
        assert isinstance((await asking.answers(asked("a")))[0], NoAnswer)
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


async def test_calls_that_nobody_waits_for_any_more_are_left_out() -> None:
    provider = Provider()
    with batching(BatchStore(":memory:"), provider) as asking:
        first, second, again, third = (asyncio.create_task(asking.answer(each)) for each in asked(*"abbc"))
        await asyncio.sleep(1)
        for cancelled in (first, second):
            cancelled.cancel()
        assert await again == b"answer to b", "one of two still waits for it"
        await third
        assert [calls for _, calls in provider.submitted] == [("b", "c")]
        alone = asyncio.create_task(asking.answer(*asked("d")))
        await asyncio.sleep(1)
        alone.cancel()
        await asyncio.sleep(100)
        assert len(provider.submitted) == 1, "a batch of none"


async def test_what_a_batch_left_and_nobody_waits_for_is_not_submitted_again() -> None:
    provider = Provider(expires={"remote-0"})
    with batching(BatchStore(":memory:"), provider) as asking:
        first, second, third = (asyncio.create_task(asking.answer(each)) for each in asked(*"abc"))
        await asyncio.sleep(20)
        second.cancel()
        assert [*await asyncio.gather(first, third)] == [b"answer to a", b"answer to c"]
        assert [calls for _, calls in provider.submitted] == [("a", "b", "c"), ("c",)]


async def test_a_batch_that_was_not_submitted_is_taken_apart_and_has_only_what_is_asked_for_again() -> None:
    provider, store = Provider(), BatchStore(":memory:")
    store.begin_batch("m", {"a": b"a", "b": b"b"})
    with batching(store, provider) as asking:
        asking.batcher.begin()
        assert await asking.answers(asked("b")) == ["answer to b"]
        assert [calls for _, calls in provider.submitted] == [("b",)]


async def test_a_batch_whose_answers_are_gone_is_said_and_what_is_needed_of_it_is_asked_for_again(
    tmp_path: Path,
) -> None:
    provider = Provider(faults=[None, *lost(BatchLost("m: expected answers, got none"))])
    store, told = BatchStore(tmp_path / BATCHES_FILE), list[str]()
    with batching(store, provider, tell=told.append) as asking:
        first, second = (asyncio.create_task(asking.answer(each)) for each in asked(*"ab"))
        await asyncio.sleep(5.5)
        assert len(provider.submitted) == 1
        second.cancel()
        with pytest.raises(NoAnswer, match="m: expected answers, got none"):
            await first
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert [calls for _, calls in provider.submitted] == [("a", "b"), ("a",)]
        reason = "m: expected answers, got none"
        assert told[1] == f"batch 1: {reason}; those of its 2 calls that are needed are sent anew"
        assert lost_batches(tmp_path) == [(2, reason)]
    assert lost_batches(tmp_path) == [(2, reason)]


async def test_a_batch_that_is_unknown_is_not_asked_twice_while_it_may_be_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Within its day, or where the provider cannot list what it has: with the wrong key or address, say."""
    unknown = lost(BatchUnknown("m: expected batch remote-0, got none"))
    provider = Provider(faults=[None, *unknown])
    with batching(BatchStore(":memory:"), provider) as asking:
        (fault,) = await asking.answers(asked("a"))
        assert isinstance(fault, EndpointUnavailable)
        assert "is the key that of its account? Its calls are submitted anew once it is a day old" in str(fault)
        pass_a_day(monkeypatch)
        for listed in (EndpointUnavailable("404"), None):
            provider.faults = [*unknown, listed]
            assert isinstance((await asking.answers(asked("a")))[0], EndpointUnavailable)
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


async def test_a_batch_that_is_unknown_after_a_day_is_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    provider, store = Provider(forgotten={"remote-0"}), BatchStore(":memory:")
    with batching(store, provider) as asking:
        assert isinstance((await asking.answers(asked("a", "b")))[0], EndpointUnavailable)
        pass_a_day(monkeypatch)
        (fault, _) = await asking.answers(asked("a", "b"))
        assert isinstance(fault, NoAnswer)
        assert await asking.answers(asked("a", "b")) == ["answer to a", "answer to b"]
        assert [calls for _, calls in provider.submitted] == [("a", "b")] * 2


async def test_a_file_of_answers_that_comes_a_moment_after_its_batch_ended_is_waited_for() -> None:
    provider = Provider(faults=[None, *lost(BatchLost("their file is gone"))[1:]])
    with batching(BatchStore(":memory:"), provider) as asking:
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


class FullDisk(BatchStore):
    def begin_batch(self, model: str, bodies: Mapping[str, bytes]) -> StoredBatch:
        raise JournalFault("batches: full")


async def test_a_disk_that_is_full_ends_the_wait() -> None:
    provider = Provider()
    with batching(FullDisk(":memory:"), provider) as asking:
        (fault,) = await asking.answers(asked("a"))
        assert isinstance(fault, JournalFault)
        assert not provider.submitted


async def test_a_batch_is_looked_at_again_after_a_fault() -> None:
    provider = Provider(faults=[None, EndpointFailed("500"), NoAnswer("lost"), None])
    with batching(BatchStore(":memory:"), provider) as asking:
        assert await asking.answers(asked("a")) == ["answer to a"]


@pytest.mark.parametrize("faults", [[ModelFault("400")], [None, BatchRefused("the file cannot be read")]])
async def test_the_calls_of_a_refused_batch_may_be_submitted_anew(faults: list[Fault | None]) -> None:
    provider = Provider(faults=[*faults])
    with batching(BatchStore(":memory:"), provider) as asking:
        assert await asking.answers(asked("a", "b")) == [faults[-1]] * 2
        assert await asking.answers(asked("a", "b")) == ["answer to a", "answer to b"]


async def test_a_batch_for_which_there_is_no_room_waits_for_those_beside_it() -> None:
    provider, told = Provider(room=3), list[str]()
    with batching(BatchStore(":memory:"), provider, replace(TIMES, calls=3), told.append) as asking:
        begun = asyncio.get_running_loop().time()
        assert await asking.answers(asked(*"abcdef")) == [f"answer to {each}" for each in "abcdef"]
        assert [calls for _, calls in provider.submitted] == [tuple("abc"), tuple("def"), tuple("def")]
        assert asyncio.get_running_loop().time() - begun == pytest.approx(30 + 5 + 30)
        said = "its 3 calls are sent again, when the batches on their way have ended"
        assert told[2] == f"batch 2: m: expected answers of batch remote-1, got that too much waits; {said}"


async def test_a_batch_too_large_for_the_room_there_is_is_halved_until_it_fits_one_at_a_time() -> None:
    provider = Provider(room=3)
    with batching(BatchStore(":memory:"), provider) as asking:
        assert await asking.answers(asked(*"abcdefgh")) == [f"answer to {each}" for each in "abcdefgh"]
        assert [len(calls) for _, calls in provider.submitted] == [8, 4, 2, 4, 2, 4, 2, 2], "twice what last fitted"
        assert sorted(call for calls in provider.taken().values() for call in calls) == [*"abcdefgh"]


@pytest.mark.parametrize(("calls", "window"), [(1, 0), (100, 5)])
async def test_a_call_for_which_there_is_room_a_moment_later_is_sent_again(calls: int, window: int) -> None:
    provider = Provider(faults=[None, NoRoomForBatch("another's batch waits")])
    with batching(BatchStore(":memory:"), provider, replace(TIMES, calls=calls)) as asking:
        begun = asyncio.get_running_loop().time()
        assert await asking.answers(asked("a")) == ["answer to a"]
        assert asyncio.get_running_loop().time() - begun == pytest.approx(window + 30 + 5 + 30)


async def test_a_call_is_waited_for_also_where_another_has_failed_for_want_of_room() -> None:
    full = NoRoomForBatch("another's batch waits")
    provider = Provider(faults=[*[None, full] * 3])
    with batching(BatchStore(":memory:"), provider) as asking:
        assert await asking.answers(asked("a")) == [full]
        assert await asking.answers(asked("b")) == ["answer to b"]
        provider.faults = [*[None, full] * 2]
        assert await asking.answers(asked("a")) == [full], "it is waited for once each time that it is asked"
        assert not vars(asking.batcher)["_without_room"], "nobody waits for them"
        assert [calls for _, calls in provider.submitted] == [("a",)] * 2 + [("b",)] * 2 + [("a",)] * 2


async def test_no_two_batches_of_a_run_are_told_of_by_one_number(tmp_path: Path) -> None:
    told = list[str]()
    for call in "ab":
        with batching(BatchStore(tmp_path / BATCHES_FILE), Provider(), tell=told.append) as asking:
            await asking.answers(asked(call))
    assert [line.partition(",")[0] for line in told[::2]] == ["batch 1", "batch 2"]


async def test_a_call_for_which_there_is_never_room_fails() -> None:
    with batching(BatchStore(":memory:"), Provider(room=0)) as asking:
        found = await asking.answers(asked(*"ab"))
        assert [type(each) for each in found] == [NoRoomForBatch] * 2


async def test_an_earlier_batch_too_large_for_the_room_there_is_is_halved_even_if_no_call_fitted_since() -> None:
    full = NoRoomForBatch("another's batch waits")
    provider = Provider(faults=[None, EndpointUnavailable("the key expired"), *[None, full] * 2, full])
    with batching(BatchStore(":memory:"), provider) as asking:
        await asking.answers(asked(*"abcd"))
        assert await asking.answers(asked("e")) == [full]
        assert await asking.answers(asked(*"abcd")) == [f"answer to {each}" for each in "abcd"]
        assert [len(calls) for _, calls in provider.submitted] == [4, 1, 1, 2, 2]


async def test_calls_that_wait_for_room_are_not_sent_once_the_run_stops() -> None:
    provider = Provider(room=0)
    with batching(BatchStore(":memory:"), provider) as asking:
        waiting = asyncio.create_task(asking.answers(asked(*"ab")))
        await asyncio.sleep(20)
        await asking.batcher.aclose()
        await asyncio.sleep(100)
        assert len(provider.submitted) == 1
        waiting.cancel()


def do_nothing() -> None: ...


class Watched(BatchStore):
    """Tells of every change."""

    def __init__(self, file: Path, provider: Provider) -> None:
        super().__init__(file)
        self.provider = provider

    def begin_batch(self, model: str, bodies: Mapping[str, bytes]) -> StoredBatch:
        begun = super().begin_batch(model, bodies)
        self.provider.watch()
        return begun

    def submitted(self, batch: StoredBatch, remote: str) -> None:
        super().submitted(batch, remote)
        self.provider.watch()

    def end(self, batch: StoredBatch, answers: Mapping[str, bytes]) -> None:
        super().end(batch, answers)
        self.provider.watch()


@pytest.mark.parametrize("provider", [Provider(expires={"remote-0"}), Provider(room=2)])
def test_a_kill_at_any_place_loses_no_call_and_submits_none_twice(provider: Provider, tmp_path: Path) -> None:
    """None that a batch took, that is: a provider without room for a batch works on none of its calls."""
    left: list[tuple[bytes, Provider]] = []
    file = tmp_path / "batches.sqlite"

    def keep() -> None:
        with closing(sqlite3.connect(file)) as beside:
            left.append((beside.serialize(), replace(deepcopy(replace(provider, watch=do_nothing)), watch=do_nothing)))

    provider.watch = keep

    async def whole(store: BatchStore, provider: Provider) -> list[Any]:
        with batching(store, provider, replace(TIMES, calls=3)) as asking:
            asking.batcher.begin()
            found = await asking.answers(asked(*"abcd"))
            await asking.batcher.aclose()
            return found

    expected = run(whole(Watched(file, provider), provider))
    assert expected == [f"answer to {each}" for each in "abcd"]
    assert len(left) > 20
    for place, (data, at_provider) in enumerate(left):
        copy = tmp_path / f"{place}.sqlite"
        copy.write_bytes(data)
        assert run(whole(BatchStore(copy), at_provider)) == expected, place
        times = Counter(call for batch in at_provider.taken().values() for call in batch)
        assert set(times) == set("abcd"), place
        expired = at_provider.submitted[0][1][1:] if at_provider.expires else ()
        assert {call: n for call, n in times.items() if n > 1} == dict.fromkeys(expired, 2), place
