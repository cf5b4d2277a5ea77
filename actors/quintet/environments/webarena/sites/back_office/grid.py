"""A table of the back office with filters, sorting and pages, from a description of its columns."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from quintet.environments.webarena.sites.paging import Paging, paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.visitor_input import column_has

ColumnKind = Literal["text", "number", "money", "day", "choice"]
"""How a column is shown, and filtered: `text` by a part, `choice` by one of its values, the others from and to."""


class GridColumn(NamedTuple):
    """One column of a grid."""

    name: str
    """Its name in the query that the grid reads, and in the address."""
    label: str
    kind: ColumnKind = "text"
    choices: Sequence[str] = ()
    link: str = ""
    """A path that the cell links to, with `{names}` of the row."""
    filtered: bool = True


class Grid(NamedTuple):
    """What a grid shows now."""

    columns: Sequence[GridColumn]
    page: Paging
    sort: str
    descending: bool
    filters: Mapping[str, str]
    """The filters that are set, by their labels."""


_SIZE = 20


def read_grid(
    request: SiteRequest, source: str, columns: Sequence[GridColumn], *, sort: str, descending: bool = False
) -> Grid:
    """The rows of a query that the address asks for.

    Args:
        request: its query has the filters (`NAME`, `NAME_from`, `NAME_to`), `sort`, `dir` and the page `p`.
        source: a query with a column `id` and all that `columns` name.
        columns: of the grid.
        sort: the column by which it is sorted if the address names none.
        descending: whether it is sorted the other way round then.
    """
    parts, values, filters = ["1"], list[object](), dict[str, str]()
    for column in columns:
        _filter(request, column, parts, values, filters)
    asked = request.query.get("sort", "")
    if asked in {column.name for column in columns}:
        sort, descending = asked, request.query.get("dir") == "desc"
    collate = " COLLATE NOCASE" if _kind(columns, sort) in ("text", "choice") else ""
    order = f"{sort}{collate} {'DESC' if descending else 'ASC'}"
    rows = request.db.execute(
        f"SELECT * FROM ({source}) WHERE {' AND '.join(parts)} ORDER BY {order}, id {'DESC' if descending else 'ASC'}",
        values,
    ).fetchall()
    return Grid(columns, paged(rows, request.number("p", 1), _SIZE), sort, descending, filters)


def _kind(columns: Sequence[GridColumn], name: str) -> ColumnKind:
    for column in columns:
        if column.name == name:
            return column.kind
    return "number"


def _filter(
    request: SiteRequest, column: GridColumn, parts: list[str], values: list[object], filters: dict[str, str]
) -> None:
    """Add what the address says of one column to the query's condition."""
    if not column.filtered:
        return
    if column.kind in ("text", "choice"):
        wanted = request.query.get(column.name, "").strip()
        if wanted and column.kind == "text":
            parts.append(column_has(column.name))
            values.append(wanted)
        elif wanted:
            parts.append(f"{column.name} = ?")
            values.append(wanted)
        if wanted:
            filters[column.label] = wanted
        return
    for end, sign in (("from", ">="), ("to", "<=")):
        given = request.query.get(f"{column.name}_{end}", "").strip()
        bound = _bound(column, given, end)
        if bound is not None:
            parts.append(f"{column.name} {sign} ?")
            values.append(bound)
            filters[f"{column.label} {end}"] = given


def _bound(column: GridColumn, given: str, end: str) -> Any:
    """The end of a range as the database compares it; None if it is none."""
    if column.kind == "day":
        day = read_day(given)
        return f"{day} 23:59:59" if day and end == "to" else day
    try:
        number = float(given)
    except ValueError:
        return None
    if not math.isfinite(number) or abs(number) > 1e9:
        return None
    return round(number * 100) if column.kind == "money" else number


def read_day(text: str) -> str | None:
    """A day as it stands in the database, from `6/15/2023` or `2023-06-15`; None if it is none."""
    text = text.strip()
    parts = text.split("/") if "/" in text else text.split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        return None
    month, day, year = (parts[0], parts[1], parts[2]) if "/" in text else (parts[1], parts[2], parts[0])
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31 and len(year) == 4):
        return None
    return f"{year}-{int(month):02d}-{int(day):02d}"
