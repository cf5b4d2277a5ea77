"""Parses marks and choices: text in; the number that a model settled on, or None.

Both are asked for as a line of their own, `Mark: 7` or `Choice: 2`, which may follow reasons: the last such line
counts. Without one, a sentence may name the number (`I choose option 2`, `I give it a 7`), or the answer is the number
alone.

A mark may be a fraction (7.5), a word (seven), or out of ten (8/10, 8 out of 10). Another scale (80%, 4/5), a range
(7-8) and a number beyond the scale are not read: which mark is meant is a guess.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from quintet.parsing.answers import EMPHASIS, MARK, answer_text
from quintet.parsing.decisions import rows_as_lines
from quintet.parsing.objects import as_plain_text, fields, first_object

LOWEST_MARK, HIGHEST_MARK = 1, 10

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS: Mapping[str, float] = {
    **{word: float(number) for number, word in enumerate(_WORDS)},
    **{word: float(number) for number, word in enumerate(_ORDINALS) if word},
}
_DRESS = r"[ \t*_`\"'“”‘’(<\[{#~$|]*+"
_UNDRESS = r"[ \t*_`\"'“”‘’)>\]}|]*+"
_BOUNDARY = r"(?![\w%‰]|[.,][0-9])"
_OUT_OF = rf"(?:[ \t]*+(?:/|out[ \t]of|of|on[ \t]a[ \t]scale[ \t]of)[ \t]*+(?:10|ten){_BOUNDARY})?"
_ELSE = (
    rf"(?!{_UNDRESS}(?:[/%\\]|[-–—~][ \t]*+[0-9]|(?:per[ \t]?cent|to|or|and|out|of|divided)\b"
    rf"|,[ \t]*+(?:option[ \t]*+)?[0-9]))"
)
"""Another scale, a range, or a second number."""
_MARK_NUMBER = (
    rf"(?:[ \t]*+(?:about|around|roughly|approximately)\b)?{_DRESS}"
    rf"(?P<number>[0-9]{{1,2}}(?:[.,][0-9]{{1,6}})?|(?:{'|'.join(_WORDS)})\b(?P<half>[ \t]and[ \t]a[ \t]half)?)"
    rf"{_BOUNDARY}{_UNDRESS}{_OUT_OF}{_ELSE}"
)
_CHOICE_NUMBER = (
    r"{dress}(?:(?:option|choice|attempt|candidate|number|no\.|nr\.)[ \t]*+{dress})?"
    r"(?:the[ \t])?(?P<number>[0-9]{{1,4}}|(?:{words})\b){boundary}{other}"
).format(dress=_DRESS, words="|".join((*_WORDS, *filter(None, _ORDINALS))), boundary=_BOUNDARY, other=_ELSE)

_QUALIFIED = r"(?:(?:my|the|a|final|overall|so|thus|therefore|hence)[ \t,]++){0,4}+"
_SAYS = rf"{EMPHASIS}(?:[:：=→]|\b(?:is|would[ \t]be|of)\b)"
_MARK_NAMES = r"(?:correctness[ \t])?(?:mark|score|rating|grade|value|evaluation)"
_CHOICE_NAMES = r"(?:(?:best[ \t])?(?:choice|option|answer|vote|decision|selection|attempt|verdict|winner)|best)"


def _line(names: str, *more: str) -> re.Pattern[str]:
    """A label that begins a line, or is one, up to its number."""
    ends = "|".join((rf"{_SAYS}(?:{EMPHASIS}\n\s*+)?", r"[ \t*_#]*+\n\s*+", *more))
    return re.compile(rf"^{MARK}{_QUALIFIED}{names}(?:{ends})", re.IGNORECASE | re.MULTILINE)


_MARK_LINE = _line(_MARK_NAMES, r"[ \t]++(?:[-–—][ \t]++)?(?=[0-9])")
_CHOICE_LINE = _line(_CHOICE_NAMES)
_MARK_SAID = re.compile(
    rf"\b(?:{_MARK_NAMES}{_SAYS}|(?:deserves|(?:give|rate|mark|grade|score)[ \t](?:it|this|that|them))\b"
    rf"(?:[ \t](?:state|attempt|as|at|with))*+(?:[ \t]an?(?=[ \t]))?)",
    re.IGNORECASE,
)
_CHOICE_SAID = re.compile(
    rf"\b(?:{_CHOICE_NAMES}{_SAYS}|(?:choose|pick|select|prefer|vote[ \t]for|go[ \t](?:with|for))\b"
    r"|(?:i[ \t])?chose\b)",
    re.IGNORECASE,
)
_OPTION_IS_BEST = re.compile(
    r"\b(?:option|attempt|choice)[ \t]#?(?P<number>[0-9]{1,4})[ \t](?:(?:is|looks|seems)[ \t]"
    r"(?:clearly[ \t])?(?:the[ \t])?(?:best|better|closest|most[ \t]promising)|wins)\b",
    re.IGNORECASE,
)
_MARK, _CHOICE = re.compile(_MARK_NUMBER, re.IGNORECASE), re.compile(_CHOICE_NUMBER, re.IGNORECASE)
_ALONE = re.compile(r"[ \t.!]*\Z")
_OUT_OF_TEN = re.compile(
    rf"(?<![\w.,/-])(?P<number>[0-9]{{1,2}}(?:[.,][0-9]{{1,6}})?)[ \t]*+(?:/|out[ \t]of)[ \t]*+10{_BOUNDARY}"
    r"(?![ \t]*+[/%])",
    re.IGNORECASE,
)
_MARK_KEYS = ("mark", "score", "rating", "grade", "value")
_CHOICE_KEYS = ("choice", "best_choice", "option", "best_option", "best", "answer", "vote", "number")
_FAR_ENOUGH = 2_000
"""Characters from the end that are searched for a sentence."""


def read_mark(completion: str) -> float | None:
    """The mark in a whole completion, from `LOWEST_MARK` to `HIGHEST_MARK`; None if there is none.

    Any text is allowed.
    """
    text = _with_rows(answer_text(completion).strip())
    if (value := _in_object(text, _MARK_KEYS)) is not None:
        return _on_scale(_number_alone(value, _MARK))
    if lines := [*_MARK_LINE.finditer(text)]:
        return _on_scale(_number_at(_MARK, text, lines[-1].end()))
    for said in reversed([*_MARK_SAID.finditer(text, max(0, len(text) - _FAR_ENOUGH))]):
        if (mark := _on_scale(_number_at(_MARK, text, said.end()))) is not None:
            return mark
    for said in reversed([*_OUT_OF_TEN.finditer(text, max(0, len(text) - _FAR_ENOUGH))]):
        if (mark := _on_scale(_as_number(said))) is not None:
            return mark
    return _on_scale(_number_alone(text, _MARK))


def read_choice(completion: str, options: int) -> int | None:
    """The number of the chosen option in a whole completion; None if there is none. Any text is allowed.

    Args:
        completion: the answer.
        options: how many there are; numbers begin at 1.
    """
    text = _with_rows(answer_text(completion).strip())
    if (value := _in_object(text, _CHOICE_KEYS)) is not None:
        return _among(_number_alone(value, _CHOICE), options)
    if lines := [*_CHOICE_LINE.finditer(text)]:
        return _among(_number_at(_CHOICE, text, lines[-1].end()), options)
    return next(_chosen(text, options), None)


def _chosen(text: str, options: int) -> Iterator[int]:
    """Readings of an answer without the form's line, the likeliest first."""
    begin = max(0, len(text) - _FAR_ENOUGH)
    for said in reversed([*_CHOICE_SAID.finditer(text, begin)]):
        if (choice := _among(_number_at(_CHOICE, text, said.end()), options)) is not None:
            yield choice
    for said in reversed([*_OPTION_IS_BEST.finditer(text, begin)]):
        if (choice := _among(_as_number(said), options)) is not None:
            yield choice
    if (choice := _among(_number_alone(text, _CHOICE), options)) is not None:
        yield choice


def _with_rows(text: str) -> str:
    """A text, and after it the rows of its tables as lines."""
    rows = rows_as_lines(text) if "|" in text else ""
    return f"{text}\n\n{rows}" if rows else text


def _in_object(text: str, keys: tuple[str, ...]) -> str | None:
    """The text or number under one of these keys of the first object; None if there is none."""
    found = first_object(text)
    said: dict[str, Any] = fields(found.value) if found else {}
    for key in keys:
        value = said.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}" if isinstance(value, float) else str(value) if abs(value) < 10**6 else ""
        if text_value := as_plain_text(value):
            return text_value
    return None


def _number_at(number: re.Pattern[str], text: str, start: int) -> float | None:
    found = number.match(text, start)
    return None if found is None else _as_number(found)


def _number_alone(text: str, number: re.Pattern[str]) -> float | None:
    """The number of a text that holds nothing else."""
    found = number.match(text.strip())
    return _as_number(found) if found and _ALONE.match(text.strip(), _end_of(found, text.strip())) else None


def _end_of(found: re.Match[str], text: str) -> int:
    end = found.end()
    while end < len(text) and text[end] in "*_`\"'“”‘’)>]}|":
        end += 1
    return end


def _as_number(found: re.Match[str]) -> float:
    word = found["number"].lower()
    half = 0.5 if found.groupdict().get("half") else 0.0
    bare = word.split()[0]
    return (_NUMBERS[bare] if bare in _NUMBERS else float(word.replace(",", "."))) + half


def _on_scale(number: float | None) -> float | None:
    return number if number is not None and LOWEST_MARK <= number <= HIGHEST_MARK else None


def _among(number: float | None, options: int) -> int | None:
    return int(number) if number is not None and number.is_integer() and 1 <= number <= options else None
