"""Live spans: a hook that sends what a run does to a collector of OpenTelemetry."""

import time
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from quintet.events import EpisodeEnded, Record
from quintet.hooks.hook import Hook, RunInfo
from quintet.journal.blocks import EpisodeBlocks
from quintet.journal.feed import EpisodeStart
from quintet.messages.paths import Path, episode_of
from quintet.plugins.extras import require_extra

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

_BETWEEN = 1.0
"""Seconds between two requests to the collector, unless more spans wait than one request takes."""


class SpanHook(Hook):
    """Sends the same spans as `quintet export --otel` does afterwards.

    The spans of branches come with the end of their episode, that of the run, which episodes link to, comes last; a
    shard sends its own instead, below the run's. What has not ended when the run is interrupted is sent as it stands.

    Args:
        exporter: makes what sends them, once for each run.
        content: say the texts of prompts, completions, actions and observations too.
    """

    def __init__(self, exporter: "Callable[[], SpanExporter]", *, content: bool = False) -> None:
        self._make_exporter = exporter
        self._content = content

    @classmethod
    def to_collector(cls, url: str, *, content: bool = False) -> "SpanHook":
        """Send them to a collector by OTLP over HTTP; a `UsageError` without the extra `otel`, or a valid URL."""
        require_extra("opentelemetry.exporter.otlp.proto.http", "otel", "--otel")
        from quintet.export.otel.send import otlp_exporter, traces_url

        return cls(partial(otlp_exporter, traces_url(url)), content=content)

    def on_run_begin(self, run: RunInfo) -> None:
        from quintet.export.otel.tracer import RunTracer

        self._exporter = self._make_exporter()
        self._tracer = RunTracer(run.record, run.name, self._exporter, content=self._content)
        self._episodes: dict[Path, EpisodeBlocks] = {}
        self._sent_at = 0.0

    def on_episode_begin(self, episode: EpisodeStart) -> None:
        self._episodes[episode.path] = EpisodeBlocks(episode.path)

    def on_record(self, record: Record) -> None:
        path = episode_of(record.event.path)
        self._tracer.read(record)
        if path not in self._episodes:  # its start was lost
            self._episodes[path] = EpisodeBlocks(path)
        for block in self._episodes[path].add(record):
            self._tracer.add(block)
        if isinstance(record.event, EpisodeEnded):
            del self._episodes[path]

    def flush(self) -> None:
        if time.monotonic() - self._sent_at >= _BETWEEN:
            self._sent_at = time.monotonic()
            self._tracer.flush()

    def on_run_end(self, run: RunInfo, lost: int) -> None:
        try:
            for block in chain.from_iterable(episode.rest() for episode in self._episodes.values()):
                self._tracer.add(block)
            self._tracer.end_run(run.record.created.timestamp(), time.time())
        finally:
            self._exporter.shutdown()
