"""The source of games: the user's own files, or generated households."""

from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from quintet.environments.alfworld.games.dialect import NEW
from quintet.environments.alfworld.games.domain import Tools
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.games.recognition import Rules
from quintet.environments.alfworld.generator.games import generate_game
from quintet.environments.alfworld.generator.names import TaskName, parse_task_name
from quintet.environments.alfworld.generator.objectives import SHORT
from quintet.environments.alfworld.generator.splits import BUILT_IN, SPLITS, task_names
from quintet.environments.alfworld.sources.folder import FolderLibrary, OnBadFile
from quintet.ports.task_names import unknown_split, unknown_task

_GENERATOR = "1"
"""Raise this when a name means another game than before although the tables are the same."""


class Library(Protocol):
    """A collection of games."""

    @property
    def version(self) -> str:
        """Changes when a name may mean another game."""
        ...

    @property
    def splits(self) -> tuple[str, ...]:
        """The lists of tasks, the default one first."""
        ...

    def tasks(self, split: str) -> tuple[str, ...]:
        """The tasks of a split, by name.

        Raises:
            UsageError: no such split, or it cannot be read.
        """
        ...

    def rules(self, split: str) -> Mapping[str, Rules | str]:
        """By name, the rules of the games of a split; or why they are unknown, with the file.

        Raises:
            UsageError: no such split, or it cannot be read.
        """
        ...

    def task_type(self, name: str) -> str:
        """One of pick, look, clean, heat, cool and pick two; for another goal, `other`.

        Raises:
            UsageError: no such task, or its file is not a game.
        """
        ...

    def game(self, name: str) -> Game:
        """A task's game.

        Raises:
            UsageError: no such task, or its game cannot be solved.
        """
        ...


def library(data: Path | None, on_bad_file: OnBadFile = "refuse") -> Library:
    """The games to play.

    Args:
        data: the user's folder or file; None: generated households.
        on_bad_file: what to do about files that are not games.

    Raises:
        UsageError: the folder cannot be used.
    """
    return GeneratedLibrary() if data is None else FolderLibrary(data, on_bad_file)


class GeneratedLibrary:
    """Generated households; nothing is downloaded. A game is generated on demand, from its name alone."""

    @property
    def version(self) -> str:
        return f"generated-{_GENERATOR}-{_digest()}"

    @property
    def splits(self) -> tuple[str, ...]:
        """`valid_unseen`: 134 games, with the papers' number of each type. `valid_seen`: 60. `train`: 144."""
        return SPLITS

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in SPLITS:
            raise unknown_split(split, SPLITS, "alfworld")
        return tuple(_named(split))

    def rules(self, split: str) -> Mapping[str, Rules | str]:
        ours = Rules(dialect=NEW, help=NEW.help, tools=Tools())
        return dict.fromkeys(self.tasks(split), ours)

    def task_type(self, name: str) -> str:
        return SHORT[self._name(name).objective.type]

    def game(self, name: str) -> Game:
        return _generated(self._name(name))

    def _name(self, name: str) -> TaskName:
        if parse_task_name(name) is not None:
            for split in SPLITS:
                if (found := _named(split).get(name)) is not None:
                    return found
        raise unknown_task(name, (task for split in SPLITS for task in _named(split)), "alfworld")


@lru_cache(maxsize=512)
def _generated(name: TaskName) -> Game:
    return generate_game(name)


@cache
def _named(split: str) -> Mapping[str, TaskName]:
    return MappingProxyType({str(name): name for name in task_names(split, BUILT_IN[split])})


@cache
def _digest() -> str:
    """Hash of the tables from which games are generated."""
    folder = files("quintet.environments.alfworld.generator")
    tables = sorted((table.name, table.read_bytes()) for table in folder.iterdir() if table.name.endswith(".tsv"))
    return blake2b(b"".join(name.encode() + text for name, text in tables), digest_size=4).hexdigest()
