"""The tables of a run as data frames: what `quintet export --parquet` writes, without the files."""

from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

from quintet.errors import UsageError
from quintet.export.parquet import arrow_schema, pyarrow, record_batch
from quintet.export.read import exported_runs, read_rows
from quintet.export.tables import EXPORTED_TABLES, TableName

if TYPE_CHECKING:
    import pandas
    import polars


class RunFrames:
    """The tables of a run, or of all started arms of a study, read anew by each call; also while they are written.

    Needs pyarrow: `pip install 'quintet-agents[parquet]'`.

    Raises:
        UsageError: there is no run, or none that this version reads.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        exported_runs(path)

    def arrow(self, table: TableName) -> Any:
        """A table as a `pyarrow.Table`.

        Raises:
            UsageError: there is no such table, a journal cannot be read, or pyarrow is missing.

        Warns:
            UserWarning: a journal is damaged, and the table lacks what could not be read.
        """
        if table not in EXPORTED_TABLES:
            raise UsageError(f"table: expected one of {', '.join(EXPORTED_TABLES)}, got {table!r}")
        schema, found = arrow_schema(table, {}), list[Any]()
        for run in exported_runs(self.path):
            with closing(read_rows(run, [table])) as batches:
                found += [record_batch(schema, columns) for _, columns in batches]
            for damage in run.damage:
                warn(f"{damage}; the table lacks what could not be read", stacklevel=2)
        return pyarrow().Table.from_batches(found, schema)

    def polars(self, table: TableName) -> "polars.DataFrame":
        """A table as a polars data frame; raises as `arrow` does, or if polars is missing."""
        frame: polars.DataFrame = _library("polars").from_arrow(self.arrow(table))
        return frame

    def pandas(self, table: TableName) -> "pandas.DataFrame":
        """A table as a pandas data frame with columns of Arrow types; raises as `polars` does."""
        types = _library("pandas").ArrowDtype
        frame: pandas.DataFrame = self.arrow(table).to_pandas(types_mapper=types)
        return frame


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"read_run: expected {name}, got none; install it with pip install {name}") from error
