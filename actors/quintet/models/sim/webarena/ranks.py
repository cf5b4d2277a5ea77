"""Superlatives of English: `the most open issues`, `the second oldest order`, `sold most often`."""

import re
from functools import lru_cache
from typing import NamedTuple

from quintet.models.sim.webarena.words import says_nothing, web_stems

_SECOND = ("first", "second", "third", "fourth", "fifth")
_HIGH = "most|highest|largest|biggest|greatest|maximum|longest"
_LOW = "fewest|least|lowest|smallest|minimum|shortest"
_LATE = "latest|newest|last|most recent"
_EARLY = r"oldest|earliest|first(?! (?:\w+ )?(?:months|days|weeks|years|half|quarter))"
_RANK = re.compile(
    rf"\b(?:(?P<ordinal>{'|'.join(_SECOND)})[ -])?"
    rf"(?:(?P<cheap>cheapest|least expensive)|(?P<dear>dearest|most expensive)|(?P<late>{_LATE})|(?P<early>{_EARLY})"
    rf"|(?P<liked>best[ -]liked|top|best)|(?P<high>{_HIGH})|(?P<low>{_LOW}))\b(?P<rest>[^,.;?]*)",
    re.IGNORECASE,
)
_PRICE = web_stems("price")
_DATE = web_stems("date")
_LIKED = web_stems("votes points score likes")
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
    ordered: bool = False
    """Not one thing is meant, but the whole list in that order: `the newest comments first`."""


@lru_cache(maxsize=4096)
def read_rank(text: str) -> WebRank | None:
    """The first superlative of a question; None: it has none."""
    found = _RANK.search(text)
    if found is None:
        return None
    place = _SECOND.index(found["ordinal"].lower()) if found["ordinal"] else 0
    said = web_stems(found[0][: found.start("rest") - found.start()])
    ordered = found["rest"].rstrip().endswith(" first")
    if ordered:
        said = web_stems(found[0])
    if found["cheap"] or found["dear"]:
        return WebRank(found["cheap"] is None, place, _PRICE, said, ordered=ordered)
    if found["late"] or found["early"]:
        return WebRank(found["late"] is not None, place, _DATE, said, of_time=True, ordered=ordered)
    if found["liked"]:
        return WebRank(highest=True, place=place, measure=_LIKED, said=said | web_stems("liked"), ordered=ordered)
    measure = _measured(found["rest"]) or _COUNT
    return WebRank(found["high"] is not None, place, measure, said | web_stems("often"), ordered=ordered)


def _measured(rest: str) -> frozenset[str]:
    """The words right behind a superlative: `open issues` of `most open issues here`."""
    words: list[str] = []
    for word in re.findall(r"[\w'-]+", rest)[:_MOST_WORDS]:
        if says_nothing(word) and word != "open":
            break
        words.append(word)
    return web_stems(" ".join(words)) - web_stems("often")
