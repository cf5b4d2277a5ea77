"""Prompts in the dialect of the games: they are written in the new one, and worded anew for any other."""

import re
from functools import lru_cache

from quintet.environments.alfworld.games.dialect import NEW, Dialect

_NAME = r"([a-z]+ \d+)"
_PUT = re.compile(rf"\bmove (?:{_NAME}|(<\w+>)) to (?:{_NAME}|(<\w+>))")
_PUTS = re.compile(rf"\bYou move the {_NAME} to the {_NAME}\.")
_ARRIVES = re.compile(rf"\bYou arrive at {_NAME}\.")


@lru_cache(maxsize=64)
def worded(text: str, dialect: Dialect) -> str:
    """A prompt's text as games of that dialect would put it; what is no action and no observation stays as it is."""
    if dialect is NEW:
        return text
    text = _PUTS.sub(lambda found: dialect.puts.format(o=found[1], r=found[2]), text)
    text = _PUT.sub(lambda found: dialect.put(found[1] or found[2], found[3] or found[4]), text)
    return _at_places(text) if dialect.arrives_at_places else text


def _at_places(text: str) -> str:
    """The same place has the same number throughout; which one has no meaning, as in the games."""
    places: dict[str, int] = {}
    return _ARRIVES.sub(lambda found: f"You arrive at loc {places.setdefault(found[1], len(places) + 1)}.", text)
