"""The runs that benchmarks and the viewer's tests write row by row: in the tables of this version."""

from pathlib import Path

import pytest

from benchmarks.reports import write_run
from quintet.cli import main


def test_a_run_that_is_written_by_rows_reads_like_one_that_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(tmp_path / "run", epochs=1, turns=2, unfinished=1)
    assert main(["report", str(path)]) == 0
    assert "199 of 200 episodes done" in capsys.readouterr().out
    assert main(["show", str(path), "beehive"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("Action: get 2 diamond\n      Got 2 diamond\n") == 2
