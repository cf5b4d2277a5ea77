"""Step rewards: the change of the chance at each step, in CSV and Parquet."""

import csv
from pathlib import Path

import pytest

from quintet.blame.blamed import BlamedRun
from quintet.blame.step_rewards import COLUMNS, check_file, write_step_rewards
from quintet.errors import UsageError
from quintet.export.parquet import pyarrow
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from tests.deploy.blame.planting import ABLE, SHORT, blame, plant, record


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("planted")
    return plant(record(folder / "run", 3, *ABLE, *SHORT), folder / "planted", most=1)[0]


def test_every_step_is_a_row_and_places_that_were_not_measured_are_empty(planted: RunFolder, tmp_path: Path) -> None:
    found = blame(planted, tmp_path / "blame")
    (attempt,) = found.attempts
    file = tmp_path / "new" / "rewards.csv"
    assert (
        write_step_rewards(StudyFolder.open_to_read(tmp_path / "blame"), file, "--export")
        == attempt.outcomes.about.steps
    )
    with file.open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert list(rows[0]) == list(COLUMNS)
    assert [int(row["step"]) for row in rows] == list(range(1, attempt.outcomes.about.steps + 1))
    fatal = rows[(attempt.verdict.step or 0) - 1]
    assert fatal["action"] == "force the bolt"
    assert float(fatal["reward"]) == float(fatal["after"]) - float(fatal["before"]) < -0.5
    assert float(fatal["before_low"]) < float(fatal["before"]) <= float(fatal["before_high"])
    measured = {*attempt.outcomes.searched, *attempt.outcomes.fresh}
    for number, row in enumerate(rows, 1):
        assert bool(row["before"]) == (number - 1 in measured)
        assert bool(row["after"]) == (number in measured)
        assert bool(row["reward"]) == ({number - 1, number} <= measured)


def test_parquet_has_the_same_with_types_and_every_step_has_a_reward_on_request(
    planted: RunFolder, tmp_path: Path
) -> None:
    found = blame(planted, tmp_path / "blame", every_step=True)
    folder, file = StudyFolder.open_to_read(tmp_path / "blame"), tmp_path / "rewards.parquet"
    write_step_rewards(folder, file, "--export")
    table = pyarrow().parquet.read_table(file)
    assert table.column_names == list(COLUMNS)
    rows = table.to_pylist()
    assert {type(row["reward"]) for row in rows} == {float}
    assert {row["before_n"] for row in rows} == {found.about.times}
    assert sum(row["reward"] for row in rows) == pytest.approx(rows[-1]["after"] - rows[0]["before"])


def test_another_format_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--export: expected a name that ends in .*, got 'rewards.json'"):
        check_file(tmp_path / "rewards.json", "--export")


def test_the_rewards_can_be_read_without_the_recorded_run(tmp_path: Path) -> None:
    run, _ = plant(record(tmp_path / "run", 3, *ABLE, *SHORT), tmp_path / "planted", most=1)
    blame(run, tmp_path / "blame")
    run.path.rename(tmp_path / "away")
    found = BlamedRun.of(StudyFolder.open_to_read(tmp_path / "blame"))
    assert str(run.path) in found.unread
    assert write_step_rewards(StudyFolder.open_to_read(tmp_path / "blame"), tmp_path / "rewards.csv", "--export") > 0
