"""Whole runs that recall by nearness, with an endpoint's embeddings over HTTP: charged, retried, never paid twice."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import NamedType, StoreTuples
from quintet.models.embedding.hashed_words import HashedWords
from quintet.ports.embedder import state_text
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runtime import retries
from tests.command import Said, command
from tests.faulty import faults
from tests.faulty.endpoint import ServedEndpoint, serve_models

pytestmark = pytest.mark.real_time

EMBEDDER = "embedding-model"


@pytest.fixture(autouse=True)
def _short_pauses_and_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-nobody-may-ever-read-this")
    monkeypatch.setattr(retries, "_SHORTEST", 0.001)
    monkeypatch.setattr(retries, "_LONGEST", 0.01)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory of some crafting, with vectors of what is served under the name of the embedder."""
    made = tuple(
        MemoryTuple(
            goal=f"craft {thing}",
            evaluation="",
            summary="",
            observation=f"Got 1 {thing}",
            action=f"get 2 {thing}",
            goal_type=1,
            observation_type=1,
        )
        for thing in ("stick", "oak planks", "iron ingot", "lantern")
    )
    vectors = asyncio.run(HashedWords().embed([state_text(each.goal, each.observation) for each in made]))
    store = Store(tmp_path / "given.sqlite", world="textcraft")
    types = (NamedType(number=1, name="craft"), NamedType(number=1, name="got", goal_type=1))
    store.add(
        StoreTuples(version=0, batch=1, place=0, processes=(made,), types=types, vectors=(vectors,), embedder=EMBEDDER)
    )
    store.seal(0)
    store.close()
    return tmp_path / "given.sqlite"


def evaluation(served: ServedEndpoint, memory: Path, out: Path, *more: str) -> tuple[str, ...]:
    run = ("eval", "react", "textcraft", "--model", "sim-strong", "--tasks", "stick,lantern", "--out", str(out))
    embedder = {"name": EMBEDDER, "url": served.url, "key": "MY_KEY"}
    settings = {"memory.retrieval": "embedding", **{f"memory.embedder.{key}": value for key, value in embedder.items()}}
    return (*run, "--memory", str(memory), *(f"--set={key}={value}" for key, value in settings.items()), *more)


async def quintet(*arguments: str) -> Said:
    return await asyncio.to_thread(command, *arguments)


async def test_embeddings_have_a_price_a_permit_and_a_place_in_the_journal(memory: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(f'["sim-strong"]\ninput = 0\noutput = 0\n["{EMBEDDER}"]\ninput = 2.0\noutput = 0\n')

    async with serve_models({}, {EMBEDDER: HashedWords()}) as served:
        out = tmp_path / "run"
        said = await quintet(*evaluation(served, memory, out, "--set", f"limits.prices={prices}"))
        assert said.code == 0, said.err
        with sqlite3.connect(out / "journal.sqlite") as journal:
            [(number, tokens)] = journal.execute(
                "SELECT count(*), sum(prompt_tokens) FROM calls WHERE model LIKE ?", (f"{EMBEDDER}%",)
            )
        assert number == served.counters.completions > 2
        assert results(RunFolder.open_to_read(out)).cost.nanodollars == 2_000 * tokens > 0
        for file in out.rglob("*"):
            assert not file.is_file() or b"sk-nobody" not in file.read_bytes()


async def test_an_endpoint_that_stumbles_is_asked_again(memory: Path, tmp_path: Path) -> None:
    stumbling = faults.parse_faults("429@2,500@4,drop@6,garbage@8,empty@10,retry-after=0.01")
    async with serve_models({}, {EMBEDDER: HashedWords()}, faults=stumbling) as served:
        said = await quintet(*evaluation(served, memory, tmp_path / "run"))
        assert said.code == 0, said.err
        assert set(served.counters.faults) == {"429", "500", "drop", "garbage", "empty"}


async def test_a_run_out_of_budget_goes_on_without_embedding_again(memory: Path, tmp_path: Path) -> None:
    async with serve_models({}, {EMBEDDER: HashedWords()}) as served:
        out = tmp_path / "run"
        said = await quintet(*evaluation(served, memory, out, "--budget-tokens", "4000"))
        assert said.code == 3, said.err
        before = served.counters.completions
        assert before > 0
        said = await quintet("resume", str(out), "--budget-tokens", "1000000")
        assert said.code == 0, said.err
        with sqlite3.connect(out / "journal.sqlite") as journal:
            [(number,)] = journal.execute("SELECT count(*) FROM calls WHERE model LIKE ?", (f"{EMBEDDER}%",))
        assert served.counters.completions == number > before


async def test_a_memory_of_another_embedder_is_refused(memory: Path, tmp_path: Path) -> None:
    async with serve_models({}, {EMBEDDER: HashedWords(), "other": HashedWords(8)}) as served:
        said = await quintet(*evaluation(served, memory, tmp_path / "run", "--set", "memory.embedder.name=other"))
        assert said.code == 2
        assert f"vectors of other, got one with vectors of {EMBEDDER}" in said.err
        assert served.counters.requests == 0


def test_a_memory_gets_vectors_of_an_embedder_that_needs_no_endpoint(memory: Path, tmp_path: Path) -> None:
    run = ("eval", "react", "textcraft", "--model", "sim-strong", "--tasks", "stick", "--memory", memory)
    settings = ("--set", "memory.retrieval=embedding", "--set", "memory.embedder.name=hashed-words")
    said = command(*run, *settings, "--set", "memory.embedder.dimensions=16", "--out", tmp_path / "run")
    assert said.code == 0, said.err
    with sqlite3.connect(tmp_path / "run" / "memory.sqlite") as own:
        assert own.execute("SELECT embedder FROM about").fetchall() == [("hashed-words-16",)]
        assert own.execute("SELECT count(*), min(length(vector)) FROM vectors").fetchall() == [(4, 64)]
    said = command("show", tmp_path / "run", "stick/0/0")
    assert "recalled 4 tuples" in said.out
