"""Finds a model's confidences in a line, and reads them: numbers, percentages, and words that are no numbers."""

import math
import re
from typing import Any

_NUMBER = r"(?:[0-9]{1,4}(?:[.,][0-9]{1,9})?|[.,][0-9]{1,9})"
_SURE = rf"(?:[01]?[.,][0-9]{{1,9}}|{_NUMBER}[ \t]?(?:%|percent\b))"
"""A number that is a confidence though nothing says so."""
_LABEL = (
    r"(?:(?:confidence|certainty)(?:[ \t](?:level|score|value))?|conf\b\.?|probability|prob\b\.?|likelihood|chance"
    r"|score|p(?=[ \t]*[=:]))"
)
_INDEX = r"(?:[ \t]?\([^()\n]{0,20}\))?(?:[ \t]\#?[0-9]{1,2}(?=[ \t*_`]*:))?"
"""A remark or a number behind a label, as in `Confidence (0-1):` and `Confidence 2:`."""
_DRESS = r"[ \t*_`\"']{0,8}+"
"""Bounded, as everything here is, so that a long run costs its length once."""
_VALUE = rf"(?:(?:[-+]|[~≈<>][ \t]?)?{_NUMBER}[ \t]?(?:%|percent\b|/[ \t]?10{{1,2}}\b)?|[-+]?(?:nan|inf(?:inity)?)\b)"

CONFIDENCE = re.compile(
    rf"""
      <{_LABEL}>[^<>\n]{{0,30}}</{_LABEL}>
    | (?<![\w\[\](){{}}])[(\[{{<]{_DRESS}(?:with[ \t])?(?:an?[ \t])?{_LABEL}(?![a-z])
      [^()\[\]{{}}<>\n]{{0,40}}[)\]}}>]
    | (?<!\w)[(\[{{]{_DRESS}[^()\[\]{{}}\n]{{1,20}}[ \t]confiden(?:ce|t){_DRESS}[)\]}}]
    | (?<!\w)[(\[{{<]{_DRESS}{_SURE}{_DRESS}[)\]}}>]
    | (?:\b(?:with|at)[ \t])?(?:\b(?:an?|my)[ \t])?(?<![\w]){_LABEL}{_INDEX}{_DRESS}
      (?:[:：=]|\bof\b|\bis\b)?{_DRESS}{_VALUE}{_DRESS}(?:[ \t]*:(?=[ \t]))?
    | (?<![\w]){_LABEL}{_DRESS}[:：=]{_DRESS}(?:[A-Za-z?]{{1,20}}(?:[ \t-][A-Za-z]{{1,20}})?)?[ \t]{{0,8}}$
    | (?:\bwith[ \t])?(?:\ban?[ \t])?(?<![\w.,]){_NUMBER}[ \t]?(?:%|percent\b)?[ \t]
      (?:confiden(?:ce|t)|sure|certain|probability|likely|chance)\b
    | ^{_DRESS}{_SURE}{_DRESS}(?:[-–—:|]|->)
    | (?:[ \t]{{0,4}}(?:->|=>|[-–—:=|,→\#])|\t|[ ]{{3}}){_DRESS}(?<![\w.])
      {_SURE}{_DRESS}(?=[ \t]*(?:$|[;,|]|\.(?:\s|$)))
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A confidence with its label, brackets or dash."""

_KEY = rf"[\"']?\b{_LABEL}{_INDEX}[\"']?[ \t]*[:=][ \t]*[\"']?"
_KEYED = re.compile(rf"{_KEY}({_VALUE})", re.IGNORECASE)
_ANY = re.compile(_VALUE, re.IGNORECASE)
_MOST = 1e6


def confidence_in(text: str) -> float | None:
    """The confidence in a text that holds one; None if it is no number from 0 on."""
    found = _KEYED.search(text)
    value = found[1] if found else next((each[0] for each in _ANY.finditer(text)), "")
    return _parse(value)


def as_confidence(value: Any) -> float | None:
    """The confidence that a JSON value is: at least 0, and finite; else None."""
    if isinstance(value, str):
        return _parse(value) if _ANY.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= _MOST else None


def _parse(value: str) -> float | None:
    text = value.strip().lower().lstrip("~≈<>+ ").replace(",", ".").replace("percent", "%")
    number, slash, scale = text.rstrip("% \t").partition("/")
    try:
        parsed = float(number) / (float(scale) if slash else 100 if text.endswith("%") else 1)
    except ValueError:
        return None
    return parsed if 0 <= parsed <= _MOST and math.isfinite(parsed) else None
