"""Spans of runs on disk: their tree, their names and ids, and what a collector receives."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from quintet.cli import main
from quintet.errors import UsageError
from quintet.export.otel.send import trace_run, traces_url
from quintet.export.read import exported_runs
from tests.deploy import samples
from tests.deploy.samples import OBSERVATION, Went

WENT = {"beehive": Went(calls=2), "cake": Went("faulted"), "stick": Went(None)}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return samples.write(tmp_path / "one", samples.record("adapt", WENT), WENT)


def _spans(run: Path, *, content: bool = False) -> dict[str, ReadableSpan]:
    (found,), exporter = exported_runs(run), InMemorySpanExporter()
    sent = trace_run(found, exporter, content=content)
    spans = {str((span.attributes or {}).get("quintet.path", "")): span for span in exporter.get_finished_spans()}
    assert len(spans) == sent == len(exporter.get_finished_spans())
    return spans


def _id(span: ReadableSpan) -> int:
    assert span.context is not None
    return int(span.context.span_id)


def _trace(span: ReadableSpan) -> int:
    assert span.context is not None
    return int(span.context.trace_id)


def test_every_path_is_a_span_inside_that_of_the_path_above_it(run: Path) -> None:
    spans = _spans(run)
    inside = {path: path.rpartition("/")[0] for path in spans if path.count("/") > 2}
    assert {path: spans[path].parent and spans[path].parent.span_id for path in inside} == {  # type: ignore[union-attr]
        path: _id(spans[above]) for path, above in inside.items()
    }
    assert {path for path, span in spans.items() if span.parent is None} == {"", *(f"{task}/0/0" for task in WENT)}
    assert {path: spans[path].name for path in ("", "beehive/0/0", "beehive/0/0/2", "beehive/0/0/2/1")} == {
        "": "invoke_workflow adapt",
        "beehive/0/0": "invoke_agent adapt",
        "beehive/0/0/2": "execute",
        "beehive/0/0/2/1": f"chat {samples.MODEL}",
    }
    assert spans["beehive/0/0/2/2"].name == "execute_tool textcraft"


def test_an_episode_is_a_trace_that_links_to_its_run(run: Path) -> None:
    spans = _spans(run)
    links = {(link.context.trace_id, link.context.span_id) for span in spans.values() for link in span.links}
    assert links == {(_trace(spans[""]), _id(spans[""]))}
    assert {path for path, span in spans.items() if span.links} == {f"{task}/0/0" for task in WENT}
    assert [(spans[f"{task}/0/0"].attributes or {})["quintet.run"] for task in WENT] == ["one"] * len(WENT)
    traces = {task: {_trace(span) for path, span in spans.items() if path.startswith(f"{task}/")} for task in WENT}
    assert all(len(each) == 1 for each in traces.values())
    assert len({_trace(spans[""])}.union(*traces.values())) == len(WENT) + 1


def test_names_are_those_of_the_conventions(run: Path) -> None:
    conventions = vars(import_module("opentelemetry.semconv._incubating.attributes.gen_ai_attributes"))
    known = {value for name, value in conventions.items() if name.startswith("GEN_AI_")}
    operations = {str(each.value) for each in conventions["GenAiOperationNameValues"]}
    used = {key for span in _spans(run, content=True).values() for key in span.attributes or {}}
    assert {key for key in used if not key.startswith("quintet.")} - {"error.type"} <= known
    named = {str((span.attributes or {}).get("gen_ai.operation.name")) for span in _spans(run).values()}
    assert named - {"None"} == {"invoke_workflow", "invoke_agent", "chat", "execute_tool"} <= operations
    call = _spans(run)["beehive/0/0/2/1"]
    assert call.kind is SpanKind.CLIENT
    assert call.attributes is not None
    assert call.attributes["gen_ai.usage.input_tokens"] == 100
    assert call.attributes["gen_ai.request.seed"] == 7


def test_a_fault_is_an_error_and_a_reward_an_evaluation(run: Path) -> None:
    spans = _spans(run)
    assert spans["cake/0/0"].status.status_code is StatusCode.ERROR
    assert spans["cake/0/0"].status.description == "WorldFault: it broke"
    (event,) = spans["beehive/0/0"].events
    assert event.name == "gen_ai.evaluation.result"
    assert dict(event.attributes or {})["gen_ai.evaluation.score.value"] == 1.0
    assert (spans["stick/0/0"].attributes or {})["quintet.state"] == "unfinished"


def test_no_text_is_said_unless_it_is_asked_for(run: Path) -> None:
    texts = ("You craft", "Goal", "Think", "get 1 log", OBSERVATION, "craft beehive", "fetch a log")
    said = "".join(f"{span.name}{dict(span.attributes or {})}" for span in _spans(run).values())
    assert [text for text in texts if text in said] == []
    call, step = (_spans(run, content=True)[f"beehive/0/0/2/{number}"].attributes or {} for number in (3, 4))
    asked = json.loads(str(call["gen_ai.input.messages"]))
    assert next(message["parts"][0]["content"] for message in asked) == "You craft."
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert json.loads(str(step["gen_ai.tool.call.arguments"])) == {"action": "get 1 log"}


def test_ids_follow_from_the_run_and_the_path(run: Path, tmp_path: Path) -> None:
    first, again = _spans(run), _spans(run, content=True)
    assert {path: _id(span) for path, span in first.items()} == {path: _id(span) for path, span in again.items()}
    other = samples.write(tmp_path / "two", samples.record("adapt", WENT), WENT)
    assert {_id(span) for span in first.values()}.isdisjoint(_id(span) for span in _spans(other).values())


@contextmanager
def collector(*, status: int = 200) -> Generator[tuple[str, list[Any]], None, None]:
    """A collector on loopback: its address, and the spans that it received, as OTLP has them."""
    received: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/v1/traces" and status == 200:
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    received.extend(span for scope in resource.scope_spans for span in scope.spans)
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", received
        finally:
            server.shutdown()
            thread.join()


def test_a_collector_receives_what_the_sdk_was_given(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with collector() as (url, received):
        assert main(["export", str(run), "--otel", url]) == 0
    spans = _spans(run)
    assert capsys.readouterr().out.split()[:2] == [str(len(spans)), "spans"]
    assert {span.span_id: span.name for span in received} == {
        _id(span).to_bytes(8): span.name for span in spans.values()
    }
    assert {span.trace_id for span in received} == {_trace(span).to_bytes(16) for span in spans.values()}
    assert {link.span_id for span in received for link in span.links} == {_id(spans[""]).to_bytes(8)}


def test_a_refusal_and_a_wrong_address_are_told(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with collector(status=400) as (url, _):
        assert main(["export", str(run), "--otel", url]) == 2
    assert "--otel: expected a collector that takes spans by OTLP over HTTP" in capsys.readouterr().err
    for wrong in ("localhost:4318", "http://", "ftp://host", "http://host:no"):
        with pytest.raises(UsageError, match="expected a collector's address"):
            traces_url(wrong)
    assert main(["export", str(run), "--parquet", "x", "--otel-content"]) == 2
    assert "--otel-content: expected --otel URL beside it, got none" in capsys.readouterr().err
