"""Logs for inspect_ai: its own reader opens them, and finds what the journal has.

It is imported by the tests that need it, since it takes a second, which every worker would pay for finding them.
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from quintet.cli import main
from quintet.launch.writable_run import WritableRun
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import OBSERVATION, Went

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

WENT = {
    "beehive": Went(depth=2, calls=3),
    "cake": Went("faulted"),
    "stick": Went(None),
    "torch": Went("unsolved", 0.5, None, cut_short=True),
}


def _write(run: Path, folder: Path) -> None:
    from quintet.export.inspect.log import write_inspect_logs

    write_inspect_logs(run, folder)


def _read(folder: Path) -> "EvalLog":
    from inspect_ai.log import list_eval_logs, read_eval_log

    (only,) = list_eval_logs(str(folder))
    return read_eval_log(only, resolve_attachments=True)


@pytest.fixture
def log(tmp_path: Path) -> "EvalLog":
    record = samples.record("adapt", [*WENT, "furnace"], limits={"episode_calls": 9})
    run = samples.write(tmp_path / "one", record, WENT)
    _write(run, tmp_path / "out")
    return _read(tmp_path / "out")


def test_inspects_own_reader_finds_samples_scores_and_usage(log: "EvalLog") -> None:
    assert (log.status, log.eval.task, log.eval.model, log.version) == ("started", "one", samples.MODEL, 2)
    assert log.results is not None
    assert (log.results.total_samples, log.results.completed_samples) == (5, 2)
    metrics = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert metrics == {"success": 0.5, "reward": 0.75}
    assert log.stats.model_usage[samples.MODEL].output_tokens == 60
    assert log.samples is not None
    found = {sample.id: sample for sample in log.samples}
    assert found.keys() == WENT.keys()
    rewards = {name: sample.scores and sample.scores["reward"].value for name, sample in found.items()}
    assert rewards == {"beehive": 1.0, "cake": None, "stick": None, "torch": 0.5}
    assert found["beehive"].model_usage[samples.MODEL].input_tokens == 300
    assert found["cake"].error is not None
    assert found["cake"].error.message == "WorldFault: it broke"
    assert found["torch"].limit is not None
    assert (found["torch"].limit.type, found["torch"].limit.limit) == ("turn", 9)
    assert found["stick"].completed_at is None
    assert found["stick"].metadata["state"] == "unfinished"


def test_a_samples_events_are_the_episodes_calls_and_steps_in_order(log: "EvalLog") -> None:
    from inspect_ai.event import ModelEvent, SpanBeginEvent, ToolEvent

    (sample,) = [each for each in log.samples or () if each.id == "beehive"]
    events = [each for each in sample.events if isinstance(each, SpanBeginEvent | ModelEvent | ToolEvent)]
    assert [each.event for each in events] == ["span_begin", *["model", "tool"] * 3, "span_begin"]
    assert [each.name for each in events if isinstance(each, SpanBeginEvent)] == [
        "execute: craft beehive",
        "decompose: craft beehive",
    ]
    last = [each for each in events if isinstance(each, ModelEvent)][-1]
    assert [message.text for message in last.input] == [
        "You craft.",
        "Goal: craft beehive.",
        *[samples.TEXT.format(number=0), OBSERVATION],
        *[samples.TEXT.format(number=1), OBSERVATION],
    ]
    assert last.output.completion == samples.TEXT.format(number=2)
    assert [message.text for message in sample.messages] == ["Goal: craft beehive.", *["get 1 log", OBSERVATION] * 3]


def test_a_repeated_attempt_counts_and_the_fault_before_it_is_kept(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "one", samples.record("react", ["cake"]), {"cake": Went("faulted")})
    with WritableRun.open(run) as folder:
        samples.journal(folder, {"cake": Went()}, attempt=1)
    _write(run, tmp_path / "out")
    log = _read(tmp_path / "out")
    (sample,) = log.samples or []
    assert sample.scores is not None
    assert sample.scores["success"].value == 1
    assert [retry.message for retry in sample.error_retries or ()] == ["WorldFault: it broke"]
    assert log.status == "success"


def test_a_study_has_a_log_for_each_run_and_lists_are_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries

    arms = {arm: samples.prepared(arm, ("beehive",)) for arm in ("react", "adapt")}
    with create(find_study("demo"), arms, tmp_path / "demo") as folder:
        for arm in arms:
            samples.write(folder.arm_path(arm), samples.record(arm, ("beehive",)), {"beehive": Went()})
    assert main(["export", str(tmp_path / "demo"), "--inspect", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.count("1 samples in") == 2
    logs = list_eval_logs(str(tmp_path / "out"))
    assert {log.task for log in logs} == {"demo-react", "demo-adapt"}
    for log in logs:
        (summary,) = read_eval_log_sample_summaries(log)
        assert (summary.id, summary.epoch, summary.completed) == ("beehive", 1, True)
        assert read_eval_log(log, header_only=True).eval.metadata is not None


def test_an_export_that_fails_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = samples.write(tmp_path / "one", samples.record(), {"beehive": Went()})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    assert main(["export", str(run), "--inspect", str(tmp_path / "out")]) == 2
    assert "expected a new or empty folder, got one with 'mine' in it" in capsys.readouterr().err
    assert main(["export", str(run)]) == 2
    assert "expected --parquet, --inspect, --atif, --table, --training or --otel, got none" in capsys.readouterr().err


def test_the_documented_way_to_read_logs_runs_and_the_archive_has_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[4] / "docs" / "export.md").read_text(encoding="utf-8")
    (example,) = [each for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "inspect_ai" in each]
    run = samples.write(tmp_path / "one", samples.record(), {"beehive": Went()})
    _write(run, tmp_path / "logs")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/export.md", "exec"), {})
    assert capsys.readouterr().out.startswith("beehive 1 {'success': Score(value=1")
    (file,) = (tmp_path / "logs").iterdir()
    with ZipFile(file) as archive:
        assert json.loads(archive.read("_journal/start.json"))["version"] == 2
        parts = ["_journal/start.json", "samples/beehive_epoch_1.json", "summaries.json", "header.json"]
        assert archive.namelist() == parts
