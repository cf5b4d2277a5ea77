"""A model's file by name, size and digest, so that a run is not resumed with another one."""

from dataclasses import dataclass
from functools import cache
from hashlib import file_digest
from pathlib import Path

from quintet.errors import UsageError


@dataclass(frozen=True)
class ModelFile:
    """What tells a file from others, wherever it lies."""

    name: str
    size: int
    """In bytes."""
    sha256: str


def identified(path: Path) -> ModelFile:
    """The file at `path`. It is read whole once in a process, and again when it has changed.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        found = path.stat()
        return ModelFile(path.name, found.st_size, _sha256(path, found.st_size, found.st_mtime_ns))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"model.file: expected a GGUF file, got {reason} ({path})") from error


@cache
def _sha256(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
