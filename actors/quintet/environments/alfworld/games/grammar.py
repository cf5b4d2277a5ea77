"""The language in which a game's texts are written: TextWorld's, of templates, and symbols that stand for further text.

Source: TextWorld 1.7, which takes the last of several actions or symbols of one name.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from msgspec import Struct

_TASK = re.compile(r'("task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*")((?:[^"\\]|\\.)*)(")')
_SKIPPED = r"\s*(?:#[^\n]*(?:\n|\Z)\s*)*"
_TOKEN = re.compile(_SKIPPED + r'(?:"""(?P<block>.*?)"""|"(?P<text>[^"]*)"|(?P<word>::|[{};]|[\w/-]+))', re.DOTALL)
_END = re.compile(_SKIPPED + r"\Z")
_HASH_LINE = re.compile(r"^\s*#.*$", re.MULTILINE)
_SPECIAL = frozenset('#{}[]<>;|"\\')


class Alternative(Struct, frozen=True):
    """A text, and when it is used."""

    rhs: str
    condition: str = ""
    """Facts joined by `&`; empty: always."""


class Saying(NamedTuple):
    """How one action is put, and answered."""

    template: str
    feedback: str


class Grammar(NamedTuple):
    """All texts of a game."""

    actions: Mapping[str, Saying]
    """By name, in lower case."""
    symbols: Mapping[str, tuple[Alternative, ...]]


def read_grammar(text: str) -> Grammar:
    """The grammar that a text states.

    Raises:
        ValueError: the text is not a grammar.
    """
    actions: dict[str, Saying] = {}
    symbols: dict[str, tuple[Alternative, ...]] = {}
    tokens = _tokens(text)
    for part in tokens:
        match part:
            case ("word", "grammar"):
                symbols.update(_symbols(_value(tokens, "block")))
            case ("word", "action"):
                name, stated = _word(tokens), _members(tokens)
                if not stated.keys() >= {"template", "feedback"}:
                    raise ValueError(f"expected template and feedback of {name}, got {' and '.join(stated) or 'none'}")
                actions[name.lower()] = Saying(stated["template"], stated["feedback"])
                symbols.update(_symbols(_HASH_LINE.sub("", stated.get("grammar", "{}"))))
            case _:
                raise ValueError(f"expected an action or a grammar, got {part[1]!r}")
    return Grammar(actions, symbols)


def without_objective(grammar: str) -> str:
    """A grammar's text with an empty objective, which is what games differ in."""
    return _TASK.sub(r"\1\3", grammar, count=1)


def states_objective(grammar: str) -> bool:
    """Whether there is an objective in a grammar, plain or not."""
    found = _TASK.search(grammar)
    return found is not None and found[2] != ""


def objective(grammar: str) -> str | None:
    """The sentence by which a grammar states the objective; None where it states none, or one that is not plain."""
    found = _TASK.search(grammar)
    return found[2] if found is not None and found[2].isprintable() and is_plain(found[2]) else None


def is_plain(text: str) -> bool:
    """Whether a text is said as it stands: the language makes rules of some signs, and ends text at others."""
    return _SPECIAL.isdisjoint(text)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while found := _TOKEN.match(text, place):
        kind = found.lastgroup or ""
        yield kind, found[kind]
        place = found.end()
    if not _END.match(text, place):
        raise ValueError(f"expected an action or a grammar, got {text[place:].strip()[:40]!r}")


def _members(tokens: Iterator[tuple[str, str]]) -> dict[str, str]:
    if (begin := _word(tokens)) != "{":
        raise ValueError(f"expected {{ after an action's name, got {begin!r}")
    members: dict[str, str] = {}
    while (name := _word(tokens)) != "}":
        if name not in ("template", "feedback", "grammar"):
            raise ValueError(f"expected template, feedback or grammar of an action, got {name!r}")
        members[name] = _value(tokens, "block" if name == "grammar" else "text")
    return members


def _word(tokens: Iterator[tuple[str, str]]) -> str:
    kind, word = next(tokens, ("end", ""))
    if kind != "word":
        raise ValueError(f"expected a name, got {word[:40]!r}")
    return word


def _value(tokens: Iterator[tuple[str, str]], kind: str) -> str:
    """What follows as `:: "text";`, or between three quotes."""
    colons, (found, value), end = _word(tokens), next(tokens, ("end", "")), _word(tokens)
    if (colons, found, end) != ("::", kind, ";"):
        raise ValueError(f"expected :: {kind} ; in the grammar, got {colons} {value[:40]!r} {end}")
    return value


def _symbols(text: str) -> dict[str, tuple[Alternative, ...]]:
    try:
        return msgspec.json.decode(text, type=dict[str, tuple[Alternative, ...]])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise ValueError(f"expected texts in JSON, got others: {error}") from error
