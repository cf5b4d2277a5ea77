"""A memory that is learnt under crashes and faults: the same versions and tuples, and the same content of journal."""

import asyncio
import shutil
from collections.abc import Iterable
from contextlib import closing, suppress
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from quintet.errors import HostLost, LearnerFaulted, ModelFault
from quintet.events import CallMade, EpisodeEnded, Published, Recalled
from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.copy import MemoryVersion, copy_version
from quintet.memory.ids import place_of
from quintet.memory.reader import MemoryReader, TupleRow
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.message import Message
from quintet.messages.prompts import Prompt
from quintet.messages.store import Seal, StoreRequest, StoreTuples
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.models.embedding.hashed_words import HashedWords
from quintet.plugins import catalogue
from quintet.ports.embedder import Embedder
from quintet.ports.model import Sampling
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import STORE, Placement
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster
from tests.simulation.content import content
from tests.simulation.dying import Dying
from tests.simulation.memories import (
    FORMATION,
    Axes,
    Diarist,
    MemoryContent,
    given_memory,
    memory_of,
    memory_spec,
    recalling,
    with_memory,
)
from tests.simulation.network import Network
from tests.simulation.replays import Mute
from tests.simulation.scenes import Noting, Refusing, Slow, adapt, left_of
from tests.simulation.test_crashes import crashed, killed
from tests.simulation.test_faults import faults
from tests.simulation.test_learning import Order
from tests.simulation.virtual import run

WORLD = "textcraft"
SEEDS = range(40)
STARTS = 5
STRIDE = 140
"""Between the positions at which the fast suite kills."""

Whole: TypeAlias = tuple[Content, MemoryContent]


def some(values: Iterable[Any], *fast: Any) -> list[Any]:
    """All values in the slow suite, a few in the fast one."""
    return [pytest.param(each, marks=[] if each in fast else [pytest.mark.slow], id=str(each)) for each in values]


async def learn_memory(spec: RunSpec, file: Path | None, journal: SqliteJournal, *, concurrency: int = 3) -> Whole:
    """Learn to the end with the store in a file, or in memory; what the journal and the store contain then."""
    store = Store(":memory:" if file is None else file, world=WORLD)
    with closing(store):
        async with LocalRuntime(spec, journal, concurrency=concurrency) as runtime:
            async for _ in runtime.run(with_memory(spec, runtime, journal, store)):
                pass
        return content(journal), memory_of(store.reader)


def anew(spec: RunSpec | None = None, *, concurrency: int = 3) -> Whole:
    with closing(SqliteJournal(":memory:")) as journal:
        return run(learn_memory(spec or memory_spec(), None, journal, concurrency=concurrency))


@cache
def whole(*, spread: bool = False) -> Whole:
    return anew(memory_spec(spread=spread))


def resume(folder: Path, spec: RunSpec | None = None) -> Whole:
    with closing(SqliteJournal(folder / "journal.sqlite")) as journal:
        return run(learn_memory(spec or memory_spec(), folder / MEMORY_FILE, journal))


def kill(folder: Path, lives: int, spec: RunSpec | None = None) -> Path:
    """Learn until so many events are committed; the folder."""
    folder.mkdir(exist_ok=True)
    work = partial(learn_memory, spec or memory_spec(), folder / MEMORY_FILE)
    run(crashed(folder / "journal.sqlite", lives, work))
    return folder


def test_the_scene_has_everything_that_may_be_lost() -> None:
    """Types that are asked for, tuples of a round, goals that lead to none, and turns that recall nothing."""
    events, (versions, types, tuples) = whole()
    assert [(each.batches, each.added > 0) for each in versions.values()] == [(0, False), (2, True), (2, True)]
    assert len(types) > 4
    assert {row.stored.tuple.source.split("/")[0] for row in tuples} > set(FORMATION)
    assert {place_of(row.stored.id).version for row in tuples} == {1, 2}
    phases = {event.phase for event in events.values() if isinstance(event, CallMade)}
    assert {"formation", "enhancement", "index", "summaries", "comparisons", "candidates", "actions"} <= phases


@pytest.mark.parametrize("first", some(range(STRIDE), 0))
def test_a_kill_at_every_position_leads_to_the_same_memory(first: int, tmp_path: Path) -> None:
    expected = whole()
    for lives in range(1 + first, len(expected[0]), STRIDE):
        assert resume(kill(tmp_path / str(lives), lives)) == expected, f"after a crash at event {lives}"


@pytest.mark.slow
@pytest.mark.parametrize("embedder", [HashedWords(8), ModelEmbedder(Slow(Axes()))], ids=["here", "endpoint"])
def test_a_kill_leads_to_the_same_memory_whatever_it_recalls_by(embedder: Embedder, tmp_path: Path) -> None:
    """The vectors of an endpoint are journaled; others are computed again."""
    spec = memory_spec(embedder=embedder)
    expected = anew(spec)
    assert any(isinstance(event, Recalled) and event.ids for event in expected[0].values())
    for lives in range(1, len(expected[0]), 14):
        folder = kill(tmp_path / str(lives), lives, spec)
        if lives % 2:
            (folder / MEMORY_FILE).unlink()
        assert resume(folder, spec) == expected, f"after a crash at event {lives}"


class DyingStore:
    """A store whose process dies once it has committed so many times.

    Args:
        store: open.
        lives: commits.
        journal: of the same process.
    """

    def __init__(self, store: Store, lives: int, journal: Dying) -> None:
        self._actor = MemoryStore(store)
        self._lives = lives
        self._journal = journal

    async def receive(self, request: StoreRequest) -> Message:
        answer = await self._actor.receive(request)
        if isinstance(request, StoreTuples | Seal):
            self._lives -= 1
            if not self._lives:
                self._journal.lives = 0
                self._journal.died.set()
        if self._journal.died.is_set():
            await asyncio.Event().wait()  # the process is dead
        return answer


COMMITS = 3 + 2 + 3
"""Of three versions: a seal each, a batch memory or a process each."""


async def die_at_commit(file: Path, lives: int, journal: SqliteJournal) -> None:
    """Learn until the store has committed so many times."""
    assert isinstance(journal, Dying)
    with closing(Store(file, world=WORLD)) as store:
        async with LocalRuntime(memory_spec(), journal, concurrency=3) as runtime:
            async for _ in runtime.run(with_memory(memory_spec(), runtime, journal, DyingStore(store, lives, journal))):
                pass


@pytest.mark.parametrize("lives", some(range(1, COMMITS + 1), 2, COMMITS - 1))
def test_a_kill_between_two_commits_of_the_store_leads_to_the_same_memory(lives: int, tmp_path: Path) -> None:
    """The store has what the journal knows nothing of; the replay says the same again."""
    run(crashed(tmp_path / "journal.sqlite", 1_000_000, partial(die_at_commit, tmp_path / MEMORY_FILE, lives)))
    with closing(MemoryReader.open(tmp_path / MEMORY_FILE)) as reader:
        left = memory_of(reader)
        assert len(left[0]) + len(processes(left)) >= lives
    assert resume(tmp_path) == whole()


def calls(events: Content) -> set[int | None]:
    """The seeds of the calls that are recorded."""
    return {event.sampling.seed for event in events.values() if isinstance(event, CallMade)}


@pytest.mark.parametrize("left", some(["nothing", "an older copy"], "nothing"))
def test_a_memory_that_is_lost_is_built_again_without_a_repeated_call(left: str, tmp_path: Path) -> None:
    """Version 1 is published when the copy is made; all but the last few events are recorded when the file is lost."""
    file, older = tmp_path / MEMORY_FILE, tmp_path / "older.sqlite"
    expected, formed = whole(), publications()[1]
    kill(tmp_path, formed)
    shutil.copy(file, older)
    kill(tmp_path, len(expected[0]) - formed - 5)
    with closing(MemoryReader.open(file)) as reader:
        assert reader.newest() == 2
    file.unlink()
    if left == "an older copy":
        shutil.copy(older, file)
    with closing(SqliteJournal(tmp_path / "journal.sqlite")) as journal:
        recorded = calls(content(journal))
    model = Noting(Slow(Diarist()))
    assert resume(tmp_path, memory_spec(model)) == expected
    assert recorded.isdisjoint(seed for _, seed in model.asked)
    assert len(model.asked) <= 5


def publications() -> list[int]:
    """By version, the position in the journal at which it is published."""
    with closing(SqliteJournal(":memory:", order := Order())) as journal:
        run(learn_memory(memory_spec(), None, journal))
    return [at for at, event in enumerate(order.events, 1) if isinstance(event, Published)]


class Salted(Diarist):
    """A model that does not say the same twice.

    Args:
        salt: what it says depends on.
    """

    def __init__(self, salt: int) -> None:
        self._salt = salt

    def chance(self, prompt: Prompt, sampling: Sampling) -> Random:
        return Random(f"{prompt.node.address}{sampling.seed}{self._salt}")


@pytest.mark.slow
def test_a_memory_that_has_more_than_the_journal_is_refused_and_built_again_without_its_file(tmp_path: Path) -> None:
    """After a crash of the machine the journal may lack calls, and a model need not give the same answers again."""
    resume(tmp_path, memory_spec(Slow(Salted(1))))
    (tmp_path / "journal.sqlite").unlink()
    with pytest.raises(LearnerFaulted, match=r"ReplayMismatch: memory: version 1, batch \d, place \d: expected the"):
        resume(tmp_path, memory_spec(Slow(Salted(2))))
    (tmp_path / MEMORY_FILE).unlink()
    assert resume(tmp_path, memory_spec(Slow(Salted(2)))) == anew(memory_spec(Slow(Salted(2))))


def test_a_replay_of_the_whole_journal_calls_no_model_and_recalls_the_same() -> None:
    with closing(SqliteJournal(":memory:")) as journal:
        first = run(learn_memory(memory_spec(), None, journal))
        assert run(learn_memory(memory_spec(Mute()), None, journal)) == first
    assert any(isinstance(event, Recalled) and event.ids for event in first[0].values())


@pytest.mark.parametrize("concurrency", some([1, 8], 8))
def test_whatever_the_concurrency_the_memory_is_the_same(concurrency: int) -> None:
    assert anew(concurrency=concurrency) == whole()


async def outcome(spec: RunSpec, placement: Placement, random: Random, journal: SqliteJournal, store: Store) -> Whole:
    injected = faults(random, placement)
    network = Network(random, delay=injected.delay, loss=injected.loss)
    cluster = Cluster(spec, journal, network, placement, slots=2)
    cluster.inject(injected)
    await cluster.finish(with_memory(spec, cluster, journal, store))
    return content(journal), memory_of(store.reader)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_memory_is_the_same_under_any_faults(seed: int) -> None:
    """An episode that is lost too often suspends the run, which is then resumed, under other faults."""
    random = Random(seed)
    placement, spread = (COLOCATED, PER_ROLE)[seed % 2], bool(seed & 2)
    expected = whole(spread=spread)
    with closing(SqliteJournal(":memory:")) as journal, closing(Store(":memory:", world=WORLD)) as store:
        for _ in range(STARTS):
            with suppress(HostLost):
                assert run(outcome(memory_spec(spread=spread), placement, random, journal, store)) == expected
                return
    raise AssertionError(f"expected an end within {STARTS} starts, got none")


async def run_recalling(spec: RunSpec, learnt: Path, journal: SqliteJournal) -> None:
    """Run what is left of two episodes that recall from a memory, which has met neither of their goals."""
    with closing(Store(":memory:", world=WORLD)) as store, closing(MemoryReader.open(learnt)) as reader:
        copy_version(MemoryVersion(reader, 2), store)
        async with LocalRuntime(spec, journal, concurrency=2) as runtime:
            runtime.host.spawn(STORE, MemoryStore(store))
            async for end in runtime.run(left_of(given_memory(spec, ("ladder", "chest")), journal)):
                assert end.fault is None, end.why


@pytest.mark.slow
def test_what_an_executor_recalls_is_recalled_again_after_a_kill_at_every_position(tmp_path: Path) -> None:
    """ADaPT's executor keeps the types that it met within a run; a replay asks for none of them again."""
    resume(tmp_path)
    model = Noting(Slow(catalogue.model("sim-weak")))
    spec = recalling(adapt(model, max_depth=2, max_steps=6))
    work = partial(run_recalling, spec, tmp_path / MEMORY_FILE)
    with closing(SqliteJournal(":memory:")) as journal:
        run(work(journal))
        expected = content(journal)
    assert sum(isinstance(event, Recalled) and event.ids != () for event in expected.values()) > 2
    assert "index" in {event.phase for event in expected.values() if isinstance(event, CallMade)}
    for where, resumed in killed(tmp_path, range(1, len(expected)), work):
        recorded = calls(content(resumed))
        model.asked.clear()
        run(work(resumed))
        assert content(resumed) == expected, where
        assert recorded.isdisjoint(seed for _, seed in model.asked)


REFUSED = ModelFault("no answer to that")


def goals_of(learnt: Whole, version: int) -> set[str]:
    """The tasks whose processes came in with a version."""
    tuples = learnt[1][2]
    return {row.stored.tuple.source.split("/")[0] for row in tuples if place_of(row.stored.id).version == version}


@pytest.mark.parametrize("error", some([REFUSED, KeyError("no such key")], REFUSED))
def test_an_exploration_that_is_refused_or_faults_leaves_its_goal_out(error: Exception) -> None:
    goal, *others = sorted(goals_of(whole(), 2))
    learnt = anew(memory_spec(Refusing(Slow(Diarist()), f"Goal: craft {goal}.", error)))
    assert goals_of(learnt, 1) == set(FORMATION)
    assert goals_of(learnt, 2) == set(others)
    faulted = [end.path.split("/")[0] for end in ends(learnt) if end.state == "faulted"]
    assert faulted == ([] if error is REFUSED else [goal])


def ends(learnt: Whole) -> list[EpisodeEnded]:
    return [event for event in learnt[0].values() if isinstance(event, EpisodeEnded)]


def test_a_batch_memory_whose_types_are_refused_stays_empty_and_the_others_are_formed() -> None:
    with closing(SqliteJournal(":memory:")) as journal:
        learnt = run(learn_memory(memory_spec(Refusing(Slow(Diarist()), "1. craft stick", REFUSED)), None, journal))
        assert run(learn_memory(memory_spec(), None, journal)) == learnt, "what was refused is not asked again"
    assert goals_of(learnt, 1) == set(FORMATION[2:])
    versions, _, tuples = learnt[1]
    assert versions[1].batches == 2
    assert {row.batch for row in tuples} == {1, 2}, "a round may begin the batch memory that is empty"


def processes(memory: MemoryContent) -> dict[tuple[int, int], list[TupleRow]]:
    """The tuples by version and place."""
    return {place: list(rows) for place, rows in groupby(memory[2], key=lambda row: place_of(row.stored.id)[:2])}
