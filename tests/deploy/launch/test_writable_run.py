"""Run folders."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.learned.kinds import CONTENT_KINDS
from quintet.reports.learning.files import VersionFiles
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went


def made(path: Path, record: RunRecord | None = None) -> Path:
    """A run that has not begun."""
    WritableRun.create(path, record or samples.record()).close()
    return path


def opened(path: Path, *assignments: str, anew: bool = False) -> WritableRun:
    return WritableRun.open(path, from_assignments(assignments), anew=anew)


def test_a_run_folder_opens_to_what_was_written(tmp_path: Path) -> None:
    record = samples.record("adapt", ["beehive", "stick"], model={"planner": {"name": "sim-strong"}})
    with WritableRun.create(tmp_path / "run", record):
        assert RunFolder.open_to_read(tmp_path / "run").record == record
        with pytest.raises(UsageError, match="expected no other writer, got process"):
            opened(tmp_path / "run")
    with opened(tmp_path / "run") as again:
        assert again.record == record
        assert again.config == record.configuration


def test_an_empty_folder_is_taken_and_one_with_content_is_not(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match=r"--out: expected a new or empty folder, got one with 'thesis\.tex' in it"):
        made(tmp_path)
    (tmp_path / "thesis.tex").unlink()
    made(tmp_path)
    with pytest.raises(UsageError, match="expected a new or empty folder, got a run; to go on with it: quintet resume"):
        made(tmp_path)
    (tmp_path / "run").touch()
    with pytest.raises(UsageError, match="--out: expected a folder that can be made, got File exists"):
        made(tmp_path / "run")


def test_files_of_a_start_killed_before_its_record_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    (tmp_path / "logs").mkdir()
    (tmp_path / "run.json.part").touch()
    made(tmp_path)
    assert RunFolder.open_to_read(tmp_path).record.tasks[0].name == "beehive"


def test_a_record_that_cannot_be_written_is_an_error_and_the_folder_is_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(UsageError, match=r"expected a folder that can be written, got No space left on device \(/"):
            made(tmp_path)
    made(tmp_path)


def test_a_network_file_system_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("server:/ / nfs rw 0 0\n", encoding="utf-8")
    monkeypatch.setattr("quintet.runs.files._MOUNTS", mounts)
    with pytest.raises(UsageError, match="network file system of type nfs"):
        WritableRun.create(tmp_path / "run", samples.record())
    assert not (tmp_path / "run").exists()


def _set(*keys: str, value: object) -> Callable[[Path], None]:
    """Write a value into the record."""

    def write(folder: Path) -> None:
        content = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        within = content
        for key in keys[:-1]:
            within = within[key]
        within[keys[-1]] = value
        (folder / "run.json").write_text(json.dumps(content), encoding="utf-8")

    return write


NONE: dict[str, str] = {}
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "an older format": (_set("format", value=2), r"expected format 5, got 2 .*use the older quintet that wrote it"),
    "a newer format": (_set("format", value=6), r"expected format 5, got 6 .*use the newer quintet that wrote it"),
    "a study": (_set("quintet", value="study"), "expected a run of quintet, got something else"),
    "no tasks": (_set("tasks", value=3), "expected a whole record, got tasks"),
    "half a configuration": (
        _set("configuration", value={"method": {"name": "react"}}),
        r"expected a whole record, got configuration\.environment",
    ),
    "a bad address": (
        _set("configuration", "runtime", "address", value="\x1b[2J\n\x00"),
        r"configuration\.runtime\.address: .*expected HOST:PORT or auto .*run\.json",
    ),
    "too many episodes": (_set("configuration", "run", "epochs", value=10**9), "expected at most 1,000,000 episodes"),
    "a task that is no path": (
        _set("tasks", value=[{"name": "a/b", "metadata": NONE}]),
        "task name: expected printable text without '/'",
    ),
    "a task that moves a terminal": (
        _set("tasks", value=[{"name": "\x1b[2J", "metadata": NONE}]),
        "task name: expected printable text",
    ),
    "a task twice": (_set("tasks", value=[{"name": "a", "metadata": NONE}] * 2), "expected each task once"),
    "no JSON": (lambda folder: (folder / "run.json").write_text("{"), r"expected JSON, got .*run\.json"),
    "no record": (lambda folder: (folder / "run.json").unlink(), r"a readable run\.json, got No such file"),
    "another version": (_set("method_versions", value={"react": "0"}), "method react: expected version 0"),
    "an unreadable change": (
        lambda folder: (folder / "changes.jsonl").write_text("{}\n"),
        r"expected one change a line, got Field required \(.*changes\.jsonl, line 1\)",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_foreign_newer_or_broken_folder_is_refused(tmp_path: Path, damage: str) -> None:
    inflict, said = DAMAGES[damage]
    inflict(made(tmp_path))
    with pytest.raises(UsageError, match=said):
        opened(tmp_path)


def test_keys_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    made(tmp_path)
    _set("later_key", value="fine")(tmp_path)
    assert RunFolder.open_to_read(tmp_path).record.model == samples.MODEL


def test_changes_of_a_resume_hold_for_later_resumes(tmp_path: Path) -> None:
    made(tmp_path / "run")
    with opened(tmp_path / "run", "limits.budget_tokens=4000", "runtime.concurrency=3") as folder:
        folder.keep_changes()
    with opened(tmp_path / "run") as folder:
        assert folder.config.limits.budget_tokens == 4000
        assert folder.config.runtime.concurrency == 3
    with opened(tmp_path / "run", "limits.budget_tokens=5000", "runtime.concurrency=3") as folder:
        folder.keep_changes()
        folder.keep_changes()
        assert folder.config.limits.budget_tokens == 5000
        assert folder.record.configuration.limits.budget_tokens is None
    lines = (tmp_path / "run" / "changes.jsonl").read_text().splitlines()
    assert [json.loads(line)["settings"] for line in lines] == [
        {"limits.budget_tokens": 4000, "runtime.concurrency": 3},
        {"limits.budget_tokens": 5000},
    ]


def test_a_run_goes_on_with_another_key_when_the_first_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST_KEY", "secret-1")
    record = samples.record(model={"name": "any", "url": "http://127.0.0.1:9/v1", "key": "FIRST_KEY"})
    made(tmp_path / "run", record)
    monkeypatch.delenv("FIRST_KEY")
    with pytest.raises(UsageError, match=r"model\.key: .* that is set, got another .*run\.json"):
        opened(tmp_path / "run")
    monkeypatch.setenv("SECOND_KEY", "secret-2")
    with opened(tmp_path / "run", "model.key=SECOND_KEY") as folder:
        assert folder.config.model.options["key"] == "SECOND_KEY"


def test_a_new_folder_in_which_nothing_began_can_be_discarded_and_no_other(tmp_path: Path) -> None:
    with WritableRun.create(tmp_path / "run", samples.record()) as folder:
        (tmp_path / "run" / "logs").mkdir()
        (tmp_path / "run" / "logs" / "driver.log").write_text("a line")
        VersionFiles(CONTENT_KINDS["plan"], tmp_path / "run").write({0: ""}, 0)
        folder.discard()
    assert not (tmp_path / "run").exists()
    made(tmp_path / "run")
    with opened(tmp_path / "run") as folder:
        folder.discard()
    assert (tmp_path / "run" / "run.json").is_file()


def test_changes_of_a_resume_that_never_began_are_forgotten(tmp_path: Path) -> None:
    made(tmp_path)
    opened(tmp_path, "runtime.address=no-such-host:6379").close()
    with opened(tmp_path) as folder:
        assert folder.config.runtime.address is None


def test_a_change_cut_off_by_a_full_disk_is_reported_ignored_and_replaced(tmp_path: Path) -> None:
    made(tmp_path)
    changes = tmp_path / "changes.jsonl"
    for concurrency in (3, 4):
        with opened(tmp_path, f"runtime.concurrency={concurrency}") as folder:
            folder.keep_changes()
    changes.write_bytes(changes.read_bytes()[:-9])
    (said,) = RunFolder.open_to_read(tmp_path).damage
    assert re.search(r"expected one change a line, got .*changes\.jsonl, line 2, which was cut off", said)
    with opened(tmp_path) as folder:
        assert folder.config.runtime.concurrency == 3
    with opened(tmp_path, "run.keep_going=true") as folder:
        folder.keep_changes()
    assert RunFolder.open_to_read(tmp_path).damage == ()
    lines = [json.loads(line)["settings"] for line in changes.read_text().splitlines()]
    assert lines == [{"runtime.concurrency": 3}, {"run.keep_going": True}]


def test_a_last_change_without_its_line_break_counts(tmp_path: Path) -> None:
    made(tmp_path)
    changes = tmp_path / "changes.jsonl"
    for assignment in ("runtime.concurrency=3", "run.keep_going=true"):
        with opened(tmp_path, assignment) as folder:
            folder.keep_changes()
        changes.write_bytes(changes.read_bytes().rstrip(b"\n"))
    with opened(tmp_path) as folder:
        assert (folder.config.runtime.concurrency, folder.config.run.keep_going) == (3, True)
    assert len(changes.read_text().splitlines()) == 2


@pytest.mark.parametrize("moment", ["before its record", "after its record"])
def test_a_run_that_was_killed_while_it_was_made_can_be_made_or_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    last = "runs.folder.write_whole" if moment == "before its record" else "launch.writable_run.put_in_place"
    with monkeypatch.context() as patch:
        patch.setattr(f"quintet.{last}", killed)
        with pytest.raises(Killed):
            made(tmp_path)
    if moment == "before its record":
        made(tmp_path)
    assert RunFolder.open_to_read(tmp_path).read_journal() is not None or moment == "after its record"
    with opened(tmp_path) as folder:
        assert folder.journal.is_file()


def test_a_lost_journal_is_refused_until_a_person_wants_to_pay_again(tmp_path: Path) -> None:
    samples.write(tmp_path, samples.record(), {"beehive": Went(None)})
    (tmp_path / "journal.sqlite").unlink()
    lost = (
        r"expected journal\.sqlite, which has every answer of the run, got none "
        + rf".* quintet resume {tmp_path} --anew"
    )
    with pytest.raises(UsageError, match=lost):
        opened(tmp_path)
    with pytest.raises(UsageError, match=lost):
        RunFolder.open_to_read(tmp_path).read_journal()
    with opened(tmp_path, anew=True) as folder:
        assert folder.journal.is_file()
    with pytest.raises(UsageError, match="--anew: expected a run without a journal, got one that has it"):
        opened(tmp_path, anew=True)


@pytest.mark.parametrize("name", ["journal.sqlite", "memory.sqlite", "logs", "plans", "changes.jsonl"])
def test_a_folder_with_a_link_is_not_written_so_no_file_elsewhere_is(name: str, tmp_path: Path) -> None:
    made(tmp_path / "run")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "run" / name
    if link.exists():
        link.rename(elsewhere / name)
    link.symlink_to(elsewhere / name)
    with pytest.raises(UsageError, match=rf"expected files of its own, got a link \({link}\)"):
        opened(tmp_path / "run")
    link.unlink()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "logs").symlink_to(elsewhere)
    with pytest.raises(UsageError, match="expected files of its own, got a link"):
        made(tmp_path / "new")
    assert {file.name for file in elsewhere.iterdir()} <= {"journal.sqlite"}
