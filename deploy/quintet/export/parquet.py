"""Writes a folder of Parquet files for each table, all of them or none, with pyarrow (extra `parquet`)."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from quintet.export.folder import export_folder
from quintet.export.read import ExportedRun, exported_runs, read_rows
from quintet.export.tables import EXPORTED_TABLES, TABLES_VERSION, TableName, exported
from quintet.plugins.extras import require_extra
from quintet.ports.tokens import unpack_ids, unpack_logprobs

GROUP_ROWS = 10_000
GROUP_BYTES = 32 * 2**20
"""A row group ends at either limit. One row group of each table is held in memory."""

PART_GROUPS = 16
"""Row groups in a part file, the unit of a parallel reader such as Ray Data."""


def pyarrow() -> Any:
    """Import pyarrow with its Parquet writer, or name the extra. Any: it has no annotations."""
    require_extra("pyarrow.parquet", "parquet", "export")
    import_module("pyarrow.parquet")
    return import_module("pyarrow")


def arrow_schema(table: TableName, metadata: Mapping[str, str]) -> Any:
    """The pyarrow schema of a table."""
    arrow = pyarrow()
    text = arrow.string()
    types: dict[object, Any] = {
        str: text,
        int: arrow.int64(),
        float: arrow.float64(),
        bool: arrow.bool_(),
        datetime: arrow.timestamp("us", tz="UTC"),
        dict[str, str]: arrow.map_(text, text),
        list[int]: arrow.list_(arrow.int32()),
        list[float]: arrow.list_(arrow.float32()),
    }
    fields = [arrow.field(column.name, types[column.type], column.nullable) for column in exported(table)]
    return arrow.schema(fields, metadata)


def _array(arrow: Any, cells: Sequence[Any], kind: Any) -> Any:
    """An array of the values that a view has for a type: seconds for a time, 0 and 1 for a bool, packed lists."""
    if arrow.types.is_timestamp(kind):
        microseconds = arrow.compute.round(arrow.compute.multiply(arrow.array(cells, arrow.float64()), 1e6))
        return microseconds.cast(arrow.int64()).cast(kind)
    if arrow.types.is_boolean(kind):
        return arrow.array(cells, arrow.int64()).cast(kind)
    if arrow.types.is_list(kind) and cells and isinstance(cells[0], bytes):
        unpack = unpack_ids if arrow.types.is_integer(kind.value_type) else unpack_logprobs
        return arrow.array(map(unpack, cells), kind)
    built = _storage(arrow, kind)
    array = arrow.array(cells, built)
    return array if built == kind else array.cast(kind)


def _storage(arrow: Any, kind: Any) -> Any:
    """A type without extensions, such as that of JSON: pyarrow makes no arrays of these from values of Python."""
    if isinstance(kind, arrow.BaseExtensionType):
        return kind.storage_type
    if arrow.types.is_struct(kind):
        return arrow.struct([(field.name, _storage(arrow, field.type)) for field in kind])
    return arrow.list_(_storage(arrow, kind.value_type)) if arrow.types.is_list(kind) else kind


def record_batch(schema: Any, columns: Sequence[Sequence[object]]) -> Any:
    """Rows of a table as a pyarrow record batch, from the values of each column as a view has them."""
    arrow = pyarrow()
    arrays = [_array(arrow, cells, field.type) for cells, field in zip(columns, schema, strict=True)]
    return arrow.record_batch(arrays, schema=schema)


class TableFiles:
    """The part files of one table, at least one. They are complete when the context ends without an error.

    Args:
        dictionary: the leaves of which a row group stores each value once; True: all of them, while there are few.
    """

    def __init__(self, folder: Path, schema: Any, *, dictionary: bool | Sequence[str] = True) -> None:
        folder.mkdir()
        self.rows = 0
        """Number of rows so far."""
        self._arrow = pyarrow()
        self._folder = folder
        self._schema = schema
        self._dictionary = dictionary
        self._group: list[Any] = []
        """Record batches."""
        self._group_bytes = 0
        self._groups = 0
        self._writer = self._part(1)

    def add(self, columns: Sequence[Sequence[object]]) -> None:
        """Add rows by their columns; they are written with their row group."""
        rows = record_batch(self._schema, columns)
        self.rows += len(rows)
        while rows:
            room = GROUP_ROWS - sum(map(len, self._group))
            self._group.append(rows[:room])
            self._group_bytes += self._group[-1].nbytes
            if len(rows) >= room or self._group_bytes >= GROUP_BYTES:
                self._end_group()
            rows = rows[room:]

    def _end_group(self) -> None:
        parts, groups = divmod(self._groups, PART_GROUPS)
        if parts and not groups:
            self._writer.close()
            self._writer = self._part(parts + 1)
        self._writer.write_table(self._arrow.Table.from_batches(self._group))
        self._groups += 1
        self._group, self._group_bytes = [], 0

    def _part(self, number: int) -> Any:
        file = self._folder / f"part-{number:05}.parquet"
        # A dictionary as large as a row group, so that its texts stay in it however long they are.
        limits = {} if self._dictionary is True else {"dictionary_pagesize_limit": GROUP_BYTES}
        return self._arrow.parquet.ParquetWriter(
            file, self._schema, compression="zstd", use_dictionary=self._dictionary, **limits
        )

    def __enter__(self) -> "TableFiles":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self._group:
                self._end_group()
        finally:
            self._writer.close()


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
