"""What resumes were told to change: one line each, beside the record, so that the next resume goes on from there."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from deploy.config.settings import Setting, Settings
from deploy.folders.place import usable
from deploy.prices.table import Price
from protocols.errors import UsageError

CHANGES = "changes.jsonl"


class Change(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: AwareDatetime
    settings: Mapping[str, Any]
    """By dotted key."""
    prices: Mapping[str, Price] = {}
    """By model, as they were from then on; empty where they did not change."""


def read_changes(folder: Path) -> list[Change]:
    """All changes, in order.

    Raises:
        UsageError: the file cannot be read, or is something else.
    """
    file = folder / CHANGES
    with usable(folder, verb="read"):
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    try:
        return [Change.model_validate_json(line) for line in lines]
    except ValidationError as error:
        raise UsageError(f"run folder: expected one change a line, got {error.errors()[0]['msg']} ({file})") from error


def settings_of(changes: list[Change], folder: Path) -> Settings:
    """What holds after all of them."""
    return {
        key: Setting(value, f"{folder / CHANGES}, line {number}")
        for number, change in enumerate(changes, 1)
        for key, value in change.settings.items()
    }


def write_change(folder: Path, settings: Settings, prices: Mapping[str, Price] | None = None) -> None:
    """Append what a resume was told; returns when it would survive a kill.

    Raises:
        UsageError: the folder cannot be written.
    """
    change = Change(
        at=datetime.now(UTC), settings={key: setting.value for key, setting in settings.items()}, prices=prices or {}
    )
    line = json.dumps(change.model_dump(mode="json"), default=str)
    with usable(folder), (folder / CHANGES).open("a", encoding="utf-8") as out:
        out.write(line + "\n")
        out.flush()
        os.fsync(out.fileno())
