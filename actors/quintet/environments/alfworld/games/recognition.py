"""Recognises the rules of a game: those of a release of ALFWorld, or of the files that we write.

There are two releases of game files, and two of the package's own domain and grammar. A file is told by digests of its
domain and its grammar; any other needs the official engine.
"""

import re
from functools import cache, lru_cache
from hashlib import blake2b

from msgspec import Struct

from quintet.environments.alfworld.games.dialect import CLASSIC, DIALECTS, NEW, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.pddl import COMMENT

_TASK = re.compile(r'("task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*")((?:[^"\\]|\\.)*)(")')
_SPECIAL = frozenset('#{}[]<>;|"\\')
"""Signs that the grammar's language reads as a rule or as the end of a text."""


class Rules(Struct, frozen=True):
    """What differs between the games that the native engine plays."""

    dialect: GameDialect
    sinks: bool
    """Whether things are cleaned at what is called a sink, too, and not at a basin only."""


_OFFICIAL = {
    ("727bf75393bbdf40", "649df6524effb2a2"): Rules(CLASSIC, sinks=True),  # the files of 0.2.2
    ("21248fa050e8c106", "649df6524effb2a2"): Rules(CLASSIC, sinks=False),  # the package's, 0.2.2 to 0.3.5
    ("6ac36c7c5a294baf", "4891a10e48c1d50f"): Rules(NEW, sinks=True),  # the files of 0.4.0
    ("4de9bfc0fd89adc3", "5ba51841572808de"): Rules(NEW, sinks=False),  # the package's, 0.4.0 to 0.4.2
}
"""By the digests of domain and grammar. Source: `alfworld-download` and the package of each version."""


def rules_of(game: Game) -> Rules:
    """The rules of a game.

    Raises:
        ForeignGameError: the rules are unknown; says whether its domain or its grammar is.
    """
    known = _known()
    found = _domain_digest(game.pddl_domain), _grammar_digest(_without_objective(game.grammar))
    if found in known:
        return known[found]
    what = "grammar" if any(domain == found[0] for domain, _ in known) else "domain"
    raise ForeignGameError(f"{what}: expected that of an ALFWorld release (0.2.2 to 0.4.2), got another")


def objective(grammar: str) -> str | None:
    """The objective's sentence; None if the grammar has none, or composes it from rules."""
    found = _TASK.search(grammar)
    return found[2] if found is not None and found[2].isprintable() and _SPECIAL.isdisjoint(found[2]) else None


def sentence_of(game: Game) -> str:
    """The objective of a game, as its opening states it.

    Raises:
        ForeignGameError: the grammar composes it from rules.
    """
    sentence = objective(game.grammar)
    if sentence is None:
        raise ForeignGameError("grammar, task: expected a plain sentence, got none, or one with signs that make rules")
    return sentence


@cache
def _known() -> dict[tuple[str, str], Rules]:
    ours = [Rules(dialect, sinks) for dialect in DIALECTS.values() for sinks in (False, True)]
    return _OFFICIAL | {
        (
            _domain_digest(domain_text(each.dialect, sinks=each.sinks)),
            _grammar_digest(grammar_text(each.dialect, "")),
        ): each
        for each in ours
    }


def _without_objective(grammar: str) -> str:
    """Games of one release differ in the objective alone."""
    return _TASK.sub(r"\1\3", grammar, count=1)


@lru_cache(maxsize=64)
def _domain_digest(domain: str) -> str:
    """Comments, blanks and upper case make no difference."""
    return _digest(" ".join(COMMENT.sub("", domain).lower().split()))


@lru_cache(maxsize=64)
def _grammar_digest(grammar: str) -> str:
    return _digest(grammar.strip())


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
