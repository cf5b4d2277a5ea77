"""Gives the spans of a run to the OpenTelemetry SDK, under ids that follow from the run and the path."""

from hashlib import blake2b
from typing import Literal

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from quintet.errors import UsageError
from quintet.events import CallMade, Record
from quintet.export.otel.conventions import Attributes, SpanText, run_text, span_text
from quintet.export.prompt_reader import PromptReader, Said
from quintet.journal.blocks import Block
from quintet.messages.paths import Path, episode_of, parent
from quintet.runs.record import RunRecord

_BATCH = 512
"""Spans that are sent together."""


class RunTracer:
    """Sends the spans of one run: a trace for each episode, whose first span links to the run's, in a trace of its own.

    The same run and path have the same ids, whether they are sent while the run goes on or afterwards, so that what is
    sent twice can be recognised. The run's own identity is its method, its world and the moment it was made.

    Args:
        exporter: what sends them; not shut down here.
        content: say the texts of prompts, completions, actions and observations too.
    """

    def __init__(self, record: RunRecord, name: str, exporter: SpanExporter, *, content: bool) -> None:
        self._record = record
        self._name = name
        self._exporter = exporter
        self._prompts = PromptReader() if content else None
        self._identity = f"{record.created.isoformat()} {record.method} {record.configuration.environment.name}"
        self._ids = _GivenIds()
        self._ended = _Ended()
        resource = Resource.create({"service.name": "quintet"})
        provider = TracerProvider(sampler=ALWAYS_ON, resource=resource, id_generator=self._ids, shutdown_on_exit=False)
        provider.add_span_processor(self._ended)
        self._tracer = provider.get_tracer("quintet")
        self.sent = 0
        """Spans so far."""

    def read(self, record: Record) -> None:
        """Remember the prompt of a call, if texts are said. Before its span."""
        if self._prompts is not None:
            self._prompts.add(record.prompts)

    def add(self, block: Block) -> None:
        """Send a block of an episode as a span, together with others. A note is none."""
        if block.kind == "note":
            return
        said: list[Said] | None = None
        if self._prompts is not None:
            event = None if block.record is None else block.record.event
            said = self._prompts.read(event.prompt) if isinstance(event, CallMade) else []
        text = span_text(block, self._record, self._name, said)
        if block.kind == "episode":
            self._send(self._at(block.path), text, block.start, block.end, run=self._at(""))
        else:
            self._send(self._at(block.path), text, block.start, block.end, above=self._at(parent(block.path)))

    def end_run(self, start: float, end: float) -> None:
        """Send the span of the run itself, between two times since the Unix epoch in seconds, and what waits.

        A shard sends one of its own, below the run's: that is sent once the whole run is exported.
        """
        run, text, shard = self._at(""), run_text(self._record, self._name), self._record.shard
        if shard is None:
            self._send(run, text, start, end)
        else:
            own = SpanContext(
                run.trace_id, _hash(f"{self._identity} shard {shard}", 8), is_remote=False, trace_flags=run.trace_flags
            )
            self._send(own, text, start, end, above=run)
        self.flush()

    def _send(
        self,
        at: SpanContext,
        text: SpanText,
        start: float,
        end: float,
        *,
        above: SpanContext | None = None,
        run: SpanContext | None = None,
    ) -> None:
        self._ids.next = at
        span = self._tracer.start_span(
            text.name,
            context=Context() if above is None else set_span_in_context(NonRecordingSpan(above), Context()),
            links=() if run is None else (Link(run),),
            kind=SpanKind.CLIENT if text.client else SpanKind.INTERNAL,
            attributes=text.attributes,
            start_time=_nanoseconds(start),
        )
        if text.error:
            span.set_status(Status(StatusCode.ERROR, text.error))
        if text.reward is not None:
            score: Attributes = {"gen_ai.evaluation.name": "reward", "gen_ai.evaluation.score.value": text.reward}
            span.add_event("gen_ai.evaluation.result", score, _nanoseconds(end))
        span.end(_nanoseconds(end))
        if len(self._ended.spans) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Send what waits; a `UsageError` if the collector does not take it."""
        spans, self._ended.spans = self._ended.spans, []
        if spans and self._exporter.export(spans) is not SpanExportResult.SUCCESS:
            raise UsageError(
                "--otel: expected a collector that takes spans by OTLP over HTTP, got no answer or a refusal"
            )
        self.sent += len(spans)

    def _at(self, path: Path | Literal[""]) -> SpanContext:
        """The ids of a path's span, or of the run's."""
        trace = _hash(f"{self._identity} trace {episode_of(path)}" if path else f"{self._identity} trace", 16)
        return SpanContext(trace, _hash(f"{self._identity} {path}", 8), is_remote=False, trace_flags=TraceFlags(1))


class _GivenIds(IdGenerator):
    next: SpanContext
    """Of the span that is started next."""

    def generate_span_id(self) -> int:
        return self.next.span_id

    def generate_trace_id(self) -> int:
        return self.next.trace_id


class _Ended(SpanProcessor):
    """Keeps spans that ended, until they are sent."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(span)


def _hash(text: str, size: int) -> int:
    """A number of so many bytes; never 0, which is no id."""
    return int.from_bytes(blake2b(text.encode(), digest_size=size).digest()) or 1


def _nanoseconds(seconds: float) -> int:
    return max(0, round(seconds * 1_000_000_000))  # a damaged journal may say anything
