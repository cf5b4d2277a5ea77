"""What run and study folders share: a record, marked as ours, and the changes of resumes beside it."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, NamedTuple, Self, TypeVar, cast

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from quintet.config.settings import Setting, Settings
from quintet.errors import UsageError, one_line
from quintet.plugins.files import read_regular
from quintet.quota.prices import Price
from quintet.runs.files import (
    LARGEST_RECORD,
    FolderLock,
    refuse_network_file_system,
    sync_folder,
    usable_folder,
    write_whole,
)

FORMAT = 5
"""Of run and study folders. Those of formats 3 and 4 are read, too."""
_WITH_BYTES = 3
"""The format whose memories have budgets in bytes."""


class Written(BaseModel):
    """What the records of runs and studies share. Keys of later versions are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Annotated[int, Field(ge=1)] = FORMAT
    created: AwareDatetime
    packages: Mapping[str, str]
    """Versions, by distribution; `python` among them."""
    git_commit: str | None
    """Of the checkout that ran, with `+changes` if it had any; None outside a checkout."""


WrittenT = TypeVar("WrittenT", bound=Written)


def shell_command(*words: object) -> str:
    """A command of this program for a person to paste into a shell: `quintet show 'runs/a run' --page 2`."""
    return shlex.join(["quintet", *map(str, words)])


class LockedFolder:
    """A folder that is open to write: its locks are held until it is closed."""

    def __init__(self, *locks: FolderLock) -> None:
        self._locks = locks

    def close(self) -> None:
        """Let others write; a second time does nothing."""
        for lock in self._locks:
            lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def begin_in(
    path: Path, name: str, record: Written, *, ours: set[str], before: Callable[[], object] = lambda: None
) -> FolderLock:
    """Take a new or empty folder: lock it and write its record.

    Args:
        ours: names that do not count as content.
        before: called before the record is written; the record says that something has begun.
    """
    refuse_network_file_system(path)
    with usable_folder(path, "--out", "made"):
        path.mkdir(parents=True, exist_ok=True)
        refuse_content(path, ours)
    lock = FolderLock(path)
    try:
        with usable_folder(path):
            refuse_content(path, ours)  # again: another process may have begun a run before the lock
            before()
            write_whole(path / name, record.model_dump_json(indent=2) + "\n")
            sync_folder(path.parent)
    except BaseException:
        lock.release()
        raise
    return lock


def refuse_content(path: Path, ours: set[str]) -> None:
    """Refuse a folder for a new run that has content; names in `ours` do not count."""
    content = sorted(entry.name for entry in path.iterdir() if entry.name not in ours)
    if "run.json" in content or "study.json" in content:
        resume = shell_command("resume", path)
        raise UsageError(f"--out: expected a new or empty folder, got a run; to go on with it: {resume}")
    if content:
        raise UsageError(f"--out: expected a new or empty folder, got one with {content[0]!r} in it ({path})")


def read_record(file: Path, kind: type[WrittenT]) -> WrittenT:
    """The record in a run or study folder, of this format or of one that is still read."""
    try:
        data = from_json(read_regular(file, LARGEST_RECORD))
    except OSError as error:
        raise UsageError(f"run folder: expected a readable {file.name}, got {error.strerror} ({file})") from error
    except ValueError as error:
        raise UsageError(f"run folder: expected JSON, got {one_line(error)} ({file})") from error
    wanted: str = kind.model_fields["quintet"].default
    fields = cast("dict[str, object]", data) if isinstance(data, dict) else {}
    if fields.get("quintet") != wanted:
        raise UsageError(f"run folder: expected a {wanted} of quintet, got something else ({file})")
    found = fields.get("format")
    if found in (3, 4):
        _raise_memories(fields, found)
        found = fields["format"] = FORMAT
    if isinstance(found, int) and found != FORMAT:
        other = "older" if found < FORMAT else "newer"
        raise UsageError(
            f"run folder: expected format {FORMAT}, got {found} ({file}); use the {other} quintet that wrote it"
        )
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "all of it"
        raise UsageError(f"run folder: expected a whole record, got {key}: {first['msg']} ({file})") from error


def _raise_memories(fields: Mapping[str, object], found: int) -> None:
    """Give the settings of memories in a record of an older format their names and units of today."""
    arms = fields.get("arms")
    configurations = [*cast("dict[str, object]", arms).values()] if isinstance(arms, dict) else []
    for configuration in (fields.get("configuration"), *configurations):
        memory = cast("dict[str, object]", configuration).get("memory") if isinstance(configuration, dict) else None
        if isinstance(memory, dict):  # else it has none, or the record is damaged, which its validation says
            _raise_memory(cast("dict[str, object]", memory), found)
    if isinstance(given := fields.get("memory"), dict):
        kept = cast("dict[str, object]", given)
        kept.setdefault("added", kept.get("tuples", 0))


def _raise_memory(memory: dict[str, object], found: int) -> None:
    if section := memory.pop("section", ""):
        memory["sections"] = {section: {}}
    if found > _WITH_BYTES:
        return
    memory["control"] = "shuffled" if memory.pop("shuffled", False) else "none"
    if isinstance(budget := memory.get("budget", 8_192), int):
        memory["budget"] = budget // 4  # bytes, of which four count as a token


CHANGES = "changes.jsonl"
SOCKET = "control.sock"


class ResumeChange(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: AwareDatetime
    settings: Mapping[str, Any]
    """By dotted key."""
    prices: Mapping[str, Price] = {}
    """By model, as they were from then on; empty if they did not change."""


class ResumeChanges(NamedTuple):
    """A folder's changes, as far as they can be read."""

    sound: Sequence[ResumeChange] = ()
    """In order."""
    damage: Sequence[str] = ()
    """The errors of the other lines: expected, got, where."""
    torn: str = ""
    """The error of a last line that a kill or a full disk cut off. The next change replaces that line."""


def read_changes(folder: Path) -> ResumeChanges:
    """All changes that can be read."""
    file = folder / CHANGES
    *lines, last = _content(file).split(b"\n")
    found = [_read(line, f"{file}, line {number}") for number, line in enumerate(lines, 1)]
    sound = [each for each in found if isinstance(each, ResumeChange)]
    damage = [each for each in found if isinstance(each, str)]
    ending = _read(last, f"{file}, line {len(lines) + 1}, which was cut off") if last else ""
    if isinstance(ending, ResumeChange):
        return ResumeChanges([*sound, ending], damage)
    return ResumeChanges(sound, damage, ending)


def _content(file: Path) -> bytes:
    with usable_folder(file.parent, verb="read"):
        try:
            return read_regular(file, LARGEST_RECORD)
        except FileNotFoundError:
            return b""
        except ValueError as error:
            raise UsageError(f"run folder: {error} ({file})") from error


def _read(line: bytes, where: str) -> ResumeChange | str:
    try:
        return ResumeChange.model_validate_json(line)
    except ValidationError as error:
        return f"run folder: expected one change a line, got {error.errors()[0]['msg']} ({where})"


def settings_of(changes: ResumeChanges, folder: Path) -> Settings:
    """The settings that hold after all changes; refused if one cannot be read, but for a last one that was cut off."""
    if changes.damage:
        raise UsageError(changes.damage[0])
    return {
        key: Setting(value, f"{folder / CHANGES}, line {number}")
        for number, change in enumerate(changes.sound, 1)
        for key, value in change.settings.items()
    }


def write_change(folder: Path, settings: Settings, prices: Mapping[str, Price] | None = None) -> None:
    """Append what a resume changed, replacing a last line that was cut off."""
    change = ResumeChange(
        at=datetime.now(UTC), settings={key: setting.value for key, setting in settings.items()}, prices=prices or {}
    )
    line = json.dumps(change.model_dump(mode="json"), default=str)
    file = folder / CHANGES
    before = _content(file)
    if not before.endswith(b"\n"):
        lines, _, last = before.rpartition(b"\n")
        before = before + b"\n" if last and isinstance(_read(last, ""), ResumeChange) else lines + b"\n" * bool(lines)
    with usable_folder(folder):
        write_whole(file, before + line.encode() + b"\n")
