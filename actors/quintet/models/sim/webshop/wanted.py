"""What an instruction asks for: words, a price limit, and options that it names. All by plain English, no template."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from quintet.models.sim.stems import stem_of, tokens

_LIMIT = re.compile(
    r"[\s,;]{0,3}(?:\b(?:and|with|at|for|that|is|it|has|its|the|a|an|any|are|be|priced?|prices|costs?|costing|of|buy)\s+){0,6}"
    r"\b(?:lower|less|cheaper|under|below|at most|no more|not more|up to|within) (?:than |of )?"
    r"(?:\$ ?)?(?P<limit>\d[\d,]*(?:\.\d+)?)(?: ?(?:dollars?|usd|bucks|\$))?(?![\w.]*\d)",
    re.IGNORECASE,
)
_MONEY = re.compile(r"\$|\b(?:dollars?|usd|bucks|priced?|prices|costs?|costing)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:\bwith|\band|,) (?P<name>(?!with\b|and\b)[a-z]+(?: (?!with\b|and\b)[a-z]+){0,2}): "
    r"(?P<value>.+?)(?=,? and [a-z ]+:|,|\Z)"
)

_AFTER_HEAD = re.compile(
    r"[.;:]\s|\b(?:with|without|that|which|for|in|to|by|on|from|at|not|has|have|having|made|under|can|is|are)\b"
)
"""What ends the phrase that names a product, in English."""
_FRAME = (
    "a about also am an and another any are as at be been being both but buy by can color colored colour come "
    "comes could do don every find for from get give good had has have he help i if im in interested is it item "
    "just kind let like look looking made make me more most my need no not of on one or order other our pair "
    "please product purchase quite really search see shall she shop should show size sized so some something "
    "style than that the their them then there these they this those to too type us use used very want wanted was "
    "we were what when where which while who whose will with without would you your"
)
_NO_MATTER = frozenset(_FRAME.split())
"""Words that say nothing of a product: the frame of a request, and names of options."""


@dataclass(frozen=True)
class Wanted:
    """What is asked for."""

    text: str
    """In lower case, without the price."""
    words: tuple[str, ...]
    """The words that a product should show, by their stems, in order."""
    kind: str
    """The one that says what is to be bought, the head of the first phrase: `sho` of `red shoes with laces`."""
    limit: float | None
    """The highest price, in dollars; None: any."""
    named: tuple[tuple[str, str], ...]
    """Options by name: `size: large`."""


@lru_cache(maxsize=4096)
def read_wanted(text: str) -> Wanted:
    """`red shoes with size: 7, and price lower than 40.00 dollars`, in these words or others."""
    plain = " ".join(text.lower().split())
    limits = [found for found in _LIMIT.finditer(plain) if _MONEY.search(found[0])]
    said = plain
    for found in reversed(limits):
        said = f"{said[: found.start()]} {said[found.end() :]}"
    said = " ".join(said.split()).strip(" ,.;")
    named = tuple((found["name"].strip(), found["value"].strip()) for found in _NAMED.finditer(said))
    words = tuple(dict.fromkeys(content_stems(said)))
    phrase = content_stems(_AFTER_HEAD.split(criteria(said), maxsplit=1)[0])
    limit = min((float(found["limit"].replace(",", "")) for found in limits), default=None)
    return Wanted(said, words, (phrase or words or ("",))[-1], limit, named)


def query_words(wanted: Wanted) -> list[str]:
    """The words to search for, as the instruction writes them."""
    return list(dict.fromkeys(token for token in tokens(wanted.text) if token not in _NO_MATTER))


def criteria(wording: str) -> str:
    """A goal without the words that frame the request: `red shoes, and price lower than 40 dollars`."""
    words = wording.split()
    framing = takewhile(lambda word: set(tokens(word)) <= _NO_MATTER, words)
    return " ".join(words[sum(1 for _ in framing) :]) or wording


def shown_in_lists(wording: str) -> str:
    """What titles and prices can tell of a goal: the phrase that names the product, and the price."""
    limit = read_wanted(wording).limit
    phrase = _AFTER_HEAD.split(criteria(wording), maxsplit=1)[0].strip(" ,.;")
    return phrase if limit is None else f"{phrase}, price lower than {limit:.2f} dollars"


def content_stems(text: str) -> tuple[str, ...]:
    """The stems of the words that say something of a product, in their order."""
    return tuple(stem_of(token) for token in tokens(text) if token not in _NO_MATTER)


def stems(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return _stems(text)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem_of, tokens(text)))
