"""Generated households as a source of games; `FolderLibrary` has the same members."""

from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from types import MappingProxyType

from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.generator.objectives import SHORT, TaskName
from quintet.environments.alfworld.generator.problem import generate_game
from quintet.environments.alfworld.generator.splits import BUILT_IN, SPLITS, task_names
from quintet.environments.content import content_digest
from quintet.ports.task_names import unknown_split, unknown_task

_GENERATOR = "1"
"""Raise this when a name means another game than before although the tables are the same."""


class GeneratedLibrary:
    """Generated households; nothing is downloaded. A game is generated on demand, from its name alone."""

    splits = SPLITS
    """`valid_unseen`: 134 games, with the papers' number of each type. `valid_seen`: 60. `train`: 144."""

    @property
    def version(self) -> str:
        return f"generated-{_GENERATOR}-{_digest()}"

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in SPLITS:
            raise unknown_split(split, SPLITS, "alfworld")
        return tuple(_named(split))

    def content(self, split: str) -> str:
        """Digest of a split's games."""
        return content_digest((self.version, self.tasks(split)))

    def task_type(self, name: str) -> str:
        return SHORT[self._name(name).objective.type]

    def game(self, name: str) -> Game:
        return _generated(self._name(name))

    def _name(self, name: str) -> TaskName:
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
    folder = files("quintet.environments.alfworld.generator")
    tables = sorted((table.name, table.read_bytes()) for table in folder.iterdir() if table.name.endswith(".tsv"))
    return blake2b(b"".join(name.encode() + text for name, text in tables), digest_size=4).hexdigest()
