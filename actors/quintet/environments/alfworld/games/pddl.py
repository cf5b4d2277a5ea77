"""PDDL text as data: a problem's declarations, its initial facts, and its goal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from quintet.environments.alfworld.games.game import ForeignGameError

Expression: TypeAlias = "tuple[Term, ...]"
"""A bracketed list: names and further lists, all in lower case, since PDDL ignores case."""
Term: TypeAlias = "str | Expression"

_COMMENT = re.compile(r";[^\n]*")
_TOKEN = re.compile(r"\([^()]*\)|[()]|[^\s()]+")
_DEEPEST = 200
_ANYTHING = "object"
"""PDDL's default type."""


class Problem(NamedTuple):
    """One planning problem."""

    types: Mapping[str, str]
    """The declared names, each with its type."""
    facts: Mapping[str, Sequence[tuple[str, ...]]]
    """The initial facts: their arguments, by predicate. A fact may occur more than once."""
    goal: Expression


def read_problem(text: str) -> Problem:
    """Parse a problem.

    Raises:
        ValueError: the text is not a problem; says what was expected and got.
        ForeignGameError: it begins with costs or negative facts.
    """
    stated = dict(sections(read_expression(text)))
    for wanted in (":objects", ":init", ":goal"):
        if wanted not in stated:
            raise ValueError(f"expected a section ({wanted} ...), got none")
    goal = stated[":goal"]
    if len(goal) != 1 or isinstance(goal[0], str):
        raise ValueError(f"expected one condition as the goal, got {len(goal)}")
    return Problem(types=read_declarations(stated[":objects"]), facts=_facts(stated[":init"]), goal=goal[0])


def read_expression(text: str) -> Expression:
    """Parse a text; a `ValueError` if it is not one bracketed list."""
    text = text.lower()
    if ";" in text:
        text = _COMMENT.sub("", text)
    outer: list[Term] = []
    open_lists = [outer]
    for token in _TOKEN.findall(text):
        if token == "(":
            open_lists.append([])
            if len(open_lists) > _DEEPEST:
                raise ValueError(f"expected at most {_DEEPEST} brackets inside each other, got more")
        elif token == ")":
            if len(open_lists) == 1:
                raise ValueError("expected an opening bracket before each closing one, got none")
            inner = tuple(open_lists.pop())
            open_lists[-1].append(inner)
        elif token[0] == "(":
            open_lists[-1].append(tuple(token[1:-1].split()))
        else:
            open_lists[-1].append(token)
    if len(open_lists) != 1:
        raise ValueError(f"expected every bracket closed, got {len(open_lists) - 1} left open")
    if len(outer) != 1 or isinstance(outer[0], str):
        raise ValueError("expected one bracketed list and nothing beside it")
    return outer[0]


def read_declarations(items: Expression) -> dict[str, str]:
    """Names with their types, from `apple knife - object`; names at the end without a type are objects.

    Raises:
        ValueError: the list has another form.
    """
    types: dict[str, str] = {}
    untyped: list[str] = []
    names = iter(items)
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"expected names, got {name!r}")
        if name != "-":
            untyped.append(name)
            continue
        kind = next(names, None)
        if not isinstance(kind, str):
            raise ValueError(f"expected a type after '-', got {kind!r}")
        for name in untyped:
            if name in types:
                raise ValueError(f"expected every name once, got {name!r} again")
            types[name] = kind
        untyped.clear()
    for name in untyped:
        types.setdefault(name, _ANYTHING)
    return types


def sections(definition: Expression) -> Iterator[tuple[str, Expression]]:
    """The parts of a problem or a domain, each by its first word; a `ValueError` if it is neither."""
    if definition[:1] != ("define",):
        raise ValueError("expected (define ...)")
    for section in definition[1:]:
        if section and not isinstance(section, str) and isinstance(section[0], str):
            yield section[0], section[1:]


def conjuncts(condition: Expression) -> Expression:
    """The parts of a conjunction; of anything else, itself."""
    return condition[1:] if condition[:1] == ("and",) else (condition,)


def to_pddl(term: Term) -> str:
    """A term as PDDL writes it."""
    return term if isinstance(term, str) else f"({' '.join(map(to_pddl, term))})"


def _facts(stated: Expression) -> dict[str, list[tuple[str, ...]]]:
    facts: dict[str, list[tuple[str, ...]]] = {}
    for fact in stated:
        predicate = None if isinstance(fact, str) or not fact else fact[0]
        if not isinstance(predicate, str):
            raise ValueError(f"expected facts such as (atlocation agent1 loc1), got {fact!r}")
        arguments = fact[1:]
        if not all(isinstance(argument, str) for argument in arguments):
            raise ForeignGameError(f"expected plain facts at the start, got ({predicate} ...)")
        facts.setdefault(predicate, []).append(tuple(map(str, arguments)))
    return facts
