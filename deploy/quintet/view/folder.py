"""The folder that a viewer shows: it finds the runs and studies in it, and nothing outside."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.memory.schema import MEMORY_FILE
from quintet.runs.files import LOCK
from quintet.runs.folder import CHANGES
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import STUDY_RECORD, StudyFolder, open_any

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
    """A run, a study, or a folder with some. An id is a path from here, `.` for the folder itself.

    Raises:
        UsageError: there is no such folder.
    """

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

    def open_any(self, identifier: str) -> RunFolder | StudyFolder:
        """A run or a study.

        Raises:
            UsageError: it is neither, or none that this version reads; see also `path`.
        """
        return open_any(self.path(identifier))

    def open_run(self, identifier: str) -> RunFolder:
        """A run.

        Raises:
            UsageError: it is none, or none that this version reads; see also `path`.
        """
        return RunFolder.open_to_read(self.path(identifier))


def file_times(folder: Path) -> FileTimes:
    """When a run's files, or those of a study and its arms, changed last."""
    arms = sorted((folder / "arms").glob("*")) if (folder / STUDY_RECORD).is_file() else []
    return tuple(_times(place / name) for place in (folder, *arms) for name in _FILES)


def _times(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@contextmanager
def read_viewed(folder: RunFolder) -> Generator[JournalReader, None, None]:
    """The journal of a run, all of it as it is now.

    Raises:
        UsageError: the run has not begun, or its journal cannot be read.
    """
    opened = folder.read_journal()
    if opened is None:
        raise UsageError(f"run: expected one that has begun, got none yet ({folder.path})")
    with closing(opened) as reader, reader.snapshot():
        yield reader
