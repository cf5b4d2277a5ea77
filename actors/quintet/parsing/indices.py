"""Parses a number with its reason: a type, from an index (`[2]: reason`); or a step, from a comparison (`3: reason`).

The last line in this form counts, or the last that concludes (`Answer: 2`), since reasons before it may go through
other numbers in the same form. Where they do, a last line in words may say which is meant (`So it is type 2.`); a list
of all numbers without one is no answer. Lines of other lists (`1. It is a mug`) count only where no line has the form,
and sentences (`belongs to type 2`) where there are no lines.
"""

import re
from typing import NamedTuple

from quintet.parsing.answers import EMPHASIS, MARK, answer_text
from quintet.parsing.decisions import rows_as_lines
from quintet.parsing.objects import as_plain_text, fields, first_object

_DRESS = r"[ \t→*_`\"'“”‘’(<\[{#$]*+"
_END = r"(?![\w%]|[.,][0-9])"
_QUALIFIED = (
    r"(?:(?:the|so|my|best|first|high[ -]?level|final|number|key|differing|fitting|of|thus|therefore|hence)"
    r"[ \t,:]++){0,5}+"
)
_SAYS = r"(?:[ \t]*+(?:number|no\.?|#|is|[:：=→]))*+"
_CLOSED = r"(?:[ \t*_`\"'“”‘’)>\]}]*+(?:[:：.,\-–—|→]|$)|[)\]][ \t])"
_IN_FORM = re.compile(r"\[|[:：=→]|\b(?:is|so|thus|therefore|hence)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b[0-9]{1,6}\b")
_SENTENCE = re.compile(r"[^.!?\n]+")
_NOT_IT = re.compile(
    r"\b(?:not|nothing|neither|nor|unlike|than)\b|n['’]t\b|\b(?:is|are)[ ](?:the[ ])?(?:same|identical|equal)\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:differ\w{0,3}|part|diverges?|belongs?|fits?|best|choose|sort|into|answer|so|thus|therefore|hence)\b",
    re.IGNORECASE,
)


class NumberReader(NamedTuple):
    """Reads a number that follows one of some names."""

    line: re.Pattern[str]
    said: re.Pattern[str]
    keys: tuple[str, ...]

    def read(self, completion: str, most: int) -> int | None:
        """The number that a whole completion settles on; None if it is out of range, since another one is a guess."""
        text = answer_text(completion).strip()
        number = self._packed(text)
        if number is None:
            number = self._written(text, most)
        if number is None and "|" in text:
            number = self._written(rows_as_lines(text), most)
        return number if number is not None and 1 <= number <= most else None

    def _packed(self, text: str) -> int | None:
        """The number under one of the keys of an object."""
        found = first_object(text) if "{" in text else None
        said = fields(found.value) if found else {}
        for key in self.keys:
            value = said.get(key)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
            if number := re.search(r"[0-9]{1,6}", as_plain_text(value)[:200]):
                return int(number[0])
        return None

    def _written(self, text: str, most: int) -> int | None:
        lines = [*self.line.finditer(text)]
        in_form = [int(each["number"]) for each in lines if _IN_FORM.search(_around(each))]
        listed = in_form or [int(each["number"]) for each in lines]
        if not listed:
            return self._in_words(text)
        through = len(listed) > 2 and listed == [*range(1, listed[-1] + 1)]
        last = text.rpartition("\n")[2]
        if len({*listed}) > 1 and not self.line.match(last):
            alone = {int(number) for number in _NUMBER.findall(last)} if through else ()
            said = next(iter(alone)) if len(alone) == 1 else self._in_words(last)
            if said is not None or through:
                return said
        if through and listed[-1] == most:
            return None
        return listed[-1] if in_form or through else listed[0]

    def _in_words(self, text: str) -> int | None:
        """The number of the last sentence that has one, if some decide, of these."""
        if self.line.match(text):
            return None
        found = [said for sentence in _SENTENCE.finditer(text) if (said := self._in_sentence(sentence[0]))]
        deciding = [said for said in found if _DECIDES.search(said.string)] or found
        return int(deciding[-1]["number"]) if deciding else None

    def _in_sentence(self, sentence: str) -> re.Match[str] | None:
        """The number of its first clause that has one, and does not say that it is another."""
        clauses = (self.said.search(clause) for clause in re.split("[,;]", sentence) if not _NOT_IT.search(clause))
        return next(filter(None, clauses), None)


def _around(line: re.Match[str]) -> str:
    """What stands around the number of a line."""
    return "".join(filter(None, line.group("says", "dress", "behind")))


def number_reader(names: str, *keys: str) -> NumberReader:
    """A reader of the number behind one of some names.

    Args:
        names: as a regular expression.
        keys: of an object that has the number.
    """
    label = rf"(?P<says>{_QUALIFIED}(?:(?:{names}){_SAYS})?)"
    line = (
        rf"^{MARK}{label}(?P<dress>{_DRESS})(?:(?:{names})[ \t#]*+)?(?P<number>[0-9]{{1,6}}){_END}(?P<behind>{_CLOSED})"
    )
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
