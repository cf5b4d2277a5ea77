import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from quintet.memory.ids import tuple_id
from quintet.memory.words import K1, MANY, B, ranked, words_of
from tests.deploy.memory.samples import TYPES, a_store, a_tuple, request

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
            assert ranked(store.reader, type_id, version, query) == [(score, each[0]) for score, each in order]


def test_where_tuples_are_many_a_word_that_most_have_weighs_nothing() -> None:
    texts = [f"On the table you see {'an egg' if number % 4 else f'a mug {number}'}." for number in range(MANY)]
    store, query = (
        a_store(None, request(tuple(a_tuple(observation=text) for text in texts))),
        "an egg or a mug on the table",
    )
    type_id = store.reader.type_id(1, 1, 1)
    assert type_id is not None
    scores = [score for score, _ in ranked(store.reader, type_id, 1, query)]
    assert scores == sorted(_scores([f"heat an egg {text}" for text in texts], query), reverse=True)
    assert {score > 0 for score in scores[: MANY // 4]} == {True}
    assert set(scores[MANY // 4 :]) == {0.0}


def test_words_have_no_case_and_no_punctuation() -> None:
    assert words_of("On the Drawer-1, you see: Äpfel_2.") == ["on", "the", "drawer", "1", "you", "see", "äpfel_2"]


def test_a_type_named_like_another_in_another_batch_has_words_of_its_own() -> None:
    eggs = request(tuple(a_tuple(observation=f"egg {number}") for number in range(4)))
    store = a_store(None, eggs, request((a_tuple(observation="egg of batch 2"),), batch=2, place=1, types=TYPES))
    type_id = store.reader.type_id(2, 1, 1)
    assert type_id is not None
    [(score, identifier)] = ranked(store.reader, type_id, 1, "egg 3")
    assert (score, identifier) == (_scores(["heat an egg egg of batch 2"], "egg")[0], tuple_id(1, 1, 0))
