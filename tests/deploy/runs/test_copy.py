"""A copy of a folder is whole and read back, or it is an error."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest

from quintet.reports.episodes import results
from quintet.runs.copy import copy_command, copy_folder
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import learning_runs, samples
from tests.deploy.reports.learning.test_files import STEPS
from tests.deploy.samples import Went

WRITERS_OWN = {"lock", "control.sock"}


@pytest.fixture
def learner(tmp_path: Path) -> Path:
    path = learning_runs.write(tmp_path / "run", learning_runs.record(("stick", "torch", "bowl")), STEPS, chosen=2)
    (path / "plans").mkdir(exist_ok=True)
    (path / "plans" / "1.md").write_text("Fetch a log.\n")
    (path / "changes.jsonl").write_text('{"at": "2026-01-01T00:00:00Z", "settings": {}}\n')
    (path / "lock").write_text("process 7 on a node\n")
    return path


def content(folder: Path) -> dict[str, bytes]:
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".sqlite"]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files if file.name not in WRITERS_OWN}


def rows(journal: Path) -> list[str]:
    with closing(sqlite3.connect(journal)) as connection:
        return list(connection.iterdump())


def test_every_file_of_a_learner_is_copied_but_what_its_writer_holds(learner: Path, tmp_path: Path) -> None:
    copied = copy_folder(learner, tmp_path / "kept")
    assert content(tmp_path / "kept") == content(learner)
    assert copied == len(content(learner)) + 1
    assert {"plans/1.md", "changes.jsonl", "run.json"} <= content(tmp_path / "kept").keys()
    assert not (tmp_path / "kept" / "lock").exists()
    assert rows(tmp_path / "kept" / "journal.sqlite") == rows(learner / "journal.sqlite")


def test_a_journal_is_copied_whole_while_it_is_written(learner: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(learner / "journal.sqlite")) as writer:
        writer.execute("CREATE TABLE written_last (number)")
        writer.commit()  # and not checkpointed: the row is beside the file
        copy_folder(learner, tmp_path / "kept")
    assert any("written_last" in line for line in rows(tmp_path / "kept" / "journal.sqlite"))
    assert not list((tmp_path / "kept").glob("*-wal"))


def test_a_study_is_copied_with_its_arms_begun_or_not(tmp_path: Path) -> None:
    arms = {arm: samples.prepared() for arm in ("a", "b")}
    with create(find_study("demo"), arms, tmp_path / "study") as study:
        for arm in study.record.arms:
            study.create_arm(arm).close()
        samples.journal(RunFolder.open_to_read(study.arm_path("a")), {"beehive": Went()})
    copy_folder(tmp_path / "study", tmp_path / "kept")
    kept = StudyFolder.open_to_read(tmp_path / "kept").arms()
    assert {arm: results(run).count("solved") for arm, run in kept.items()} == {"a": 1, "b": 0}


def test_a_run_that_lost_its_journal_is_not_called_kept(learner: Path, tmp_path: Path) -> None:
    (learner / "journal.sqlite").unlink()
    with pytest.raises(OSError, match=r"expected a journal beside .*run\.json, got none"):
        copy_folder(learner, tmp_path / "kept")


def test_a_copy_that_differs_is_an_error_and_replaces_nothing_and_a_whole_one_replaces_the_first(
    learner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_folder(learner, tmp_path / "kept")
    before = content(tmp_path / "kept")
    (learner / "plans" / "1.md").write_text("Fetch no log.\n")

    def loses_all(source: BinaryIO, target: BinaryIO) -> None:
        source.read()

    with monkeypatch.context() as patch:
        patch.setattr("quintet.runs.copy.shutil.copyfileobj", loses_all)
        assert copy_command([str(learner), str(tmp_path / "kept")]) == 1
    assert "expected a whole copy" in capsys.readouterr().err
    assert {name: text for name, text in content(tmp_path / "kept").items() if not name.endswith(".part")} == before
    assert copy_command([str(learner), str(tmp_path / "kept")]) == 0
    assert content(tmp_path / "kept") == content(learner)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert copy_command([str(tmp_path / "none"), str(tmp_path / "kept")]) == 1
    assert copy_command([str(tmp_path)]) == 2
    assert "usage" in capsys.readouterr().err
