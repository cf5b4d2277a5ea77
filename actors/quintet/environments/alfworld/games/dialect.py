"""The two text dialects of ALFWorld, and the domain and grammar of each in our own wording.

Source: ALFWorld before 0.4.0 (classic) and since then (new).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from quintet.environments.alfworld.games.domain import Tools

DialectName: TypeAlias = Literal["classic", "new"]

_TEXTS = Path(__file__).parent / "texts"


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


def domain_text(dialect: Dialect, tools: Tools | None = None) -> str:
    """The household domain for a game file, in our own wording.

    Args:
        dialect: what the game speaks.
        tools: what its things are cleaned, heated, cooled and sliced with; None: as in the official package.
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
