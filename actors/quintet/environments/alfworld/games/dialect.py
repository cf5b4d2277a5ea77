"""The two text dialects of ALFWorld, and the domain and grammar of each in our own wording."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from quintet.environments.alfworld.games.domain import Tools

DialectName: TypeAlias = Literal["classic", "new"]

_TEXTS = Path(__file__).parent / "texts"


@dataclass(frozen=True)
class GameDialect:
    """The wording of actions and answers."""

    name: DialectName
    put_verb: str
    put_word: str
    """An object is laid down by verb, object, word and receptacle: `put cd 1 in/on safe 1`."""
    puts: str
    """The answer to it, with object `{o}` and receptacle `{r}`."""
    arrives_at_places: bool
    """Whether `go to` is answered with `loc 24` instead of the receptacle's name."""
    help: str | None
    """The answer to `help`; None: there is no such action."""

    def put(self, thing: str, receptacle: str) -> str:
        """The action that lays down an object."""
        return f"{self.put_verb} {thing} {self.put_word} {receptacle}"

    def own(self, action: str) -> str:
        """An action that puts an object down, translated from either dialect; any other text unchanged."""
        for other in DIALECTS.values():
            if action.startswith(f"{other.put_verb} "):
                thing, found, receptacle = action.removeprefix(f"{other.put_verb} ").partition(f" {other.put_word} ")
                return self.put(thing, receptacle) if found else action
        return action


CLASSIC = GameDialect(
    name="classic",
    put_verb="put",
    put_word="in/on",
    puts="You put the {o} in/on the {r}.",
    arrives_at_places=True,
    help=None,
)
NEW = GameDialect(
    name="new",
    put_verb="move",
    put_word="to",
    puts="You move the {o} to the {r}.",
    arrives_at_places=False,
    help=(_TEXTS / "help.txt").read_text(),
)
DIALECTS: dict[DialectName, GameDialect] = {"classic": CLASSIC, "new": NEW}


def domain_text(dialect: GameDialect, tools: Tools | None = None) -> str:
    """The household domain for a game file, in our own wording.

    Args:
        tools: the types of things that clean, heat, cool and slice; None: as in the official package.
    """
    tools = tools or Tools()
    said = {
        "%help%": "" if dialect.help is None else "\n" + _text("help.pddl"),
        "%clean%": _either("receptacleType ?r", tools.clean),
        "%heat%": _either("receptacleType ?r", tools.heat),
        "%cool%": _either("receptacleType ?r", tools.cool),
        "%slice%": _either("objectType ?ko", tools.slice),
    }
    return _filled("domain.pddl", said)


def grammar_text(dialect: GameDialect, sentence: str) -> str:
    """The grammar for a game file, in our wording, with an objective such as `Your task is to: put a cd in safe`."""
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
    return _filled("grammar.twl2", said)


def _either(fact: str, types: frozenset[str]) -> str:
    facts = [f"({fact} {each})" for each in sorted(types)]
    return facts[0] if len(facts) == 1 else f"(or {' '.join(facts)})"


def _filled(name: str, said: Mapping[str, str]) -> str:
    text = _text(name)
    for mark, words in said.items():
        text = text.replace(mark, words)
    return text


def _quoted(text: str) -> str:
    return '"' + text.replace("\n", "\\n") + '"'


@cache
def _text(name: str) -> str:
    return (_TEXTS / name).read_text()


_NAME = r"([a-z]+ \d+)"
_PUT = re.compile(rf"\bmove (?:{_NAME}|(<\w+>)) to (?:{_NAME}|(<\w+>))")
_PUTS = re.compile(rf"\bYou move the {_NAME} to the {_NAME}\.")
_ARRIVES = re.compile(rf"\bYou arrive at {_NAME}\.")


@lru_cache(maxsize=64)
def in_words_of(text: str, dialect: GameDialect) -> str:
    """Translate the actions and observations in a prompt's text into that dialect; the rest stays unchanged."""
    if dialect is NEW:
        return text
    text = _PUTS.sub(lambda found: dialect.puts.format(o=found[1], r=found[2]), text)
    text = _PUT.sub(lambda found: dialect.put(found[1] or found[2], found[3] or found[4]), text)
    return _at_places(text) if dialect.arrives_at_places else text


def _at_places(text: str) -> str:
    """Number the places in order of appearance; as in the games, the numbers have no meaning."""
    places: dict[str, int] = {}
    return _ARRIVES.sub(lambda found: f"You arrive at loc {places.setdefault(found[1], len(places) + 1)}.", text)
