"""A PDDL domain in normal form: what every action needs and does, and with which kinds of things.

Order, comments, brackets around a single part, costs, and unused facts make no difference.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from quintet.environments.alfworld.games.pddl import (
    Expression,
    Term,
    conjuncts,
    read_declarations,
    read_expression,
    sections,
    to_pddl,
)

ALWAYS: Expression = ("and",)
NEVER: Expression = ("or",)
_KNOWN_SECTIONS = frozenset(("domain", ":requirements", ":types", ":predicates", ":functions", ":action"))
_KIND_OF = frozenset(("receptacletype", "objecttype"))
"""Facts that name a thing's kind."""
_ANY_KIND = "*"
_UNREAD = frozenset(
    ("checked", "examined", "full", "holdsanyreceptacleobject", "ison", "isreceptacleobjectfull", "wasinreceptacle")
)
"""Facts of the official domains that no condition or text uses. A goal that uses one needs the official engine."""


class Tools(Struct, frozen=True):
    """By action, the types of things that it is done with, in lower case."""

    clean: frozenset[str] = frozenset(("sinkbasintype",))
    heat: frozenset[str] = frozenset(("microwavetype",))
    cool: frozenset[str] = frozenset(("fridgetype",))
    slice: frozenset[str] = frozenset(("knifetype", "butterknifetype"))


class PddlAction(NamedTuple):
    """One action of a domain."""

    parameters: tuple[tuple[str, str], ...]
    """Names, which begin with `?`, with their types, in order."""
    needs: Expression
    """The condition. Parts of `and` and `or` are sorted, and the types of `tools` are left out."""
    does: Expression
    """The effect, in the same form."""
    tools: frozenset[str]
    """The types of things that it is done with; empty if the domain names none."""


class Domain(NamedTuple):
    """The types and actions of a game's planning problem."""

    types: Mapping[str, str]
    """Each with its supertype."""
    actions: Mapping[str, PddlAction]
    """By name, in lower case."""


def read_domain(text: str) -> Domain:
    """Parse a domain; a `ValueError` if the text is not a domain, or has parts that are not supported."""
    types: Mapping[str, str] = {}
    stated: dict[str, Expression] = {}
    for name, content in sections(read_expression(text)):
        if name not in _KNOWN_SECTIONS:
            raise ValueError(f"expected only types, predicates, functions and actions, got ({name} ...)")
        if name == ":types":
            types = read_declarations(content)
        elif name == ":action":
            action = content[0] if content else None
            if not isinstance(action, str) or action in stated:
                raise ValueError(f"expected a further action's name after (:action, got {action!r}")
            stated[action] = content[1:]
    return Domain(types, {name: _action(name, content, types) for name, content in stated.items()})


def _action(name: str, content: Expression, types: Mapping[str, str]) -> PddlAction:
    parts = {key: part for key, part in zip(content[::2], content[1::2], strict=False) if isinstance(key, str)}
    if parts.keys() != {":parameters", ":precondition", ":effect"} or len(content) != len(parts) * 2:
        raise ValueError(f"expected parameters, precondition and effect of {name}, got {' '.join(parts) or 'none'}")
    parameters = read_declarations(_listed(parts[":parameters"]))
    needs, tools = _without_tools(_simple(_listed(parts[":precondition"]), types))
    return PddlAction(tuple(parameters.items()), needs, _effect(name, _listed(parts[":effect"]), types), tools)


def _without_tools(needs: Expression) -> tuple[Expression, frozenset[str]]:
    """The condition with `*` in place of its one list of types, and these types."""
    parts = conjuncts(needs)
    typed = [part for part in parts if _names_types(part)]
    if len(typed) != 1:
        return needs, frozenset()
    predicate, thing, kinds = _listed(typed[0])
    others = [_listed(part) for part in parts if part != typed[0]]
    return _joined("and", [*others, (predicate, thing, _ANY_KIND)]), frozenset(map(str, kinds))


def _simple(stated: Expression, types: Mapping[str, str]) -> Expression:
    match stated:
        case ():
            return ALWAYS
        case ("and" | "or" as word, *parts):
            return _joined(word, [_simple(_listed(part), types) for part in parts])
        case ("not", part):
            return ("not", _simple(_listed(part), types))
        case ("when", condition, effect):
            return ("when", _simple(_listed(condition), types), _simple(_listed(effect), types))
        case ("exists", variables, part):
            return _exists(read_declarations(_listed(variables)), _simple(_listed(part), types), types)
        case (str(predicate), str(thing), str(kind)) if predicate in _KIND_OF and not kind.startswith("?"):
            return (predicate, thing, (kind,))
        case _:
            return stated


def _exists(variables: Mapping[str, str], part: Expression, types: Mapping[str, str]) -> Expression:
    # Nothing is of a type that is not declared. A comma after a type makes it another one.
    if part == NEVER or not types.keys() >= set(variables.values()):
        return NEVER
    return ("exists", tuple(variables.items()), part)


def _joined(word: str, conditions: Sequence[Expression]) -> Expression:
    decided = NEVER if word == "and" else ALWAYS
    parts = set(_flat(word, conditions))
    if decided in parts:
        return decided
    if word == "or":
        parts = set(_types_together(parts))
    return _listed(parts.pop()) if len(parts) == 1 else (word, *sorted(parts, key=to_pddl))


def _flat(word: str, conditions: Sequence[Expression]) -> Iterator[Term]:
    for condition in conditions:
        yield from condition[1:] if condition[:1] == (word,) else (condition,)


def _types_together(choices: Iterable[Term]) -> Iterator[Term]:
    """Merge the conditions that name alternative types of one thing."""
    types: dict[tuple[Term, Term], set[Term]] = {}
    for choice in choices:
        if _names_types(choice):
            predicate, thing, kinds = _listed(choice)
            types.setdefault((predicate, thing), set()).update(kinds)
        else:
            yield choice
    yield from ((*which, tuple(sorted(map(str, kinds)))) for which, kinds in types.items())


def _names_types(condition: Term) -> bool:
    return len(condition) == 3 and condition[0] in _KIND_OF and isinstance(condition[2], tuple)


def _effect(name: str, stated: Expression, types: Mapping[str, str]) -> Expression:
    effect = _simple(stated, types)
    parts = [part for part in conjuncts(effect) if part[:1] != ("increase",)]
    if not parts:
        # The official planner drops such an action.
        raise ValueError(f"expected an effect of {name}, got none")
    return _joined("and", [_listed(part) for part in parts if _changed(part) not in _UNREAD])


def _changed(stated: Term) -> Term:
    match stated:
        case ("not", part) | ("when", _, part):
            return _changed(part)
        case (predicate, *_):
            return predicate
        case _:
            return stated


def _listed(term: Term) -> Expression:
    if isinstance(term, str):
        raise ValueError(f"expected something in brackets, got {term!r}")
    return term
