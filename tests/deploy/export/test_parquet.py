"""Parquet files: limited groups and parts, and a schema even without rows."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from quintet.export import parquet
from quintet.export.parquet import TableFiles, arrow_schema, pyarrow
from quintet.export.tables import EXPORTED_TABLES, TableName
from tests.deploy.export.exported import metadata, table


@pytest.mark.parametrize(
    ("bounds", "batches", "length", "groups"),
    [
        pytest.param({"GROUP_ROWS": 3, "PART_GROUPS": 2}, (2, 9, 3), 5, [[3, 3], [3, 3], [2]], id="many-rows"),
        pytest.param({"GROUP_ROWS": 1, "PART_GROUPS": 2}, (4,), 5, [[1, 1], [1, 1]], id="no-empty-part-at-the-end"),
        pytest.param({"GROUP_BYTES": 1_000}, (1, 1, 1, 1), 900, [[2, 2]], id="long-texts-end-a-group-early"),
    ],
)
def test_no_row_group_and_no_part_grows_with_the_run(
    bounds: dict[str, int],
    batches: tuple[int, ...],
    length: int,
    groups: list[list[int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, bound in bounds.items():
        monkeypatch.setattr(parquet, name, bound)
    rows = [("one", None, number, None, "user", "x" * length) for number in range(sum(batches))]
    left = iter(rows)
    with TableFiles(tmp_path / "prompts", arrow_schema("prompts", {})) as files:
        for size in batches:
            files.add(list(zip(*islice(left, size), strict=True)))
    found: list[Any] = [
        pyarrow().parquet.ParquetFile(file).metadata for file in sorted((tmp_path / "prompts").iterdir())
    ]
    assert [[part.row_group(group).num_rows for group in range(part.num_row_groups)] for part in found] == groups
    assert [tuple(row.values()) for row in table(tmp_path / "prompts")] == rows


@pytest.mark.parametrize("name", EXPORTED_TABLES)
def test_a_table_without_rows_has_a_file_with_its_schema(name: TableName, tmp_path: Path) -> None:
    with TableFiles(tmp_path / name, arrow_schema(name, {"quintet.tables": "1"})) as files:
        pass
    assert files.rows == 0
    (file,) = (tmp_path / name).iterdir()
    assert table(file) == []
    assert pyarrow().parquet.read_schema(file).equals(arrow_schema(name, {}))
    assert metadata(file) == {"quintet.tables": "1"}
