"""The runs and studies in the viewed folder, with how far they have come."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from quintet.runs.listing import RunEntry, entry_content, list_runs, read_entry
from quintet.view.folder import ViewedFolder

ShownRun: TypeAlias = Mapping[str, Any]
"""A run or a study, as `quintet ls --json` has it, without what is None: with its id `run` and the `name` of its folder
in place of the path and the process."""


class ListRequest(Struct, forbid_unknown_fields=True):
    """Asks for all runs and studies."""


class ListView(Struct, frozen=True):
    """All of them, the newest first."""

    folder: str
    runs: tuple[ShownRun, ...]


def list_viewed(viewed: ViewedFolder, request: ListRequest) -> ListView:
    """The runs and studies in the folder."""
    entries = [entry for entry in list_runs(viewed.root) if viewed.has(entry.path)]
    return ListView(str(viewed.root), tuple(_shown(viewed, entry) for entry in entries))


def view_progress(viewed: ViewedFolder, identifier: str) -> ShownRun:
    """How far a run or a study has come."""
    return _shown(viewed, read_entry(viewed.path(identifier)))


def _shown(viewed: ViewedFolder, entry: RunEntry) -> ShownRun:
    arms = [_shown(viewed, arm) for arm in entry.arms if viewed.has(arm.path)]
    own = {"run": viewed.identify(entry.path), "name": entry.path.resolve().name, "arms": arms}
    content = {**entry_content(entry), **own, "path": None, "process": None}
    return {name: value for name, value in content.items() if value is not None}
