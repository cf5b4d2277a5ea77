"""Superlatives of English: `the most open issues`, `the second oldest order`, `sold most often`."""

import re
from functools import lru_cache
from typing import NamedTuple

from quintet.models.sim.webarena.words import says_nothing, web_stems

_SECOND = ("first", "second", "third", "fourth", "fifth")
_HIGH = "most|highest|largest|biggest|greatest|best|top|maximum|longest"
_LOW = "fewest|least|lowest|smallest|minimum|shortest"
_LATE = "latest|newest|last|most recent"
_EARLY = "oldest|earliest|first"
_RANK = re.compile(
    rf"\b(?:(?P<ordinal>{'|'.join(_SECOND)})[ -])?"
    rf"(?:(?P<cheap>cheapest|least expensive)|(?P<dear>dearest|most expensive)|(?P<late>{_LATE})|(?P<early>{_EARLY})"
    rf"|(?P<high>{_HIGH})|(?P<low>{_LOW}))\b(?P<rest>[^,.;?]*)",
    re.IGNORECASE,
)
_PRICE = web_stems("price")
_DATE = web_stems("date")
_COUNT = web_stems("quantity number count times uses total")
_MOST_WORDS = 3


class WebRank(NamedTuple):
    """What is compared, and which of the compared is meant."""

    highest: bool
    place: int
    """0: the first by it."""
    measure: frozenset[str]
    """The stems of what is compared."""
    said: frozenset[str]
    """The stems of the superlative itself."""
    of_time: bool = False


@lru_cache(maxsize=4096)
def read_rank(text: str) -> WebRank | None:
    """The first superlative of a question; None: it has none."""
    found = _RANK.search(text)
    if found is None:
        return None
    place = _SECOND.index(found["ordinal"].lower()) if found["ordinal"] else 0
    said = web_stems(found[0][: found.start("rest") - found.start()])
    if found["cheap"] or found["dear"]:
        return WebRank(found["cheap"] is None, place, _PRICE, said)
    if found["late"] or found["early"]:
        return WebRank(found["late"] is not None, place, _DATE, said, of_time=True)
    return WebRank(found["high"] is not None, place, _measured(found["rest"]) or _COUNT, said | web_stems("often"))


def _measured(rest: str) -> frozenset[str]:
    """The words right behind a superlative: `open issues` of `most open issues here`."""
    words: list[str] = []
    for word in re.findall(r"[\w'-]+", rest)[:_MOST_WORDS]:
        if says_nothing(word) and word != "open":
            break
        words.append(word)
    return web_stems(" ".join(words)) - web_stems("often")
