"""The two text dialects of ALFWorld, and which of them a game file speaks.

Source: ALFWorld before 0.4.0 (classic) and since then (new).
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias

DialectName: TypeAlias = Literal["classic", "new"]

_TEXTS = Path(__file__).parent / "texts"
_TASK = re.compile(r'("task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*")((?:[^"\\]|\\.)*)(")')
_SPECIAL = frozenset('#{}[]<>;|"\\')
_COMMENT = re.compile(r";[^\n]*")


@dataclass(frozen=True)
class Dialect:
    """How things are said."""

    name: DialectName
    put_verb: str
    put_word: str
    """An object is laid down by verb, object, word and receptacle: `put cd 1 in/on safe 1`."""
    puts: str
    """What is said then, of object `{o}` and receptacle `{r}`."""
    arrives_at_places: bool
    """Whether one arrives at `loc 24`; otherwise at what was named."""
    help: str | None
    """The answer to `help`; None: there is no such action."""

    def put(self, thing: str, receptacle: str) -> str:
        """The action that lays down an object."""
        return f"{self.put_verb} {thing} {self.put_word} {receptacle}"

    def own(self, action: str) -> str:
        """An action of either dialect that lays an object down, as this one says it; anything else as it is."""
        for other in DIALECTS.values():
            if action.startswith(f"{other.put_verb} "):
                thing, found, receptacle = action.removeprefix(f"{other.put_verb} ").partition(f" {other.put_word} ")
                return self.put(thing, receptacle) if found else action
        return action


CLASSIC = Dialect(
    name="classic",
    put_verb="put",
    put_word="in/on",
    puts="You put the {o} in/on the {r}.",
    arrives_at_places=True,
    help=None,
)
NEW = Dialect(
    name="new",
    put_verb="move",
    put_word="to",
    puts="You move the {o} to the {r}.",
    arrives_at_places=False,
    help=(_TEXTS / "help.txt").read_text(),
)
DIALECTS: dict[DialectName, Dialect] = {"classic": CLASSIC, "new": NEW}

_OFFICIAL = {
    ("3264b5435d95fa2cb3a0ba5b74f44240", "329a8dc28f93cef1e5e2084b6284c82d"): NEW,
    ("0453020df80bd0dcef329acb16094062", "77bec00812c6546f82f96a06f338d1e4"): CLASSIC,
}
"""Digests of the official domains and grammars; comments, objectives and blanks that say nothing left out."""


def recognised(domain: str, grammar: str) -> Dialect | None:
    """The dialect of a game file.

    Args:
        domain: its `pddl_domain`.
        grammar: its `grammar`.

    Returns:
        None where the two are no pair that is known: then only the official engine knows what they mean.
    """
    return _known().get((_domain_digest(domain), _grammar_digest(_TASK.sub(r"\1\3", grammar, count=1))))


def states_objective(grammar: str) -> bool:
    """Whether there is an objective in a grammar, plain or not."""
    found = _TASK.search(grammar)
    return found is not None and found[2] != ""


def objective(grammar: str) -> str | None:
    """The sentence by which a grammar states the objective; None where it states none, or one that is not plain.

    The grammar's language ends plain text at certain signs, and makes rules of others.
    """
    found = _TASK.search(grammar)
    if found is None or not found[2].isprintable() or not _SPECIAL.isdisjoint(found[2]):
        return None
    return found[2]


def domain_text(dialect: Dialect) -> str:
    """The household domain for a game file, in our own wording."""
    action = "" if dialect.help is None else "\n" + _text("help.pddl")
    return _text("domain.pddl").replace("%help%", action)


def grammar_text(dialect: Dialect, sentence: str) -> str:
    """The grammar for a game file, in our own wording.

    Args:
        dialect: what it is to speak.
        sentence: the objective, as in `Your task is to: put a cd in safe.`
    """
    rules = "" if dialect.help is None else f',\n        "help.feedback": [{{"rhs": {_quoted(dialect.help)}}}]'
    action = "" if dialect.help is None else 'action help { template :: "help"; feedback :: "#help.feedback#"; }'
    said = {
        "%task%": sentence,
        "%arrival%": "lend" if dialect.arrives_at_places else "r",
        "%put%": dialect.puts.replace("{o}", "{o.name}").replace("{r}", "{r.name}"),
        "%put_template%": dialect.put("{o}", "{r}"),
        "%help%": rules,
        "%help_action%": action,
    }
    text = _text("grammar.twl2")
    for mark, words in said.items():
        text = text.replace(mark, words)
    return text


def _quoted(text: str) -> str:
    return '"' + text.replace("\n", "\\n") + '"'


@cache
def _text(name: str) -> str:
    return (_TEXTS / name).read_text()


@cache
def _known() -> dict[tuple[str, str], Dialect]:
    ours = {
        (_domain_digest(domain_text(each)), _grammar_digest(grammar_text(each, ""))): each for each in DIALECTS.values()
    }
    return {**_OFFICIAL, **ours}


@lru_cache(maxsize=16)
def _domain_digest(text: str) -> str:
    return _digest(" ".join(_COMMENT.sub("", text).lower().split()))


@lru_cache(maxsize=16)
def _grammar_digest(text: str) -> str:
    # Blanks within a line may be said aloud; those around it never are.
    return _digest("\n".join(filter(None, map(str.strip, text.splitlines()))))


def _digest(text: str) -> str:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
