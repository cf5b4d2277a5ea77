"""Domains and grammars as other releases might write them: from our wording, with the differences between releases, and
with others that change nothing."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from quintet.environments.alfworld.games.dialect import GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.domain import Tools
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.games.grammar import read_grammar
from quintet.environments.alfworld.games.pddl import Term, read_expression

BASINS = Tools(clean=frozenset(("sinktype", "sinkbasintype")))
"""What the released files clean with."""
SENTENCE = "Your task is to: put some cd on desk."
_COMMENTS = ("", " ", "\n", "\n\t ", " ; (and (not\n")
_SAME_NAME = frozenset(("intro", "task", "list_empty", "list_separator", "list_last_separator"))


def released(dialect: GameDialect, sentence: str = SENTENCE, problem: str = "") -> Game:
    """A game as the released files have it: `help` says a plain text, and one may clean at a sink too."""
    grammar = grammar_text(dialect, sentence)
    if dialect.help is not None:
        grammar = grammar.replace('"#help.feedback#"', f'"\n{dialect.help}"')
    return Game(pddl_domain=domain_text(dialect, BASINS), grammar=grammar, pddl_problem=problem)


def shuffled_domain(text: str, chance: random.Random) -> str:
    """The same domain: parts in another order, other brackets, blanks, comments and cases."""
    head, *sections = read_expression(text)
    chance.shuffle(sections)
    return _spelled((head, *(_shuffled_term(section, chance) for section in sections)), chance)


def _shuffled_term(term: Term, chance: random.Random) -> Term:
    if isinstance(term, str):
        return term
    parts = [_shuffled_term(part, chance) for part in term]
    match parts:
        case [("and" | "or") as word, *others]:
            chance.shuffle(others)
            return (word, *others, *chance.sample(others, chance.randint(0, min(1, len(others)))))
        case [":action", *rest]:
            pairs = list(zip(rest[1::2], rest[2::2], strict=True))
            chance.shuffle(pairs)
            return (":action", rest[0], *(part for pair in pairs for part in pair))
        case [str(predicate), *_] if predicate.startswith(("is", "holds", "at")) and chance.random() < 0.3:
            return (chance.choice(("and", "or")), tuple(parts))
        case _:
            return tuple(parts)


def _spelled(term: Term, chance: random.Random) -> str:
    if isinstance(term, str):
        return chance.choice((term, term.upper(), term.title()))
    between = [f"{chance.choice(_COMMENTS)} {_spelled(part, chance)}" for part in term]
    return f"({''.join(between)}{chance.choice(_COMMENTS)})"


def shuffled_grammar(text: str, chance: random.Random) -> str:
    """The same grammar: actions and symbols in another order and place, symbols under other names, other blanks."""
    grammar = read_grammar(text)
    other = {name: name if name in _SAME_NAME else f"{name}.{chance.randrange(99)}" for name in grammar.symbols}
    symbols = {
        other[name]: [_renamed(msgspec.to_builtins(each), other) for each in alternatives]
        for name, alternatives in grammar.symbols.items()
    }
    shares: list[dict[str, Any]] = [{} for _ in range(len(grammar.actions) + 1)]
    for name, alternatives in chance.sample(sorted(symbols.items()), len(symbols)):
        chance.choice(shares)[name] = alternatives
    parts = [f'grammar :: """{_json(shares[0], chance)}""";']
    for (name, said), share in zip(grammar.actions.items(), shares[1:], strict=True):
        members = [f'template :: "{said.template}";', f'feedback :: "{_named(said.feedback, other)}";']
        members.append(f'grammar :: """{_json(share, chance)}""";')
        parts.append(f"action {name} {{ {_shuffled(members, chance)} }}")
    return _shuffled(parts, chance)


def _renamed(alternative: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    return {**alternative, "rhs": _named(alternative["rhs"], other)}


def _named(text: str, other: Mapping[str, str]) -> str:
    return re.sub(r"#([^#]+)#", lambda found: f"#{other.get(found[1], found[1])}#", text)


def _json(share: Mapping[str, Any], chance: random.Random) -> str:
    return msgspec.json.format(msgspec.json.encode(share), indent=chance.choice((-1, 0, 2, 4))).decode()


def _shuffled(parts: Sequence[str], chance: random.Random) -> str:
    between = ("\n", "  ", '\n# a comment "with a quote\n', "\n\n\t")
    return "".join(chance.choice(between) + part for part in chance.sample(parts, len(parts))) + "\n"
