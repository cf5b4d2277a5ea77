"""Lists the games in a folder, with their names, and says which files are incomplete."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.games.dialect import GameDialect
from quintet.environments.alfworld.games.game import ForeignGameError, Game, read_game
from quintet.environments.alfworld.games.grammar import states_objective
from quintet.environments.alfworld.games.recognition import rules_of, sentence_of
from quintet.environments.alfworld.generator.layout import FILE
from quintet.environments.content import content_digest
from quintet.errors import UsageError

_COMMENT = re.compile(r";[^\n]*")
_ENDS = ("}", ";")
"""The last characters of a grammar: of an action, or of its table of texts."""


def read_whole_game(file: Path) -> Game:
    """Read a game; a `UsageError` if the file cannot be read, is not a game, or holds a part of one."""
    game = read_game(file)
    problem, domain, grammar = game.pddl_problem, game.pddl_domain, game.grammar
    for what, text, is_whole in (
        ("planning problem", problem, _closed(problem) and "(:goal" in problem.lower()),
        ("domain", domain, _closed(domain)),
        ("grammar with an objective", grammar, _ended(grammar) and states_objective(grammar)),
    ):
        if not is_whole:
            raise UsageError(f"game: expected a whole {what}, got {len(text):,} characters of one ({file})")
    return game


def prepare_game(game: Game, file: Path) -> Household | None:
    """A game for the native engine, None if only the official one reads it; a `UsageError` for a bad problem."""
    try:
        return household(game)
    except ForeignGameError:
        return None
    except ValueError as error:
        raise UsageError(f"game: {error} ({file})") from error


def _closed(text: str) -> bool:
    code = _COMMENT.sub("", text)
    return "(define" in code.lower() and code.count("(") == code.count(")")


def _ended(grammar: str) -> bool:
    # The official grammars close one brace more than they open.
    opened, closed = grammar.count("{"), grammar.count("}")
    return grammar.rstrip().endswith(_ENDS) and grammar.count('"""') % 2 == 0 and opened <= closed


FOLDER = re.compile(r"(?P<type>[a-z_]+)-\w+-\w+-\w+-\d+")
"""The official folder of a task: its type, thing, movable receptacle, receptacle and room."""

_SUFFIX = ".tw-pddl"
_PASSED_OVER = ("movable", "Sliced")
"""The official loader skips folders with these words in their names: tasks that the engine does not support."""


class BadFile(Struct, frozen=True):
    """A file that is not a game, or a folder that cannot be read."""

    file: Path
    reason: str


class Listing(Struct, frozen=True):
    """The games of one split."""

    files: Mapping[str, Path]
    """The playable games, sorted by name."""
    left_out: int
    """Files in folders that the official loader skips."""
    unsolvable: int
    """Games whose files say that they cannot be solved."""
    bad: Sequence[BadFile]
    dialects: Mapping[str, GameDialect | str]
    """By name, a game's dialect; or why its rules are unknown, with the file."""
    problems: Sequence[str]
    """The digest of each game's planning problem, blanks aside; sorted."""


def list_games(root: Path, *, thorough: bool = False) -> Listing:
    """List every game in a folder, or the one in a file.

    Args:
        thorough: whether to read every game's problem too, some milliseconds each, instead of checking its ends.

    Raises:
        UsageError: two games have one name.
    """
    files, bad = game_files(root)
    found: dict[str, Path] = {}
    dialects: dict[str, GameDialect | str] = {}
    problems: list[str] = []
    left_out = unsolvable = 0
    for file in files:
        if is_skipped(str(file.relative_to(root))):
            left_out += 1
            continue
        try:
            name, game = task_name_of(file, root), read_whole_game(file)
            if thorough and game.solvable is not False:
                prepare_game(game, file)
        except UsageError as error:
            bad.append(BadFile(file, str(error)))
            continue
        if game.solvable is False:
            unsolvable += 1
            continue
        if (other := found.setdefault(name, file)) is not file:
            raise UsageError(f"data: expected one game named {name}, got two ({other}, {file})")
        dialects[name] = _dialect(game, file)
        problems.append(content_digest(game.pddl_problem.split()))
    playable, rules = dict(sorted(found.items())), dict(sorted(dialects.items()))
    return Listing(playable, left_out, unsolvable, bad, rules, sorted(problems))


def game_files(root: Path) -> tuple[list[Path], list[BadFile]]:
    """The files below a folder that are named as games, sorted, and the folders that cannot be read.

    Links to folders are not followed, as in the official loader: a link may form a loop.
    """
    if not root.is_dir():
        return [root], []
    unread: list[OSError] = []
    walk = os.walk(root, onerror=unread.append)
    files = sorted(Path(folder, name) for folder, _, names in walk for name in names if name.endswith(_SUFFIX))
    said = "data: expected a readable folder, got {0.strerror} ({0.filename!r})"
    return files, [BadFile(Path(error.filename), said.format(error)) for error in unread]


def task_name_of(file: Path, root: Path) -> str:
    """The task's name for a file: `FOLDER.TRIAL` in the official layout, else its path from the root with dots.

    Raises:
        UsageError: the path is not a valid name, or not printable.
    """
    folder, trial, inside = file.parent.parent.name, file.parent.name, relative_path(file, root)
    if file.name == FILE and FOLDER.fullmatch(folder):
        name = f"{folder}.{trial}"
    else:
        parts = inside.parts[:-1] if file.name == FILE else (*inside.parts[:-1], inside.name.removesuffix(_SUFFIX))
        name = ".".join(parts or (trial or "game",))
    if not name or not name.isprintable() or not str(inside).isprintable():
        raise UsageError(f"data: expected a path that can be a task's name, got {str(inside)!r} ({root})")
    return name


def relative_path(file: Path, root: Path) -> Path:
    """A file's path from the root; if the file is the root, its name."""
    return Path(file.name) if file == root else file.relative_to(root)


def is_skipped(path: str) -> bool:
    """Whether the official loader skips a folder of this name."""
    return any(word in path for word in _PASSED_OVER)


def _dialect(game: Game, file: Path) -> GameDialect | str:
    try:
        sentence_of(game)
        return rules_of(game).dialect
    except ForeignGameError as error:
        return f"game: {error} ({file})"
