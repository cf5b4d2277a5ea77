"""The version by which a run that learns is judged, and its success, from the rows of its episodes alone."""

from collections.abc import Collection, Mapping
from statistics import fmean
from typing import TypeAlias

from quintet.journal.codes import FAULTED_STATE, INTERRUPTED_STATE
from quintet.journal.episode_rows import EpisodeRow
from quintet.runs.record import RunRecord

NewestRows: TypeAlias = Mapping[tuple[str, int], EpisodeRow]
"""The newest attempt by task and epoch; the epochs of a run that learns are versions."""


def judging_version(record: RunRecord, newest: NewestRows, chosen: int | None) -> int | None:
    """The version that judges a run that learns: the chosen one.

    Before one is chosen: the newest that was measured with every test task, or else with any. None: the run learns
    along a stream, and its tasks judge it with whichever version each was played.
    """
    if record.streams:
        return None
    if chosen is not None:
        return chosen
    tasks = {task.name for task in record.tasks}
    begun = {epoch for task, epoch in newest if task in tasks}
    rows = {epoch: [newest.get((task, epoch)) for task in tasks] for epoch in begun}
    return max([epoch for epoch in begun if _is_measured(rows[epoch])] or begun, default=0)


def success_of(record: RunRecord, newest: NewestRows, version: int | None) -> float | None:
    """The share of the test tasks' results with a version, or with any, that earned the full reward; None without."""
    tasks = {task.name for task in record.tasks}
    judging = [row for (task, epoch), row in newest.items() if task in tasks and version in (None, epoch)]
    found = [row for row in judging if _has_result(row)]
    return fmean((row.reward or 0.0) >= 1 for row in found) if found else None


def _is_measured(rows: Collection[EpisodeRow | None]) -> bool:
    ended = [row for row in rows if row is not None and row.state not in (None, INTERRUPTED_STATE)]
    return len(ended) == len(rows) and any(map(_has_result, ended))


def _has_result(row: EpisodeRow) -> bool:
    return row.state not in (None, FAULTED_STATE, INTERRUPTED_STATE)
