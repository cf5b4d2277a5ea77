"""What the things of a household are called in its texts: `sinkbasin 1` for a mangled id with coordinates."""

from collections import Counter
from collections.abc import Iterable

_COORDINATES = "_bar_"


def names_of(ids: Iterable[str]) -> dict[str, str]:
    """The names that the official engine gives.

    Things of a kind are numbered downwards in the order of their ids. An id without coordinates keeps its own text,
    followed by a blank, as it does there.

    Args:
        ids: of everything that some fact is about; a thing in no fact has no name and no number.
    """
    kinds = {each: _kind(each) for each in sorted(set(ids)) if _COORDINATES in each}
    left = Counter(kinds.values())
    names = {each: f"{_plain(each)} " for each in ids}
    for each, kind in kinds.items():
        names[each] = f"{kind} {left[kind]}"
        left[kind] -= 1
    return names


def _plain(mangled: str) -> str:
    for mangle, sign in (("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")):
        mangled = mangled.replace(mangle, sign)
    return mangled


def _kind(mangled: str) -> str:
    kind = mangled.split(_COORDINATES, 1)[0]
    # A basin's id is that of its sink or bathtub with an appendix.
    return f"{kind}basin" if "basin" in mangled else kind
