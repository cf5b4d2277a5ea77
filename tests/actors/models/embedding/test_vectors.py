import asyncio
import logging
import math
import socket
import subprocess
import sys
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.models.embedding import wordllama
from quintet.models.embedding.hashed_words import HashedWords
from quintet.models.embedding.vectors import numbers_of, unit_vectors, vectors_as_text, vectors_of_text
from quintet.models.embedding.wordllama import WordLlama

_ROWS = st.integers(1, 9).flatmap(
    lambda dimensions: st.lists(st.lists(st.floats(-1e6, 1e6), min_size=dimensions, max_size=dimensions), max_size=5)
)


@given(_ROWS.filter(bool))
def test_vectors_have_length_one_and_survive_as_text(rows: list[list[float]]) -> None:
    vectors = unit_vectors(rows)
    assert vectors_of_text(vectors_as_text(vectors)) == vectors
    for row, vector in zip(rows, vectors, strict=True):
        assert math.hypot(*numbers_of(vector)) == pytest.approx(1.0, abs=1e-5)
        assert len(numbers_of(vector)) == len(row)


def test_a_row_of_zeros_is_the_first_axis() -> None:
    assert list(map(numbers_of, unit_vectors([[0.0, 0.0], [0.0, 3e200]]))) == [(1.0, 0.0), (0.0, 1.0)]


def test_no_vectors_are_an_empty_text() -> None:
    assert (unit_vectors([]), vectors_as_text(()), vectors_of_text("")) == ((), "", ())


@pytest.mark.parametrize("rows", [[[]], [[1.0], [1.0, 2.0]], [[float("nan")]], [[float("inf"), 1.0]]])
def test_what_is_no_table_of_finite_numbers_is_refused(rows: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="expected"):
        unit_vectors(rows)


def test_bytes_that_are_no_whole_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="got 5 bytes"):
        numbers_of(b"00000")


@pytest.mark.parametrize("text", ["AAAA\n-", "A"])
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        vectors_of_text(text)


def cosines(*texts: str) -> list[float]:
    """Of the first text with each of the others."""
    first, *others = map(numbers_of, asyncio.run(HashedWords().embed(texts)))
    return [sum(x * y for x, y in zip(first, other, strict=True)) for other in others]


def test_texts_are_nearer_the_more_they_share() -> None:
    same_words, one_word, parts, nothing = cosines(
        "heat an egg", "an egg: heat!", "cool an egg", "heating eggs", "put books down"
    )
    assert same_words == pytest.approx(1.0)
    assert same_words > one_word > nothing
    assert parts > nothing


def test_the_name_says_how_many_dimensions() -> None:
    assert HashedWords(32).name == "hashed-words-32"
    assert len(asyncio.run(HashedWords(32).embed(["x"]))[0]) == 32 * 4
    with pytest.raises(ValueError, match="expected 1 to 4,096, got 0"):
        HashedWords(0)


def test_it_is_the_same_on_every_machine() -> None:
    [vector] = asyncio.run(HashedWords(8).embed(["heat an egg"]))
    assert [round(number, 3) for number in numbers_of(vector)] == [-0.53, 0.0, -0.354, -0.177, -0.53, 0.0, 0.53, 0.0]


needs_extra = pytest.mark.skipif(find_spec("wordllama") is None, reason="needs the extra embeddings")


@needs_extra
def test_texts_of_like_meaning_are_near_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    texts = ("cook the egg with a microwave", "heat an egg", "put a book on the shelf")
    first, *others = map(numbers_of, asyncio.run(WordLlama().embed(texts)))
    near, far = (sum(x * y for x, y in zip(first, other, strict=True)) for other in others)
    assert near == pytest.approx(0.64, abs=0.01)
    assert far == pytest.approx(0.03, abs=0.01)


@needs_extra
def test_nothing_is_loaded_before_the_first_text_and_the_logs_stay_as_they_are() -> None:
    script = (
        "import asyncio, logging, sys; from quintet.models.embedding.wordllama import WordLlama; e = WordLlama();"
        "assert 'wordllama' not in sys.modules; asyncio.run(e.embed(['x']));"
        "assert 'wordllama' in sys.modules; print(logging.getLogger().handlers, logging.getLogger().level)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"[] {logging.WARNING}\n", "")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(_: str) -> None: ...

    monkeypatch.setattr(wordllama, "find_spec", find_nothing)
    with pytest.raises(UsageError, match=r"pip install 'quintet-agents\[embeddings\]'"):
        WordLlama()
