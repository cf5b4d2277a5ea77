"""What run and study folders have in common: made whole, marked as ours, with a format number."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeVar, cast

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from quintet.errors import UsageError, one_line
from quintet.runs.files import read_regular, write_whole
from quintet.runs.lock import FolderLock
from quintet.runs.place import refuse_network_file_system, usable

FORMAT = 1
"""Of run and study folders; a newer one is refused."""


class Written(BaseModel):
    """What a folder's record says in any case. Keys of later versions are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Annotated[int, Field(ge=1)] = FORMAT
    created: AwareDatetime
    packages: Mapping[str, str]
    """Versions, by distribution; `python` among them."""
    git_commit: str | None
    """Of the checkout that ran, `+changes` where it had any; None outside a checkout."""


WrittenT = TypeVar("WrittenT", bound=Written)


def _nothing() -> None:
    pass


def begin_in(
    path: Path, name: str, record: Written, *, ours: set[str], mounts: Path, prepare: Callable[[], None] = _nothing
) -> FolderLock:
    """Make a folder that is new or empty ours, and write its record.

    Args:
        path: the folder; its parents are made.
        name: of the record's file.
        record: what begins there.
        ours: names that do not count as content.
        mounts: see `refuse_network_file_system`.
        prepare: called before the record is written, which says that something has begun.

    Raises:
        UsageError: it is not empty, cannot be written, or lies on a network file system.
    """
    refuse_network_file_system(path, mounts)
    with usable(path, "--out", "made"):
        path.mkdir(parents=True, exist_ok=True)
        _refuse_content(path, ours)
    lock = FolderLock(path)
    try:
        with usable(path):
            _refuse_content(path, ours)  # again: somebody may have begun a run between the look and the lock
            prepare()
            write_whole(path / name, record.model_dump_json(indent=2) + "\n")
    except BaseException:
        lock.release()
        raise
    return lock


def _refuse_content(path: Path, ours: set[str]) -> None:
    content = sorted(entry.name for entry in path.iterdir() if entry.name not in ours)
    if "run.json" in content or "study.json" in content:
        raise UsageError(f"--out: expected a new or empty folder, got a run; to go on with it: quintet resume {path}")
    if content:
        raise UsageError(f"--out: expected a new or empty folder, got one with {content[0]!r} in it ({path})")


def read_record(file: Path, kind: type[WrittenT]) -> WrittenT:
    """The record in a run or study folder.

    Raises:
        UsageError: it cannot be read, is something else, or of a newer format.
    """
    try:
        data = from_json(read_regular(file))
    except OSError as error:
        raise UsageError(f"run folder: expected a readable {file.name}, got {error.strerror} ({file})") from error
    except ValueError as error:
        raise UsageError(f"run folder: expected JSON, got {one_line(error)} ({file})") from error
    wanted: str = kind.model_fields["quintet"].default
    marks = cast("dict[str, object]", data) if isinstance(data, dict) else {}
    if marks.get("quintet") != wanted:
        raise UsageError(f"run folder: expected a {wanted} of quintet, got something else ({file})")
    found = marks.get("format")
    if isinstance(found, int) and found > FORMAT:
        raise UsageError(f"run folder: expected format {FORMAT} or older, got {found} ({file}); use a newer quintet")
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "all of it"
        raise UsageError(f"run folder: expected a whole record, got {key}: {first['msg']} ({file})") from error
