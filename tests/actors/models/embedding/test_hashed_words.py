import asyncio

import pytest

from quintet.models.embedding.hashed_words import HashedWords
from quintet.models.embedding.vectors import numbers_of


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
