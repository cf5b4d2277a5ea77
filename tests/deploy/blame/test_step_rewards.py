"""Step rewards: the change of the chance at each step, in CSV and Parquet."""

import csv
from pathlib import Path

import pytest

from quintet.blame.blamed import BlamedRun
from quintet.blame.step_rewards import COLUMNS, write_step_rewards
from quintet.errors import UsageError
from quintet.export.parquet import pyarrow
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from tests.deploy.blame.planting import ABLE, SHORT, blame, plant, record


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("planted")
    return plant(record(folder / "run", 3, *ABLE, *SHORT), folder / "planted", most=1)[0]


@pytest.fixture(scope="module")
def searched(planted: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BlamedRun]:
    """A search's folder, and what it found."""
    folder = tmp_path_factory.mktemp("searched") / "blame"
    return folder, blame(planted, folder)


def test_every_step_is_a_row_and_places_that_were_not_measured_are_empty(
    searched: tuple[Path, BlamedRun], tmp_path: Path
) -> None:
    folder, found = searched
    (attempt,) = found.attempts
    file = tmp_path / "new" / "rewards.csv"
    written = write_step_rewards(StudyFolder.open_to_read(folder), file, "--step-rewards")
    assert written == attempt.outcomes.about.steps
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
    write_step_rewards(folder, file, "--step-rewards")
    table = pyarrow().parquet.read_table(file)
    assert table.column_names == list(COLUMNS)
    rows = table.to_pylist()
    assert {type(row["reward"]) for row in rows} == {float}
    assert {row["before_n"] for row in rows} == {found.about.times}
    assert sum(row["reward"] for row in rows) == pytest.approx(rows[-1]["after"] - rows[0]["before"])


def test_another_format_is_refused(planted: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--step-rewards: expected a name that ends in .*, got 'rewards.json'"):
        write_step_rewards(planted, tmp_path / "rewards.json", "--step-rewards")


def test_the_rewards_can_be_read_without_the_recorded_run(
    planted: RunFolder, searched: tuple[Path, BlamedRun], tmp_path: Path
) -> None:
    planted.path.rename(tmp_path / "away")
    try:
        folder = StudyFolder.open_to_read(searched[0])
        assert str(planted.path) in BlamedRun.of(folder).unread
        assert write_step_rewards(folder, tmp_path / "rewards.csv", "--step-rewards") > 0
    finally:
        (tmp_path / "away").rename(planted.path)
