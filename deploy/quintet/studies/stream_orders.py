"""Streams in several orders: a run for each, pooled by place."""

from collections.abc import Mapping, Sequence
from typing import Any

from quintet.reports.exports import stream_content
from quintet.reports.learning.tables import COST_READING, cost_row, costs_table
from quintet.reports.load import Report, RunReport
from quintet.reports.notes import settings_notes
from quintet.reports.stream import Streams, stream_tables, streams
from quintet.reports.tables import report_tables
from quintet.reports.text_tables import TextTable
from quintet.studies.definition import OverSetting, StreamFindings, Study
from quintet.studies.panels import StreamPanel
from quintet.studies.pooled import joint_costs

STREAM = "stream"
"""The name of such a study."""

_ARM = "order"
_MOST_ORDERS = 1_000


def define_orders(number: int, first: int) -> Study:
    """The definition of a stream in so many orders, those of the seeds from the first on.

    Raises:
        ValueError: there are too few or too many.
    """
    if not 1 <= number <= _MOST_ORDERS:
        raise ValueError(f"expected 1 to {_MOST_ORDERS:,}, got {number:,}")
    return Study(
        name=STREAM,
        summary="The same tasks in several orders",
        arms={_ARM: {}},
        over=OverSetting(setting="run.order", label="order", values=tuple(range(first, first + number))),
        findings=StreamFindings(),
        picture=(StreamPanel(title="Success along the stream"),),
    )


def arm_streams(study: Study, arms: Mapping[str, RunReport]) -> Mapping[str, Streams]:
    """By the name of an arm, the streams of its runs that have begun; a row for each."""
    return {name: streams([run.results for run in runs]) for name, runs in _runs(study, arms).items()}


def _runs(study: Study, arms: Mapping[str, RunReport]) -> Mapping[str, Sequence[RunReport]]:
    """By the name of an arm, its runs that have begun, one for each value of the study's setting."""
    over = study.over
    names = {arm: [arm] if over is None else [over.arm(arm, value) for value in over.values] for arm in study.compared}
    found = {arm: [arms[name] for name in members if name in arms] for arm, members in names.items()}
    return {arm: runs for arm, runs in found.items() if runs}


def stream_findings(study: Study, part: Report) -> tuple[list[TextTable], list[str], dict[str, Any]]:
    """The curve of each arm, what its learning and its episodes cost, and the tables of every run; notes; content."""
    arms = {run.arm: run for run in part.runs}
    pooled = {arm: found for arm, found in arm_streams(study, arms).items() if found}
    costs = costs_table([cost_row(arm, *joint_costs(runs)) for arm, runs in _runs(study, arms).items()])
    content = {"streams": {arm: {"orders": len(found), **stream_content(found)} for arm, found in pooled.items()}}
    return [*stream_tables(pooled), costs, *report_tables(part)], [*settings_notes(part), COST_READING], content
