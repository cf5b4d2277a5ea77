"""Markdown tables with their rows as labelled lines."""

import re

_RULE = re.compile(r"^[ \t]*+\|(?=[^\n]*-)[ \t:|-]++$", re.MULTILINE)
_ROWS = re.compile(r"(?:\n[ \t]*+\|[^\n]*+)*+")


def rows_as_lines(text: str) -> str:
    """Each row of each table as lines of the form `heading: cell`; what is no table is left out."""
    return "\n".join(line for rule in _RULE.finditer(text) for line in _lines(text, rule))


def _lines(text: str, rule: re.Match[str]) -> list[str]:
    header = _cells(text[text.rfind("\n", 0, max(0, rule.start() - 1)) + 1 : max(0, rule.start() - 1)])
    rows = _ROWS.match(text, rule.end())
    return [
        f"{heading}: {cell}"
        for row in (rows[0] if rows else "").split("\n")[1:]
        for heading, cell in zip(header, _cells(row), strict=False)
    ]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
