"""Study folders."""

from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.definition import find_study
from quintet.studies.run import WritableStudy, create
from tests.deploy import samples


def _study(path: Path, *arms: str) -> WritableStudy:
    return create(find_study("demo"), {arm: samples.prepared() for arm in arms}, path, mounts=samples.NOWHERE)


def test_arms_are_written_down_before_any_begins_and_are_run_folders_of_their_own(tmp_path: Path) -> None:
    with _study(tmp_path, "one", "two") as study:
        read = StudyFolder.open_to_read(tmp_path)
        assert (list(read.record.arms), read.arms()) == (["one", "two"], {})
        study.create_arm("two", mounts=samples.NOWHERE).close()
        assert [study.begun(arm) for arm in study.record.arms] == [False, True]
        assert isinstance(open_any(tmp_path / "arms" / "two"), RunFolder)
    assert isinstance(open_any(tmp_path), StudyFolder)


def test_a_studys_change_is_kept_once_an_arm_goes_on_under_it_and_not_before(tmp_path: Path) -> None:
    _study(tmp_path, "one").close()
    settings = from_assignments(["runtime.concurrency=2"])
    WritableStudy.open(tmp_path, settings, mounts=samples.NOWHERE).close()
    with WritableStudy.open(tmp_path, settings, mounts=samples.NOWHERE) as study:
        arm = study.create_arm("one", mounts=samples.NOWHERE)
        assert arm.config.runtime.concurrency == 2
        assert not (tmp_path / "changes.jsonl").exists()
        arm.keep_changes()
        arm.close()
    with WritableStudy.open(tmp_path, mounts=samples.NOWHERE) as study:
        assert study.settings["runtime.concurrency"].value == 2
        with study.open_arm("one", mounts=samples.NOWHERE) as arm:
            assert arm.config.runtime.concurrency == 2


def test_a_second_writer_of_a_study_is_refused(tmp_path: Path) -> None:
    with (
        _study(tmp_path, "one"),
        pytest.raises(UsageError, match="expected no other writer"),
    ):
        WritableStudy.open(tmp_path, mounts=samples.NOWHERE)
    WritableStudy.open(tmp_path, mounts=samples.NOWHERE).close()


def test_an_arms_name_is_part_of_a_path(tmp_path: Path) -> None:
    for name in ("../one", ".", "", "a\nb", "x" * 101):
        with pytest.raises(ValueError, match="expected at most 100 letters, digits and characters of "):
            _study(tmp_path, name)


def test_a_folder_that_is_neither_run_nor_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected run\.json or study\.json in it, found neither"):
        open_any(tmp_path)
    with pytest.raises(UsageError, match="expected a folder, found none"):
        open_any(tmp_path / "nothing")
