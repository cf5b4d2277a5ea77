"""Reads an ATIF file: its limits, what is left out of it, and the records of its episode."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Final, NamedTuple, cast

import msgspec
from atif import Trajectory
from pydantic import ValidationError
from pydantic_core import from_json

from quintet.atif.foreign import foreign_records
from quintet.atif.own import own_records, pictures_in
from quintet.atif.parts import KEY
from quintet.errors import UsageError, one_line
from quintet.events import Record
from quintet.messages.paths import Path, attempt_of
from quintet.plugins.files import read_limited

LARGEST_TRAJECTORY: Final = 2**28
"""Bytes of a file."""

_MAJOR = "ATIF-v1."
_UNKNOWN = "unknown fields"


class ReadEpisode(NamedTuple):
    """An episode of a file."""

    trajectory: Trajectory
    path: Path
    began: float
    """In seconds since the Unix epoch."""
    records: Sequence[Record]
    """In the order in which they are stored."""
    left_out: Mapping[str, int]
    """How many of what have no place in a journal."""

    @property
    def own(self) -> Mapping[str, Any] | None:
        """What we wrote of the run; None: another tool wrote the file."""
        return own_content(self.trajectory)


def describe_left_out(left_out: Mapping[str, int]) -> str:
    """What is left out or missing, in words; empty: nothing is."""
    said = ", ".join(f"{what} ({count:,})" for what, count in sorted(left_out.items()) if count)
    return f"left out or missing: {said}" if said else ""


def own_content(trajectory: Trajectory) -> Mapping[str, Any] | None:
    """What we wrote into a trajectory's `extra`; None: another tool wrote it."""
    own = (trajectory.extra or {}).get(KEY)
    return cast("Mapping[str, Any]", own) if isinstance(own, dict) else None


def read_episode(file: FilePath, path: Path) -> ReadEpisode:
    """Read the episode of a file.

    Args:
        path: of the episode of a file that another tool wrote; one of ours has its own.

    Raises:
        UsageError: it cannot be read, is larger than `LARGEST_TRAJECTORY`, is no trajectory of ATIF's first version,
            or says in our part of it what we do not write.
    """
    left_out: Counter[str] = Counter()
    trajectory = _read_trajectory(file, left_out)
    own = own_content(trajectory)
    try:
        if own is None:
            began, records = foreign_records(trajectory, path, left_out)
        else:
            path, began, records = own_records(trajectory, own)
            left_out["pictures"] += pictures_in(trajectory)
        attempt_of(path)
    except _WRONG as error:
        raise UsageError(f"trajectory: expected the episode that it says, got {_words(error)} ({file})") from error
    return ReadEpisode(trajectory, path, began, records, left_out)


_WRONG = (LookupError, TypeError, ValueError, OverflowError, AttributeError, msgspec.MsgspecError)


def _words(error: Exception) -> str:
    return f"no {error}" if isinstance(error, LookupError) else one_line(error)


def _read_trajectory(file: FilePath, left_out: Counter[str]) -> Trajectory:
    try:
        content = from_json(read_limited(file, LARGEST_TRAJECTORY), allow_inf_nan=False)
    except OSError as error:
        raise UsageError(f"trajectory: expected a file to read, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"trajectory: expected JSON, got {one_line(error)} ({file})") from error
    version = cast("dict[str, Any]", content).get("schema_version") if isinstance(content, dict) else None
    if not isinstance(version, str) or not version.startswith(_MAJOR):
        raise UsageError(f"trajectory: expected one of {_MAJOR}x, got schema_version {version!r:.60} ({file})")
    try:
        return Trajectory.model_validate(content)
    except ValidationError as error:
        unknown = [each["loc"] for each in error.errors() if each["type"] == "extra_forbidden"]
    for place in unknown:
        _remove(content, place)
    left_out[_UNKNOWN] += len(unknown)
    try:
        return Trajectory.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "all of it"
        raise UsageError(f"trajectory: {where}: {first['msg']} ({file})") from error


def _remove(content: Any, place: Sequence[int | str]) -> None:
    """Remove a field. Names in a place that the content lacks are of the schema: which kind of value was tried."""
    for key in place[:-1]:
        if isinstance(content, list) if isinstance(key, int) else isinstance(content, dict) and key in content:
            content = cast("Any", content)[key]
    if isinstance(content, dict):
        cast("dict[int | str, Any]", content).pop(place[-1], None)
