"""Live spans: the same as those of the run read back."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from quintet.api import evaluate
from quintet.cli import main
from quintet.export.otel.send import trace_run
from quintet.export.read import exported_runs
from quintet.hooks.spans import SpanHook
from tests.deploy.export.otel.test_send import collector
from tests.deploy.hooks.test_thread import Listed


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


def test_a_collector_that_refuses_is_told_once_and_the_run_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    with collector(status=400) as (url, _):
        evaluate("random", "textcraft", tasks=["stick"], hooks=[SpanHook.to_collector(url)])
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
