"""The games that are played: published ones where the user has them, and those of a folder laid out as officially."""

import gzip
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.games.dialect import DIALECTS, DialectName, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game, read_game
from quintet.environments.alfworld.games.grammar import objective
from quintet.environments.alfworld.games.recognition import rules_of
from quintet.environments.alfworld.sources.listing import task_name_of

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "alfworld"
"""Where published games and their classic wording lie, if they are there."""
_LINES = "games.jsonl.gz"
_UNKNOWN = "UNKNOWN GOAL"
"""What stands in the published grammars for the objective."""


class Wording(Struct, frozen=True):
    """Domain and grammar of a dialect."""

    dialect: DialectName
    domain: str
    grammar: str

    def game(self, problem: "Problem") -> Game:
        grammar = self.grammar.replace(f"Your task is to: {_UNKNOWN}.", problem.objective)
        return Game(pddl_domain=self.domain, grammar=grammar, pddl_problem=problem.text)


class Problem(Struct, frozen=True):
    """A problem with its objective, which either dialect can be put to."""

    name: str
    objective: str
    """The sentence: `Your task is to: ...`."""
    text: str
    walkthrough: tuple[str, ...]
    """May be empty."""
    own: Wording | None = None
    """The domain and grammar of the file that it comes from; None: it comes without."""

    def played(self, wordings: Sequence[Wording]) -> tuple[Wording, ...]:
        """In which wordings it is played: both dialects, its own as its file has it."""
        if self.own is None:
            return tuple(wordings)
        return (self.own, *(wording for wording in wordings if wording.dialect != self.own.dialect))


def problems(source: Path) -> tuple[Problem, ...]:
    """Those in a folder: of every `game.tw-pddl` below it, then of its `games.jsonl.gz`; task types in turns."""
    files = _in_turns(tuple(_of_file(file, source) for file in sorted(source.rglob("game.tw-pddl"))))
    lines = source / _LINES
    if not lines.is_file():
        return files
    return files + _in_turns(tuple(_of_line(msgspec.json.decode(line)) for line in gzip.open(lines)))


def wordings(source: Path) -> tuple[Wording, ...]:
    """Both dialects, in their publishers' words where they are there: the installed package's, and the folder's."""
    return (_new(), _classic(source))


def ours(dialect: DialectName) -> Wording:
    """A dialect in our own words."""
    said = DIALECTS[dialect]
    return Wording(dialect, domain_text(said), grammar_text(said, f"Your task is to: {_UNKNOWN}."))


def _new() -> Wording:
    found = find_spec("alfworld")
    if found is None or found.origin is None:
        return ours("new")
    data = Path(found.origin).parent / "data"
    return Wording("new", (data / "alfred.pddl").read_text(), (data / "alfred.twl2").read_text())


def _classic(source: Path) -> Wording:
    domain, grammar = source / "classic_alfred.pddl", source / "classic_alfred.twl2"
    if not domain.is_file():
        return ours("classic")
    return Wording("classic", domain.read_text(), grammar.read_text())


def _of_line(line: Any) -> Problem:
    return Problem(
        name=f"{line['task_dir']}.{line['trial']}",
        objective=f"Your task is to: {line['task']}.",
        text=line["pddl_problem"],
        walkthrough=tuple(line["walkthrough"]),
    )


def _of_file(file: Path, source: Path) -> Problem:
    game = read_game(file)
    try:
        dialect = rules_of(game).dialect.name
    except ForeignGameError:
        dialect = "new"  # It is left out, with the reason, where it should be played.
    own = Wording(dialect, game.pddl_domain, game.grammar)
    walkthrough = game.walkthrough or ()
    return Problem(task_name_of(file, source), objective(game.grammar) or "", game.pddl_problem, walkthrough, own)


def _in_turns(found: Sequence[Problem]) -> tuple[Problem, ...]:
    kinds: dict[str, list[Problem]] = {}
    for problem in found:
        kinds.setdefault(problem.name.split("-")[0], []).append(problem)
    return tuple(_alternating(list(kinds.values())))


def _alternating(rows: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    for place in range(max(map(len, rows), default=0)):
        yield from (row[place] for row in rows if place < len(row))
