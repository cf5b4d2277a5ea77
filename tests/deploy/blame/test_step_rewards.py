"""Step rewards: the change of the chance at each step, as rows and as training data."""

from pathlib import Path

import pytest

from quintet.blame.blamed import BlamedRun
from quintet.blame.step_rewards import step_rewards
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from quintet.training.columns import COLUMNS
from quintet.training.export import export_training
from tests.deploy.blame.planting import ABLE, SHORT, blame, plant, record
from tests.deploy.export.exported import table


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("planted")
    return plant(record(folder / "run", 3, *ABLE, *SHORT), folder / "planted", most=1)[0]


@pytest.fixture(scope="module")
def searched(planted: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BlamedRun]:
    """A search's folder, and what it found."""
    folder = tmp_path_factory.mktemp("searched") / "blame"
    return folder, blame(planted, folder)


def test_every_step_is_a_row_and_places_that_were_not_measured_are_empty(searched: tuple[Path, BlamedRun]) -> None:
    folder, found = searched
    (attempt,) = found.attempts
    rows = list(step_rewards(StudyFolder.open_to_read(folder)))
    assert [row["step"] for row in rows] == list(range(1, attempt.outcomes.about.steps + 1))
    fatal = rows[(attempt.verdict.step or 0) - 1]
    assert fatal["action"] == "force the bolt"
    assert fatal["reward"] == fatal["after"] - fatal["before"] < -0.5
    assert fatal["before_low"] < fatal["before"] <= fatal["before_high"]
    measured = {*attempt.outcomes.searched, *attempt.outcomes.fresh}
    for number, row in enumerate(rows, 1):
        assert (row["before"] is not None) == (number - 1 in measured)
        assert (row["after"] is not None) == (number in measured)
        assert (row["reward"] is not None) == ({number - 1, number} <= measured)


def test_the_export_has_the_same_with_types_and_every_step_has_a_reward_on_request(
    planted: RunFolder, tmp_path: Path
) -> None:
    found = blame(planted, tmp_path / "blame", every_step=True)
    export_training("steps", tmp_path / "blame", tmp_path / "steps")
    rows = table(tmp_path / "steps" / "train")
    assert list(rows[0]) == list(COLUMNS["steps"])
    assert {row["source"] for row in rows} == {"blame"}
    assert {type(row["reward"]) for row in rows} == {float}
    assert {row["before_n"] for row in rows} == {found.about.times}
    assert sum(row["reward"] for row in rows) == pytest.approx(rows[-1]["after"] - rows[0]["before"])


def test_the_rewards_can_be_read_without_the_recorded_run(
    planted: RunFolder, searched: tuple[Path, BlamedRun], tmp_path: Path
) -> None:
    planted.path.rename(tmp_path / "away")
    try:
        folder = StudyFolder.open_to_read(searched[0])
        assert str(planted.path) in BlamedRun.of(folder).unread
        assert list(step_rewards(folder))
    finally:
        (tmp_path / "away").rename(planted.path)
