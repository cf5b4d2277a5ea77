"""Game files on disk: the official data as `alfworld-download` lays it out, or any folder with games in it."""

import os
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.engine.goal_spec import task_type
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.games.recognition import Rules
from quintet.environments.alfworld.generator.layout import FILE, RELEASE, TRAJECTORY
from quintet.environments.alfworld.generator.objectives import SHORT
from quintet.environments.alfworld.generator.splits import SPLITS
from quintet.environments.alfworld.sources.listing import (
    FOLDER,
    Listing,
    game_files,
    list_games,
    passed_over,
    prepared,
    unknown_task,
    whole,
    within,
)
from quintet.errors import UsageError

OnBadFile: TypeAlias = Literal["refuse", "skip"]
OTHER = "other"
"""The type of a task that is not one of the six."""

_SHORT = {str(long): short for long, short in SHORT.items()}
HOW = "`alfworld-download` fetches the official ones, `quintet data generate alfworld` makes some"


class _About(Struct):
    """What is read of a traj_data.json."""

    task_type: str


class FolderLibrary:
    """The games in a folder. A split is read once, when it is listed; a game, when it is asked for.

    Args:
        path: what `alfworld-download` fills, its `json_2.1.1`, one split of that, any folder of `.tw-pddl` files (those
            in folders inside it too), or one such file.
        on_bad_file: `refuse` a split in which a file does not look like a game, or `skip` such files, and all whose
            problem is none, with a warning. To skip, every game is read in full, some milliseconds each.

    Raises:
        UsageError: there is no such folder or file.
    """

    def __init__(self, path: Path, on_bad_file: OnBadFile = "refuse") -> None:
        if on_bad_file not in get_args(OnBadFile):
            raise UsageError(f"on_bad_file: expected refuse or skip, got {on_bad_file!r} (alfworld)")
        self._roots = roots(path)
        self._on_bad_file = on_bad_file
        self._listings: dict[str, Listing] = {}

    @property
    def version(self) -> str:
        """Another where a game file has come, gone, been renamed or got another size; no file is read for it."""
        return f"files-{self._digest}"

    @cached_property
    def _digest(self) -> str:
        found = sorted(_sized(split, root) for split, root in self._roots.items())
        return blake2b(b"".join(found), digest_size=8).hexdigest()

    @property
    def splits(self) -> tuple[str, ...]:
        """Those of the official data, as far as they are there; of any other folder `games`."""
        return tuple(self._roots)

    def tasks(self, split: str) -> tuple[str, ...]:
        found = self.listing(split)
        if self._on_bad_file == "skip" and (found.bad or found.unsolvable):
            text = f"skipped: {len(found.bad)} files that hold no game, {found.unsolvable} games that cannot be solved"
            first = f"; the first: {found.bad[0].reason}" if found.bad else ""
            warnings.warn(text + first, RuntimeWarning, stacklevel=2)
        return tuple(found.files)

    def rules(self, split: str) -> Mapping[str, Rules | str]:
        return self.listing(split).rules

    def task_type(self, name: str) -> str:
        return type_of(name, self._file(name))

    def game(self, name: str) -> Game:
        file = self._file(name)
        game = whole(file)
        if game.solvable is False:
            raise UsageError(f"task: expected a game that can be solved, got one that says it cannot be ({file})")
        return game

    def listing(self, split: str) -> Listing:
        """The games of a split, and what of it is no game to play.

        Raises:
            UsageError: no such split, no game in it, two with one name, or a file that holds none.
        """
        if split not in self._roots:
            raise UsageError(f"split: expected {' or '.join(self._roots)}, got {split!r} (alfworld)")
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
        for name, other in self._elsewhere(found):
            raise UsageError(f"data: expected one game named {name}, got two ({found.files[name]}, {other})")

    def _elsewhere(self, found: Listing) -> Iterator[tuple[str, Path]]:
        for listing in self._listings.values():
            yield from ((name, file) for name, file in listing.files.items() if name in found.files)

    def _file(self, name: str) -> Path:
        """Its file; in the official layout without reading any other."""
        for listing in self._listings.values():
            if name in listing.files:
                return listing.files[name]
        if (file := self._official(name)) is not None:
            return file
        for split in self._roots:
            if name in (files := self.listing(split).files):
                return files[name]
        raise unknown_task(name, [task for split in self._roots for task in self.listing(split).files])

    def _official(self, name: str) -> Path | None:
        folder, _, trial = name.partition(".")
        if FOLDER.fullmatch(folder) is None or re.fullmatch(r"[\w-]+", trial) is None or passed_over(folder):
            return None
        places = (root / folder / trial / FILE for split, root in self._roots.items() if split not in self._listings)
        return next((place for place in places if _size(place) is not None), None)


def type_of(name: str, file: Path) -> str:
    """The type of a game, as its name states it, or the trajectory beside it, or else its goal.

    Raises:
        UsageError: only its goal could tell, and the file is no game.
    """
    named = FOLDER.fullmatch(name.partition(".")[0])
    stated = _told(file) if named is None else named["type"]
    return _by_goal(file) if stated is None else _SHORT.get(stated, OTHER)


def roots(path: Path) -> Mapping[str, Path]:
    """The splits of a folder, with the folder or file of each.

    Raises:
        UsageError: there is nothing.
    """
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
    """The names and sizes of the game files of a split."""
    files, _ = game_files(root)
    return b"".join(
        b"%s/%s\0%d\0" % (split.encode(), os.fsencode(within(file, root)), _size(file) or 0) for file in files
    )


def _size(file: Path) -> int | None:
    """None: no such file."""
    try:
        return file.stat().st_size
    except OSError:
        return None


def _told(file: Path) -> str | None:
    """The task type that the recorded trajectory beside an official game states."""
    beside = file.with_name(TRAJECTORY)
    try:
        if file.name != FILE or not beside.is_file():
            return None
        return msgspec.json.decode(beside.read_bytes(), type=_About).task_type
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _by_goal(file: Path) -> str:
    house = prepared(whole(file), file)
    return OTHER if house is None else task_type(house) or OTHER
