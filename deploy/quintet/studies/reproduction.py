"""Published figures as tables: in a block of their own, and beside what a study obtained that repeats a table."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import to_builtins
from msgspec.structs import astuple

from quintet.plugins import catalogue
from quintet.reports.exports import estimate_content
from quintet.reports.load import Report, RunReport
from quintet.reports.summary import TaskGroup, heading
from quintet.reports.text_tables import NONE, TextTable, number, percent
from quintet.studies.definition import PaperTable, Study
from quintet.studies.learning_curves import iteration_headings
from quintet.studies.papers import PaperRow, PrintedRow, QuotedRow, paper_rows, published_figures, what_differs
from quintet.studies.pooled import joint_costs, joint_rate, joint_score

_ALL: TaskGroup = ("", "")
_TRIALS = ("actions, first trial", "actions, last trial", "plan revisions")


class PrintedFigures(NamedTuple):
    """The figures of one kind that some of several rows print: a column for each."""

    kind: Literal["score", "success", "depth", "usd", "trials", "p_values"]
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
        yield PrintedFigures("score", "score (mean reward x 100)", (_ALL,), (heading(_ALL),), _printed_score)
    if any(row.success is not None or row.groups for row in rows):
        yield _by_group("success", "success in percent", rows, _printed_success)
    if any(row.depths for row in rows):
        yield _by_group("depth", "levels of recursion needed to succeed, mean", rows, _printed_depth)
    if any(row.usd is not None for row in rows):
        yield PrintedFigures("usd", "USD per question", (), ("training", "inference"), _printed_costs)
    if any(row.trials is not None for row in rows):
        yield PrintedFigures("trials", "actions in a trial and plan revisions, mean", (), _TRIALS, _printed_trials)
    if (longest := max((len(row.p_values) for row in rows), default=0)) > 0:
        iterations = tuple(iteration_headings(range(1, longest + 1)))
        yield PrintedFigures("p_values", "p-values of t-tests", (), iterations, _printed_p_values)


def published_tables(report: Report, elsewhere: Collection[str] = ()) -> list[TextTable]:
    """What papers print for the experiments that the report's runs repeat, but for tables that are shown elsewhere.

    A run that is unfinished or has faults repeats nothing. If any of the runs is of a simulated model, nothing is
    shown, since it would stand below that one's figures too.
    """
    rows = [row for found in _repeated_rows(report).values() for row in found]
    return published_block(row for row in rows if row.source not in elsewhere)


def _repeated_rows(report: Report) -> dict[str, tuple[PaperRow, ...]]:
    shown = not any_simulated(report.runs)
    return {
        run.label: published_figures(run.summary.record) if shown and not _unfit(run) else () for run in report.runs
    }


def any_simulated(runs: Iterable[RunReport]) -> bool:
    """Whether the model of a run was simulated: then nothing published is shown."""
    return any(run.results.simulated for run in runs)


def published_by_run(report: Report) -> dict[str, list[Mapping[str, Any]]]:
    """The same for programs, by the label of the run."""
    return {label: [published_content(row) for row in rows] for label, rows in _repeated_rows(report).items()}


def published_block(rows: Iterable[PaperRow]) -> list[TextTable]:
    """A table for each kind of figure that some of the rows print; each row is named once."""
    found: list[PaperRow] = []
    found += (row for row in rows if row not in found)
    tables: list[TextTable] = []
    for figures in printed_figures(found):
        of_kind = [row for row in found if figures.prints(row)]
        cells = tuple((row.source, row.row, row.model, row.budget, *figures.cells(row)) for row in of_kind)
        tables.append(
            TextTable(f"Published: {figures.what}", ("", "method", "model", "budget", *figures.columns), cells)
        )
    return tables


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


def _printed_score(row: PrintedRow) -> list[str]:
    return [number(row.score, "")]


def _printed_success(row: PrintedRow, group: TaskGroup) -> str:
    label, value = group
    success = row.groups.get(label, {}).get(value) if label else row.success
    return number(success, "")


def _printed_depth(row: PrintedRow, group: TaskGroup) -> str:
    label, value = group
    return number(row.depths.get(label, {}).get(value), ".1f")


def _printed_costs(row: PrintedRow) -> list[str]:
    return [number(usd, "g") for usd in ((row.usd.training, row.usd.inference) if row.usd else (None, None))]


def _printed_trials(row: PrintedRow) -> list[str]:
    printed = row.trials
    return [NONE] * len(_TRIALS) if printed is None else [f"{each:.2f}" for each in astuple(printed)]


def _printed_p_values(row: PrintedRow) -> list[str]:
    return [f"{each:g}" for each in row.p_values] or [NONE]


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
        "p_values": row.p_values or None,
    }


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
    # Of several runs, such as one for each type of task, none has all of the row's tasks.
    differences = [each for run in runs for each in experiment_differences(row, run)]
    return list(dict.fromkeys(differences)) if runs else ["not run here"]


def experiment_differences(row: PaperRow, run: RunReport) -> list[str]:
    """How a run differs from a paper's experiment.

    Another model than the paper's is no difference: it is named beside every figure.
    """
    return [*what_differs(row, run.summary.record), *_unfit(run)]


def _unfit(run: RunReport) -> list[str]:
    unfinished = [f"{run.label} is unfinished"] * (not run.results.finished)
    return [*unfinished, *[f"{run.label} has faulted episodes"] * bool(run.summary.faulted)]


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
        yield f"{table.source} ({'; '.join(names)}): not repeated here: {'; '.join(reasons)}"


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
        case "p_values":
            yield from (NONE for _ in figures.columns)  # a study's own findings have its tests


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
