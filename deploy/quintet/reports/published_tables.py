"""Published figures as a block of their own in a report: each row names its table and the model that produced it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import to_builtins

from quintet.reports.load import Report
from quintet.reports.published import PaperRow, Percent
from quintet.reports.summary import TaskGroup, heading
from quintet.reports.text_tables import NONE, TextTable

_ALL: TaskGroup = ("", "")


def published_tables(report: Report) -> list[TextTable]:
    """What papers print for the experiments that the report's runs repeat; no table if they repeat none."""
    return published_block(row for run in report.runs for row in run.summary.published)


def published_block(rows: Iterable[PaperRow]) -> list[TextTable]:
    """A table for each kind of figure that some of the rows print; each row is named once."""
    found: list[PaperRow] = []
    found += (row for row in rows if row not in found)
    return [
        *_by_group("success in percent", [row for row in found if row.success is not None or row.groups], _success),
        *_by_group("levels of recursion needed to succeed, mean", [row for row in found if row.depths], _depth),
        *_costs([row for row in found if row.usd is not None]),
    ]


def papers_table(what: str, columns: Iterable[str], rows: Iterable[tuple[PaperRow, Iterable[str]]]) -> list[TextTable]:
    """A table of papers' figures; none if it would have no row.

    Args:
        what: the figures are.
        columns: after those that name the experiment.
        rows: each with its further cells.
    """
    cells = tuple((row.source, row.row, row.model, row.budget, *further) for row, further in rows)
    headings = ("", "method", "model", "budget", *columns)
    return [TextTable(f"Published: {what}", headings, cells)] if cells else []


def _by_group(what: str, rows: list[PaperRow], cell: Callable[[PaperRow, TaskGroup], str]) -> list[TextTable]:
    groups: dict[TaskGroup, None] = {_ALL: None} if any(cell(row, _ALL) != NONE for row in rows) else {}
    groups |= {(label, value): None for row in rows for label, values in row.groups.items() for value in values}
    return papers_table(what, map(heading, groups), [(row, [cell(row, group) for group in groups]) for row in rows])


def _success(row: PaperRow, group: TaskGroup) -> str:
    label, value = group
    success: Percent | None = row.groups.get(label, {}).get(value) if label else row.success
    return NONE if success is None else str(success)


def _depth(row: PaperRow, group: TaskGroup) -> str:
    label, value = group
    depth = row.depths.get(label, {}).get(value)
    return NONE if depth is None else f"{depth:.1f}"


def _costs(rows: list[PaperRow]) -> list[TextTable]:
    def cells(row: PaperRow) -> list[str]:
        training, inference = (row.usd.training, row.usd.inference) if row.usd else (None, None)
        return [NONE if usd is None else f"{usd:g}" for usd in (training, inference)]

    return papers_table("USD per question", ("training", "inference"), [(row, cells(row)) for row in rows])


def published_content(row: PaperRow) -> Mapping[str, Any]:
    """A row for programs."""
    return {
        "source": row.source,
        "method": row.row,
        "model": row.model,
        "budget": row.budget,
        "split": row.split,
        "tasks": row.tasks,
        "success_percent": row.success,
        "groups": {
            label: {
                value: {"success_percent": success, "depth_to_succeed": row.depths.get(label, {}).get(value)}
                for value, success in values.items()
            }
            for label, values in row.groups.items()
        },
        "usd_per_question": to_builtins(row.usd),
    }
