"""What calls by batches are charged, in whole episodes: when a branch stops, a run stops, or is killed."""

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from quintet.batches.batcher import Batcher, BatchTimes
from quintet.batches.store import BatchStore, StoredBatch
from quintet.errors import EndpointUnavailable, KeyRefused, NoAnswer
from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.prompts import Prompt
from quintet.ports.batches import BatchLost
from quintet.ports.model import Asked, Completion, Sampling, Usage
from quintet.ports.transport import DRIVER
from quintet.quota.quota import QUOTA, Quota, unlimited
from quintet.runtime.batched import BATCHER, Batched
from quintet.runtime.calls import JournaledModel, Permits
from quintet.runtime.host import Host
from quintet.runtime.local import LocalRuntime, Loopback
from tests.deploy.batches.providers import Provider, lost
from tests.deploy.quota.test_quota import begun_calls, budgeted, crowd, spent
from tests.deploy.runtime.journaled_calls import DEFAULTS, Slate, requested, root
from tests.deploy.runtime.test_calls import ASKED
from tests.simulation.scenes import left_of, planned

USED = Usage(prompt_tokens=5, completion_tokens=2)
TOKENS = 7


@dataclass(eq=False)
class Acts(Provider):
    """Looks around in every answer, and knows the most that each call may use."""

    slow: frozenset[str] = frozenset()
    """Batches that take a month."""

    def __post_init__(self) -> None:
        self.reserved: list[int] = []

    def batch_body(self, prompt: Prompt, sampling: Sampling, n: int) -> bytes:
        self.reserved.append(prompt.most_tokens + sampling.max_tokens)
        return super().batch_body(prompt, sampling, n)

    def read_batch(self, answer: bytes, prompt: Prompt, sampling: Sampling) -> tuple[Completion, ...]:
        return (Completion(text="Action: inventory", usage=USED),)

    async def collect_batch(self, batch: str) -> Mapping[str, bytes] | None:
        return None if batch in self.slow else await super().collect_batch(batch)


@dataclass
class Start:
    """One start of a run of two branches, of which the first to end may stop the other."""

    provider: Acts
    journal: SqliteJournal
    quota: Quota
    store: BatchStore
    batch_calls: int = 10
    race: bool = False
    later: float = 0.0
    """Seconds until its episodes go on."""

    async def played(self) -> EpisodeEnded:
        times = BatchTimes(window_seconds=5.0, calls=self.batch_calls, poll_seconds=30.0)
        spec = crowd(Batched(self.provider), branches=2, calls=1, race=self.race)
        episodes = left_of(planned(spec, ("stick",)), self.journal)
        async with LocalRuntime(spec, self.journal, concurrency=1, quota=self.quota) as runtime:
            batcher = Batcher({"m (batch)": self.provider}, self.store, self.quota, times)
            runtime.host.spawn(BATCHER, batcher)
            batcher.begin()
            await asyncio.sleep(self.later)
            try:
                (end,) = [end async for end in runtime.run(episodes)]
            finally:
                await batcher.aclose()
            return end


@pytest.mark.parametrize("later", ["begun", "expired", "no room"])
async def test_a_stopped_branch_s_call_is_charged_in_full_if_its_batch_was_begun(later: str) -> None:
    """Not begun: its batch expired, or was refused, so it waits for the next one when the other branch ends."""
    begun = later == "begun"
    expires = {"remote-0"} if later == "expired" else set[str]()
    slow = frozenset({"remote-1"} if begun else ())
    provider = Acts(slow=slow, expires=expires, room=1 if later == "no room" else 2)
    journal = SqliteJournal(":memory:")
    quota = budgeted(journal, run=10**9)
    calls = 10 if later == "expired" else 1
    start = Start(provider, journal, quota, BatchStore(":memory:"), batch_calls=calls, race=True)
    with closing(journal), closing(start.store):
        end = await start.played()
        assert end.state == "solved"
        assert not quota.permits
        assert len(provider.submitted) == (1 if later == "expired" else 2)
        assert spent(journal) == TOKENS + (provider.reserved[1] if begun else 0)
        assert quota.spent is not None
        assert quota.spent.tokens == spent(journal)
        assert len(begun_calls(journal)) == 2


class Garbles(Acts):
    """Its answers cannot be read."""

    def read_batch(self, answer: bytes, prompt: Prompt, sampling: Sampling) -> tuple[Completion, ...]:
        raise NoAnswer("expected a completion, got none")


async def test_an_answer_that_cannot_be_read_is_charged_once_however_often_it_is_tried() -> None:
    provider, journal = Garbles(), SqliteJournal(":memory:")
    quota = budgeted(journal, run=10**9)
    with closing(journal), closing(BatchStore(":memory:")) as store:
        with pytest.raises(EndpointUnavailable):
            await Start(provider, journal, quota, store).played()
        most = set(provider.reserved)  # of the calls, and of the plain questions that see whether others are answered
        assert spent(journal) == 2 * sum(most)


def copy(folder: Path, left: Path) -> None:
    """Leave in a folder what a kill at this moment would."""
    for name in ("journal.sqlite", "batches.sqlite"):
        with closing(sqlite3.connect(folder / name)) as source, closing(sqlite3.connect(left / name)) as target:
            source.backup(target)


async def leave(provider: Acts, at: Path, *, killed: bool) -> Path:
    """The folder that a run leaves which is killed, or stopped, while its batch is on its way."""
    first, left = at / "first", at / "left"
    for folder in (first, left):
        folder.mkdir()
    provider.slow = frozenset({"remote-0"})
    journal, store = SqliteJournal(first / "journal.sqlite"), BatchStore(first / "batches.sqlite")
    running = asyncio.create_task(Start(provider, journal, budgeted(journal), store).played())
    await asyncio.sleep(100)
    if not killed:
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    copy(first, left)
    if killed:
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    store.close()
    journal.close()
    provider.slow = frozenset()
    return left


@pytest.mark.parametrize("killed", [True, False])
async def test_a_run_that_goes_on_pays_once_for_what_it_had_submitted(killed: bool, tmp_path: Path) -> None:
    provider = Acts()
    left = await leave(provider, tmp_path, killed=killed)
    journal, store = SqliteJournal(left / "journal.sqlite"), BatchStore(left / "batches.sqlite")
    with closing(journal), closing(store):
        most = sum(provider.reserved[:2])
        assert spent(journal) == most, "until it is known, all of it"
        quota = budgeted(journal, run=most)  # has no room beside what was submitted
        await Start(provider, journal, quota, store).played()
        assert len(provider.submitted) == 1
        assert spent(journal) == 2 * TOKENS
        assert quota.spent is not None
        assert quota.spent.tokens == spent(journal)


async def test_a_batch_that_was_lost_before_its_calls_were_asked_for_again_is_charged_in_full(tmp_path: Path) -> None:
    provider = Acts()
    left = await leave(provider, tmp_path, killed=True)
    provider.faults = lost(BatchLost("their file is gone"))
    journal, store = SqliteJournal(left / "journal.sqlite"), BatchStore(left / "batches.sqlite")
    with closing(journal), closing(store):
        quota = budgeted(journal, run=10**9)
        end = await Start(provider, journal, quota, store, later=100).played()
        assert end.state == "solved"
        assert [len(calls) for _, calls in provider.submitted] == [2, 2]
        assert spent(journal) == sum(provider.reserved[:2]) + 2 * TOKENS
        assert quota.spent is not None
        assert quota.spent.tokens == spent(journal)


class Copies(BatchStore):
    """Leaves in a folder what a kill would before a change."""

    def __init__(self, file: Path, change: str, left: Path) -> None:
        super().__init__(file)
        self._change, self._folder, self._left = change, file.parent, left

    def lose(self, batch: StoredBatch, unpaid: Iterable[str], reason: str) -> None:
        self._copy("lose")
        super().lose(batch, unpaid, reason)

    def forget(self, call: str) -> None:
        self._copy("forget")
        super().forget(call)

    def _copy(self, change: str) -> None:
        if change == self._change:
            self._left.mkdir()
            copy(self._folder, self._left)
            self._change = ""


@pytest.mark.parametrize("change", ["lose", "forget"])
async def test_a_kill_between_the_charge_of_a_lost_batch_and_its_end_charges_it_no_second_time(
    change: str, tmp_path: Path
) -> None:
    provider, gone = Acts(), lost(BatchLost("their file is gone"))
    folder, left = tmp_path, tmp_path / "later"
    if change == "forget":
        folder = await leave(provider, tmp_path, killed=True)
        provider.faults = gone
    else:
        provider.faults = [None, *gone]
    journal, copies = SqliteJournal(folder / "journal.sqlite"), Copies(folder / "batches.sqlite", change, left)
    with closing(journal), closing(copies):
        await Start(provider, journal, budgeted(journal), copies, later=100).played()
    paid = sum(provider.reserved[:2])
    provider.faults = gone if change == "lose" else []
    journal, store = SqliteJournal(left / "journal.sqlite"), BatchStore(left / "batches.sqlite")
    with closing(journal), closing(store):
        quota = budgeted(journal, run=10**9)
        end = await Start(provider, journal, quota, store).played()
        assert end.state == "solved"
        assert spent(journal) == paid + 2 * TOKENS
        assert quota.spent is not None
        assert quota.spent.tokens == spent(journal)


async def test_a_submitted_batch_stays_charged_if_the_key_is_refused_when_it_is_looked_at(tmp_path: Path) -> None:
    provider = Acts(faults=[None, KeyRefused("401")])
    journal, store = SqliteJournal(tmp_path / "journal.sqlite"), BatchStore(":memory:")
    with closing(store):
        with closing(journal), pytest.raises(EndpointUnavailable):
            await Start(provider, journal, budgeted(journal), store).played()
        journal = SqliteJournal(tmp_path / "journal.sqlite")
        with closing(journal):
            most = sum(provider.reserved[:2])
            assert spent(journal) == most
            await Start(provider, journal, budgeted(journal, run=most), store).played()
            assert len(provider.submitted) == 1
            assert spent(journal) == 2 * TOKENS


async def test_a_batch_that_the_provider_refuses_costs_nothing() -> None:
    provider, journal = Acts(faults=[KeyRefused("401")]), SqliteJournal(":memory:")
    with closing(journal), closing(BatchStore(":memory:")) as store:
        with pytest.raises(EndpointUnavailable):
            await Start(provider, journal, budgeted(journal), store).played()
        assert spent(journal) == 0


async def test_a_batch_that_was_lost_is_charged_in_full_and_its_calls_once_more() -> None:
    provider = Acts(faults=[None, *lost(BatchLost("their file is gone"))])
    journal = SqliteJournal(":memory:")
    quota = budgeted(journal, run=10**9)
    with closing(journal), closing(BatchStore(":memory:")) as store:
        end = await Start(provider, journal, quota, store).played()
        assert end.state == "solved"
        assert [len(calls) for _, calls in provider.submitted] == [2, 2]
        assert spent(journal) == sum(provider.reserved[:2]) + 2 * TOKENS
        assert quota.spent is not None
        assert quota.spent.tokens == spent(journal)


class Draws(Provider):
    """Takes calls for several completions."""

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return n

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> Sequence[Completion]:
        raise AssertionError("it is called by batches")


async def test_two_calls_of_one_request_for_several_answers_to_one_prompt_are_two() -> None:
    provider, quota, slate = Draws(), unlimited(), Slate()
    host = Host(DRIVER, Loopback(DRIVER), slate)
    model = JournaledModel(Batched(provider), host.recorder, Permits(host), seed=7, policy=DEFAULTS, batched=True)
    with closing(BatchStore(":memory:")) as store, requested():
        host.spawn(QUOTA, quota)
        host.spawn(BATCHER, Batcher({"m (batch)": provider}, store, quota))
        for _ in range(2):
            await model.several(root(), Sampling(), ASKED, 3)
    assert len({call for _, calls in provider.submitted for call in calls}) == 2
