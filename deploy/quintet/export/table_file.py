"""Writes rows into one file, in the format of its name: CSV or Parquet."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from quintet.errors import UsageError
from quintet.export.parquet import pyarrow
from quintet.plugins.catalogue import one_of
from quintet.reports.csv_tables import to_csv
from quintet.runs.files import named_path, usable_folder, write_whole

_FORMATS: Final = (".csv", ".parquet")


def named_table(file: Path, option: str, *others: str) -> Path:
    """The file of a table that a person names.

    Args:
        option: that named it.
        others: further ends of names that the option takes, beside those of CSV and Parquet.

    Raises:
        UsageError: its name ends otherwise, or as `named_path`.
    """
    file = named_path(file, option)
    if file.suffix not in (known := (*_FORMATS, *others)):
        raise UsageError(f"{option}: expected a name that ends in {one_of(known, file.suffix)}, got {file.name!r}")
    return file


def encode_rows(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, type], suffix: str) -> str | bytes:
    """Rows in a format.

    Args:
        kinds: by column, in order, the type of its values: str, int, float or bool.
        suffix: `.csv` or `.parquet`.

    Raises:
        UsageError: pyarrow is missing.
    """
    if suffix == ".csv":
        return to_csv(list(kinds), rows)
    arrow, out = pyarrow(), io.BytesIO()
    types = {str: arrow.string(), int: arrow.int64(), bool: arrow.bool_(), float: arrow.float64()}
    schema = arrow.schema([(name, types[kind]) for name, kind in kinds.items()])
    arrow.parquet.write_table(arrow.Table.from_pylist(list(rows), schema), out, compression="zstd")
    return out.getvalue()


def write_table(file: Path, option: str, written: str | bytes) -> None:
    """Write a table, in a folder that is made if it is not there; a file that is there is replaced whole."""
    with usable_folder(file.parent, option, "made"):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, written)
