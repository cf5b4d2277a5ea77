"""The contract of embedders, tried in few calls. The fixture `case` gives the `EmbedderCase` to try it on."""

import math

from quintet.models.embedding.vectors import numbers_of
from quintet.testing.embedder_case import EmbedderCase, EmbeddingsRequest, embed_all
from quintet.testing.expectations import expect, expect_equal, expect_type, short_repr
from quintet.testing.subprocesses import in_subprocess

_TEXTS = (
    "put a hot egg in safe.\nYou see a fridge 1.",
    "put a book on shelf.",
    "\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680 %s {0} \\1 $(x)\n",
    "",
    " ",
    "put a hot egg in safe. " * 200,
)
_NEAR = 1e-4
"""What a figure of 32 bits, or of an endpoint in decimals, may be off."""


def test_the_embedder_has_a_name(case: EmbedderCase) -> None:
    expect_type("a name", str, case.embedder.name)
    expect(case.embedder.name.strip(), "a name", short_repr(case.embedder.name))
    expect_equal("its name, read again,", case.embedder.name, case.embedder.name)


def test_every_text_has_a_vector_of_length_one(case: EmbedderCase) -> None:
    vectors = case.embed(*_TEXTS)
    expect_equal("as many vectors as texts", len(_TEXTS), len(vectors))
    for text, vector in zip(_TEXTS, vectors, strict=True):
        expect_type("a vector", bytes, vector)
        expect_equal("as many bytes as of the first vector", len(vectors[0]), len(vector))
        expect(len(vector) % 4 == 0 and vector, "numbers of four bytes", f"{len(vector)} bytes")
        length = math.sqrt(sum(number * number for number in numbers_of(vector)))
        expect(abs(length - 1) < _NEAR, f"a vector of length one for {short_repr(text)}", length)


def test_no_texts_have_no_vectors(case: EmbedderCase) -> None:
    expect_equal("the vectors of no texts", (), tuple(case.embed()))


def test_a_text_has_the_same_vector_whatever_it_is_embedded_with(case: EmbedderCase) -> None:
    first = case.embed(*_TEXTS)
    backwards = case.embed(*_TEXTS[::-1])
    expect_equal("the vectors of the same texts in another order", first, backwards[::-1])
    expect_equal("the vectors of the same texts, each alone", list(first), case.embed_concurrently(*_TEXTS))


def test_another_process_makes_the_same_vectors(case: EmbedderCase) -> None:
    there = in_subprocess(embed_all, EmbeddingsRequest(plug_in=case.plug_in, texts=_TEXTS))
    case.calls += 1
    expect_equal("the vectors in another process", case.embed(*_TEXTS), there)


def test_a_text_is_nearer_to_its_like_than_to_another(case: EmbedderCase) -> None:
    egg, eggs, book = map(
        numbers_of, case.embed("put a hot egg in safe.", "put a hot egg in the safe.", "read a book.")
    )
    near, far = (sum(x * y for x, y in zip(egg, other, strict=True)) for other in (eggs, book))
    expect(near > far, "a cosine above that with another text", f"{near:.3f}, and {far:.3f} with another")
