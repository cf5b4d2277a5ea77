import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.roles.branches import branches
from quintet.search.workers import Workers, WorkersOrder
from tests.actors.fakes import converse


class Bench:
    """Jobs that take a number of the event loop's turns each."""

    def __init__(self, turns: list[int], *, stop_after: int | None = None) -> None:
        self.turns = turns
        self.begun: list[int] = []
        self.taken: list[int] = []
        self.discarded: list[str] = []
        self.running = self.most = 0
        self._stop_after = stop_after

    def next_job(self) -> int | None:
        if len(self.begun) == len(self.turns):
            return None
        self.begun.append(len(self.begun))
        return self.begun[-1]

    async def work(self, job: int) -> str:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            for _ in range(self.turns[job] * 5):
                await asyncio.sleep(0)
        finally:
            self.running -= 1
        return f"found {job}"

    async def take(self, job: int, found: str) -> bool:
        assert found == f"found {job}"
        self.taken.append(job)
        return len(self.taken) == self._stop_after

    async def discard(self, found: str) -> None:
        self.discarded.append(found)

    def run(self, workers: int, order: WorkersOrder) -> "Bench":
        pool = Workers(
            branches=branches,
            jobs=self.next_job,
            work=self.work,
            take=self.take,
            discard=self.discard,
            workers=workers,
            order=order,
        )
        converse(pool.run)
        assert self.running == 0
        return self


def test_one_worker_takes_each_end_before_the_next_job_begins() -> None:
    bench = Bench([3, 1, 2])
    bench.run(1, "ends")
    assert (bench.taken, bench.most) == ([0, 1, 2], 1)


def test_by_ends_a_worker_goes_on_while_another_is_busy() -> None:
    bench = Bench([9, 1, 1, 1]).run(2, "ends")
    assert bench.taken == [1, 2, 3, 0]


def test_in_rounds_all_wait_for_the_slowest_and_are_taken_by_number() -> None:
    bench = Bench([9, 1, 1, 5]).run(2, "rounds")
    assert bench.taken == [0, 1, 2, 3]


def test_by_ends_the_others_are_stopped_when_the_search_is_over() -> None:
    bench = Bench([9, 1, 9, 1], stop_after=1).run(3, "ends")
    assert (bench.taken, bench.begun) == ([1], [0, 1, 2])


def test_what_ended_when_the_search_was_over_is_discarded() -> None:
    bench = Bench([1, 1, 9], stop_after=1).run(3, "ends")
    assert (bench.taken, bench.discarded) == ([0], ["found 1"])


def test_in_rounds_all_of_the_last_round_are_taken() -> None:
    bench = Bench([9, 1, 9, 1], stop_after=1).run(3, "rounds")
    assert (bench.taken, bench.begun) == ([0, 1, 2], [0, 1, 2])


@pytest.mark.parametrize("order", ["ends", "rounds"])
@given(turns=st.lists(st.integers(0, 4), max_size=8), workers=st.integers(1, 4))
def test_every_job_is_taken_once_and_no_more_than_allowed_run_at_once(
    order: WorkersOrder, turns: list[int], workers: int
) -> None:
    bench = Bench(turns).run(workers, order)
    assert sorted(bench.taken) == list(range(len(turns)))
    assert bench.most <= workers
