"""Recognises the rules of a game by the points in which the ALFWorld releases differ.

Releases differ in their dialect, in the types of the things that clean, heat, cool and slice, and in whether `help`
exists and what it says. A game that differs in anything else needs the official engine.
"""

from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from quintet.environments.alfworld.games.dialect import DIALECTS, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.domain import Domain, PddlAction, Tools, read_domain
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.grammar import (
    Grammar,
    expand,
    is_plain,
    objective,
    read_grammar,
    without_objective,
)
from quintet.environments.alfworld.games.pddl import Expression, conjuncts, to_pddl

_HELP = "help"
_PUT = "putobject"
_COMMON = ("#intro#", "#list_empty#", "#list_separator#", "#list_last_separator#")
"""Texts outside any action."""
_SHOWN = 50
"""Characters that an error shows of two texts, from their first difference on."""


class Rules(Struct, frozen=True):
    """What differs between games that the native engine plays."""

    dialect: GameDialect
    help: str | None
    """The answer to `help`; None: there is no such action."""
    tools: Tools

    @property
    def written(self) -> str:
        """The rules as text, the same in every process."""
        tools = "\n".join(" ".join(sorted(getattr(self.tools, name))) for name in Tools.__struct_fields__)
        return f"{self.dialect.name}\n{self.help}\n{tools}"

    def spoken(self, dialect: GameDialect | None) -> "Rules":
        """The same rules in another dialect; None: their own."""
        if dialect is None or dialect == self.dialect:
            return self
        return Rules(dialect=dialect, help=dialect.help, tools=self.tools)


def rules_of(game: Game) -> Rules:
    """The rules of a game; a `ForeignGameError` if the rules are unknown."""
    found = _recognised(game.pddl_domain, without_objective(game.grammar))
    if isinstance(found, str):
        raise ForeignGameError(found)
    return found


def sentence_of(game: Game) -> str:
    """The objective of a game, as its opening states it; a `ForeignGameError` if the grammar composes it from rules."""
    sentence = objective(game.grammar)
    if sentence is None:
        raise ForeignGameError("grammar, task: expected a plain sentence, got none, or one with signs that make rules")
    return sentence


@lru_cache(maxsize=64)
def _recognised(rules: str, texts: str) -> Rules | str:
    """The rules, or why they are unknown. Cached: nearly all games have one of a few pairs of texts."""
    try:
        domain = read_domain(rules)
    except ValueError as error:
        return f"domain: {error}"
    try:
        grammar = read_grammar(texts)
        put = grammar.actions[_PUT].template if _PUT in grammar.actions else "no such action"
        named = {each.put("{o}", "{r}"): each for each in DIALECTS.values()}
        if put not in named:
            return f"grammar, {_PUT}: expected {' or '.join(map(repr, named))}, got {put!r}"
        dialect = named[put]
        if difference := next(_differences(dialect, domain, grammar), None):
            return difference
        help_text = _help(grammar) if _HELP in domain.actions else None
    except ValueError as error:
        return f"grammar: {error}"
    tools = Tools(**{name: domain.actions[f"{name}object"].tools for name in Tools.__struct_fields__})
    return Rules(dialect=dialect, help=help_text, tools=tools)


@cache
def _known(dialect: GameDialect) -> tuple[Domain, Grammar]:
    return read_domain(domain_text(dialect)), read_grammar(grammar_text(dialect, ""))


def _differences(dialect: GameDialect, domain: Domain, grammar: Grammar) -> Iterator[str]:
    known, said = _known(dialect)
    if domain.types != known.types:
        expected, got = (" ".join(sorted(each.types)) or "none" for each in (known, domain))
        yield f"domain, types: expected {expected}, got {got}"
    for name in sorted({*known.actions, *domain.actions} - {_HELP}):
        if name not in known.actions or name not in domain.actions:
            expected, got = ("an", "none") if name in known.actions else ("no", "one")
            yield f"domain: expected {expected} action {name}, got {got}"
        else:
            yield from _rule_differences(name, known.actions[name], domain.actions[name])
            yield from _text_differences(name, known.actions[name], said, grammar)
    for text in _COMMON:
        yield from _unlike(f"grammar, {text}", expand(text, said.symbols), expand(text, grammar.symbols))


def _rule_differences(name: str, known: PddlAction, found: PddlAction) -> Iterator[str]:
    if known.parameters != found.parameters:
        yield f"domain, {name}: expected parameters {to_pddl(known.parameters)}, got {to_pddl(found.parameters)}"
    for what, expected, got in (("precondition", known.needs, found.needs), ("effect", known.does, found.does)):
        if expected != got:
            missing, more = _only_in(expected, got), _only_in(got, expected)
            yield f"domain, {name}, {what}: expected {missing}, got {more}"


def _only_in(one: Expression, other: Expression) -> str:
    parts, others = conjuncts(one), conjuncts(other)
    return " ".join(to_pddl(part) for part in parts if part not in others) or "nothing more"


def _text_differences(name: str, rule: PddlAction, known: Grammar, found: Grammar) -> Iterator[str]:
    if name not in found.actions:
        yield f"grammar: expected an action {name}, got none"
        return
    expected, got = known.actions[name], found.actions[name]
    yield from _unlike(f"grammar, {name}, template", expected.template, got.template)
    holds = frozenset(_holds(rule))
    said = expand(expected.feedback, known.symbols, holds), expand(got.feedback, found.symbols, holds)
    yield from _unlike(f"grammar, {name}, feedback", *said)


def _holds(rule: PddlAction) -> Iterator[str]:
    """The facts that hold after an action is carried out, in the grammar's notation."""
    types = dict(rule.parameters)
    needs, does = conjuncts(rule.needs), conjuncts(rule.does)
    for fact in {*needs, *does}:
        if isinstance(fact, tuple) and ("not", fact) not in does:
            predicate, *arguments = fact
            if all(isinstance(each, str) and each in types for each in arguments):
                yield f"{predicate}({','.join(f'{str(each)[1:]}:{types[str(each)]}' for each in arguments)})"


def _unlike(where: str, expected: str, got: str) -> Iterator[str]:
    if expected != got:
        parted = next((at for at, (one, other) in enumerate(zip(expected, got, strict=False)) if one != other), None)
        start = max(0, (min(len(expected), len(got)) if parted is None else parted) - 10)
        shown, found = (text[start : start + _SHOWN] for text in (expected, got))
        yield f"{where}: expected {shown!r}, got {found!r}"


def _help(grammar: Grammar) -> str:
    """The answer to `help`. The official engine drops leading blanks, and reads // as a comment."""
    if _HELP not in grammar.actions:
        raise ValueError(f"expected an action {_HELP}, as the domain has it, got none")
    said = grammar.actions[_HELP]
    text = expand(said.feedback, grammar.symbols).lstrip()
    if said.template != _HELP or not text or text.startswith("//") or not is_plain(text):
        raise ValueError(f"expected {_HELP!r} and a plain answer to it, got {said.template!r} and {text[:_SHOWN]!r}")
    return text
