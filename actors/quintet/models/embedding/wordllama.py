"""The embedder of the package `wordllama`, in this process: its wheel has its weights, and nothing is downloaded."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from quintet.errors import UsageError, utf8

_PACKAGE = "wordllama"
_AT_ONCE = 256
"""Texts that are embedded before other work has its turn: a few milliseconds."""


class WordLlama:
    """Averages vectors of tokens, 256 numbers each, that were taken from a language model and trained on.

    The package is imported, and its 16 MB of weights read, when the first text is embedded: about half a second.

    Raises:
        UsageError: the package is not installed.
    """

    name = "wordllama-l2-supercat-256"

    def __init__(self) -> None:
        if find_spec(_PACKAGE) is None:
            raise UsageError(
                "embedder wordllama: expected the extra embeddings to be installed, got none; "
                "pip install 'quintet-agents[embeddings]', or name hashed-words or an endpoint's model"
            )

    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        embed, vectors = _load(), list[bytes]()
        for start in range(0, len(texts), _AT_ONCE):
            # Its tokenizer makes nothing of an empty text, and takes no lone surrogates.
            some = [utf8(text) or " " for text in texts[start : start + _AT_ONCE]]
            vectors += [row.tobytes() for row in embed(some, norm=True).astype("<f4")]
            await asyncio.sleep(0)
        return tuple(vectors)


@cache
def _load() -> Callable[..., Any]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    package: Any = import_module(_PACKAGE)
    # The package sets up the logs of the whole process when it is imported.
    root.handlers[:], root.level = before, level
    loaded: Any = package.WordLlama.load(dim=256, cache_dir=Path(package.__file__).parent, disable_download=True)
    embed: Callable[..., Any] = loaded.embed
    return embed
