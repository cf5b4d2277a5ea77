import asyncio
import logging
import socket
import subprocess
import sys
from importlib.util import find_spec

import pytest

from quintet.errors import UsageError
from quintet.models.embedding import wordllama
from quintet.models.embedding.vectors import numbers_of
from quintet.models.embedding.wordllama import WordLlama

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
