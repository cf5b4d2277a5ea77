"""The papers' tables that a study reproduces: what was obtained beside what is printed, and what stands apart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quintet.plugins import catalogue
from quintet.reports.exports import estimate_content
from quintet.reports.load import RunReport
from quintet.reports.text_tables import NONE, TextTable, number, percent
from quintet.studies.definition import PaperTable, Study
from quintet.studies.paper_tables import PrintedFigures, printed_content, printed_figures
from quintet.studies.papers import PaperRow, QuotedRow, joint_differences, paper_rows
from quintet.studies.pooled import joint_costs, joint_rate, joint_score

OURS = "prompts are our own; what else differs from the papers is in the methods' READMEs"
"""Of every method, also where a run has a paper's tasks, budget and options."""


class ReproducedRow(NamedTuple):
    """A row of a paper's table."""

    printed: PaperRow | QuotedRow
    runs: Sequence[RunReport]
    """Of its arms, as far as they have begun; none if no arm is this row."""
    differs: Sequence[str]
    """How they differ from the paper's experiment, or why none could repeat it; empty: they repeat it."""


def reproduced_rows(table: PaperTable, arms: Mapping[str, RunReport]) -> list[ReproducedRow]:
    """The rows of a table, in the order of its arms, then those that no arm has."""
    rows: tuple[PaperRow | QuotedRow, ...] = (*_of_source(table.source), *table.quoted)
    printed = {row.row: row for row in rows}
    found: list[ReproducedRow] = []
    for name in sorted(printed, key=[*table.rows, *printed].index):
        row, members = printed[name], table.rows.get(name, ())
        runs = [arms[arm] for arm in members if arm in arms]
        missing = [f"{len(runs)} of {len(members)} runs have begun"] * (0 < len(runs) < len(members))
        found.append(ReproducedRow(row, runs, [*_why_apart(row, runs), *missing]))
    return found


def _why_apart(row: PaperRow | QuotedRow, runs: Sequence[RunReport]) -> list[str]:
    if isinstance(row, QuotedRow):
        return [row.why]
    return experiment_differences(row, runs) if runs else ["not run here"]


def experiment_differences(row: PaperRow, runs: Sequence[RunReport]) -> list[str]:
    """How runs differ from a paper's experiment.

    Another model than the paper's is no difference: it is named beside every figure.
    """
    unfinished = [f"{run.label} is unfinished" for run in runs if not run.results.finished]
    faulted = [f"{run.label} has faulted episodes" for run in runs if run.summary.faulted]
    return [*joint_differences(row, [run.summary.record for run in runs]), *unfinished, *faulted]


def reproduction_tables(table: PaperTable, rows: Sequence[ReproducedRow]) -> list[TextTable]:
    """For each kind of figure that the paper prints, the rows that the study repeats, and the others apart."""
    found: list[TextTable] = []
    for figures in printed_figures([row.printed for row in rows]):
        of_kind = [row for row in rows if figures.prints(row.printed)]
        beside = tuple(line for row in of_kind if not row.differs for line in _beside(row, figures))
        apart = tuple(_printed(row.printed, figures) for row in of_kind if row.differs)
        what = f"{table.source}: {figures.what}"
        if beside:
            found.append(TextTable(f"{what}, obtained and published", ("", "", "model", *figures.columns), beside))
        if apart:
            found.append(TextTable(f"{what}, published", ("", "model", "budget", *figures.columns), apart))
    return found


def reproduction_notes(table: PaperTable, rows: Sequence[ReproducedRow]) -> Iterator[str]:
    """What the paper says, and why figures stand apart."""
    if table.statement:
        yield f"{table.source}: {table.statement}"
    by_reason: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.differs:
            by_reason.setdefault(tuple(row.differs), []).append(row.printed.row)
    for reasons, names in by_reason.items():
        yield published_apart(f"{table.source} ({'; '.join(names)})", reasons)


def published_apart(what: str, reasons: Iterable[str]) -> str:
    """Why published figures are not compared with the runs'."""
    return f"{what}: not repeated here: {'; '.join(reasons)}"


def reproductions(study: Study, arms: Mapping[str, RunReport]) -> tuple[list[TextTable], list[str], list[Any]]:
    """The tables of all that a study reproduces, the notes on them, and the same for programs."""
    tables: list[TextTable] = []
    notes: list[str] = []
    content: list[Any] = []
    for table in study.reproduces:
        rows = reproduced_rows(table, arms)
        tables += reproduction_tables(table, rows)
        notes += reproduction_notes(table, rows)
        content.append(
            {
                "table": table.table,
                "source": table.source,
                "statement": table.statement or None,
                "rows": [_content(row) for row in rows],
            }
        )
    return tables, [*notes, *[OURS] * bool(study.reproduces)], content


def _of_source(source: str) -> Iterator[PaperRow]:
    """The rows of a paper's table, from the `papers.toml` of all methods."""
    return (row for method in catalogue.names("method") for row in paper_rows(method) if row.source == source)


def _beside(row: ReproducedRow, figures: PrintedFigures) -> Iterator[tuple[str, ...]]:
    models = ", ".join(dict.fromkeys(run.results.model for run in row.runs))
    yield (row.printed.row, "obtained", models, *_obtained(row.runs, figures))
    yield ("", "published", row.printed.model, *figures.cells(row.printed))


def _obtained(runs: Sequence[RunReport], figures: PrintedFigures) -> Iterator[str]:
    match figures.kind:
        case "score":
            yield percent(joint_score(runs))
        case "success":
            yield from (percent(joint_rate(runs, *group)) for group in figures.groups)
        case "depth":
            (run,) = runs
            yield from (number(run.summary.share_of(group).depth, ".1f") for group in figures.groups)
        case "trials":
            (run,) = runs
            means = None if run.results.trials is None else run.results.trials.means
            obtained = (None,) * 3 if means is None else (means.first_actions, means.last_actions, means.revisions)
            yield from (number(each, ".2f") for each in obtained)
        case "usd":
            yield from (cost.cells()[-1] for cost in joint_costs(runs))


def _printed(row: PaperRow | QuotedRow, figures: PrintedFigures) -> tuple[str, ...]:
    budget = row.budget if isinstance(row, PaperRow) else NONE
    return (row.row, row.model or NONE, budget, *figures.cells(row))


def _content(row: ReproducedRow) -> dict[str, Any]:
    return {
        "published": printed_content(row.printed),
        "runs": [run.label for run in row.runs],
        "obtained": estimate_content(joint_rate(row.runs)),
        "obtained_score": estimate_content(joint_score(row.runs)),
        "differs": list(row.differs),
    }
