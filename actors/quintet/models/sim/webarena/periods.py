"""Spans of days that a goal names: `in March 2022`, `the first three months of 2023`, `2022`."""

import re
from datetime import date, timedelta
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = re.compile(rf"\b{_MONTH}\.? (?P<day>\d{{1,2}}),? {_YEAR}\b", re.IGNORECASE)
_OF_MONTH = re.compile(rf"\b{_MONTH}\.?,? (?:of )?{_YEAR}\b", re.IGNORECASE)
_SOME_MONTHS = re.compile(
    rf"\b(?P<which>first|last) (?P<count>{'|'.join(_COUNTS)}|\d{{1,2}}) months of {_YEAR}\b", re.IGNORECASE
)
_QUARTER = re.compile(rf"\b(?P<number>first|second|third|fourth) quarter of {_YEAR}\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_OF_YEAR = re.compile(rf"\b(?:in|of|during|for|year) {_YEAR}\b", re.IGNORECASE)
_YEAR_MONTHS = 12


class Period(NamedTuple):
    """From a day to a day, both of them in it."""

    first: date
    last: date

    def has(self, day: date) -> bool:
        """Whether a day lies in it."""
        return self.first <= day <= self.last


def period_in(text: str) -> Period | None:
    """The span of days that a text names; None: it names none, or days that do not exist."""
    if some := _SOME_MONTHS.search(text):
        count = _count(some["count"])
        if not 1 <= count <= _YEAR_MONTHS:
            return None
        first = 1 if some["which"].lower() == "first" else _YEAR_MONTHS + 1 - count
        return _months(int(some["year"]), first, count)
    if quarter := _QUARTER.search(text):
        return _months(int(quarter["year"]), 1 + 3 * _ORDINALS.index(quarter["number"].lower()), 3)
    if named := _DAY.search(text):
        try:
            day = date(int(named["year"]), _number(named["month"]), int(named["day"]))
        except ValueError:
            return None
        return Period(day, day)
    months = [_months(int(found["year"]), _number(found["month"]), 1) for found in _OF_MONTH.finditer(text)]
    if months:
        return Period(min(months).first, max(months).last)
    year = _OF_YEAR.search(text)
    return _months(int(year["year"]), 1, _YEAR_MONTHS) if year else None


def _months(year: int, first: int, count: int) -> Period:
    last = first + count
    after = date(year + 1, 1, 1) if last > _YEAR_MONTHS else date(year, last, 1)
    return Period(date(year, first, 1), after - timedelta(days=1))


def _number(month: str) -> int:
    return _MONTHS.index(month.lower()[:3]) + 1


def _count(said: str) -> int:
    return int(said) if said.isdigit() else _COUNTS.index(said.lower()) + 1
