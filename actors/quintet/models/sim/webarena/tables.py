"""Reads tables: which row is the highest or latest, and what it says in the column that is asked for."""

import re
from datetime import date, datetime
from typing import NamedTuple

from quintet.models.sim.webarena.page import BrowsedPage, WebTable
from quintet.models.sim.webarena.ranks import WebRank
from quintet.models.sim.webarena.task import WebGoal
from quintet.models.sim.webarena.words import web_stems

_AMOUNT = re.compile(r"[$€£]? ?(-?\d[\d,]*(?:\.\d+)?) ?%?")
_DATES = ("%m/%d/%Y", "%Y-%m-%d", "%b %d, %Y", "%d %B %Y", "%B %d, %Y")
_NAMES = web_stems("name author user username customer nickname member contributor")
_MORE = re.compile(r"next|page \d+", re.IGNORECASE)


class RankedCell(NamedTuple):
    """What a table says of its highest row."""

    value: str
    figure: str
    """What the rows are compared by."""


def ranked_in(goal: WebGoal, page: BrowsedPage) -> RankedCell | None:
    """The answer to a question with a superlative, from the first table of the page that has its columns.

    None where there is none, or where a table goes on elsewhere and is not in that order.
    """
    rank = goal.rank
    if rank is None or rank.of_time:
        return None
    for table in page.tables:
        compared = _column(table, rank.measure)
        asked = _asked_column(table, goal)
        if compared is None or asked is None or compared == asked:
            continue
        rows = _ranked(page, table, compared, rank)
        if len(rows) > max(rank.place, 1) and (not _goes_on(page) or rows == _in_order(page, table, compared)):
            row = rows[rank.place]
            return RankedCell(page.nodes[row[asked]].name, page.nodes[row[compared]].name)
    return None


def _column(table: WebTable, stems: frozenset[str]) -> int | None:
    """The column whose head has most of the words, of several the one with the fewest others."""
    heads = [web_stems(head) for head in table.headers]
    shared = [(-len(head & stems), len(head), place) for place, head in enumerate(heads) if head & stems]
    return min(shared)[2] if shared else None


def _asked_column(table: WebTable, goal: WebGoal) -> int | None:
    if goal.asked == "name":
        return _column(table, _NAMES)
    return _column(table, goal.focus)


def _ranked(page: BrowsedPage, table: WebTable, column: int, rank: WebRank) -> list[tuple[int, ...]]:
    """The rows with a value, in the order that is meant."""
    rows = _in_order(page, table, column)
    return sorted(rows, key=lambda row: (-1 if rank.highest else 1) * (amount_of(page.nodes[row[column]].name) or 0.0))


def _in_order(page: BrowsedPage, table: WebTable, column: int) -> list[tuple[int, ...]]:
    return [row for row in table.rows if amount_of(page.nodes[row[column]].name) is not None]


def _goes_on(page: BrowsedPage) -> bool:
    return any(node.role == "link" and _MORE.fullmatch(node.name) for node in page.nodes)


def amount_of(text: str) -> float | None:
    """The number that a text is, a sum of money too."""
    found = _AMOUNT.fullmatch(text.strip())
    return float(found[1].replace(",", "")) if found else None


def day_of(text: str) -> date | None:
    """The day that a text is."""
    for form in _DATES:
        try:
            return datetime.strptime(text.strip(), form).date()  # noqa: DTZ007 (a day, no moment)
        except ValueError:
            continue
    return None
