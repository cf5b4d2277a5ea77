"""The folder that a viewer shows: it finds and lists the runs and studies in it, and nothing outside."""

from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.memory.schema import MEMORY_FILE
from quintet.runs.files import LOCK
from quintet.runs.folder import CHANGES
from quintet.runs.listing import RunEntry, entry_content, list_runs, read_entry
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import RunFolder, shard_folders
from quintet.runs.study_folder import STUDY_RECORD

Offset: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
"""How many of a list are passed over, or how many are asked for."""

FileTimes: TypeAlias = tuple[tuple[int, int] | None, ...]
"""When the files of a run changed last, and their sizes; None: there is none. What was read holds while they do."""

_FILES = (RUN_RECORD, STUDY_RECORD, CHANGES, LOCK, JOURNAL_FILE, f"{JOURNAL_FILE}-wal", MEMORY_FILE)


class OutsideViewedFolder(UsageError):
    """A viewer was asked for something outside the folder that it shows."""


class ViewedRunGone(UsageError):
    """A viewer was asked for a run that is not there; it may have been there a moment ago."""


class ViewedFolder:
    """A run, a study, or a folder with some; else a `UsageError`. An id is a path from here, `.` for itself."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise UsageError(f"view: expected a run folder, or a folder of runs, found none ({root})")
        self.root = root.resolve()

    def path(self, identifier: str) -> Path:
        """The folder with an id.

        Raises:
            OutsideViewedFolder: it lies elsewhere, also where a link leads there.
            ViewedRunGone: there is none.
        """
        try:
            path = (self.root / identifier).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # pathlib raises the last at a circle of links
            raise OutsideViewedFolder(f"run: expected a run in {self.root}, got {identifier!r}: {error}") from error
        if not path.is_relative_to(self.root):
            raise OutsideViewedFolder(f"run: expected a run in {self.root}, got {identifier!r}, which lies elsewhere")
        if not path.is_dir():
            raise ViewedRunGone(f"run: expected a run folder, found none; it was removed or renamed ({path})")
        return path

    def has(self, path: Path) -> bool:
        """Whether a folder lies in this one, also where a link leads to it."""
        return path.resolve().is_relative_to(self.root)

    def identify(self, path: Path) -> str:
        """The id of a folder that lies in this one."""
        return path.resolve().relative_to(self.root).as_posix()

    def open_run(self, identifier: str) -> RunFolder:
        """A run; a `UsageError` if it is none that this version reads, and as `path`."""
        return RunFolder.open_to_read(self.path(identifier))

    def open_part(self, identifier: str, episode: str) -> RunFolder:
        """The part of a run that plays an episode; raises as `open_run`."""
        return self.open_run(identifier).part_with(episode)


def file_times(folder: Path) -> FileTimes:
    """When a run's files, or those of a study and its arms, changed last; of either, those of shards too."""
    arms = sorted((folder / "arms").glob("*")) if (folder / STUDY_RECORD).is_file() else []
    shards = (shard for place in (folder, *arms) for shard in shard_folders(place))
    return tuple(_times(place / name) for place in (folder, *arms, *shards) for name in _FILES)


def _times(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@contextmanager
def read_viewed(folder: RunFolder) -> Generator[JournalReader, None, None]:
    """The journal of a run, all of it as it is now; a `UsageError` if it has not begun, or cannot be read."""
    opened = folder.read_journal()
    if opened is None:
        raise UsageError(f"run: expected one that has begun, got none yet ({folder.path})")
    with closing(opened) as reader, reader.snapshot():
        yield reader


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
    entries = [entry for entry in list_runs(viewed.root).entries if viewed.has(entry.path)]
    return ListView(str(viewed.root), tuple(_shown(viewed, entry) for entry in entries))


def view_progress(viewed: ViewedFolder, identifier: str) -> ShownRun:
    """How far a run or a study has come."""
    return _shown(viewed, read_entry(viewed.path(identifier)))


def _shown(viewed: ViewedFolder, entry: RunEntry) -> ShownRun:
    arms = [_shown(viewed, arm) for arm in entry.arms if viewed.has(arm.path)]
    own = {"run": viewed.identify(entry.path), "name": entry.path.resolve().name, "arms": arms}
    content = {**entry_content(entry), **own, "path": None, "process": None}
    return {name: value for name, value in content.items() if value is not None}
