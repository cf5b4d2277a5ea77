import json
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.learned.given_trajectories import count_words, gather_trajectories
from tests.deploy import samples
from tests.deploy.samples import Went


def line(goal: str, action: str, **fields: str) -> str:
    return json.dumps({"goal": goal, "reward": 1, "steps": [{"observation": "", "action": action}], **fields}) + "\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    went = {"beehive": Went(), "cake": Went("unsolved", 0.0)}
    return samples.write(tmp_path / "run", samples.record("react", ("beehive", "cake")), went)


def test_files_come_before_runs_each_in_the_order_given(tmp_path: Path, run: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(line("a", "1", source="x") + line("b", "1") + line("a", "1", source="y") + line("a", "2"))
    two.write_text(line("b", "1") + line("c", "1"))
    given = gather_trajectories([two, one], [run, run], world="textcraft")
    assert [(each.goal, each.steps[0].action) for each in given.trajectories] == [
        ("b", "1"),
        ("c", "1"),
        ("a", "1"),
        ("a", "2"),
        ("craft beehive", "get 1 log"),
    ]
    assert given.left_out == {"repeated": 3, "unsuccessful": 2}
    assert count_words(5, given.left_out) == "5 trajectories; left out: 3 repeated, 2 unsuccessful"


def test_a_task_that_the_run_is_measured_by_is_left_out_wherever_it_comes_from(tmp_path: Path, run: Path) -> None:
    file = tmp_path / "file"
    file.write_text(line("a", "1", task="beehive") + line("a", "1", task="bread"))
    given = gather_trajectories([file], [run], world="textcraft", measured={"beehive"})
    assert [each.goal for each in given.trajectories] == ["a"]
    assert given.left_out == {"measured": 2, "unsuccessful": 1}


def test_nothing_left_is_refused_with_what_was_left_out(run: Path) -> None:
    with pytest.raises(
        UsageError, match=r"expected at least one, got 0 trajectories; left out: 1 measured, 1 unsuccessful \(.*run\)"
    ):
        gather_trajectories([], [run], world="textcraft", measured=["beehive"])
