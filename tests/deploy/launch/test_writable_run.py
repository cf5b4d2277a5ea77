"""Run folders."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.learned.kinds import CONTENT_KINDS
from quintet.reports.learning.files import VersionFiles
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went


def _rewrite(path: Path, **changes: object) -> None:
    file = path / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


def test_a_run_folder_opens_to_what_was_written(tmp_path: Path) -> None:
    record = samples.record("adapt", ["beehive", "stick"], model={"planner": {"name": "sim-strong"}})
    with WritableRun.create(tmp_path / "run", record, mounts=samples.NOWHERE):
        assert RunFolder.open_to_read(tmp_path / "run").record == record
    with WritableRun.open(tmp_path / "run", mounts=samples.NOWHERE) as again:
        assert again.record == record
        assert again.config == record.configuration


def test_an_empty_folder_is_taken_and_one_with_content_is_not(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match=r"--out: expected a new or empty folder, got one with 'thesis\.tex' in it"):
        WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE)
    (tmp_path / "thesis.tex").unlink()
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()


def test_a_folder_with_a_run_says_how_to_go_on_with_it(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    with pytest.raises(UsageError, match="expected a new or empty folder, got a run; to go on with it: quintet resume"):
        WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE)


def test_files_of_a_start_killed_before_its_record_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    (tmp_path / "logs").mkdir()
    (tmp_path / "run.json.part").touch()
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    assert RunFolder.open_to_read(tmp_path).record.tasks[0].name == "beehive"


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(UsageError, match="--out: expected a folder that can be made, got File exists"):
        WritableRun.create(tmp_path / "run", samples.record(), mounts=samples.NOWHERE)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with (
        WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE),
        pytest.raises(UsageError, match="expected no other writer, got process"),
    ):
        WritableRun.open(tmp_path, mounts=samples.NOWHERE)


def test_a_record_that_cannot_be_written_is_an_error_and_the_folder_is_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(UsageError, match=r"expected a folder that can be written, got No space left on device \(/"):
            WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE)
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()


def test_a_network_file_system_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("server:/ / nfs rw 0 0\n", encoding="utf-8")
    with pytest.raises(UsageError, match="network file system of type nfs"):
        WritableRun.create(tmp_path / "run", samples.record(), mounts=mounts)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2, "tasks": []}, r"expected format 3, got 2 .*use the older quintet that wrote it"),
        ({"format": 4, "tasks": []}, r"expected format 3, got 4 .*use the newer quintet that wrote it"),
        ({"quintet": "study"}, "expected a run of quintet, got something else"),
        ({"tasks": 3}, "expected a whole record, got tasks"),
        ({"configuration": {"method": {"name": "react"}}}, r"expected a whole record, got configuration\.environment"),
    ],
)
def test_a_foreign_newer_or_broken_record_is_refused(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    _rewrite(tmp_path, **changes)
    with pytest.raises(UsageError, match=said):
        RunFolder.open_to_read(tmp_path)


def test_keys_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    _rewrite(tmp_path, later_key="fine")
    assert RunFolder.open_to_read(tmp_path).record.model == samples.MODEL


def test_a_record_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match=r"expected JSON, got .*run\.json"):
        RunFolder.open_to_read(tmp_path)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a readable run\.json, got No such file"):
        WritableRun.open(tmp_path, mounts=samples.NOWHERE)


def test_a_change_holds_for_this_process_and_the_record_stays(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    settings = from_assignments(["runtime.concurrency=3"])
    with WritableRun.open(tmp_path, settings, mounts=samples.NOWHERE) as folder:
        assert folder.config.runtime.concurrency == 3
        assert folder.record.configuration.runtime.concurrency == 16


def test_a_run_of_another_version_is_not_written_in(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    _rewrite(tmp_path, method_versions={"react": "0"})
    with pytest.raises(UsageError, match="method react: expected version 0"):
        WritableRun.open(tmp_path, mounts=samples.NOWHERE)
    assert RunFolder.open_to_read(tmp_path).record.method_versions == {"react": "0"}


def test_changes_of_a_resume_hold_for_later_resumes(tmp_path: Path) -> None:
    WritableRun.create(tmp_path / "run", samples.record(), mounts=samples.NOWHERE).close()
    changes = from_assignments(["limits.budget_tokens=4000", "runtime.concurrency=3"])
    with WritableRun.open(tmp_path / "run", changes, mounts=samples.NOWHERE) as folder:
        folder.keep_changes()
    with WritableRun.open(tmp_path / "run", mounts=samples.NOWHERE) as folder:
        assert folder.config.limits.budget_tokens == 4000
        assert folder.config.runtime.concurrency == 3
    more = from_assignments(["limits.budget_tokens=5000", "runtime.concurrency=3"])
    with WritableRun.open(tmp_path / "run", more, mounts=samples.NOWHERE) as folder:
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
    WritableRun.create(tmp_path / "run", record, mounts=samples.NOWHERE).close()
    monkeypatch.delenv("FIRST_KEY")
    with pytest.raises(UsageError, match=r"model\.key: .* that is set, got another .*run\.json"):
        WritableRun.open(tmp_path / "run", mounts=samples.NOWHERE)
    monkeypatch.setenv("SECOND_KEY", "secret-2")
    changes = from_assignments(["model.key=SECOND_KEY"])
    with WritableRun.open(tmp_path / "run", changes, mounts=samples.NOWHERE) as folder:
        assert folder.config.model.options["key"] == "SECOND_KEY"


def test_a_change_that_cannot_be_read_is_a_usage_error(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    (tmp_path / "changes.jsonl").write_text("{}\n")
    with pytest.raises(
        UsageError, match=r"expected one change a line, got Field required \(.*changes\.jsonl, line 1\)"
    ):
        WritableRun.open(tmp_path, mounts=samples.NOWHERE)


def test_a_new_folder_in_which_nothing_began_can_be_discarded_and_no_other(tmp_path: Path) -> None:
    with WritableRun.create(tmp_path / "run", samples.record(), mounts=samples.NOWHERE) as folder:
        (tmp_path / "run" / "logs").mkdir()
        (tmp_path / "run" / "logs" / "driver.log").write_text("a line")
        VersionFiles(CONTENT_KINDS["plan"], tmp_path / "run").write({0: ""}, 0)
        folder.discard()
    assert not (tmp_path / "run").exists()
    WritableRun.create(tmp_path / "run", samples.record(), mounts=samples.NOWHERE).close()
    with WritableRun.open(tmp_path / "run", mounts=samples.NOWHERE) as folder:
        folder.discard()
    assert (tmp_path / "run" / "run.json").is_file()


def test_changes_of_a_resume_that_never_began_are_forgotten(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    wrong = from_assignments(["runtime.address=no-such-host:6379"])
    WritableRun.open(tmp_path, wrong, mounts=samples.NOWHERE).close()
    with WritableRun.open(tmp_path, mounts=samples.NOWHERE) as folder:
        assert folder.config.runtime.address is None


def test_a_bad_address_in_a_record_is_refused_with_the_file(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    record = json.loads((tmp_path / "run.json").read_text())
    record["configuration"]["runtime"]["address"] = "\x1b[2J\n\x00"
    (tmp_path / "run.json").write_text(json.dumps(record))
    with pytest.raises(UsageError, match=r"configuration\.runtime\.address: .*expected HOST:PORT or auto .*run\.json"):
        WritableRun.open(tmp_path, mounts=samples.NOWHERE)


def test_a_change_cut_off_by_a_full_disk_is_reported_ignored_and_replaced(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    changes = tmp_path / "changes.jsonl"
    for concurrency in (3, 4):
        settings = from_assignments([f"runtime.concurrency={concurrency}"])
        with WritableRun.open(tmp_path, settings, mounts=samples.NOWHERE) as folder:
            folder.keep_changes()
    changes.write_bytes(changes.read_bytes()[:-9])
    (said,) = RunFolder.open_to_read(tmp_path).damage
    assert re.search(r"expected one change a line, got .*changes\.jsonl, line 2, which was cut off", said)
    with WritableRun.open(tmp_path, mounts=samples.NOWHERE) as folder:
        assert folder.config.runtime.concurrency == 3
    with WritableRun.open(tmp_path, from_assignments(["run.fail_fast=true"]), mounts=samples.NOWHERE) as folder:
        folder.keep_changes()
    assert RunFolder.open_to_read(tmp_path).damage == ()
    lines = [json.loads(line)["settings"] for line in changes.read_text().splitlines()]
    assert lines == [{"runtime.concurrency": 3}, {"run.fail_fast": True}]


def test_a_last_change_without_its_line_break_counts(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    changes = tmp_path / "changes.jsonl"
    for assignment in ("runtime.concurrency=3", "run.fail_fast=true"):
        with WritableRun.open(tmp_path, from_assignments([assignment]), mounts=samples.NOWHERE) as folder:
            folder.keep_changes()
        changes.write_bytes(changes.read_bytes().rstrip(b"\n"))
    with WritableRun.open(tmp_path, mounts=samples.NOWHERE) as folder:
        assert (folder.config.runtime.concurrency, folder.config.run.fail_fast) == (3, True)
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
            WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE)
    if moment == "before its record":
        WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    assert RunFolder.open_to_read(tmp_path).read_journal() is not None or moment == "after its record"
    with WritableRun.open(tmp_path, mounts=samples.NOWHERE) as folder:
        assert folder.journal.is_file()


def test_a_lost_journal_is_refused_until_a_person_wants_to_pay_again(tmp_path: Path) -> None:
    samples.write(tmp_path, samples.record(), {"beehive": Went(None)})
    (tmp_path / "journal.sqlite").unlink()
    lost = (
        r"expected journal\.sqlite, which has every answer of the run, got none "
        + rf".* quintet resume {tmp_path} --anew"
    )
    with pytest.raises(UsageError, match=lost):
        WritableRun.open(tmp_path, mounts=samples.NOWHERE)
    with pytest.raises(UsageError, match=lost):
        RunFolder.open_to_read(tmp_path).read_journal()
    with WritableRun.open(tmp_path, anew=True, mounts=samples.NOWHERE) as folder:
        assert folder.journal.is_file()
    with pytest.raises(UsageError, match="--anew: expected a run without a journal, got one that has it"):
        WritableRun.open(tmp_path, anew=True, mounts=samples.NOWHERE)


def test_a_record_with_too_many_episodes_or_a_malformed_task_is_refused(tmp_path: Path) -> None:
    WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE).close()
    content = json.loads((tmp_path / "run.json").read_text())
    malformed: list[tuple[str, Any, str]] = [
        (
            "configuration",
            {**content["configuration"], "run": {"epochs": 10**9}},
            "expected at most 1,000,000 episodes",
        ),
        ("tasks", [{"name": "a/b", "metadata": {}}], "task name: expected printable text without '/'"),
        ("tasks", [{"name": "\x1b[2J", "metadata": {}}], "task name: expected printable text"),
        ("tasks", [{"name": "a", "metadata": {}}] * 2, "expected each task once"),
    ]
    for key, value, said in malformed:
        _rewrite(tmp_path, **{**content, key: value})
        with pytest.raises(UsageError, match=said):
            RunFolder.open_to_read(tmp_path)
