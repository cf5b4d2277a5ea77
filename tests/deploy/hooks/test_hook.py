"""Hooks: found, given by examples, live spans, and a process whose hooks misbehave ends as it would without."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import ANY, MagicMock, call

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from quintet.api import evaluate
from quintet.cli import main
from quintet.errors import UsageError
from quintet.export.otel.send import trace_run
from quintet.export.otel.tracer import RunTracer
from quintet.export.read import exported_runs
from quintet.hooks import hook
from quintet.hooks.hook import Hook, HookLike, installed_hooks, load_hooks
from quintet.hooks.spans import SpanHook
from quintet.plugins.entry_points import plug_ins
from tests import distributions
from tests.deploy import samples
from tests.deploy.export.otel.test_send import collector
from tests.deploy.hooks.test_thread import INFO, Listed, told_of

FILE = """
from quintet.api import Hook

class Mine(Hook):
    pass

class Short(Hook):
    def on_call(self, call):
        pass

mine = Mine()
number = 3
"""


def test_objects_classes_and_places_are_hooks(tmp_path: Path) -> None:
    file = tmp_path / "my_hooks.py"
    file.write_text(FILE)
    listed = Listed()
    found = load_hooks([listed, Listed, f"{file}:Mine", f"{file}:mine", "tests.deploy.hooks.test_thread:Listed"])
    assert [type(hook).__name__ for hook in found] == ["Listed", "Listed", "Mine", "Mine", "Listed"]
    assert found[0] is listed
    assert found[1] is not listed


class NeedsMore(Hook):
    def __init__(self, project: str) -> None:
        self.project = project


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("mine", r"hooks: expected FILE\.py:OBJECT or package\.module:OBJECT, got 'mine'"),
        ("{file}:Mime", r"hooks: expected 'Mine' in .*my_hooks\.py, got 'Mime', which it does not have"),
        ("{file}:number", r"my_hooks\.py:number: expected a subclass of quintet\.hooks\.hook\.Hook .*, got 3"),
        (
            "{file}:Short",
            r"my_hooks\.py, line 8: Short\.on_call: expected `def on_call\(self, call, record\)`, got `def",
        ),
        ("no.such.module:Mine", r"hooks: expected a module that can be imported, got ModuleNotFoundError"),
        ("{broken}:Mine", r"broken_hooks\.py, line 2: .* KeyError: 'project'"),
        (NeedsMore, r"hooks: expected a hook that is made without arguments, got TypeError"),
        (7, r"hooks: expected a subclass of quintet\.hooks\.hook\.Hook or an instance, got 7"),
    ],
)
def test_what_is_no_hook_is_refused(given: HookLike, said: str, tmp_path: Path) -> None:
    file = tmp_path / "my_hooks.py"
    file.write_text(FILE)
    broken = tmp_path / "broken_hooks.py"
    broken.write_text("x = 1\nraise KeyError('project')\n")
    with pytest.raises(UsageError, match=said):
        load_hooks([given.format(file=file, broken=broken) if isinstance(given, str) else given])


def test_installed_hooks_are_used_and_a_broken_one_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {"good": "tests.deploy.hooks.test_thread:Listed", "bad": "tests.deploy.hooks.nowhere:Listed"}
    distributions.install(tmp_path, monkeypatch, {"hooks": points})
    monkeypatch.setattr(hook, "plug_ins", plug_ins.__wrapped__)
    said: list[str] = []
    assert [type(hook).__name__ for hook in installed_hooks(said.append)] == ["Listed"]
    assert said == [
        "hook 'bad' of acme 1.0 is left out: ModuleNotFoundError: No module named 'tests.deploy.hooks.nowhere'"
    ]


EXAMPLES = Path(__file__).parents[3] / "examples"
METRICS = {"reward": 1.0, "success": 1.0, "faulted": 0.0, "calls": 1, "tokens": 0}


def test_the_hook_on_the_page_is_told_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (EXAMPLES.parent / "docs" / "hooks.md").read_text(encoding="utf-8")
    file = tmp_path / "failures.py"
    file.write_text(page.split("```python\n")[1].split("```")[0])
    assert told_of(*load_hooks([f"{file}:Failures"])) == []
    assert capsys.readouterr().out == "run: 0 failed\n"


def test_weights_and_biases_is_told_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = MagicMock()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    assert told_of(*load_hooks([f"{EXAMPLES}/hooks_wandb.py:WandbHook"])) == []
    started = f"{INFO.record.created:%Y%m%d-%H%M%S-%f}"
    assert fake.mock_calls == [
        call.init(project="quintet", name="run", id=started, config=ANY, resume="allow"),
        call.init().log({**METRICS, "seconds": 0.0}),
        call.init().finish(),
    ]
    assert "environment" in fake.init.call_args.kwargs["config"]


def test_mlflow_is_told_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = MagicMock()
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    assert told_of(*load_hooks([f"{EXAMPLES}/hooks_mlflow.py:MlflowHook"])) == []
    assert fake.mock_calls == [
        call.set_experiment("quintet"),
        call.start_run(run_name="run", tags={"folder": "None"}),
        call.log_params({"method": "react", "environment": "textcraft", "model": samples.MODEL, "seed": 0}),
        call.log_metrics(METRICS, step=1),
        call.end_run(),
    ]


STUCK = """
import threading
from quintet.api import Hook

class Stuck(Hook):
    grace_seconds = 0.2

    def on_step(self, step, record):
        threading.Event().wait()

class Exiting(Hook):
    def on_call(self, call, record):
        raise SystemExit(7)
"""


@pytest.mark.slow
def test_a_hook_that_blocks_for_ever_and_one_that_exits_neither_keep_nor_end_the_process(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(STUCK)
    command = ["eval", "react", "textcraft", "--tasks", "stick", "--out", "run"]
    hooks = ["--hooks", "bad.py:Stuck", "--hooks", "bad.py:Exiting"]
    done = subprocess.run(
        [str(Path(sys.executable).with_name("quintet")), *command, *hooks],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 named task" in done.stdout
    assert "hook Stuck: still busy 0.2 s after the run; it is left behind" in done.stderr
    assert "in on_call: SystemExit: 7" in done.stderr
    assert "Traceback" not in done.stderr


def _by_path(exporter: InMemorySpanExporter) -> Mapping[str, tuple[object, ...]]:
    def says(span: ReadableSpan) -> tuple[object, ...]:
        assert span.context is not None
        above = None if span.parent is None else span.parent.span_id
        return span.context.trace_id, span.context.span_id, above, span.name, dict(span.attributes or {})

    found = exporter.get_finished_spans()
    by_path = {str((span.attributes or {}).get("quintet.path", "")): says(span) for span in found}
    assert len(by_path) == len(found)
    return by_path


def test_a_run_that_is_followed_gives_the_spans_that_it_gives_afterwards(tmp_path: Path) -> None:
    live, after, hook = InMemorySpanExporter(), InMemorySpanExporter(), Listed()
    spans = SpanHook(lambda: live, content=True)
    evaluate("lats", "textcraft", model="sim-strong", tasks=["stick"], journal=tmp_path / "run", hooks=[spans, hook])
    (run,) = exported_runs(tmp_path / "run")
    trace_run(run, after, content=True)
    assert _by_path(live) == _by_path(after)
    assert hook.told[0] == "begin run"
    assert hook.told[-1] == "over, 0 lost"
    assert "end 1.0" in hook.told


def test_each_shard_sends_a_span_of_its_own_below_the_runs(tmp_path: Path) -> None:
    sent = InMemorySpanExporter()
    record = samples.record("react", ["beehive", "stick"], runtime={"shards": 2})
    for shard in (None, 0, 1):
        part = record.model_copy(update={"shard": shard})
        RunTracer(part, "run", sent, content=False).end_run(0.0, 1.0)
    whole, *shards = sent.get_finished_spans()
    assert len({span.context and span.context.span_id for span in (whole, *shards)}) == 3
    assert [span.parent for span in shards] == [whole.get_span_context()] * 2
    assert [(span.attributes or {})["quintet.shard"] for span in shards] == [0, 1]


def test_a_collector_that_refuses_is_told_once_and_the_run_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    with collector(status=400) as (url, _):
        evaluate("expert", "textcraft", tasks=["stick"], hooks=[SpanHook.to_collector(url)])
    assert caplog.text.count("expected a collector that takes spans by OTLP over HTTP, got no answer or a refusal") == 1


@pytest.mark.slow
def test_the_commands_send_what_an_export_sends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(tmp_path / "run")
    with collector() as (url, live):
        assert main(["eval", "adapt", "textcraft", "--tasks", "stick", "--out", run, "--otel", url]) == 0
    with collector() as (url, after):
        assert main(["export", run, "--otel", url]) == 0
    assert {(span.trace_id, span.span_id, span.name) for span in live} == {
        (span.trace_id, span.span_id, span.name) for span in after
    }
    capsys.readouterr()
    assert main(["resume", run, "--faulted", "--otel", "nowhere"]) == 2
    assert "--otel: expected a collector's address" in capsys.readouterr().err
