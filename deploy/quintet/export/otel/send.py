"""Sends the spans of runs that are on disk."""

import logging
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path as FilePath
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import SpanExporter

from quintet.errors import UsageError
from quintet.export.otel.tracer import RunTracer
from quintet.export.read import ExportedRun, exported_runs, snapshots_of
from quintet.journal.blocks import read_blocks
from quintet.messages.continuations import COPIED


def traces_url(url: str) -> str:
    """Where a collector takes spans.

    Args:
        url: the collector's, such as `http://127.0.0.1:4318`; without a path, its `/v1/traces` is meant.

    Raises:
        UsageError: it is no address.
    """
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError("expected http://HOST:PORT")
    except ValueError as error:
        where = "--otel: expected a collector's address, such as http://127.0.0.1:4318"
        raise UsageError(f"{where}, got {url!r}") from error
    return url if parts.path.strip("/") else f"{url.rstrip('/')}/v1/traces"


def otlp_exporter(url: str) -> SpanExporter:
    """What sends spans to a collector by OTLP over HTTP; headers and certificates as OTEL_EXPORTER_OTLP_... say."""
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # we say ourselves what it would log
    return OTLPSpanExporter(endpoint=url)


def send_spans(path: FilePath, url: str, *, content: bool) -> tuple[int, Sequence[str]]:
    """Send the spans of a run, or of all runs of a study, even while they are running.

    Args:
        content: say the texts of prompts, completions, actions and observations too.

    Returns:
        How many spans were sent; and what could not be read, and is missing.

    Raises:
        UsageError: there is no run, the collector does not take its spans, or the run was resumed meanwhile.
    """
    found, exporter = exported_runs(path), otlp_exporter(traces_url(url))
    try:
        sent = sum(trace_run(run, exporter, content=content) for run in found)
    finally:
        exporter.shutdown()
    return sent, [each for run in found for each in run.damage]


def trace_run(run: ExportedRun, exporter: SpanExporter, *, content: bool) -> int:
    """Send the spans of a run as its journal has them now; see `send_spans`. Returns how many there are."""
    tracer = RunTracer(run.folder.record, run.name, exporter, content=content)
    start = run.folder.record.created.timestamp()
    end = start
    with closing(snapshots_of(run)) as journals:
        for records in (reader.records_of(row) for _, reader in journals for row in reader.episodes()):
            for record in records:
                tracer.read(record)
            for block in read_blocks([each for each in records if each.incarnation != COPIED]):
                tracer.add(block)
                end = max(end, block.end)
    tracer.end_run(start, end)
    return tracer.sent
