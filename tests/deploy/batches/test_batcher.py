"""The batcher, in virtual time: what is collected, submitted and waited for, and what a kill at any place costs."""

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import pytest

from quintet.batches.batcher import Batcher, BatchTimes
from quintet.batches.store import BatchStore
from quintet.errors import EndpointFailed, Fault, JournalFault, ModelFault, NoAnswer, Unreachable
from quintet.messages.batches import AnswerInBatch
from quintet.messages.paths import Path
from quintet.ports.batches import BatchRefused
from quintet.quota.quota import QueueTime
from tests.deploy.batches.providers import Provider
from tests.deploy.runtime.journaled_calls import HERE, requested
from tests.simulation.virtual import run

TIMES = BatchTimes(window_seconds=5.0, calls=100, poll_seconds=30.0)


def asked(*names: str) -> list[AnswerInBatch]:
    return [AnswerInBatch(model="m", call=name, body=name.encode()) for name in names]


@contextmanager
def batching(
    store: BatchStore, provider: Provider, times: BatchTimes = TIMES
) -> Generator[tuple[Batcher, QueueTime], None, None]:
    queue = QueueTime()
    with closing(store):
        yield Batcher({"m": provider}, store, queue.waiting, times), queue


async def answers(batcher: Batcher, calls: Sequence[AnswerInBatch]) -> list[Any]:
    with requested():
        found = await asyncio.gather(*map(batcher.receive, calls), return_exceptions=True)
    return [each if isinstance(each, BaseException) else each.answer.decode() for each in found]


async def test_calls_within_a_window_are_one_batch_and_wait_as_in_a_queue() -> None:
    provider = Provider()
    with batching(BatchStore(":memory:"), provider) as (batcher, queue):
        begun = asyncio.get_running_loop().time()
        assert await answers(batcher, asked("a", "b", "c")) == ["answer to a", "answer to b", "answer to c"]
        assert asyncio.get_running_loop().time() - begun == pytest.approx(5 + 30)
        assert queue.seconds(Path(HERE)) == pytest.approx(35)
        assert [calls for _, calls in provider.submitted] == [("a", "b", "c")]
        assert await answers(batcher, asked("b")) == ["answer to b"], "it is known"
        assert len(provider.submitted) == 1


async def test_a_full_batch_is_submitted_at_once_and_a_larger_one_is_cut() -> None:
    provider = Provider()
    with batching(BatchStore(":memory:"), provider, replace(TIMES, calls=2, window_seconds=1000.0)) as (batcher, _):
        with requested():
            waiting = [asyncio.ensure_future(batcher.receive(each)) for each in asked(*"abcde")]
        await asyncio.sleep(100)
        assert [calls for _, calls in provider.submitted] == [("a", "b"), ("c", "d")]
        await asyncio.gather(*waiting)
        assert provider.submitted[2][1] == ("e",)


async def test_what_an_expired_batch_left_is_submitted_again_and_nothing_else() -> None:
    provider = Provider(expires={"remote-0"})
    with batching(BatchStore(":memory:"), provider) as (batcher, _):
        assert len(await answers(batcher, asked("a", "b", "c"))) == 3
        assert [calls for _, calls in provider.submitted] == [("a", "b", "c"), ("b", "c")]


async def test_a_call_that_no_batch_answers_fails() -> None:
    provider = Provider(expires={f"remote-{number}" for number in range(9)})
    with batching(BatchStore(":memory:"), provider) as (batcher, _):
        (*_, last) = await answers(batcher, asked(*"abcdef"))
        assert isinstance(last, EndpointFailed)
        assert len(provider.submitted) == 4


@pytest.mark.parametrize("fault", [NoAnswer("lost"), Unreachable("none"), EndpointFailed("500")])
async def test_a_batch_that_may_have_been_submitted_is_looked_for_before_it_is_again(fault: Fault) -> None:
    provider = Provider(faults=[fault])
    with batching(BatchStore(":memory:"), provider) as (batcher, _):
        assert await answers(batcher, asked("a")) == [fault]
        provider.faults = [NoAnswer("who knows"), None, None]
        assert await answers(batcher, asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


class LosesAnswers(Provider):
    """Takes a batch, and is not heard to."""

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        raise NoAnswer(await super().submit_batch(name, bodies))


async def test_a_batch_is_found_where_the_providers_clock_is_behind() -> None:
    provider = LosesAnswers(clock=time.time() - 3600)
    with batching(BatchStore(":memory:"), provider) as (batcher, _):
        assert isinstance((await answers(batcher, asked("a")))[0], NoAnswer)
        assert await answers(batcher, asked("a")) == ["answer to a"]
        assert len(provider.submitted) == 1


class FullDisk(BatchStore):
    def begin_batch(self, model: str, most: int) -> Any:
        raise JournalFault("batches: full")


async def test_a_disk_that_is_full_ends_the_wait() -> None:
    provider = Provider()
    with batching(FullDisk(":memory:"), provider) as (batcher, _):
        (fault,) = await answers(batcher, asked("a"))
        assert isinstance(fault, JournalFault)
        assert not provider.submitted


async def test_a_batch_is_looked_at_again_after_a_fault() -> None:
    provider = Provider(faults=[None, EndpointFailed("500"), NoAnswer("lost"), None])
    with batching(BatchStore(":memory:"), provider) as (batcher, _):
        assert await answers(batcher, asked("a")) == ["answer to a"]


@pytest.mark.parametrize("faults", [[ModelFault("400")], [None, BatchRefused("too many tokens are enqueued")]])
async def test_the_calls_of_a_refused_batch_may_be_submitted_anew(faults: list[Fault | None]) -> None:
    provider = Provider(faults=[*faults])
    with batching(BatchStore(":memory:"), provider) as (batcher, _):
        assert await answers(batcher, asked("a", "b")) == [faults[-1]] * 2
        assert await answers(batcher, asked("a", "b")) == ["answer to a", "answer to b"]


def do_nothing() -> None: ...


class Watched(BatchStore):
    """Tells of every change."""

    def __init__(self, file: FilePath, provider: Provider) -> None:
        super().__init__(file)
        self.provider = provider

    def add(self, asked: AnswerInBatch) -> None:
        super().add(asked)
        self.provider.watch()

    def begin_batch(self, model: str, most: int) -> Any:
        begun = super().begin_batch(model, most)
        self.provider.watch()
        return begun

    def submitted(self, batch: Any, remote: str) -> None:
        super().submitted(batch, remote)
        self.provider.watch()

    def collected(self, batch: Any, answers: Any, most_missed: int) -> Any:
        given_up = super().collected(batch, answers, most_missed)
        self.provider.watch()
        return given_up


def test_a_kill_at_any_place_loses_no_call_and_submits_none_twice(tmp_path: FilePath) -> None:
    calls = asked(*"abcd")
    left: list[tuple[bytes, Provider]] = []
    file = tmp_path / "batches.sqlite"
    provider = Provider(expires={"remote-0"})

    def keep() -> None:
        with closing(sqlite3.connect(file)) as beside:
            left.append((beside.serialize(), replace(deepcopy(replace(provider, watch=do_nothing)), watch=do_nothing)))

    provider.watch = keep

    async def whole(store: BatchStore, provider: Provider) -> list[Any]:
        with batching(store, provider, replace(TIMES, calls=3)) as (batcher, _):
            batcher.begin()
            found = await answers(batcher, calls)
            await batcher.aclose()
            return found

    expected = run(whole(Watched(file, provider), provider))
    assert expected == [f"answer to {each.call}" for each in calls]
    assert len(left) > 20
    for place, (data, at_provider) in enumerate(left):
        copy = tmp_path / f"{place}.sqlite"
        copy.write_bytes(data)
        assert run(whole(BatchStore(copy), at_provider)) == expected, place
        times = Counter(call for _, batch in at_provider.submitted for call in batch)
        assert set(times) == set("abcd"), place
        expired = at_provider.submitted[0][1][1:]
        assert {call: n for call, n in times.items() if n > 1} == dict.fromkeys(expired, 2), place
