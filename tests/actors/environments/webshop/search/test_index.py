"""The index finds what a plain computation of Lucene's formula finds, and what another library finds."""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from quintet.environments.webshop.catalogue.catalogue import catalogue_of
from quintet.environments.webshop.search import index
from quintet.environments.webshop.search.analysis import analyze
from quintet.environments.webshop.search.index import encode_lengths, lengths, searchable_text
from tests.actors.environments.webshop.stock import LAMPS, lamps, product

_WORDS = [f"w{number}" for number in range(40)]


def _titles(count: int, most: int, seed: int) -> list[str]:
    """Titles in which some words are frequent and others rare."""
    chance = Random(seed)
    weights = [1 / (place + 1) for place in range(len(_WORDS))]
    return [" ".join(chance.choices(_WORDS, weights, k=chance.randint(1, most))) for _ in range(count)]


def _by_formula(titles: Sequence[str], query: str) -> list[int]:
    """The 50 best by the formula, from the definition, with Lucene's coarse lengths."""
    held = [Counter(analyze(title)) for title in titles]
    mean = sum(each.total() for each in held) / len(held)
    scores = [0.0] * len(titles)
    for term, times in sorted(Counter(analyze(query)).items()):
        holders = sum(term in each for each in held)
        weight = times * math.log(1 + (len(held) - holders + 0.5) / (holders + 0.5))
        for number, each in enumerate(held):
            length = float(lengths()[encode_lengths(np.array([float(each.total())]))[0]])
            scores[number] += weight * each[term] / (each[term] + 0.9 * (0.6 + 0.4 * length / mean))
    best = sorted(range(len(titles)), key=lambda number: (-np.float32(scores[number]), number))
    return [number for number in best if scores[number] > 0][:50]


@pytest.mark.parametrize(("count", "most"), [(3, 4), (150, 12), (150, 90)])
@pytest.mark.parametrize(("short", "look_up"), [(0, 0), (0, 1_000), (20_000, 8)])
def test_it_finds_the_best_by_lucenes_formula(
    count: int, most: int, short: int, look_up: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where lists are passed over as soon as may be, as late as may be, and not at all."""
    monkeypatch.setattr(index, "_SHORT", short)
    monkeypatch.setattr(index, "_LOOK_UP", look_up)
    titles = _titles(count, most, seed=count + most)
    shop = catalogue_of((product(f"B{number:09}", title), 1.0) for number, title in enumerate(titles))
    chance = Random(1)
    for _ in range(8):
        query = " ".join(chance.choices(_WORDS, k=chance.randint(1, 12)))
        assert list(shop.search(query)) == _by_formula(titles, query), query


def test_it_finds_what_bm25s_finds_where_lengths_are_exact() -> None:
    import bm25s

    titles = _titles(300, 30, seed=7)
    shop = catalogue_of((product(f"B{number:09}", title), 1.0) for number, title in enumerate(titles))
    other = bm25s.BM25(k1=0.9, b=0.4, method="lucene")
    other.index([analyze(title) for title in titles], show_progress=False)
    chance = Random(2)
    for _ in range(8):
        query = " ".join(dict.fromkeys(chance.choices(_WORDS, k=6)))
        scores = other.get_scores(analyze(query))
        found = shop.search(query)
        expected = np.sort(scores)[::-1][: len(found)]
        assert np.allclose(scores[list(found)], expected, rtol=1e-5), query


def test_equal_scores_come_in_the_order_of_ids_and_at_most_50() -> None:
    shop = catalogue_of((product(asin, "same words"), 1.0) for asin in ("B3", "B1", "A9", "B2"))
    assert [shop.product(number).asin for number in shop.search("words")] == ["A9", "B1", "B2", "B3"]
    shop = catalogue_of((product(f"B{number:09}", "cup"), 1.0) for number in range(70))
    assert shop.search("cup") == tuple(range(50))
    assert catalogue_of(()).search("lamp") == ()


@pytest.mark.parametrize("query", ["", "the of and", "unheardof", "<r>", "!?", "\0", "ٱ"])
def test_nothing_is_found_by_stop_words_or_unknown_ones(query: str) -> None:
    assert lamps().search(query) == ()


@pytest.mark.parametrize(
    "query", ["+lamp -brass", "lamp AND brass", 'title:"lamp"~2', "lamp^9 OR (mug*", "LAMPS", "desk lamp " * 1_000]
)
def test_operators_are_words_like_others(query: str) -> None:
    assert lamps().search(query)


def test_a_product_is_found_by_title_description_first_feature_and_options() -> None:
    text = searchable_text(LAMPS[1])
    assert text == (
        "heron dimmable desk lamp with usb port a lamp for reading. five levels of light "
        "color: black, white, and size: small, large"
    )
    assert lamps().search("warranty") == ()


@pytest.mark.parametrize(
    ("length", "kept"),
    [(0, 0), (1, 1), (39, 39), (40, 40), (41, 40), (55, 54), (56, 56), (59, 56), (100, 96), (1000, 984)],
)
def test_lengths_are_kept_as_lucene_keeps_them(length: int, kept: int) -> None:
    assert lengths()[encode_lengths(np.array([float(length)]))[0]] == kept
