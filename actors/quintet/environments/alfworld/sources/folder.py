"""Game files on disk: the official data in the layout of `alfworld-download`, or any folder of games."""

import os
import re
import warnings
from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.engine.goal_spec import task_type
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.generator.layout import FILE, RELEASE, TRAJECTORY
from quintet.environments.alfworld.generator.objectives import SHORT
from quintet.environments.alfworld.generator.splits import SPLITS
from quintet.environments.alfworld.sources.listing import (
    FOLDER,
    Listing,
    game_files,
    is_skipped,
    list_games,
    prepare_game,
    read_whole_game,
    relative_path,
)
from quintet.environments.content import content_digest
from quintet.errors import UsageError
from quintet.plugins.files import read_regular
from quintet.ports.task_names import unknown_split, unknown_task

OnBadFile: TypeAlias = Literal["refuse", "skip"]
OTHER = "other"
"""The type of a task that is not one of the six."""

_LARGEST = 2**24
"""Bytes of a trajectory's description."""
_SHORT = {str(long): short for long, short in SHORT.items()}
HOW = "`alfworld-download` fetches the official ones, `quintet data generate alfworld` makes some"


class _About(Struct):
    """The fields used of a traj_data.json."""

    task_type: str


class FolderLibrary:
    """The games in a folder. A split is read once, when it is listed; a game, when it is opened.

    Args:
        path: the folder that `alfworld-download` fills, its `json_2.1.1`, one split in that, any folder of `.tw-pddl`
            files (also in its subfolders), or one such file.
        on_bad_file: `refuse` a split with a file that does not look like a game, or `skip` such files, and those whose
            problem is invalid, with a warning. To skip, every game is read in full, some milliseconds each.

    Raises:
        UsageError: there is no such folder or file.
    """

    def __init__(self, path: Path, on_bad_file: OnBadFile = "refuse") -> None:
        self._roots = roots(path)
        self.splits = tuple(self._roots)
        """The official splits that exist, the default one first; for any other folder `games`."""
        self._on_bad_file = on_bad_file
        self._listings: dict[str, Listing] = {}

    @cached_property
    def version(self) -> str:
        """Changes when a game file is added, removed, renamed or resized. It reads no file."""
        found = sorted(_sized(split, root) for split, root in self._roots.items())
        return f"files-{blake2b(b''.join(found), digest_size=8).hexdigest()}"

    def tasks(self, split: str) -> tuple[str, ...]:
        """The tasks of a split, by name; raises as `listing`."""
        found = self.listing(split)
        if self._on_bad_file == "skip" and (found.bad or found.unsolvable):
            text = f"skipped: {len(found.bad)} files that hold no game, {found.unsolvable} games that cannot be solved"
            first = f"; the first: {found.bad[0].reason}" if found.bad else ""
            warnings.warn(text + first, RuntimeWarning, stacklevel=2)
        return tuple(found.files)

    def content(self, split: str) -> str:
        """Digest of a split's planning problems: the same in either dialect and in any folder."""
        return content_digest(self.listing(split).problems)

    def task_type(self, name: str) -> str:
        """One of pick, look, clean, heat, cool and pick two; for another goal, `other`.

        Raises:
            UsageError: no such task, or its file is not a game.
        """
        return type_of(name, self._file(name))

    def game(self, name: str) -> Game:
        """A task's game; a `UsageError` if there is no such task, or its game cannot be solved."""
        file = self._file(name)
        game = read_whole_game(file)
        if game.solvable is False:
            raise UsageError(f"task: expected a game that can be solved, got one that says it cannot be ({file})")
        return game

    def listing(self, split: str) -> Listing:
        """The games of a split, and its other files.

        Raises:
            UsageError: no such split, no game in it, two with one name, or a file that is not a game.
        """
        if split not in self._roots:
            raise unknown_split(split, self._roots, "alfworld")
        if split not in self._listings:
            found = list_games(self._roots[split], thorough=self._on_bad_file == "skip")
            self._refuse(split, found)
            self._listings[split] = found
        return self._listings[split]

    def _refuse(self, split: str, found: Listing) -> None:
        if found.bad and self._on_bad_file == "refuse":
            how = f"on_bad_file=skip passes over such files ({len(found.bad)} of them)"
            raise UsageError(f"{found.bad[0].reason}; {how}")
        if not found.files:
            without = f"{found.unsolvable} unsolvable, {found.left_out} left out, {len(found.bad)} bad"
            raise UsageError(f"data: expected games ({FILE}), got none ({without}); {HOW} ({self._roots[split]})")
        for listing in self._listings.values():
            for name in listing.files.keys() & found.files.keys():
                both = f"{found.files[name]}, {listing.files[name]}"
                raise UsageError(f"data: expected one game named {name}, got two ({both})")

    def _file(self, name: str) -> Path:
        """The file of a game. In the official layout no other file is read."""
        for listing in self._listings.values():
            if name in listing.files:
                return listing.files[name]
        if (file := self._official(name)) is not None:
            return file
        for split in self._roots:
            if name in (files := self.listing(split).files):
                return files[name]
        raise unknown_task(name, (task for split in self._roots for task in self.listing(split).files), "alfworld")

    def _official(self, name: str) -> Path | None:
        folder, _, trial = name.partition(".")
        if FOLDER.fullmatch(folder) is None or re.fullmatch(r"[\w-]+", trial) is None or is_skipped(folder):
            return None
        places = (root / folder / trial / FILE for split, root in self._roots.items() if split not in self._listings)
        return next((place for place in places if _size(place) is not None), None)


def type_of(name: str, file: Path) -> str:
    """The type of a game, by its name, the trajectory file beside it, or else its goal, or a `UsageError`."""
    named = FOLDER.fullmatch(name.partition(".")[0])
    stated = _type_in_trajectory(file) if named is None else named["type"]
    return _type_of_goal(file) if stated is None else _SHORT.get(stated, OTHER)


def roots(path: Path) -> Mapping[str, Path]:
    """The splits of a folder, with the folder or file of each; a `UsageError` if the path does not exist."""
    try:
        path = path.expanduser()
        if path.is_file():
            return {"games": path}
        if not path.is_dir():
            raise UsageError(f"data: expected a folder or a file of games, got nothing there; {HOW} ({path})")
        for base in (path / RELEASE, path):
            if found := {split: base / split for split in SPLITS if (base / split).is_dir()}:
                return found
    except (OSError, RuntimeError) as error:
        raise UsageError(f"data: expected a folder or a file of games, got {error} ({path})") from error
    return {path.name if path.name in SPLITS else "games": path}


def _sized(split: str, root: Path) -> bytes:
    files, _ = game_files(root)
    return b"".join(
        b"%s/%s\0%d\0" % (split.encode(), os.fsencode(relative_path(file, root)), _size(file) or 0) for file in files
    )


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except OSError:
        return None


def _type_in_trajectory(file: Path) -> str | None:
    beside = file.with_name(TRAJECTORY)
    try:
        if file.name != FILE or not beside.is_file():
            return None
        return msgspec.json.decode(read_regular(beside, _LARGEST), type=_About).task_type
    except (OSError, ValueError, RecursionError):
        return None


def _type_of_goal(file: Path) -> str:
    house = prepare_game(read_whole_game(file), file)
    return OTHER if house is None else task_type(house) or OTHER
