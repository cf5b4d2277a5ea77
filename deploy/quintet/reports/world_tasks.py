"""A world's `tasks.toml`, beside its code: the order of labels in reports, and official splits."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from quintet.plugins.data_files import data_file, read_toml


class OfficialSplit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A split of a world's official data."""

    tasks: int
    types: Mapping[str, int] = {}
    """How many tasks there are of each type; empty where tasks have no types."""
    content: Mapping[str, str] = {}
    """What its tasks are made of, by part, as `World.content` says it."""
    unknown: Mapping[str, str] = {}
    """Parts whose digest is not known here, each with the reason. No run can be shown to have them."""


class WorldTasks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `tasks.toml`; all of it may be missing."""

    labels: Mapping[str, tuple[str, ...]] = {}
    """By key of the tasks' metadata, its values in order."""
    splits: Mapping[str, OfficialSplit] = {}

    def order(self, label: str, value: str) -> tuple[int, bool, str, str]:
        """Sorts the values of a label: in the world's order, or else numbers, then words."""
        known = self.labels.get(label, ())
        place = known.index(value) if value in known else len(known)
        return place, not value.isdecimal(), value.zfill(9), value


def world_tasks(environment: str) -> WorldTasks:
    """A world's `tasks.toml`, empty if it has none or is not installed; a `UsageError` if it cannot be read."""
    file = data_file("environment", environment, "tasks.toml")
    return WorldTasks() if file is None else _read(file)


@cache
def _read(file: Path) -> WorldTasks:
    return read_toml(file, WorldTasks)
