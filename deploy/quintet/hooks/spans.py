"""Live spans: a hook that sends what a run does to a collector of OpenTelemetry."""

import time
from typing import ClassVar

from quintet.events import Record
from quintet.export.extras import require_extra
from quintet.export.spans import EpisodeSpans
from quintet.hooks.hook import Hook, RunInfo
from quintet.messages.paths import Path, episode_of
from quintet.runs.feed import EpisodeStart

_BETWEEN = 1.0
"""Seconds between two requests to the collector, unless more spans wait than one request takes."""


class SpanHook(Hook):
    """Sends the same spans as `quintet export --otel` does afterwards.

    The spans of branches, and of what was cut off, come with the end of their episode; that of the run comes last.

    Args:
        url: of the collector.
        content: say the texts of prompts, completions, actions and observations too.

    Raises:
        UsageError: the extra `otel` is not installed, or the URL is none.
    """

    grace_seconds: ClassVar[float] = 30.0

    def __init__(self, url: str, *, content: bool = False) -> None:
        require_extra("opentelemetry.exporter.otlp.proto.http", "otel", "--otel")
        from quintet.export.otel.send import otlp_exporter

        self._exporter = otlp_exporter(url)
        self._content = content
        self._episodes: dict[Path, EpisodeSpans] = {}
        self._sent_at = 0.0

    def on_run_begin(self, run: RunInfo) -> None:
        from quintet.export.otel.tracer import RunTracer

        self._tracer = RunTracer(run.record, run.name, self._exporter, content=self._content)

    def on_episode_begin(self, episode: EpisodeStart) -> None:
        self._episodes[episode.path] = EpisodeSpans(episode.path)

    def on_record(self, record: Record) -> None:
        path = episode_of(record.event.path)
        self._tracer.read(record)
        for span in self._episodes.setdefault(path, EpisodeSpans(path)).add(record):
            self._tracer.add(span)
            if span.kind == "episode":
                del self._episodes[path]

    def flush(self) -> None:
        if time.monotonic() - self._sent_at >= _BETWEEN:
            self._sent_at = time.monotonic()
            self._tracer.flush()

    def on_run_end(self, run: RunInfo, lost: int) -> None:
        self._tracer.end_run(run.record.created.timestamp(), time.time())
