"""Parses a number with its reason: a type, from an index (`[2]: reason`); or a step, from a comparison (`3: reason`).

The line that begins with the number counts, whether or not a word (`Type 2`, `Step 3`) and brackets dress it; the
first one, since reasons that follow it may be numbered too. Without one, a sentence may name the number (`belongs to
type 2`), or the answer is the number alone.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from quintet.parsing.answers import EMPHASIS, MARK, answer_text
from quintet.parsing.decisions import rows_as_lines
from quintet.parsing.objects import as_plain_text, fields, first_object

_DRESS = r"[ \t*_`\"'“”‘’(<\[{#$]*+"
_END = r"(?![\w%]|[.,][0-9])"
_QUALIFIED = r"(?:(?:the|my|best|first|high[ -]?level|final|number|key|differing|fitting|of)[ \t]++){0,5}+"
_SAYS = r"(?:[ \t]*+(?:number|no\.?|#|is|[:：=→]))*+"
_CLOSED = r"(?:[ \t*_`\"'“”‘’)>\]}]*+(?:[:：.,\-–—|→]|$)|[)\]][ \t])"


class NumberReader(NamedTuple):
    """Reads a number that follows one of some names."""

    line: re.Pattern[str]
    said: re.Pattern[str]
    keys: tuple[str, ...]

    def read(self, completion: str, most: int) -> int | None:
        """The first number in a whole completion; None if it is out of range, since which one is meant is a guess."""
        number = next(self._numbers(answer_text(completion).strip()), None)
        return number if number is not None and 1 <= number <= most else None

    def _numbers(self, text: str) -> Iterator[int]:
        """Readings of an answer, the likeliest first."""
        found = first_object(text) if "{" in text else None
        said = fields(found.value) if found else {}
        for key in self.keys:
            value = said.get(key)
            if isinstance(value, int) and not isinstance(value, bool):
                yield value
            elif number := re.search(r"[0-9]{1,6}", as_plain_text(value)[:200]):
                yield int(number[0])
        rows = rows_as_lines(text) if "|" in text else ""
        for pattern in (self.line, self.said):
            yield from (int(each["number"]) for part in (text, rows) for each in pattern.finditer(part))


def number_reader(names: str, *keys: str) -> NumberReader:
    """A reader of the number behind one of some names.

    Args:
        names: as a regular expression.
        keys: of an object that has the number.
    """
    label = rf"(?:{_QUALIFIED}(?:{names}){_SAYS})?"
    line = rf"^{MARK}{label}{_DRESS}(?:(?:{names})[ \t#]*+)?(?P<number>[0-9]{{1,6}}){_END}{_CLOSED}"
    said = rf"\b(?:{names})\b{_SAYS}{EMPHASIS}{_DRESS}(?P<number>[0-9]{{1,6}}){_END}"
    return NumberReader(re.compile(line, re.IGNORECASE | re.MULTILINE), re.compile(said, re.IGNORECASE), keys)


_TYPE = number_reader(
    "type|cluster|category|group|number|index|answer|choice", "type", "index", "number", "category", "answer"
)
_STEP = number_reader("step|turn|number|answer|index|action", "step", "number", "turn", "index", "answer")


def read_index(completion: str, types: int) -> int | None:
    """The number of the type in a whole completion; None if there is none. Any text is allowed.

    Args:
        completion: the answer.
        types: how many there are; numbers begin at 1.
    """
    return _TYPE.read(completion, types)


def read_comparison(completion: str, steps: int) -> int | None:
    """The number of the step in a whole completion; None if there is none. Any text is allowed.

    Args:
        completion: the answer.
        steps: how many the better process has; numbers begin at 1.
    """
    return _STEP.read(completion, steps)
