"""Files and folders of runs: where they may be, one writer per folder, whole copies, and lists of them."""

import errno
import fcntl
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.quota.cost import Cost
from quintet.reports.episodes import results
from quintet.reports.load import load_report
from quintet.runs.copy import copy_command, copy_folder
from quintet.runs.ends import write_end
from quintet.runs.files import FolderLock, lock_holder, named_path, refuse_network_file_system
from quintet.runs.listing import RunEntry, list_runs, read_entry, seconds_left
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.command import command, printed
from tests.deploy import learning_runs, samples
from tests.deploy.reports.learning.test_tables import TWO_STEPS
from tests.deploy.samples import Went, record

TASKS = ("beehive", "cake", "stick")
LOST = Went("unsolved", 0.0)
FAULT = Went("faulted", 0.0)


def _entry(folder: Path) -> RunEntry:
    [entry] = list_runs(folder).entries
    return entry


def test_a_run_that_ended_is_done_and_says_what_it_came_to(tmp_path: Path) -> None:
    record = samples.record("react", TASKS)
    path = samples.write(tmp_path / "a", record, {"beehive": Went(calls=3), "cake": LOST, "stick": Went()})
    entry = _entry(tmp_path)
    assert (entry.path, entry.kind, entry.label) == (path, "run", "react on textcraft")
    assert (entry.state, entry.reason) == ("done", "")
    assert (entry.episodes, *entry.totals[:4]) == (3, 3, 3, 2, 0)
    assert entry.spent == Cost(5, 500, 50, None)
    assert (entry.holder, entry.eta) == (None, None)


def test_the_success_of_a_list_is_that_of_the_report(tmp_path: Path) -> None:
    learner = learning_runs.record(("stick", "torch", "bowl"))
    measured = {1: {"beehive": LOST, "cake": LOST}, 2: {"beehive": Went(), "cake": LOST}}
    learning_runs.write(tmp_path / "learns", learner, TWO_STEPS, measured, chosen=2)
    repeated = samples.record("react", TASKS, run={"epochs": 2})
    samples.write(tmp_path / "repeats", repeated, {"beehive": Went(), "cake": LOST, "stick": FAULT})
    with WritableRun.open(tmp_path / "repeats") as folder:
        samples.journal(folder, {"beehive": Went()}, epoch=1)
    for name, success in (("learns", 0.5), ("repeats", 0.5)):
        (run,) = load_report([tmp_path / name]).runs
        reported = run.summary.overall.success
        assert reported is not None
        assert read_entry(tmp_path / name).success == reported.value == success
    assert read_entry(tmp_path / "learns").totals.solved > 1, "episodes to learn from count as episodes"


def test_only_the_newest_attempt_at_a_task_counts(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "a", samples.record("react", TASKS), dict.fromkeys(TASKS, FAULT))
    assert _entry(tmp_path).state == "faulted"
    with WritableRun.open(path) as folder:
        samples.journal(folder, {"cake": Went()}, attempt=1)
    assert _entry(tmp_path).totals[:4] == (3, 3, 1, 2)


def test_a_run_that_stopped_says_why_and_one_that_was_killed_is_interrupted(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "a", samples.record("react", TASKS), {"beehive": Went()})
    assert (_entry(tmp_path).state, _entry(tmp_path).reason) == ("interrupted", "")
    write_end(path, "spent", "budget: expected less")
    assert (_entry(tmp_path).state, _entry(tmp_path).reason) == ("spent", "budget: expected less")


def test_a_run_that_goes_on_names_its_process_and_its_time_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = samples.write(tmp_path / "a", samples.record("react", TASKS), {"beehive": Went()})
    with WritableRun.open(path) as folder:
        entry = read_entry(path)
        assert entry.state == "running"
        assert entry.holder is not None
        assert entry.eta is None  # no episode ended in this start
        since = entry.holder.since
        samples.journal(folder, {"cake": LOST})
        with closing(sqlite3.connect(folder.journal, isolation_level=None)) as journal:
            ended = "UPDATE _episodes SET began = ?, ended = ? WHERE task = (SELECT id FROM _tasks WHERE name = ?)"
            journal.execute(ended, (round(since * 1000) - 9_000, 8_000, "beehive"))
            journal.execute(ended, (round(since * 1000), 8_000, "cake"))
        monkeypatch.setattr(time, "time", lambda: since + 10)
        assert read_entry(path).eta == pytest.approx(10)  # one of three is left, and one took ten seconds
    assert read_entry(path).state == "interrupted"


def test_a_study_is_listed_with_its_arms_and_they_are_not_listed_again(tmp_path: Path) -> None:
    arms = {arm: samples.prepared("react", TASKS) for arm in ("one", "two")}
    with create(replace(find_study("demo"), name="two-methods"), arms, tmp_path / "s") as study:
        with study.create_arm("one") as arm:
            samples.journal(arm, dict.fromkeys(TASKS, Went()))
        entry = _entry(tmp_path)
        assert (entry.kind, entry.label, entry.state, entry.waiting) == ("study", "two-methods", "running", 1)
        assert [(arm.path.name, arm.state) for arm in entry.arms] == [("one", "done")]
    assert _entry(tmp_path).state == "interrupted"
    samples.write(study.arm_path("two"), samples.record("react", TASKS), dict.fromkeys(TASKS, FAULT))
    entry = _entry(tmp_path)
    assert (entry.state, entry.episodes, entry.totals[:4], entry.spent.calls) == ("faulted", 6, (6, 6, 3, 3), 6)


def test_what_cannot_be_read_is_listed_with_its_error_and_hides_nothing(tmp_path: Path) -> None:
    samples.write(tmp_path / "runs" / "good", samples.record(), {})
    for name in ("bad", ".hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text("{")
    (tmp_path / "link").symlink_to(tmp_path / "runs")
    good, bad = list_runs(tmp_path).entries
    assert (good.path.name, good.state) == ("good", "interrupted")
    assert (bad.path.name, bad.state) == ("bad", "unreadable")
    assert "expected JSON" in bad.reason


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected one with runs in it"):
        list_runs(tmp_path / "none")
    assert list_runs(tmp_path) == ([], [])


def test_folders_of_other_users_are_named_and_hide_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the calls themselves are denied."""
    samples.write(tmp_path / "runs" / "good", samples.record(), {})
    for name in ("closed", "runs/listable"):
        (tmp_path / name / "inner").mkdir(parents=True)
    denied = {"iterdir": tmp_path / "closed", "stat": tmp_path / "runs" / "listable"}
    for call in denied:
        monkeypatch.setattr(Path, call, _denying(getattr(Path, call), denied))
    [good], unread = list_runs(tmp_path)
    assert good.path.name == "good"
    said = [f"expected a folder that can be read, got Permission denied ({denied[call]})" for call in denied]
    assert unread == said
    listed = command("ls", tmp_path)
    assert (listed.code, "runs/good" in listed.out, listed.err.splitlines()) == (0, True, said)
    assert len(json.loads(printed("ls", tmp_path, "--json"))) == 1


def _denying(call: Callable[..., Any], denied: Mapping[str, Path]) -> Callable[..., Any]:
    """A call of `Path` that is not allowed: to list a folder, or to look at what is in it."""

    def instead(path: Path, **named: Any) -> Any:
        if denied.get(call.__name__) == (path.parent if call.__name__ == "stat" else path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return call(path, **named)

    return instead


def test_time_left_follows_the_pace_so_far() -> None:
    assert seconds_left(6, 3, 12.0) == 24.0
    assert seconds_left(6, 0, 12.0) is None
    assert seconds_left(0, 3, 12.0) == 0


def _mounts(folder: Path, *lines: str) -> Path:
    file = folder / "mounts"
    file.write_text("".join(f"{line} rw 0 0\n" for line in ("/dev/sda / ext4", *lines)), encoding="utf-8")
    return file


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "lustre", "fuse.sshfs", "9p", "ceph"])
def test_a_network_file_system_is_refused_with_a_hint(tmp_path: Path, kind: str) -> None:
    mounts = _mounts(tmp_path, f"server:/home /home {kind}")
    said = rf"expected a local disk, got a network file system of type {kind} \(/home/me/runs/1\); choose .*--out"
    with pytest.raises(UsageError, match=said):
        refuse_network_file_system(Path("/home/me/runs/1"), mounts)


def test_the_longest_mount_counts(tmp_path: Path) -> None:
    mounts = _mounts(tmp_path, "server:/data /data nfs", "/dev/sdb /data/scratch xfs")
    refuse_network_file_system(Path("/data/scratch/run"), mounts)
    with pytest.raises(UsageError):
        refuse_network_file_system(Path("/data/scratchy/run"), mounts)


def test_a_later_mount_hides_an_earlier_one(tmp_path: Path) -> None:
    refuse_network_file_system(Path("/data/run"), _mounts(tmp_path, "server:/data /data nfs", "tmpfs /data tmpfs"))


def test_blanks_in_a_mount_point_are_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        refuse_network_file_system(Path("/my data/run"), _mounts(tmp_path, r"server:/data /my\040data nfs"))


def test_a_local_disk_is_fine_and_so_is_a_machine_without_a_table(tmp_path: Path) -> None:
    refuse_network_file_system(tmp_path / "run", _mounts(tmp_path))
    refuse_network_file_system(tmp_path / "run", tmp_path / "none")


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(UsageError, match=r"expected .*round"):
        WritableRun.create(tmp_path / "round", record())


@pytest.mark.parametrize(("out", "said"), [("~nobody-here/x", "known home folder"), ("a\0b", "null characters")])
def test_a_name_that_is_no_path_is_refused(out: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"--out: expected a path .*{said}, got "):
        named_path(out, "--out")


def test_a_second_writer_is_refused_and_the_error_names_the_holder(tmp_path: Path) -> None:
    held = FolderLock(tmp_path)
    with pytest.raises(UsageError, match=rf"expected no other writer, got process {os.getpid()} on .*{tmp_path.name}"):
        FolderLock(tmp_path)
    held.release()
    held.release()
    FolderLock(tmp_path).release()


def test_somebody_who_looks_at_a_lock_does_not_keep_a_writer_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FolderLock(tmp_path).release()
    looks = (tmp_path / "lock").open("rb")
    fcntl.flock(looks, fcntl.LOCK_SH)

    def stop_looking(_: float) -> None:
        looks.close()

    monkeypatch.setattr(time, "sleep", stop_looking)
    FolderLock(tmp_path).release()
    assert looks.closed


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    take = "import os, sys; from pathlib import Path; from quintet.runs.files import FolderLock, lock_holder"
    die = f"{take}; FolderLock(Path(sys.argv[1])); os._exit(9)"
    died = subprocess.run([sys.executable, "-c", die, str(tmp_path)], check=False, cwd=Path(__file__).parents[3])
    assert died.returncode == 9
    FolderLock(tmp_path).release()


def test_a_link_or_another_file_in_place_of_a_lock_is_refused_and_not_changed(tmp_path: Path) -> None:
    precious, run = tmp_path / "thesis.tex", tmp_path / "run"
    precious.write_text("years of work")
    run.mkdir()
    (run / "lock").symlink_to(precious)
    with pytest.raises(UsageError, match=rf"expected a lock of its own, got a link \({run}/lock\)"):
        FolderLock(run)
    (run / "lock").unlink()
    (run / "lock").hardlink_to(precious)
    with pytest.raises(UsageError, match="expected a lock, got a file with other content"):
        FolderLock(run)
    assert precious.read_text() == "years of work"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "expected a folder that can be written, got Is a directory"),
        (os.mkfifo, "got something that is no regular file"),
    ],
)
def test_a_folder_or_a_pipe_in_place_of_a_lock_is_refused_at_once(
    make: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    make(tmp_path / "lock")
    with pytest.raises(UsageError, match=said):
        FolderLock(tmp_path)
    with pytest.raises(UsageError, match="expected a folder that can be written, got No such file"):
        FolderLock(tmp_path / "none")


def test_the_holder_of_a_lock_is_seen_without_a_lock(tmp_path: Path) -> None:
    assert lock_holder(tmp_path) is None
    held = FolderLock(tmp_path)
    seen = lock_holder(tmp_path)
    assert seen is not None
    assert (seen.process, seen.host) == (os.getpid(), socket.gethostname())
    with pytest.raises(UsageError):
        FolderLock(tmp_path)
    held.release()
    assert lock_holder(tmp_path) is None


def test_a_process_that_died_or_let_go_holds_no_lock(tmp_path: Path) -> None:
    for process in (999_999_999, os.getpid()):
        (tmp_path / "lock").write_text(f"process {process} on {socket.gethostname()}\n")
        assert lock_holder(tmp_path) is None
    (tmp_path / "lock").write_text("something of the user's")
    assert lock_holder(tmp_path) is None


WRITERS_OWN = {"lock", "control.sock"}


@pytest.fixture
def learner(tmp_path: Path) -> Path:
    path = learning_runs.write(tmp_path / "run", learning_runs.record(("stick", "torch", "bowl")), TWO_STEPS, chosen=2)
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


@pytest.mark.parametrize("target", ["secret", "."], ids=["a file", "a circle"])
def test_a_link_is_not_copied_so_no_file_elsewhere_is(target: str, learner: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a key")
    (learner / "notes.txt").symlink_to(tmp_path / target)
    with pytest.raises(OSError, match=r"expected files of the folder's own, got a link to .*notes\.txt"):
        copy_folder(learner, tmp_path / "kept")
    assert not (tmp_path / "kept" / "notes.txt").exists()


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
