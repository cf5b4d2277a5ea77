"""Which files in a folder are games, what they are called, and whether each holds a whole game."""

import os
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.games.game import ForeignGameError, Game, read_game
from quintet.environments.alfworld.games.grammar import states_objective
from quintet.environments.alfworld.games.recognition import Rules, rules_of, sentence_of
from quintet.environments.alfworld.generator.layout import FILE
from quintet.errors import UsageError

_ENOUGH = 200
"""Characters of a name that are looked at; no task's name is nearly so long."""


def unknown_task(name: str, known: Sequence[str]) -> UsageError:
    """An error that names the tasks that are spelled most like it.

    Args:
        name: what was asked for.
        known: the tasks there are, at least one.
    """
    near = get_close_matches(name[:_ENOUGH], known, n=3, cutoff=0.5)
    return UsageError(f"task: expected one such as {' or '.join(near or known[:1])}, got {name[:_ENOUGH]!r} (alfworld)")


_COMMENT = re.compile(r";[^\n]*")
_ENDS = ("}", ";")
"""An action of a grammar ends in one, its table of texts in the other."""


def whole(file: Path) -> Game:
    """The game in a file, which does not look as if something of it were missing.

    Raises:
        UsageError: it cannot be read, is no game, or a part of one.
    """
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


def prepared(game: Game, file: Path) -> Household | None:
    """The game made ready for the native engine; None: only the official one can say whether it is a game.

    Raises:
        UsageError: its problem cannot be read.
    """
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
"""The official loader leaves out folders with these words in their names: tasks that the engine does not support."""


class Bad(Struct, frozen=True):
    """A file that holds no game, or a folder that cannot be looked into."""

    file: Path
    reason: str


class Listing(Struct, frozen=True):
    """The games of one split."""

    files: Mapping[str, Path]
    """Those that can be played, by name, sorted."""
    left_out: int
    """Files in folders that the official loader passes over."""
    unsolvable: int
    """Games that say so themselves."""
    bad: Sequence[Bad]
    rules: Mapping[str, Rules | str]
    """By name, the rules that a game plays by; or why they are not known here, with the file."""


def list_games(root: Path, *, thorough: bool = False) -> Listing:
    """Every game in a folder, or the one that `root` is.

    Args:
        root: the folder or file.
        thorough: whether to read every game's problem too, some milliseconds each, instead of a look at its ends.

    Raises:
        UsageError: two games have one name.
    """
    files, bad = game_files(root)
    found: dict[str, Path] = {}
    rules: dict[str, Rules | str] = {}
    left_out = unsolvable = 0
    for file in files:
        if passed_over(str(file.relative_to(root))):
            left_out += 1
            continue
        try:
            name, game = named(file, root), _game(file, thorough=thorough)
        except UsageError as error:
            bad.append(Bad(file, str(error)))
            continue
        if game.solvable is False:
            unsolvable += 1
            continue
        if (other := found.setdefault(name, file)) is not file:
            raise UsageError(f"data: expected one game named {name}, got two ({other}, {file})")
        rules[name] = _rules(game, file)
    return Listing(dict(sorted(found.items())), left_out, unsolvable, bad, dict(sorted(rules.items())))


def game_files(root: Path) -> tuple[list[Path], list[Bad]]:
    """The files below a folder that are called games, sorted, and the folders that cannot be looked into.

    Links to folders inside it are not followed, as the official loader follows none: one may lead back.
    """
    if not root.is_dir():
        return [root], []
    unread: list[OSError] = []
    walk = os.walk(root, onerror=unread.append)
    files = sorted(Path(folder, name) for folder, _, names in walk for name in names if name.endswith(_SUFFIX))
    return files, [Bad(Path(error.filename), _unreadable(error)) for error in unread]


def named(file: Path, root: Path) -> str:
    """The task's name of a file: `FOLDER.TRIAL` in the official layout, else its path from the root with dots.

    Raises:
        UsageError: the name would not be one, or not one to print.
    """
    folder, trial, inside = file.parent.parent.name, file.parent.name, within(file, root)
    if file.name == FILE and FOLDER.fullmatch(folder):
        name = f"{folder}.{trial}"
    else:
        parts = inside.parts[:-1] if file.name == FILE else (*inside.parts[:-1], inside.name.removesuffix(_SUFFIX))
        name = ".".join(parts or (trial or "game",))
    if not name or not name.isprintable() or not str(inside).isprintable():
        raise UsageError(f"data: expected a path that can be a task's name, got {str(inside)!r} ({root})")
    return name


def within(file: Path, root: Path) -> Path:
    """A file's path from the root; of the root, which may be a file itself, the last part."""
    return Path(file.name) if file == root else file.relative_to(root)


def passed_over(path: str) -> bool:
    """Whether no game is taken from a folder of this name."""
    return any(word in path for word in _PASSED_OVER)


def _game(file: Path, *, thorough: bool) -> Game:
    game = whole(file)
    if thorough and game.solvable is not False:
        prepared(game, file)
    return game


def _rules(game: Game, file: Path) -> Rules | str:
    try:
        sentence_of(game)
        return rules_of(game)
    except ForeignGameError as error:
        return f"game: {error} ({file})"


def _unreadable(error: OSError) -> str:
    return f"data: expected a readable folder, got {error.strerror} ({str(error.filename)!r})"
