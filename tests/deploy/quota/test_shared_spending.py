"""One budget for the shards of a run: never exceeded, whoever is killed, and given back by whoever is resumed."""

import asyncio
import errno
import os
import signal
import struct
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.errors import BudgetSpent, JournalFault, UsageError
from quintet.messages.quota import Spent
from quintet.ports.model import Usage
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.cost import NOTHING, Cost
from quintet.quota.shared_spending import SharedSpending
from tests.deploy.quota.test_budget import NO_LIMIT, Ledger, charge, cost, reserve, spent
from tests.simulation.virtual import run

LIMIT = 100


def tokens(number: int) -> Cost:
    return Cost(prompt_tokens=number, nanodollars=number)


def shared(
    file: Path,
    shard: int,
    *,
    is_running: Callable[[int], bool] = lambda _: True,
    journaled: Callable[[int], Cost] = lambda _: NOTHING,
) -> SharedSpending:
    return SharedSpending(file, shard, 4, is_running=is_running, journaled=journaled)


def budget_of(spending: SharedSpending, journal: Ledger | None = None) -> Budget:
    return Budget(Allowance(tokens=LIMIT), NO_LIMIT, cost, journal or Ledger(), others=spending)


async def test_a_call_waits_for_what_another_shard_gives_back(tmp_path: Path) -> None:
    with closing(shared(tmp_path / "spending", 0)) as first, closing(shared(tmp_path / "spending", 1)) as second:
        ours, theirs = budget_of(first), budget_of(second)
        await reserve(theirs, charge(1, 80))
        waits = asyncio.create_task(reserve(ours, charge(2, 60)))
        await asyncio.sleep(2)
        assert not waits.done()
        assert ours.spent.tokens == 80
        theirs.settle("host/1", Usage(prompt_tokens=40), answered=True)
        await waits
        assert ours.spent.tokens == theirs.spent.tokens == 100


async def test_with_nothing_open_in_any_shard_a_call_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    with closing(shared(tmp_path / "spending", 0)) as first, closing(shared(tmp_path / "spending", 1)) as second:
        ours, theirs = budget_of(first), budget_of(second)
        await reserve(theirs, charge(1, 80))
        theirs.settle("host/1", None, answered=True)
        with pytest.raises(BudgetSpent, match="the budget of the run, 100 tokens; spent so far: 80 tokens"):
            await reserve(ours, charge(2, 60))


async def test_nobody_waits_for_a_shard_that_died_and_its_reservation_counts_until_it_is_resumed(
    tmp_path: Path,
) -> None:
    with closing(shared(tmp_path / "spending", 1)) as died:
        await reserve(budget_of(died), charge(1, 80))
    died_with = {1: tokens(80)}
    with closing(
        shared(
            tmp_path / "spending",
            0,
            is_running=lambda _: False,
            journaled=lambda shard: died_with.get(shard, NOTHING),
        )
    ) as first:
        ours = budget_of(first)
        with pytest.raises(BudgetSpent):
            await reserve(ours, charge(2, 60))
        with closing(shared(tmp_path / "spending", 1)) as resumed:
            budget_of(resumed, Ledger([spent(1, 30)]))  # its journal had the answer of the call
            ours.change(Allowance(tokens=LIMIT))
            await reserve(ours, charge(3, 60))


async def test_what_shards_without_a_driver_spent_is_read_from_their_journals(tmp_path: Path) -> None:
    journals = {1: tokens(30), 2: NOTHING, 3: tokens(50)}
    stopped = shared(tmp_path / "spending", 0, is_running=lambda _: False, journaled=journals.__getitem__)
    with closing(stopped) as first:
        ours = budget_of(first)
        assert ours.spent.tokens == 80
        await reserve(ours, charge(1, 20))
        ours.settle("host/1", None, answered=True)
        with pytest.raises(BudgetSpent):
            await reserve(ours, charge(2, 1))


async def test_a_journal_that_cannot_store_what_was_used_leaves_the_reservation_in_full(tmp_path: Path) -> None:
    class Full(Ledger):
        def settle(self, permit: str, usage: Usage, *, answered: bool) -> None:
            raise JournalFault("journal: disk full")

    with closing(shared(tmp_path / "spending", 0)) as first, closing(shared(tmp_path / "spending", 1)) as second:
        ours, theirs = budget_of(first, Full()), budget_of(second)
        await reserve(ours, charge(1, 80))
        with pytest.raises(JournalFault):
            ours.settle("host/1", Usage(prompt_tokens=1), answered=True)
        assert theirs.spent.tokens == 80


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), shards=st.integers(1, 4))
def test_shards_together_spend_no_more_than_the_budget_whoever_is_killed(
    seed: int, shards: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("run") / "spending"
    chance = Random(seed)
    journals = [Ledger() for _ in range(shards)]
    running: set[int] = set()

    async def live(shard: int, earlier: Sequence[Spent], first: int) -> list[Spent]:
        """A driver: its calls one after the other, until the budget is spent or it is killed."""
        journals[shard] = Ledger(earlier)
        running.add(shard)
        with closing(shared(file, shard, is_running=running.__contains__, journaled=journaled)) as spending:
            budget = budget_of(spending, journals[shard])
            for number in range(first, first + 20):
                with suppress(BudgetSpent):
                    await reserve(budget, charge(number, chance.randint(1, 30)))
                    assert total_spent() <= LIMIT
                    if chance.random() < 0.1:
                        break  # killed: the charge stays open, in full
                    await asyncio.sleep(chance.random())
                    used = None if chance.random() < 0.3 else Usage(prompt_tokens=chance.randint(0, 1))
                    budget.settle(f"host/{number}", used, answered=True)
        running.remove(shard)
        charges = journals[shard].charges.values()
        return [*earlier, *(spent(number, each.usage.prompt_tokens) for number, each in enumerate(charges))]

    def journaled(shard: int) -> Cost:
        own = journals[shard] if shard < shards else Ledger()
        return tokens(own.spent + sum(old.tokens for old in own.earlier()))

    def total_spent() -> int:
        return sum(journaled(shard).tokens for shard in range(shards))

    async def lives() -> None:
        firsts = await asyncio.gather(*(live(shard, (), 0) for shard in range(shards)))
        await asyncio.gather(*(live(shard, earlier, 100) for shard, earlier in enumerate(firsts)))

    run(lives())
    assert total_spent() <= LIMIT


def test_processes_that_claim_at_once_come_to_the_limit_and_not_beyond_also_after_a_kill(tmp_path: Path) -> None:
    file, limit = tmp_path / "spending", Allowance(tokens=3_000)
    children = [_claiming(file, shard, limit) for shard in range(3)]
    os.kill(children[0], signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)
    with closing(shared(file, 3)) as last:
        assert last.spent.tokens == 3_000
        assert not last.claim(tokens(1), 1, limit)


def _claiming(file: Path, shard: int, limit: Allowance) -> int:
    """A process that claims one token after the other, as long as there is one."""
    child = os.fork()
    if child:
        return child
    own = NOTHING
    with closing(shared(file, shard)) as spending:
        while spending.claim(own + tokens(1), 1, limit):
            own += tokens(1)
    os._exit(0)


def test_a_shard_that_runs_and_has_no_row_yet_counts_as_its_journal_says(tmp_path: Path) -> None:
    journals = {1: tokens(90), 2: NOTHING, 3: NOTHING}
    with closing(shared(tmp_path / "spending", 0, journaled=journals.__getitem__)) as first:
        assert not first.claim(tokens(20), 1, Allowance(tokens=LIMIT))
        assert first.claim(tokens(10), 1, Allowance(tokens=LIMIT))


def test_what_a_shard_says_itself_counts_also_while_its_journal_is_read(tmp_path: Path) -> None:
    def resumed_meanwhile(shard: int) -> Cost:
        if shard == 1:  # which takes the lock: nobody holds it meanwhile
            with closing(shared(tmp_path / "spending", 1)) as second:
                assert second.claim(tokens(90), 1, Allowance(tokens=LIMIT))
        return NOTHING

    stopped = shared(tmp_path / "spending", 0, is_running=lambda _: False, journaled=resumed_meanwhile)
    with closing(stopped) as first:
        assert first.spent.tokens == 90


@pytest.mark.parametrize("numbers", [(0, -1_000_000, 0), (-1, 0, 0), (0, 0, 0) * 5], ids=["tokens", "usd", "shards"])
def test_rows_that_no_shard_wrote_are_refused_and_the_file_is_closed(numbers: Sequence[int], tmp_path: Path) -> None:
    (tmp_path / "spending").write_bytes(struct.pack(f"<{len(numbers)}q", *numbers))
    opened = len([*Path("/dev/fd").iterdir()])
    with pytest.raises(UsageError, match="expected a file that shards can share, got "):
        shared(tmp_path / "spending", 0)
    assert len([*Path("/dev/fd").iterdir()]) == opened


async def test_a_full_disk_fails_the_calls_that_wait_and_keeps_none_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(shared(tmp_path / "spending", 0)) as first, closing(shared(tmp_path / "spending", 1)) as second:
        ours, theirs = budget_of(first), budget_of(second)
        await reserve(theirs, charge(1, 80))
        wait = [asyncio.create_task(reserve(ours, charge(number, 60))) for number in (2, 3)]
        await asyncio.sleep(1)
        theirs.settle("host/1", Usage(prompt_tokens=10), answered=True)
        monkeypatch.setattr(os, "pwrite", no_space)
        done, _ = await asyncio.wait(wait, timeout=10)
        assert [type(task.exception()) for task in done] == [JournalFault] * 2


async def test_a_full_disk_as_a_call_ends_does_not_keep_those_that_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(shared(tmp_path / "spending", 0)) as first:
        ours = budget_of(first)
        await reserve(ours, charge(1, 80))
        waits = asyncio.create_task(reserve(ours, charge(2, 60)))
        await asyncio.sleep(1)
        monkeypatch.setattr(os, "pwrite", no_space)
        with pytest.raises(JournalFault, match="No space left"):
            ours.settle("host/1", Usage(prompt_tokens=10), answered=True)
        with pytest.raises(JournalFault):
            await asyncio.wait_for(waits, 10)
        monkeypatch.undo()
        await reserve(ours, charge(3, 60))


def no_space(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_that_cannot_be_shared_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "other")
    with pytest.raises(UsageError, match="expected a file that shards can share"):
        shared(tmp_path / "link", 0)
