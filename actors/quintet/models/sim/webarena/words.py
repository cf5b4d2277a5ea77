"""The words of goals and pages: which of them say something, and how the same word looks in other forms."""

import re
from functools import lru_cache

from quintet.models.sim.webshop.wanted import stem_of, tokens

_FRAME_WORDS = (
    "a about all am an and any are as at be been by can could current currently d did do does each every exact "
    "find first for from get give go had has have having he her here him his how i if in into is it its just let "
    "list lists look make many me more most much my navigate need of on one open or other our out own page pages "
    "please put return s say see set shall she show site so some take tell than that the their them then there "
    "these they this those to us use want was we website were what when where which who whom whose will with "
    "within would you your "
)
_FRAME = frozenset(_FRAME_WORDS.split())
"""Words that say nothing of what is looked for."""
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)")


@lru_cache(maxsize=16384)
def web_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(stems_in_order(text))


@lru_cache(maxsize=4096)
def stems_in_order(text: str) -> tuple[str, ...]:
    """The same in the order of the text, each once."""
    return tuple(dict.fromkeys(stem_of(token) for token in tokens(text.replace("_", " ")) if token not in _FRAME))


def says_nothing(word: str) -> bool:
    """Whether a word is of the frame of a request."""
    return word.lower() in _FRAME


def quoted_in(text: str) -> tuple[tuple[int, str], ...]:
    """What a text quotes, each with the place where its quotation begins."""
    return tuple((found.start(), next(filter(None, found.groups()))) for found in _QUOTED.finditer(text))
