"""Which files in a folder are games, and what they are called."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from actors.environments.alfworld.games.game import Game, read_game
from protocols.errors import UsageError

FILE = "game.tw-pddl"
FOLDER = re.compile(r"(?P<type>[a-z_]+)-[^-]+-[^-]+-[^-]+-\d+")
"""The official folder of a task: its type, thing, movable receptacle, receptacle and room."""

_SUFFIX = ".tw-pddl"
_PASSED_OVER = ("movable", "Sliced")
"""The official loader leaves out folders with these words in their names: tasks that the engine does not support."""


class Bad(Struct, frozen=True):
    """A file that holds no game."""

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


def listed(root: Path) -> Listing:
    """Every game file in a folder, or the one that `root` is.

    Raises:
        UsageError: two games have one name.
    """
    found: dict[str, Path] = {}
    bad: list[Bad] = []
    left_out = unsolvable = 0
    for file in [root] if root.is_file() else sorted(root.rglob(f"*{_SUFFIX}")):
        if passed_over(str(file.relative_to(root))):
            left_out += 1
            continue
        try:
            solvable = _whole(file).solvable is not False
        except UsageError as error:
            bad.append(Bad(file, str(error)))
            continue
        unsolvable += not solvable
        if solvable and (other := found.setdefault(named(file, root), file)) is not file:
            raise UsageError(f"data: expected one game named {named(file, root)}, got two ({other}, {file})")
    return Listing(dict(sorted(found.items())), left_out, unsolvable, bad)


def named(file: Path, root: Path) -> str:
    """The task's name of a file: `FOLDER.TRIAL` in the official layout, else its path from the root with dots."""
    folder, trial = file.parent.parent.name, file.parent.name
    if file.name == FILE and FOLDER.fullmatch(folder):
        return f"{folder}.{trial}"
    inside = file.relative_to(root if root.is_dir() else root.parent)
    parts = inside.parts[:-1] if file.name == FILE else (*inside.parts[:-1], inside.name.removesuffix(_SUFFIX))
    return ".".join(parts or (trial or "game",))


def passed_over(path: str) -> bool:
    """Whether no game is taken from a folder of this name."""
    return any(word in path for word in _PASSED_OVER)


def _whole(file: Path) -> Game:
    game = read_game(file)
    problem = game.pddl_problem
    if "(:goal" not in problem or problem.count("(") != problem.count(")"):
        raise UsageError(f"game: expected a whole planning problem, got {len(problem):,} characters of one ({file})")
    return game
