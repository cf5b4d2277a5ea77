"""What resumes were told to change: one line each, beside the record, so that the next resume goes on from there."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from quintet.config.settings import Setting, Settings
from quintet.errors import UsageError
from quintet.quota.prices import Price
from quintet.runs.files import read_regular, write_whole
from quintet.runs.place import usable

CHANGES = "changes.jsonl"


class Change(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: AwareDatetime
    settings: Mapping[str, Any]
    """By dotted key."""
    prices: Mapping[str, Price] = {}
    """By model, as they were from then on; empty where they did not change."""


class Changes(NamedTuple):
    """A folder's changes, as far as they can be read."""

    sound: Sequence[Change] = ()
    """In order."""
    damage: Sequence[str] = ()
    """What is wrong with the other lines: expected, got, where."""
    torn: str = ""
    """What is wrong with a last line that a kill or a full disk cut off, if one was. The next change replaces it."""


def read_changes(folder: Path) -> Changes:
    """All changes that can be read.

    Raises:
        UsageError: the file cannot be read.
    """
    file = folder / CHANGES
    *lines, last = _content(file).split(b"\n")
    found = [_read(line, f"{file}, line {number}") for number, line in enumerate(lines, 1)]
    sound = [each for each in found if isinstance(each, Change)]
    damage = [each for each in found if isinstance(each, str)]
    ending = _read(last, f"{file}, line {len(lines) + 1}, which was cut off") if last else ""
    if isinstance(ending, Change):
        return Changes([*sound, ending], damage)
    return Changes(sound, damage, ending)


def _content(file: Path) -> bytes:
    with usable(file.parent, verb="read"):
        try:
            return read_regular(file)
        except FileNotFoundError:
            return b""


def _read(line: bytes, where: str) -> Change | str:
    try:
        return Change.model_validate_json(line)
    except ValidationError as error:
        return f"run folder: expected one change a line, got {error.errors()[0]['msg']} ({where})"


def settings_of(changes: Changes, folder: Path) -> Settings:
    """What holds after all of them.

    Raises:
        UsageError: some cannot be read, other than the last that was cut off.
    """
    if changes.damage:
        raise UsageError(changes.damage[0])
    return {
        key: Setting(value, f"{folder / CHANGES}, line {number}")
        for number, change in enumerate(changes.sound, 1)
        for key, value in change.settings.items()
    }


def write_change(folder: Path, settings: Settings, prices: Mapping[str, Price] | None = None) -> None:
    """Append what a resume was told, in place of a last line that was cut off.

    Raises:
        UsageError: the folder cannot be written.
    """
    change = Change(
        at=datetime.now(UTC), settings={key: setting.value for key, setting in settings.items()}, prices=prices or {}
    )
    line = json.dumps(change.model_dump(mode="json"), default=str)
    file = folder / CHANGES
    before = _content(file)
    if not before.endswith(b"\n"):
        lines, _, last = before.rpartition(b"\n")
        before = before + b"\n" if last and isinstance(_read(last, ""), Change) else lines + b"\n" * bool(lines)
    with usable(folder):
        write_whole(file, before + line.encode() + b"\n")
