import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.command import command


@pytest.mark.slow
def test_a_run_in_which_the_judge_scores(tmp_path: Path) -> None:
    run = ["eval", "expert", "hotpotqa", "--tasks", "3", "--set", "environment.score=judge"]
    refused = command(*run, "--out", str(tmp_path / "refused"))
    assert refused.code == 2
    assert "model.judge: expected a model whose verdict is the reward on hotpotqa" in refused.err
    judged = command(*run, "--set", "model.judge.name=sim-strong", "--out", str(tmp_path / "judged"))
    assert judged.code == 0, judged.err
    with closing(sqlite3.connect(tmp_path / "judged" / "journal.sqlite")) as journal:
        episodes = journal.execute("SELECT reward, figures FROM episodes").fetchall()
    assert [(reward, json.loads(figures)) for reward, figures in episodes] == (
        [(1.0, {"exact": 1.0, "f1": 1.0, "judge": 1.0})] * 3
    )
