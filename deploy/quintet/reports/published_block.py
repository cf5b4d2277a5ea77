"""The published figures of a report, in a block of their own: each row names its table and the model that made it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from quintet.reports.load import Report
from quintet.reports.published import Group, Published
from quintet.reports.tables import Kind, heading
from quintet.reports.wording import NONE, TextTable


def published_tables(report: Report) -> list[TextTable]:
    """What papers print for the experiments that the report's runs repeat; none where they repeat none."""
    return published_block(each for run in report.runs for each in run.summary.published)


def published_block(entries: Iterable[Published]) -> list[TextTable]:
    """The same of some entries, each named once."""
    found: list[Published] = []
    found += (each for each in entries if each not in found)
    successes = [each for each in found if each.success is not None or each.groups]
    depths = [each for each in found if any(group.depth is not None for _, group in _groups(each))]
    costs = [each for each in found if each.usd is not None]
    return [
        *_by_kind("success in percent", successes, _success),
        *_by_kind("levels of recursion needed to succeed, mean", depths, _depth),
        *_costs(costs),
    ]


def papers_table(what: str, columns: Iterable[str], rows: Iterable[tuple[Published, Iterable[str]]]) -> list[TextTable]:
    """A table of papers' figures; none where it would have no row.

    Args:
        what: the figures are.
        columns: after those that say which experiment it was.
        rows: entries, each with its further cells.
    """
    cells = tuple((each.source, each.row, each.model, each.budget, *further) for each, further in rows)
    headings = ("", "method", "model", "budget", *columns)
    return [TextTable(f"Published: {what}", headings, cells)] if cells else []


def _by_kind(what: str, entries: list[Published], cell: Callable[[Published, Kind], str]) -> list[TextTable]:
    kinds: dict[Kind, None] = {("", ""): None} if any(cell(each, ("", "")) != NONE for each in entries) else {}
    kinds |= {kind: None for each in entries for kind, _ in _groups(each)}
    return papers_table(what, map(heading, kinds), [(each, [cell(each, kind) for kind in kinds]) for each in entries])


def _groups(entry: Published) -> list[tuple[Kind, Group]]:
    return [((fact, value), group) for fact, groups in entry.groups.items() for value, group in groups.items()]


def _group(entry: Published, kind: Kind) -> Group | None:
    return entry.groups.get(kind[0], {}).get(kind[1])


def _success(entry: Published, kind: Kind) -> str:
    group = _group(entry, kind)
    success = entry.success if not kind[0] else group and group.success
    return NONE if success is None else str(success)


def _depth(entry: Published, kind: Kind) -> str:
    group = _group(entry, kind)
    return NONE if group is None or group.depth is None else f"{group.depth:.1f}"


def _costs(entries: list[Published]) -> list[TextTable]:
    def cells(entry: Published) -> list[str]:
        training, inference = (entry.usd.training, entry.usd.inference) if entry.usd else (None, None)
        return [NONE if usd is None else f"{usd:g}" for usd in (training, inference)]

    return papers_table("USD per question", ("training", "inference"), [(each, cells(each)) for each in entries])


def published_content(entry: Published) -> Mapping[str, Any]:
    """An entry for programs."""
    return {
        "source": entry.source,
        "method": entry.row,
        "model": entry.model,
        "budget": entry.budget,
        "split": entry.split,
        "tasks": entry.tasks,
        "success_percent": entry.success,
        "groups": {
            fact: {
                value: {"success_percent": group.success, "depth_to_succeed": group.depth}
                for value, group in groups.items()
            }
            for fact, groups in entry.groups.items()
        },
        "usd_per_question": None if entry.usd is None else entry.usd._asdict(),
    }
