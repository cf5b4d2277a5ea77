"""Parquet files: limited groups and parts, and a schema even without rows."""

from pathlib import Path
from typing import Any

import pytest

from quintet.errors import UsageError
from quintet.export import parquet
from quintet.export.parquet import TableFiles, arrow_schema, pyarrow
from quintet.export.tables import EXPORTED_TABLES, TableName
from tests.deploy.export.exported import metadata, table


def _message(number: int, text: str = "go on") -> tuple[object, ...]:
    return "one", None, number, None, "user", text


def _groups(folder: Path) -> list[list[int]]:
    """By part, the rows of each of its row groups."""
    found: list[Any] = [pyarrow().parquet.ParquetFile(file).metadata for file in sorted(folder.iterdir())]
    return [[part.row_group(group).num_rows for group in range(part.num_row_groups)] for part in found]


def _write(folder: Path, *batches: list[tuple[object, ...]]) -> None:
    with TableFiles(folder, arrow_schema("prompts", {})) as files:
        for rows in batches:
            files.add(list(zip(*rows, strict=True)))


def test_no_row_group_and_no_part_grows_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 3)
    monkeypatch.setattr(parquet, "PART_GROUPS", 2)
    rows = [_message(number) for number in range(14)]
    _write(tmp_path / "prompts", rows[:2], rows[2:11], rows[11:])
    assert _groups(tmp_path / "prompts") == [[3, 3], [3, 3], [2]]
    assert [tuple(row.values()) for row in table(tmp_path / "prompts")] == rows


def test_a_last_part_that_is_full_is_followed_by_no_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 1)
    monkeypatch.setattr(parquet, "PART_GROUPS", 2)
    _write(tmp_path / "prompts", [_message(number) for number in range(4)])
    assert _groups(tmp_path / "prompts") == [[1, 1], [1, 1]]


def test_long_texts_end_a_row_group_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_BYTES", 1_000)
    long = [_message(number, text * 900) for number, text in enumerate("abcd")]
    _write(tmp_path / "prompts", long[:1], long[1:2], long[2:3], long[3:])
    assert _groups(tmp_path / "prompts") == [[2, 2]]


@pytest.mark.parametrize("name", EXPORTED_TABLES)
def test_a_table_without_rows_has_a_file_with_its_schema(name: TableName, tmp_path: Path) -> None:
    with TableFiles(tmp_path / name, arrow_schema(name, {"quintet.tables": "1"})) as files:
        pass
    assert files.rows == 0
    (file,) = (tmp_path / name).iterdir()
    assert table(file) == []
    assert pyarrow().parquet.read_schema(file).equals(arrow_schema(name, {}))
    assert metadata(file) == {"quintet.tables": "1"}


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(parquet, "import_module", nothing)
    with pytest.raises(UsageError, match=r"expected pyarrow, got none; .*pip install 'quintet-agents\[parquet\]'"):
        arrow_schema("steps", {})
