"""Compares texts and addresses as the released evaluators do.

Source: WebArena's released evaluators. Differs: tokens are found by a few rules of our own, which split words around
punctuation as its tokenizer does.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

_QUOTES = ("'", '"')
_SEPARATE = re.compile(r"""\.\.\.|--|[;@#$%&?!\[\](){}<>"“”«»`]|[,:](?!\d)|(?<!\w)'|'(?!\w)|\.(?=["')\]}]*(?:\s|\Z))""")
"""Marks that are tokens of their own. Within numbers `,` and `:` belong to them, and a dot anywhere but at an end."""


def clean_answer(text: str) -> str:
    """In lower case, without white space around it and without one pair of equal quotes."""
    text = text.strip()
    for quote in _QUOTES:
        if text.startswith(quote) and text.endswith(quote):
            return text[1:-1].lower()
    return text.lower()


def is_exact(reference: str, text: str) -> bool:
    """Whether both are equal once cleaned."""
    return clean_answer(reference) == clean_answer(text)


def includes(reference: str, text: str, *, as_token: bool = False) -> bool:
    """Whether a text contains the reference, both cleaned.

    Args:
        as_token: a reference of one character must stand as a token of its own, so that `10` does not contain `0`.
    """
    sought, within = clean_answer(reference), clean_answer(text)
    if as_token and len(sought) == 1:
        return sought in answer_tokens(within)
    return sought in within


def answer_tokens(text: str) -> list[str]:
    """Words and marks, in order."""
    return _SEPARATE.sub(lambda found: f" {found[0]} ", text).split()


ALTERNATIVES = " |OR| "


class _Address(NamedTuple):
    place: str
    """Host and path."""
    query: Mapping[str, list[str]]


def url_matches(reference: str, url: str) -> bool:
    """Whether an address is one that a task may end on.

    It is if it contains host and path of an alternative, and each key of any alternative's query with one of the values
    that the alternatives have for it. Schemes, fragments and a slash at the very end make no difference.

    Args:
        reference: real addresses, with ` |OR| ` between alternatives.
        url: the real address where the task ended.

    Source: WebArena's released URL evaluator, where the query's keys too are those of all alternatives.
    """
    ended = _read(url)
    wanted = [_read(alternative) for alternative in reference.split(ALTERNATIVES)]
    values: defaultdict[str, set[str]] = defaultdict(set)
    for each in wanted:
        for key, allowed in each.query.items():
            values[key].update(allowed)
    at_place = any(each.place in ended.place for each in wanted)
    return at_place and all(allowed.intersection(ended.query.get(key, ())) for key, allowed in values.items())


def _read(url: str) -> _Address:
    try:
        parts = urlsplit(url.strip().rstrip("/"))
        return _Address(parts.netloc + parts.path, parse_qs(parts.query))
    except ValueError:
        # Such as `http://[`: no page has this address.
        return _Address(url, {})
