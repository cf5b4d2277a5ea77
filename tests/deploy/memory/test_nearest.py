"""The nearest vectors are found exactly; vectors of another embedder are refused."""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.bm25 import K1, MANY, B
from quintet.memory.embed import embed_memory
from quintet.memory.ids import tuple_id
from quintet.memory.nearest import NearestIndex, VectorRows, vector_rows
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.memory.tuple_search import find_tuples
from quintet.memory.words import SEGMENT, words_of
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import FindTuples, StoreTuples
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.models.embedding.endpoint import EmbeddingModel
from quintet.models.embedding.hashed_words import HashedWords
from quintet.models.embedding.vectors import unit_vectors
from quintet.ports.embedder import Embedder, state_text
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, a_store, a_tuple, request

ALL = 2**62


class Table:
    """Vectors by id, with a count of those fetched."""

    def __init__(self, rows: VectorRows, ids: Sequence[int] | None = None) -> None:
        self.rows = rows
        self.ids = list(range(len(rows)) if ids is None else ids)
        self.places = {id: place for place, id in enumerate(self.ids)}
        self.fetched = 0

    def fetch(self, ids: Sequence[int]) -> VectorRows:
        self.fetched += len(ids)
        return self.rows[[self.places[id] for id in ids]]

    def index(self, columns: int = 64) -> NearestIndex:
        index = NearestIndex(self.rows, self.fetch, columns=columns)
        index.extend([(self.ids, self.rows)])
        return index

    def exactly(self, vector: VectorRows, count: int) -> list[tuple[float, int]]:
        products = np.sum(self.rows.astype(np.float64) * vector, axis=1)
        cosines = [round(float(product), 6) for product in products]
        order = sorted(range(len(self.ids)), key=lambda place: -cosines[place])[:count]
        return [(cosines[place], self.ids[place]) for place in order]


def unit(rows: object) -> VectorRows:
    return vector_rows(unit_vectors(np.asarray(rows, np.float64).tolist()))


def clustered(size: int, dimensions: int, seed: int = 0) -> VectorRows:
    """Vectors as texts of few kinds have them: near each other in groups."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(20, dimensions))
    return unit(centres[random.integers(0, 20, size)] + 0.3 * random.normal(size=(size, dimensions)))


@pytest.mark.parametrize("columns", [1, 64, 201])
@pytest.mark.parametrize("dimensions", [1, 5, 64, 200])
def test_it_finds_what_a_comparison_with_all_finds(dimensions: int, columns: int) -> None:
    table = Table(clustered(3_000, dimensions))
    index = table.index(columns)
    for vector in clustered(10, dimensions, seed=1):
        assert index.nearest(vector, 20, before=ALL) == table.exactly(vector, 20)


@given(st.integers(1, 60), st.integers(1, 80), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_it_is_exact_for_any_vectors_and_counts(size: int, dimensions: int, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = unit(random.integers(-2, 3, (size, dimensions)))  # many equal ones, and rows of zeros
    table = Table(rows)
    vector = unit(random.normal(size=(1, dimensions)))[0]
    assert table.index().nearest(vector, count, before=ALL) == table.exactly(vector, count)


def test_few_of_many_vectors_are_compared_in_full() -> None:
    table = Table(clustered(20_000, 200))
    index = table.index()
    table.fetched = 0
    index.nearest(table.rows[7], 20, before=ALL)
    assert table.fetched < 3_000


def test_hardly_more_than_are_wanted_are_compared_in_full_where_no_column_is_left_out() -> None:
    table = Table(unit(np.random.default_rng(0).normal(size=(20_000, 100))))  # no axis is longer than another
    index = table.index(columns=101)
    table.fetched = 0
    assert index.nearest(table.rows[7], 20, before=ALL) == table.exactly(table.rows[7], 20)
    assert table.fetched < 500


def test_ids_from_a_limit_on_are_as_if_they_were_not_there() -> None:
    table = Table(clustered(500, 30), ids=[each << 40 for each in range(500)])
    until = Table(table.rows[:200], ids=table.ids[:200])
    index = table.index()
    for vector in clustered(5, 30, seed=2):
        assert index.nearest(vector, 10, before=200 << 40) == until.exactly(vector, 10)
    assert index.nearest(table.rows[0], 10, before=0) == []


def test_vectors_that_come_later_are_found_too() -> None:
    table = Table(clustered(900, 40))
    index = NearestIndex(table.rows[:50], table.fetch, columns=64)
    assert (len(index), index.nearest(table.rows[0], 5, before=ALL)) == (0, [])
    for start in range(0, 900, 300):
        index.extend([(table.ids[start : start + 300], table.rows[start : start + 300])])
    assert (len(index), index.count(300)) == (900, 300)
    for vector in table.rows[::100]:
        assert index.nearest(vector, 10, before=ALL) == table.exactly(vector, 10)


_TEXTS = st.lists(st.sampled_from(["egg", "mug", "lamp", "pan", "on", "the"]), max_size=8).map(" ".join)


def _scores(documents: list[str], query: str) -> list[float]:
    """BM25 as its definition has it."""
    counts = [Counter(words_of(text)) for text in documents]
    average = sum(each.total() for each in counts) / len(counts)
    scores = [0.0] * len(documents)
    for word in sorted(set(words_of(query))):
        having = sum(word in each for each in counts)
        if len(documents) >= MANY and 2 * having > len(documents):
            continue
        weight = math.log(1 + (len(counts) - having + 0.5) / (having + 0.5)) * (K1 + 1)
        for place, each in enumerate(counts):
            norm = K1 * (1 - B + B * each.total() / average)
            scores[place] += weight * each[word] / (each[word] + norm)
    return scores


@given(st.lists(st.lists(st.tuples(_TEXTS, st.integers(1, 2)), max_size=6), max_size=3), _TEXTS)
def test_tuples_are_ranked_by_bm25_within_their_type_over_all_versions(
    versions: list[list[tuple[str, int]]], query: str
) -> None:
    store = a_store()
    documents: dict[int, list[tuple[int, str]]] = {1: [], 2: []}
    store.add(request())
    for version, added in enumerate(versions, 1):
        process = tuple(a_tuple(observation=text, observation_type=number) for text, number in added)
        store.add(request(process, version=version, types=()))
        store.seal(version)
        for place, (text, number) in enumerate(added):
            documents[number].append((tuple_id(version, 0, place), f"heat an egg {text}"))
        for number, there in documents.items():
            scores = _scores([text for _, text in there], query) if there else []
            order = sorted(zip(scores, there, strict=True), key=lambda each: (each[0], each[1][0]), reverse=True)
            type_id = store.reader.type_id(1, 1, number)
            assert type_id is not None
            assert list(store.reader.words.ranked(type_id, store.reader.limit(version), query)) == [
                (score, each[0]) for score, each in order
            ]


def test_where_tuples_are_many_a_word_that_most_have_weighs_nothing() -> None:
    texts = [f"On the table you see {'an egg' if number % 4 else f'a mug {number}'}." for number in range(MANY)]
    store, query = (
        a_store(None, request(tuple(a_tuple(observation=text) for text in texts))),
        "an egg or a mug on the table",
    )
    type_id = store.reader.type_id(1, 1, 1)
    assert type_id is not None
    scores = [score for score, _ in store.reader.words.ranked(type_id, store.reader.limit(1), query)]
    assert scores == sorted(_scores([f"heat an egg {text}" for text in texts], query), reverse=True)
    assert {score > 0 for score in scores[: MANY // 4]} == {True}
    assert set(scores[MANY // 4 :]) == {0.0}


def test_every_version_is_ranked_as_by_a_reader_that_read_no_other() -> None:
    store, sizes = a_store(), (1, SEGMENT - 1, 3, 2 * SEGMENT, 1)
    store.add(request())
    type_id = store.reader.type_id(1, 1, 1)
    assert type_id is not None
    for version, size in enumerate(sizes, 1):
        texts = (f"egg {number % 7} of {version}" for number in range(size))
        store.add(request(tuple(a_tuple(observation=text) for text in texts), version=version, types=()))
        store.seal(version)
        list(store.reader.words.ranked(type_id, store.reader.limit(version), "egg 3 of 2"))
    for version in (5, 2, 1, 4, 3, 5):
        for query in ("egg 3 of 2", "5 of 4", "a word that no tuple has"):
            before = store.reader.limit(version)
            alone = MemoryReader(store.reader.connection, "alone").words.ranked(type_id, before, query)
            assert list(store.reader.words.ranked(type_id, before, query)) == list(alone)


def test_words_have_no_case_and_no_punctuation() -> None:
    assert words_of("On the Drawer-1, you see: Äpfel_2.") == ["on", "the", "drawer", "1", "you", "see", "äpfel_2"]


def test_a_type_named_like_another_in_another_batch_has_words_of_its_own() -> None:
    eggs = request(tuple(a_tuple(observation=f"egg {number}") for number in range(4)))
    store = a_store(None, eggs, request((a_tuple(observation="egg of batch 2"),), batch=2, place=1, types=TYPES))
    type_id = store.reader.type_id(2, 1, 1)
    assert type_id is not None
    [(score, identifier)] = store.reader.words.ranked(type_id, store.reader.limit(1), "egg 3")
    assert (score, identifier) == (_scores(["heat an egg egg of batch 2"], "egg")[0], tuple_id(1, 1, 0))


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
