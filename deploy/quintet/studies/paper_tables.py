"""Published figures as a block of their own in a report: each row names its table and the model that produced it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import to_builtins
from msgspec.structs import astuple

from quintet.reports.load import Report, RunReport
from quintet.reports.summary import TaskGroup, heading
from quintet.reports.text_tables import NONE, TextTable, number
from quintet.studies.papers import PaperRow, PrintedRow, published_figures

_ALL: TaskGroup = ("", "")
_TRIALS = ("actions, first trial", "actions, last trial", "plan revisions")


class PrintedFigures(NamedTuple):
    """The figures of one kind that some of several rows print: a column for each."""

    kind: Literal["score", "success", "depth", "usd", "trials"]
    what: str
    groups: tuple[TaskGroup, ...]
    """Of tasks, one for each column; none for costs."""
    columns: tuple[str, ...]
    cells: Callable[[PrintedRow], Sequence[str]]
    """Of a row: as printed, `-` where nothing is."""

    def prints(self, row: PrintedRow) -> bool:
        """Whether a row has figures of this kind."""
        return any(cell != NONE for cell in self.cells(row))


def printed_figures(rows: Collection[PrintedRow]) -> Iterator[PrintedFigures]:
    """The kinds of figures that some of the rows print."""
    if any(row.score is not None for row in rows):
        yield PrintedFigures("score", "score (mean reward x 100)", (_ALL,), (heading(_ALL),), _score)
    if any(row.success is not None or row.groups for row in rows):
        yield _by_group("success", "success in percent", rows, _success)
    if any(row.depths for row in rows):
        yield _by_group("depth", "levels of recursion needed to succeed, mean", rows, _depth)
    if any(row.usd is not None for row in rows):
        yield PrintedFigures("usd", "USD per question", (), ("training", "inference"), _costs)
    if any(row.trials is not None for row in rows):
        yield PrintedFigures("trials", "actions in a trial and plan revisions, mean", (), _TRIALS, _trials)


def published_tables(report: Report, elsewhere: Collection[str] = ()) -> list[TextTable]:
    """What papers print for the experiments that the report's runs repeat; no table if they repeat none.

    Args:
        elsewhere: the tables of papers that are shown in another place.
    """
    rows = [row for run in report.runs for row in repeated_rows(run)]
    return published_block(row for row in rows if row.source not in elsewhere)


def repeated_rows(run: RunReport) -> tuple[PaperRow, ...]:
    """What papers print for the experiment that a run repeats; nothing beside a simulated model."""
    return () if run.results.simulated else published_figures(run.summary.record)


def published_by_run(report: Report) -> dict[str, list[Mapping[str, Any]]]:
    """The same for programs, by the label of the run."""
    return {run.label: [published_content(row) for row in repeated_rows(run)] for run in report.runs}


def published_block(rows: Iterable[PaperRow]) -> list[TextTable]:
    """A table for each kind of figure that some of the rows print; each row is named once."""
    found: list[PaperRow] = []
    found += (row for row in rows if row not in found)
    return [
        table
        for figures in printed_figures(found)
        for table in papers_table(
            figures.what, figures.columns, [(row, figures.cells(row)) for row in found if figures.prints(row)]
        )
    ]


def papers_table(what: str, columns: Iterable[str], rows: Iterable[tuple[PaperRow, Iterable[str]]]) -> list[TextTable]:
    """A table of papers' figures; none if it would have no row."""
    cells = tuple((row.source, row.row, row.model, row.budget, *further) for row, further in rows)
    headings = ("", "method", "model", "budget", *columns)
    return [TextTable(f"Published: {what}", headings, cells)] if cells else []


def _by_group(
    kind: Literal["success", "depth"],
    what: str,
    rows: Collection[PrintedRow],
    cell: Callable[[PrintedRow, TaskGroup], str],
) -> PrintedFigures:
    found: dict[TaskGroup, None] = {_ALL: None}
    found |= {(label, value): None for row in rows for label, values in row.groups.items() for value in values}
    groups = tuple(group for group in found if any(cell(row, group) != NONE for row in rows))

    def cells(row: PrintedRow) -> list[str]:
        return [cell(row, group) for group in groups]

    return PrintedFigures(kind, what, groups, tuple(map(heading, groups)), cells)


def _score(row: PrintedRow) -> list[str]:
    return [number(row.score, "")]


def _success(row: PrintedRow, group: TaskGroup) -> str:
    label, value = group
    success = row.groups.get(label, {}).get(value) if label else row.success
    return number(success, "")


def _depth(row: PrintedRow, group: TaskGroup) -> str:
    label, value = group
    return number(row.depths.get(label, {}).get(value), ".1f")


def _costs(row: PrintedRow) -> list[str]:
    return [number(usd, "g") for usd in ((row.usd.training, row.usd.inference) if row.usd else (None, None))]


def _trials(row: PrintedRow) -> list[str]:
    printed = row.trials
    return [NONE] * len(_TRIALS) if printed is None else [f"{each:.2f}" for each in astuple(printed)]


def published_content(row: PaperRow) -> Mapping[str, Any]:
    """A row for programs, with its experiment."""
    experiment = {"source": row.source, "budget": row.budget, "split": row.split, "tasks": row.tasks}
    return {**experiment, **printed_content(row)}


def printed_content(row: PrintedRow) -> Mapping[str, Any]:
    """The figures of a row for programs."""
    return {
        "method": row.row,
        "model": row.model or None,
        "success_percent": row.success,
        "score": row.score,
        "groups": {
            label: {
                value: {"success_percent": success, "depth_to_succeed": row.depths.get(label, {}).get(value)}
                for value, success in values.items()
            }
            for label, values in row.groups.items()
        },
        "usd_per_question": to_builtins(row.usd),
        "trials": to_builtins(row.trials),
    }
