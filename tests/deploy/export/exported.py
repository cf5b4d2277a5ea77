"""Reads exported tables."""

from pathlib import Path
from typing import Any

from quintet.export.parquet import pyarrow


def table(folder: Path) -> list[dict[str, Any]]:
    """The rows of a table's files; maps are pairs, as pyarrow has them."""
    rows: list[dict[str, Any]] = pyarrow().parquet.read_table(folder).to_pylist()
    return rows


def metadata(file: Path) -> dict[str, str]:
    found: dict[bytes, bytes] = pyarrow().parquet.read_schema(file).metadata
    return {key.decode(): value.decode() for key, value in found.items()}
