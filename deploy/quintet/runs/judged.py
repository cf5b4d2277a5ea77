"""The version by which a run that learns is judged, and its success, from the rows of its episodes alone."""

from collections.abc import Collection, Mapping
from statistics import fmean
from typing import TypeAlias

from quintet.journal.codes import FAULTED_STATE, INTERRUPTED_STATE
from quintet.journal.episode_rows import EpisodeRow

NewestRows: TypeAlias = Mapping[tuple[str, int], EpisodeRow]
"""The newest attempt by task and epoch; the epochs of a run that learns are versions."""


def judging_version(tasks: Collection[str], newest: NewestRows, chosen: int | None) -> int:
    """The version that judges a run that learns: the chosen one.

    Before one is chosen: the newest that was measured with every test task, or else with any.
    """
    if chosen is not None:
        return chosen
    begun = {epoch for task, epoch in newest if task in tasks}
    rows = {epoch: [newest.get((task, epoch)) for task in tasks] for epoch in begun}
    return max([epoch for epoch in begun if _is_measured(rows[epoch])] or begun, default=0)


def success_of(tasks: Collection[str], newest: NewestRows, version: int) -> float | None:
    """The share of the tasks' results with a version that earned the full reward; None without a result."""
    found = [row for task in tasks if (row := newest.get((task, version))) is not None and _has_result(row)]
    return fmean((row.reward or 0.0) >= 1 for row in found) if found else None


def _is_measured(rows: Collection[EpisodeRow | None]) -> bool:
    ended = [row for row in rows if row is not None and row.state not in (None, INTERRUPTED_STATE)]
    return len(ended) == len(rows) and any(map(_has_result, ended))


def _has_result(row: EpisodeRow) -> bool:
    return row.state not in (None, FAULTED_STATE, INTERRUPTED_STATE)
