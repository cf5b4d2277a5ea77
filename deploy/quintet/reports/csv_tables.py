"""Rows as CSV, which spreadsheets open: no text of a model, a world or a stranger's folder is a formula there."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\n")
"""How a cell begins that a spreadsheet may calculate. Source: "CSV Injection" of OWASP."""


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A header and a line for each row. A text that a spreadsheet would calculate begins with an apostrophe instead."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writerow({column: _cell(column) for column in columns})
    writer.writerows({column: _cell(value) for column, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n")  # a lone one would end the row
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
