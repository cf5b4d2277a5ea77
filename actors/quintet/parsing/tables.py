"""Markdown tables with their rows as labelled lines."""

import re

_TABLE = re.compile(
    r"^[ \t]*+(?P<header>\|[^\n]*+)\n[ \t]*+\|(?=[^\n]*-)[ \t:|-]++(?P<rows>(?:\n[ \t]*+\|[^\n]*+)*+)", re.MULTILINE
)


def rows_as_lines(text: str) -> str:
    """Each row of each table as lines of the form `heading: cell`; what is no table is left out."""
    return "\n".join(
        f"{heading}: {cell}"
        for table in _TABLE.finditer(text)
        for row in table["rows"].split("\n")[1:]
        for heading, cell in zip(_cells(table["header"]), _cells(row), strict=False)
    )


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
