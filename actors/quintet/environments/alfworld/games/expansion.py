"""A text of a grammar in normal form: every reference is replaced by the text it refers to.

Source: TextWorld 1.7, which takes the first alternative whose condition holds.
"""

import re
from collections.abc import Mapping, Sequence, Set

from quintet.environments.alfworld.games.grammar import Alternative

_SYMBOL = re.compile(r"#([\w()/!<>\-\s,.]+)#")
_NAME_OR_ID = re.compile(r"\{(\w+\.)name or \1id\}")
_GIVEN = re.compile(r"\s*\|([^|{}\[\]<>?#]*)\}")
_LIST = re.compile(r"\[\{([^|\]]*)\|([^|\]]*)\}\]")
_LONGEST = 100_000
"""Characters. The official texts have up to 2,000."""


def expand(text: str, symbols: Mapping[str, Sequence[Alternative]], known: Set[str] = frozenset()) -> str:
    """Replace every reference in a text; conditional texts become `<WHEN?TEXT|WHEN?TEXT>`.

    Args:
        text: the original text.
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
