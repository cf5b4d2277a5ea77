"""Reads actions: `search[X]`, `lookup[X]` and `finish[X]`, the first letter in either case."""

import re
from typing import Literal, TypeAlias, cast

from msgspec import Struct

Verb: TypeAlias = Literal["search", "lookup", "finish"]

_VERB = "([sS]earch|[lL]ookup|[fF]inish)"
_WHOLE = re.compile(rf"{_VERB}\[(.*)\]", re.DOTALL)
_LAST = re.compile(rf".*\b{_VERB}\[", re.DOTALL)


class ReaderAction(Struct, frozen=True):
    """One action."""

    verb: Verb
    argument: str


def parse_reader_action(action: str, *, last_action: bool = False) -> ReaderAction | None:
    """Read an action; None: it is none.

    Args:
        last_action: whether other words may stand around it, and the last action of the text counts.
    """
    action = action.strip()
    if last_action and (found := _LAST.match(action)):
        end = action.rfind("]")
        action = action[found.start(1) : end + 1] if end >= found.end() else ""
    whole = _WHOLE.fullmatch(action)
    return ReaderAction(cast(Verb, whole[1].lower()), whole[2]) if whole else None
