"""Game files on disk: the official data as `alfworld-download` lays it out, or any folder with games in it."""

import re
import warnings
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from actors.environments.alfworld.engine.household import household
from actors.environments.alfworld.expert.plan import task_type
from actors.environments.alfworld.games.game import ForeignGameError, Game, read_game
from actors.environments.alfworld.generator.objectives import SHORT
from actors.environments.alfworld.sources.listing import FILE, FOLDER, Listing, listed, passed_over
from protocols.errors import UsageError

OnBadFile: TypeAlias = Literal["refuse", "skip"]
OTHER = "other"
"""The type of a task that is none of the six."""

_SPLITS = ("valid_unseen", "valid_seen", "train")
_RELEASE = "json_2.1.1"
"""The folder in which `alfworld-download` keeps the games."""
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
        on_bad_file: `refuse` a split in which a file holds no game, or `skip` such files, with a warning.
        given: how the path was given, for messages.

    Raises:
        UsageError: there is no such folder or file.
    """

    def __init__(self, path: Path, on_bad_file: OnBadFile = "refuse", given: str = "data") -> None:
        if on_bad_file not in get_args(OnBadFile):
            raise UsageError(f"on_bad_file: expected refuse or skip, got {on_bad_file!r} (alfworld)")
        self._roots = roots(path, given)
        self._on_bad_file = on_bad_file
        self._listings: dict[str, Listing] = {}

    @property
    def version(self) -> str:
        return "files"

    @property
    def splits(self) -> tuple[str, ...]:
        """Those of the official data, as far as they are there; of any other folder `games`."""
        return tuple(self._roots)

    def tasks(self, split: str) -> tuple[str, ...]:
        found = self.listing(split)
        if found.bad:
            text = f"{len(found.bad)} files hold no game and are skipped: {found.bad[0].reason}"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        return tuple(found.files)

    def task_type(self, name: str) -> str:
        return type_of(name, self._file(name))

    def game(self, name: str) -> Game:
        file = self._file(name)
        game = read_game(file)
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
            found = listed(self._roots[split])
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
        raise self._unknown(name)

    def _official(self, name: str) -> Path | None:
        folder, _, trial = name.partition(".")
        if FOLDER.fullmatch(folder) is None or re.fullmatch(r"[\w-]+", trial) is None or passed_over(folder):
            return None
        places = (root / folder / trial / FILE for split, root in self._roots.items() if split not in self._listings)
        return next((place for place in places if place.is_file()), None)

    def _unknown(self, name: str) -> UsageError:
        known = [task for split in self._roots for task in self.listing(split).files]
        near = get_close_matches(name[:200], known, n=3, cutoff=0.5)
        return UsageError(f"task: expected one such as {' or '.join(near or known[:1])}, got {name[:200]!r} (alfworld)")


def type_of(name: str, file: Path) -> str:
    """The type of a game, as its name states it, or the trajectory beside it, or else its goal.

    Raises:
        UsageError: only its goal could tell, and the file is no game.
    """
    named = FOLDER.fullmatch(name.partition(".")[0])
    stated = _told(file) if named is None else named["type"]
    return _by_goal(file) if stated is None else _SHORT.get(stated, OTHER)


def roots(path: Path, given: str = "data") -> Mapping[str, Path]:
    """The splits of a folder, with the folder or file of each.

    Raises:
        UsageError: there is nothing.
    """
    path = path.expanduser()
    if path.is_file():
        return {"games": path}
    if not path.is_dir():
        raise UsageError(f"{given}: expected a folder or a file of games, got nothing there; {HOW} ({path})")
    for base in (path / _RELEASE, path):
        if found := {split: base / split for split in _SPLITS if (base / split).is_dir()}:
            return found
    return {path.name if path.name in _SPLITS else "games": path}


def _told(file: Path) -> str | None:
    """The task type that the recorded trajectory beside an official game states."""
    beside = file.with_name("traj_data.json")
    if file.name != FILE or not beside.is_file():
        return None
    try:
        return msgspec.json.decode(beside.read_bytes(), type=_About).task_type
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _by_goal(file: Path) -> str:
    try:
        return task_type(household(read_game(file))) or OTHER
    except ForeignGameError:
        return OTHER
    except ValueError as error:
        raise UsageError(f"game: {error} ({file})") from error
