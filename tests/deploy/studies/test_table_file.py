"""The table of a study's cells as CSV, Parquet and LaTeX."""

import csv
from pathlib import Path

import pytest

from quintet.export.parquet import pyarrow
from quintet.reports.latex import as_latex
from quintet.reports.text_tables import TextTable
from tests.command import command, printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import went, write_comparison
from tests.deploy.studies.grids import grid, write_grid


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid, half of which has not begun."""
    axes = {"method": ["react", "standard"], "tasks": {"few": {"model.name": "sim-weak"}, "more": {}}}
    arms = {f"react+few-seed-{seed}": went(1, 1, -1, -1) for seed in (0, 1)}
    arms |= {"standard+few-seed-0": went(1, 1, 1, 1), "standard+few-seed-1": went(1, 1, 1, 0)}
    return write_grid(tmp_path_factory.mktemp("grid") / "study", grid(grid=axes), arms).path


def test_csv_and_parquet_have_the_same_row_for_each_cell(study: Path, tmp_path: Path) -> None:
    assert "4 cells in" in printed("export", study, "--table", tmp_path / "cells.csv")
    printed("export", study, "--table", tmp_path / "cells.parquet")
    rows = pyarrow().parquet.read_table(tmp_path / "cells.parquet").to_pylist()
    assert [(row["method"], row["tasks_level"], row["state"], row["ended"], row["success"]) for row in rows] == [
        ("react", "few", "done", 8, 0.5),
        ("react", "more", "not begun", 0, None),
        ("standard", "few", "faulted", 7, 1.0),
        ("standard", "more", "not begun", 0, None),
    ]
    with (tmp_path / "cells.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert [list(row) for row in read] == [list(row) for row in rows]
    assert [["" if value is None else str(value) for value in row.values()] for row in rows] == [
        list(row.values()) for row in read
    ]
    assert 0.5 - rows[0]["success_low"] == pytest.approx(rows[0]["success_high"] - 0.5)
    assert {row["usd"] for row in rows} == {None}


def test_latex_has_the_tables_of_the_report_with_rules_of_booktabs(study: Path, tmp_path: Path) -> None:
    printed("export", study, "--table", tmp_path / "new" / "cells.tex")
    written = (tmp_path / "new" / "cells.tex").read_text()
    assert written.count(r"\toprule") == written.count(r"\bottomrule") == 3, "cells, tests and effects"
    assert r"\begin{tabular}{llrrrrr}" in written
    assert "react & few & 4 & 8 of 8 & 50.0 (15, 85) & " in written
    assert "all: simulated" not in written
    assert "% few: simulated, so no evidence about language models" in written


def test_what_latex_reads_as_a_command_is_escaped() -> None:
    table = TextTable("A & B", ("", "n"), (("50 % of a_b {~^\\}", "< #1$ &"),))
    assert as_latex([table], ["one\nline"]).splitlines() == [
        "% one line",
        "% A & B",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r" & n \\",
        r"\midrule",
        r"50 \% of a\_b \{\textasciitilde{}\textasciicircum{}\textbackslash{}\} & \textless{} \#1\$ \& \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_no_title_of_a_strangers_study_ends_the_comment_that_it_stands_in() -> None:
    (title, *_) = as_latex([TextTable("few\n\\input{/etc/passwd}\r\\write18{id}", ("",), ())]).splitlines()
    assert title == "% few \\input{/etc/passwd} \\write18{id}"


def test_arms_of_any_study_are_cells(tmp_path: Path) -> None:
    write_comparison(tmp_path / "study", {"react": [went(1, 1, 1, 1)], "standard": [went(1, -1, 1, 1)]})
    printed("export", tmp_path / "study", "--table", tmp_path / "cells.csv")
    with (tmp_path / "cells.csv").open(newline="") as file:
        assert [(row["arm"], row["success"]) for row in csv.DictReader(file)] == [
            ("react", "1.0"),
            ("standard", "0.75"),
        ]


def test_another_format_and_a_run_are_refused(study: Path, tmp_path: Path) -> None:
    said = "--table: expected a name that ends in one of '.csv', '.parquet', '.tex', got 'cells.xls'"
    assert said in refused("export", study, "--table", "cells.xls")
    run = samples.write(tmp_path / "run", samples.record(), {"beehive": Went()})
    assert f"--table: expected a study, got a run ({run})" in refused("export", run, "--table", "cells.csv")
    assert (
        "expected --parquet, --inspect, --atif, --table, --training or --otel" in command("export", study, code=2).err
    )
