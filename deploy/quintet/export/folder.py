"""The folder that an export writes: complete, or absent."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from quintet.config.values import expand_path
from quintet.errors import UsageError
from quintet.runs.files import usable_folder


@contextmanager
def export_folder(out: Path, option: str) -> Generator[Path, None, None]:
    """A folder beside `out`, renamed to `out` if no error is raised inside; a `UsageError` if it cannot be used."""
    try:
        out = expand_path(out)
    except ValueError as error:
        raise UsageError(f"{option}: {error}, got {str(out)!r}") from error
    with usable_folder(out, option, "made"):
        place = out.resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        content = sorted(entry.name for entry in place.iterdir()) if place.exists() else []
        if content:
            raise UsageError(f"{option}: expected a new or empty folder, got one with {content[0]!r} in it ({out})")
        part = place.with_name(f"{place.name}.part-{token_hex(4)}")
        part.mkdir()
    try:
        yield part
        for file in filter(Path.is_file, part.rglob("*")):
            with file.open("rb") as written:
                os.fsync(written.fileno())
        with usable_folder(out, option, "made"):
            part.replace(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
