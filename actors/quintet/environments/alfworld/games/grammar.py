"""TextWorld's grammar language, in which a game's texts are written: templates, and symbols that name further text.

Source: TextWorld 1.7; of several actions or symbols of one name the last counts, and of several alternatives the first
whose condition holds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
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
    """A text with its condition."""

    rhs: str
    condition: str = ""
    """Facts joined by `&`; empty: always."""


class Saying(NamedTuple):
    """The texts of one action and of its answer."""

    template: str
    feedback: str


class Grammar(NamedTuple):
    """All texts of a game."""

    actions: Mapping[str, Saying]
    """By name, in lower case."""
    symbols: Mapping[str, tuple[Alternative, ...]]


def read_grammar(text: str) -> Grammar:
    """Parse a grammar; a `ValueError` if the text is not a grammar."""
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
    """A grammar's text with an empty objective. Games of one release differ in the objective alone."""
    return _TASK.sub(r"\1\3", grammar, count=1)


def states_objective(grammar: str) -> bool:
    """Whether a grammar has an objective, plain or not."""
    found = _TASK.search(grammar)
    return found is not None and found[2] != ""


def objective(grammar: str) -> str | None:
    """The objective's sentence; None if the grammar has none, or it is not plain."""
    found = _TASK.search(grammar)
    return found[2] if found is not None and found[2].isprintable() and is_plain(found[2]) else None


def is_plain(text: str) -> bool:
    """Whether a text has no sign that the language reads as a rule or as the end of a text."""
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
    """The value in `:: "text";`, or between three quotes."""
    colons, (found, value), end = _word(tokens), next(tokens, ("end", "")), _word(tokens)
    if (colons, found, end) != ("::", kind, ";"):
        raise ValueError(f"expected :: {kind} ; in the grammar, got {colons} {value[:40]!r} {end}")
    return value


def _symbols(text: str) -> dict[str, tuple[Alternative, ...]]:
    try:
        return msgspec.json.decode(text, type=dict[str, tuple[Alternative, ...]])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise ValueError(f"expected texts in JSON, got others: {error}") from error


_SYMBOL = re.compile(r"#([\w()/!<>\-\s,.]+)#")
_NAME_OR_ID = re.compile(r"\{(\w+\.)name or \1id\}")
_GIVEN = re.compile(r"\s*\|([^|{}\[\]<>?#]*)\}")
_LIST = re.compile(r"\[\{([^|\]]*)\|([^|\]]*)\}\]")
_LONGEST = 100_000
"""Characters. The official texts have up to 2,000."""


def expand(text: str, symbols: Mapping[str, Sequence[Alternative]], known: Set[str] = frozenset()) -> str:
    """Replace every reference in a text; conditional texts become `<WHEN?TEXT|WHEN?TEXT>`.

    Args:
        symbols: the texts that it may refer to.
        known: facts that hold wherever the text is used, such as `opened(r:receptacle)`.

    Raises:
        ValueError: a symbol is missing or refers to itself, or the text gets too long.
    """
    try:
        return _Expansion(symbols, known).of(text)
    except RecursionError as error:
        raise ValueError("expected fewer texts inside each other") from error


class _Expansion:
    def __init__(self, symbols: Mapping[str, Sequence[Alternative]], known: Set[str]) -> None:
        self._symbols = symbols
        self._known = known
        self._done: dict[str, str | None] = {}
        """The expansion of every symbol; None while it is being expanded."""

    def of(self, text: str) -> str:
        parts, length = list[str](), 0
        for number, part in enumerate(_SYMBOL.split(text)):
            parts.append(self._symbol(part) if number % 2 else part)
            length += len(parts[-1])
            if length > _LONGEST:
                raise ValueError(f"expected a text of at most {_LONGEST:,} characters, got more")
        whole = _NAME_OR_ID.sub(r"{\1name}", "".join(parts))
        return _GIVEN.sub(lambda found: f" | {' & '.join(_facts(found[1]))}}}", whole)

    def _symbol(self, name: str) -> str:
        if name not in self._done:
            self._done[name] = None
            self._done[name] = self._chosen(self._symbols.get(name, ()))
        text = self._done[name]
        if text is None or name not in self._symbols:
            raise ValueError(f"expected a text for #{name}#, got {'none' if name not in self._symbols else 'itself'}")
        return text

    def _chosen(self, alternatives: Sequence[Alternative]) -> str:
        cases = list[tuple[str, str]]()
        for alternative in alternatives:
            left = sorted(set(_facts(alternative.condition)) - self._known)
            cases.append((" & ".join(left), self.of(alternative.rhs)))
            if not left:
                break
        if len(cases) == 1 and not cases[0][0]:
            return cases[0][1]
        return self._bare_list(cases) or f"<{'|'.join(f'{when}?{text}' for when, text in cases)}>"

    def _bare_list(self, cases: Sequence[tuple[str, str]]) -> str | None:
        """The list itself, if the only other alternative is what an empty list says anyway."""
        match cases:
            case [(when, text), ("", nothing)] if listed := _LIST.fullmatch(text):
                same = set(_facts(listed[2])) - self._known == set(_facts(when))
                return text if same and nothing == self._symbol("list_empty") else None
            case _:
                return None


def _facts(condition: str) -> Sequence[str]:
    return [fact for each in condition.split("&") if (fact := "".join(each.split()))]
