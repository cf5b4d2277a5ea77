"""Writes runs as logs that `inspect view` and inspect_ai's `read_eval_log` open.

A log is a ZIP archive: `header.json`, one file for each sample, and `summaries.json` for lists of them. Samples are
written one by one, since inspect_ai's own writer holds a whole run in memory. Source: inspect_ai 0.3, "Log files", and
its recorder of version 2 of the format.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC
from hashlib import blake2b
from math import ceil
from pathlib import Path as FilePath
from statistics import fmean, stdev
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSampleSummary,
    EvalScore,
    EvalSpec,
    EvalStats,
    condense_sample,
)
from inspect_ai.model import ModelUsage
from pydantic import BaseModel

from quintet.errors import FaultNote
from quintet.events import EpisodeEnded
from quintet.export.folder import export_folder
from quintet.export.inspect.sample import SampleSource, sample_of
from quintet.export.read import ExportedRun, counted_version, exported_runs, snapshots_of, task_entries
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import JournalReader
from quintet.reports.episodes import results
from quintet.reports.load import NO_EPISODES

_VERSION = 2
"""Of the format."""


def write_inspect_logs(path: FilePath, out: FilePath) -> tuple[dict[str, int], Sequence[str]]:
    """Write one log for a run, or for each run of a study, even while they are running.

    Args:
        out: a new or empty folder; parents are created.

    Returns:
        By the name of each log, how many samples it has; and what could not be read, and is missing.

    Raises:
        UsageError: there is no run, `out` cannot be used, or the run was resumed meanwhile.
    """
    found = exported_runs(path)
    written: dict[str, int] = {}
    with export_folder(out, "--inspect") as folder:
        for run in found:
            name = _file_name(run)
            written[name] = _write(run, folder / name)
    return written, [each for run in found for each in run.damage]


def _identity(run: ExportedRun) -> str:
    record = run.folder.record
    text = json.dumps([run.name, record.created.isoformat(), record.method])
    return blake2b(text.encode(), digest_size=11).hexdigest()


def _file_name(run: ExportedRun) -> str:
    """`TIME_TASK_ID.eval`, by which inspect_ai lists logs."""
    created = run.folder.record.created.astimezone(UTC).isoformat(timespec="seconds").replace(":", "-")
    return f"{created}_{re.sub(r'[^A-Za-z0-9.]+', '-', run.name).strip('-')}_{_identity(run)}.eval"


def _write(run: ExportedRun, file: FilePath) -> int:
    record = run.folder.record
    spec = _spec(run)
    plan = EvalPlan(
        name=record.label,
        steps=[EvalPlanStep(solver=record.method, params=record.configuration.method.model_dump(mode="json"))],
    )
    totals = _Totals()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        start = {"version": _VERSION, "eval": spec.model_dump(mode="json"), "plan": plan.model_dump(mode="json")}
        archive.writestr("_journal/start.json", json.dumps(start))
        with closing(snapshots_of(run)) as journals:
            for source in (each for _, reader in journals for each in _sources(run, reader)):
                sample = condense_sample(
                    sample_of(
                        source,
                        world=record.configuration.environment.name,
                        prices=run.folder.prices,
                        limits=run.folder.config.limits,
                    )
                )
                totals.add(sample.summary(), source)
                archive.writestr(f"samples/{sample.id}_epoch_{sample.epoch}.json", _as_json(sample))
        log = EvalLog(
            version=_VERSION,
            status="success" if results(run.folder, NO_EPISODES).finished else "started",
            eval=spec,
            plan=plan,
            results=totals.results(record.episodes),
            stats=totals.stats(),
        )
        archive.writestr("summaries.json", f"[{','.join(map(_as_json, totals.summaries))}]")
        archive.writestr("header.json", _as_json(log))
    return len(totals.summaries)


def _as_json(model: BaseModel) -> str:
    return model.model_dump_json(exclude_none=True)


def _spec(run: ExportedRun) -> EvalSpec:
    record = run.folder.record
    configuration = record.configuration
    identity, seconds = _identity(run), configuration.limits.episode_seconds
    return EvalSpec(
        eval_id=identity,
        run_id=identity,
        task_id=identity,
        created=record.created.astimezone(UTC).isoformat(),
        task=run.name,
        task_version=record.world_version,
        task_display_name=f"{record.label} in {configuration.environment.name}",
        solver=record.method,
        dataset=EvalDataset(
            name=configuration.environment.name,
            samples=len(record.tasks),
            sample_ids=[task.name for task in record.tasks],
            shuffled=False,
        ),
        model=run.models,
        config=EvalConfig(
            epochs=configuration.run.epochs,
            fail_on_error=False,
            time_limit=None if seconds is None else ceil(seconds),
            max_samples=configuration.runtime.concurrency,
        ),
        packages=dict(record.packages),
        metadata={
            "simulated": run.simulated,
            "arm": run.arm,
            "git_commit": record.git_commit,
            "configuration": configuration.model_dump(mode="json"),
        },
        tags=["simulated"] if run.simulated else None,
    )


def _sources(run: ExportedRun, reader: JournalReader) -> Iterator[SampleSource]:
    """The newest attempt at every task in every epoch, in the order of their starts."""
    record = run.folder.record
    version = counted_version(run, reader)
    tasks = task_entries(record)
    newest: dict[tuple[str, int], EpisodeRow] = {}
    faults: defaultdict[tuple[str, int], list[FaultNote]] = defaultdict(list)
    for row in reader.episodes():
        key = row.task, row.epoch
        if key in newest:
            end = reader.end(newest[key].path)
            faults[key] += [end.fault] if end is not None and end.fault is not None else []
        newest[key] = row
    for (task, epoch), row in newest.items():
        entry = tasks.get(task)
        yield SampleSource(
            run=_identity(run),
            row=row,
            records=reader.records_of(row),
            uses=reader.used_by(row.path),
            earlier=faults[task, epoch],
            task=entry,
            counts=entry is not None and record.use_of(task) == "test" and version in (None, epoch),
        )


class _Totals:
    def __init__(self) -> None:
        self.summaries: list[EvalSampleSummary] = []
        self._scores: defaultdict[str, list[float]] = defaultdict(list)
        self._ended = 0
        self._used: dict[str, ModelUsage] = {}
        self._phases: dict[str, ModelUsage] = {}

    def add(self, summary: EvalSampleSummary, source: SampleSource) -> None:
        summary.completed = source.row.ended is not None
        self.summaries.append(summary)
        _add(self._used, summary.model_usage)
        _add(self._phases, summary.role_usage)
        if not source.counts:
            return
        ended = any(isinstance(each.event, EpisodeEnded) and each.event.fault is None for each in source.records)
        self._ended += ended
        for name, score in (summary.scores or {}).items():
            self._scores[name].append(float(score.as_float()))

    def results(self, episodes: int) -> EvalResults:
        """The scores of what reports count; nothing that faulted or has not ended."""
        scores = [
            EvalScore(name=name, scorer=name, scored_samples=len(values), metrics=_metrics(values))
            for name, values in self._scores.items()
        ]
        return EvalResults(total_samples=episodes, completed_samples=self._ended, scores=scores)

    def stats(self) -> EvalStats:
        starts = [each.started_at for each in self.summaries if each.started_at is not None]
        ends = [each.completed_at for each in self.summaries if each.completed_at is not None]
        return EvalStats(
            started_at=min(starts, default=""),
            completed_at=max(ends, default="") if len(ends) == len(self.summaries) else "",
            model_usage=self._used,
            role_usage=self._phases,
        )


def _add(totals: dict[str, ModelUsage], more: Mapping[str, ModelUsage]) -> None:
    for name, used in more.items():
        totals[name] = totals[name] + used if name in totals else used


def _metrics(values: Sequence[float]) -> dict[str, Any]:
    """Mean and standard error, as inspect_ai's own scorers report them."""
    error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return {
        "mean": EvalMetric(name="mean", value=fmean(values)),
        "stderr": EvalMetric(name="stderr", value=error),
    }
