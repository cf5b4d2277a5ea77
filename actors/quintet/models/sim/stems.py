"""The words of an English text and their stems, by a few endings."""

import re
from collections.abc import Iterator
from functools import lru_cache

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
_ENDING = re.compile(r"n['’]t\b|['’](?:s|d|m|ll|ve|re)\b")
"""Of a possessive or a contraction."""


def tokens(text: str) -> list[str]:
    """Words and numbers in lower case, without possessive endings."""
    return _TOKEN.findall(_ENDING.sub("", text.lower()))


@lru_cache(maxsize=16384)
def stem_of(word: str) -> str:
    """A word without the endings of plurals and verbs, roughly."""
    return next(_endings_off(word))


def _endings_off(word: str) -> Iterator[str]:
    if word.endswith("ies") and len(word) > 4:
        yield f"{word[:-3]}y"
    for ending in ("ings", "ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            yield _bare(word[: -len(ending)])
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        yield word[:-2]
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        yield _bare(word[:-1])
    yield _bare(word)


def _bare(stem: str) -> str:
    """`runn` and `run`, `sid` and `side` are one."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
        return stem[:-1]
    return stem[:-1] if len(stem) > 3 and stem.endswith("e") else stem
