"""Writes a folder of Parquet files for each table, all of them or none."""

import json
import os
import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from quintet.config.values import expand_path
from quintet.errors import UsageError
from quintet.export.parquet import TableFiles, arrow_schema
from quintet.export.read import ExportedRun, exported_runs, read_rows
from quintet.export.tables import EXPORTED_TABLES, TABLES_VERSION
from quintet.runs.files import usable_folder


class Exported(NamedTuple):
    """The result of an export."""

    rows: Mapping[str, int]
    """Number of rows by table."""
    damage: Sequence[str]
    """What could not be read, and is missing from the tables."""


def export_parquet(path: Path, out: Path) -> Exported:
    """Write the tables of a run, or of all runs of a study, even while they are running.

    Args:
        path: the run folder or the study folder.
        out: a new or empty folder; parents are created.

    Raises:
        UsageError: there is no run, `out` cannot be used, pyarrow is missing, or the run was resumed meanwhile.
    """
    found = exported_runs(path)
    metadata = _metadata(found)
    schemas = {table: arrow_schema(table, metadata) for table in EXPORTED_TABLES}
    with _all_or_nothing(out) as folder:
        with ExitStack() as stack:
            files = {name: stack.enter_context(TableFiles(folder / name, each)) for name, each in schemas.items()}
            for run in found:
                for table, rows in stack.enter_context(closing(read_rows(run))):
                    files[table].add(rows)
        counts = {table: written.rows for table, written in files.items()}
    return Exported(counts, [each for run in found for each in run.damage])


def _metadata(found: Sequence[ExportedRun]) -> dict[str, str]:
    """Metadata of every file: `run.json` of every run, without its tasks, whose attempts are rows."""
    about = [
        {
            "run": run.name,
            "arm": run.arm,
            "simulated": run.simulated,
            "record": run.folder.record.model_dump(mode="json", exclude={"tasks", "training", "held_out"}),
        }
        for run in found
    ]
    return {
        "quintet.version": version("quintet-agents"),
        "quintet.tables": str(TABLES_VERSION),
        "quintet.simulated": json.dumps(any(run.simulated for run in found)),
        "quintet.runs": json.dumps(about),
    }


@contextmanager
def _all_or_nothing(out: Path) -> Generator[Path, None, None]:
    """A folder beside `out`, renamed to `out` if no error is raised inside."""
    try:
        out = expand_path(out)
    except ValueError as error:
        raise UsageError(f"--parquet: {error}, got {str(out)!r}") from error
    with usable_folder(out, "--parquet", "made"):
        place = out.resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        content = sorted(entry.name for entry in place.iterdir()) if place.exists() else []
        if content:
            raise UsageError(f"--parquet: expected a new or empty folder, got one with {content[0]!r} in it ({out})")
        part = place.with_name(f"{place.name}.part-{token_hex(4)}")
        part.mkdir()
    try:
        yield part
        for file in part.rglob("*.parquet"):
            with file.open("rb") as written:
                os.fsync(written.fileno())
        with usable_folder(out, "--parquet", "made"):
            part.replace(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
