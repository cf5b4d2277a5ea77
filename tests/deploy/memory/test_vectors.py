"""Tuples are found by nearness in a batch memory and a version; vectors of another embedder are refused."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.actor import find_tuples
from quintet.memory.embed import embed_memory
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import FindTuples, StoreTuples
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.models.embedding.endpoint import EmbeddingModel
from quintet.models.embedding.hashed_words import HashedWords
from quintet.ports.embedder import Embedder, state_text
from tests.deploy.memory.samples import COOL, HEAT, a_memory, a_store, a_tuple, request

WORDS = HashedWords()


def embedded(embedder: Embedder, *texts: str) -> tuple[bytes, ...]:
    return asyncio.run(embedder.embed(texts))


def vectors_of(process: Sequence[MemoryTuple]) -> tuple[bytes, ...]:
    return embedded(WORDS, *(state_text(each.goal, each.observation) for each in process))


def with_vectors(wanted: StoreTuples) -> StoreTuples:
    return replace(wanted, vectors=tuple(map(vectors_of, wanted.processes)), embedder=WORDS.name)


POTATO = ("heat a potato", "You see a potato.")


def a_memory_with_vectors() -> Store:
    store = a_store(None, with_vectors(request(HEAT, COOL)))
    store.add(with_vectors(request((a_tuple(*POTATO),), version=2, types=())))
    store.add(with_vectors(request((a_tuple("heat a pan"),), version=2, batch=2, place=1)))
    store.seal(2)
    return store


def found(
    reader: MemoryReader,
    goal: str,
    observation: str,
    *,
    version: int = 2,
    batch: int = 1,
    budget: int = 10_000,
    embedder: Embedder = WORDS,
) -> list[tuple[str, str]]:
    [vector] = embedded(embedder, state_text(goal, observation))
    wanted = FindTuples(version=version, batch=batch, vector=vector, embedder=embedder.name, budget=budget)
    tuples = find_tuples(reader, replace(wanted, retrieval="embedding"))
    return [(each.tuple.goal, each.tuple.observation) for each in tuples]


def test_the_nearest_tuples_of_the_batch_memory_come_first() -> None:
    reader = a_memory_with_vectors().reader
    near = found(reader, "cool an apple", "You hold the apple.")
    assert near[0] == ("cool an apple", "You hold the apple.")
    assert sorted(near) == sorted([*((each.goal, each.observation) for each in (*HEAT, *COOL)), POTATO])
    assert found(reader, *POTATO)[0] == POTATO
    assert [goal for goal, _ in found(reader, "cool an apple", "", batch=2)] == ["heat a pan"]
    assert found(a_store().reader, "heat an egg", "", version=0) == []


def test_a_version_does_not_have_what_came_after_it() -> None:
    reader = a_memory_with_vectors().reader
    for version in (2, 1, 2):  # the vectors of a version are read once, whichever is asked for first
        assert (POTATO in found(reader, *POTATO, version=version)) == (version == 2)
    assert found(reader, "heat a pan", "", version=1, batch=2) == []


def test_tuples_are_found_until_the_budget_is_full() -> None:
    many = tuple(a_tuple("heat an egg", f"You see an egg {number}.") for number in range(100, 400))
    reader = a_store(None, with_vectors(request(many))).reader
    size = len(many[0].observation + many[0].evaluation + many[0].summary + many[0].action)
    for budget, count in ((3 * size, 3), (10**6, 300), (10, 0)):
        assert len(found(reader, "heat an egg", "You see an egg 107.", version=1, budget=budget)) == count


def test_a_new_version_is_found_however_much_it_adds() -> None:
    store = a_memory_with_vectors()
    assert len(found(store.reader, "heat an egg", "")) == 6
    more = tuple(a_tuple("heat an egg", f"You see an egg {number}.") for number in range(60))
    store.add(with_vectors(request(more, version=3, types=())))
    store.seal(3)
    assert found(store.reader, "heat an egg", "You see an egg 7.", version=3)[0] == ("heat an egg", "You see an egg 7.")
    assert len(found(store.reader, "heat an egg", "", version=3, budget=10**6)) == 66


def test_vectors_are_no_content() -> None:
    with_them, without = a_store(), a_store()
    with_them.add(with_vectors(request(HEAT)))
    without.add(request(HEAT))
    with_them.add(request(HEAT))  # the same again, though without vectors
    assert with_them.seal(1).digest == without.seal(1).digest


def test_vectors_of_another_embedder_or_length_are_refused() -> None:
    store, other = a_memory_with_vectors(), HashedWords(8)
    process = (a_tuple("cool a cup"),)
    new = replace(request(process, version=3, types=()), vectors=(vectors_of(process),), embedder="other")
    with pytest.raises(ValueError, match=r"expected a vector of hashed-words-256 \(256 numbers\), got one of other"):
        store.add(new)
    with pytest.raises(UsageError, match=r"expected a vector of hashed-words-256 .*got one of hashed-words-8 \(8"):
        found(store.reader, "heat an egg", "", embedder=other)


def test_a_memory_without_vectors_or_without_some_is_refused() -> None:
    store = a_memory()
    with pytest.raises(UsageError, match="retrieval embedding: expected a memory with vectors, got one"):
        found(store.reader, "heat an egg", "")
    part = a_memory_with_vectors()
    part.add(request((a_tuple("cool a cup"),), version=3, types=()))
    part.seal(3)
    with pytest.raises(UsageError, match="expected a memory with vectors of all tuples, got 6 of 7 in batch 1"):
        found(part.reader, "heat an egg", "", version=3)
    assert found(part.reader, "heat an egg", "", version=2)


def test_a_memory_gets_the_vectors_it_lacks_once_and_those_of_another_embedder_anew(tmp_path: Path) -> None:
    apple = ("cool an apple", "You hold the apple.")
    with closing(a_memory(tmp_path / "memory.sqlite")) as store:
        digests = [sealed.digest for sealed in store.reader.versions().values()]
        for embedder, made in ((WORDS, 6), (WORDS, 0), (HashedWords(8), 6)):
            assert asyncio.run(embed_memory(store, embedder)) == made
            assert found(store.reader, *apple, embedder=embedder)[0] == apple
        assert [sealed.digest for sealed in store.reader.versions().values()] == digests


def test_an_endpoint_is_not_called_before_a_run() -> None:
    embedder = ModelEmbedder(EmbeddingModel("m", url="http://127.0.0.1:9/v1"))
    with pytest.raises(UsageError, match="vectors of m, got one with vectors of hashed-words-256"):
        asyncio.run(embed_memory(a_memory_with_vectors(), embedder))
    with pytest.raises(UsageError, match="vectors of m, got one that lacks some"):
        asyncio.run(embed_memory(a_memory(), embedder))
    assert asyncio.run(embed_memory(a_store(), embedder)) == 0
