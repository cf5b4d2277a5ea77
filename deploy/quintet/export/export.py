"""Writes a folder of Parquet files for each table, all of them or none."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from quintet.export.folder import export_folder
from quintet.export.parquet import TableFiles, arrow_schema
from quintet.export.read import ExportedRun, exported_runs, read_rows
from quintet.export.tables import EXPORTED_TABLES, TABLES_VERSION


class Exported(NamedTuple):
    """The result of an export."""

    rows: Mapping[str, int]
    """Number of rows by table."""
    damage: Sequence[str]
    """What could not be read, and is missing from the tables."""


def export_parquet(path: Path, out: Path) -> Exported:
    """Write the tables of a run, or of all runs of a study, even while they are running.

    Args:
        out: a new or empty folder; parents are created.

    Raises:
        UsageError: there is no run, `out` cannot be used, pyarrow is missing, or the run was resumed meanwhile.
    """
    found = exported_runs(path)
    metadata = _metadata(found)
    schemas = {table: arrow_schema(table, metadata) for table in EXPORTED_TABLES}
    with export_folder(out, "--parquet") as folder:
        with ExitStack() as stack:
            files = {name: stack.enter_context(TableFiles(folder / name, each)) for name, each in schemas.items()}
            for run in found:
                for table, rows in stack.enter_context(closing(read_rows(run))):
                    files[table].add(rows)
        counts: dict[str, int] = {table: written.rows for table, written in files.items()}
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
