"""Tables as CSV."""

import csv
import io

import pytest

from quintet.reports.csv_tables import to_csv


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "==", "-"]
)
def test_no_text_is_a_formula_to_a_spreadsheet(text: str) -> None:
    header, row = csv.reader(io.StringIO(to_csv([text], [{text: text}]), newline=""))
    assert header == row == ["'" + text.replace("\r", "\n")]


@pytest.mark.parametrize("value", ["get 1 log", "", "-3", "+0.5", "-1e3", -3, -0.5, None, True, "a=b", "'=1", "a\nb"])
def test_any_other_value_stays_as_it_is(value: object) -> None:
    _, row = csv.reader(io.StringIO(to_csv(["value", "n"], [{"value": value, "n": 1}])))
    assert row == ["" if value is None else str(value), "1"]


def test_a_carriage_return_begins_no_row() -> None:
    _, row = csv.reader(io.StringIO(to_csv(["said"], [{"said": "a\r=1\r\nb"}]), newline=""))
    assert row == ["a\n=1\nb"]
