"""Parses what stands for a history: an evaluation of subgoals, and a summary.

An evaluation has a line for each subgoal, `subgoal 1: goal - complete`. A summary follows the label `Summary:`.
"""

import re
from collections.abc import Iterator
from typing import Any

from quintet.parsing.answers import EMPHASIS, MARK, answer_text, on_one_line
from quintet.parsing.decisions import rows_as_lines
from quintet.parsing.labelled import labelled_text
from quintet.parsing.objects import as_plain_text, fields, first_object, items

_SUBGOAL = re.compile(
    rf"^{MARK}(?:(?:sub[ -]?goal|step|goal)[ \t]?#?[0-9]{{0,3}}{EMPHASIS}[.:：)\-–—|]|[0-9]{{1,3}}[.):])[ \t*_`|]*+"
    r"(?P<rest>[^\n]++)$",
    re.IGNORECASE | re.MULTILINE,
)
_DRESS = r"[ \t*_`\"'(\[]*+"
_STATUS = re.compile(
    rf"[ \t*_`(\[]*+(?:[:：=→|✓✔✅✗✘❌☑☐]|[-–—]++)?{_DRESS}"
    r"(?:status[ \t]?:[ \t]?|is[ \t]|(?:currently|still)[ \t])?"
    rf"{_DRESS}(?P<negated>(?:not[ \t](?:yet[ \t])?|in[ -]?|un|partially[ \t]))?"
    r"(?P<word>completed?|finished|done|achieved|fulfilled|pending|in[ \t]progress|to[ \t]do|open)"
    r"(?:[ \t]yet)?[ \t*_`\"')\].,;✓✔✅✗✘❌]*+\Z",
    re.IGNORECASE,
)
_OPEN = ("pending", "in progress", "to do", "open")
_SIGN = re.compile(r"[ \t:|-]*+(?P<sign>[✓✔✅☑✗✘❌☐])\ufe0f?[ \t|]*+\Z")
_COMPLETE_SIGNS = "✓✔✅☑"
_LISTS = ("subgoals", "evaluation", "goals")
_LONGEST_STATUS = 60
"""Characters from the end of a line that are searched for its status."""

_SUMMARY = labelled_text("summary", "summary", acts=True)


def read_evaluation(completion: str) -> str | None:
    """The evaluation in a whole completion, a line for each subgoal; None if there is none. Any text is allowed."""
    text = answer_text(completion).strip()
    found = first_object(text) if "{" in text else None
    if "|" in text:
        text = f"{text}\n{rows_as_lines(text)}"
    subgoals = [*(_in_object(found.value) if found else ())] or [*_in_lines(text)]
    if not subgoals:
        return None
    return "\n".join(
        f"subgoal {number}: {goal} - {'complete' if complete else 'incomplete'}"
        for number, (goal, complete) in enumerate(subgoals, 1)
    )


def _in_lines(text: str) -> Iterator[tuple[str, bool]]:
    for line in _SUBGOAL.finditer(text):
        rest = line["rest"].rstrip()
        begin = max(0, len(rest) - _LONGEST_STATUS)
        if sign := _SIGN.search(rest, begin):
            goal, complete = rest[: sign.start()], sign["sign"] in _COMPLETE_SIGNS
        elif status := _STATUS.search(rest, begin):
            open_ = status["negated"] is not None or status["word"].lower() in _OPEN
            goal, complete = rest[: status.start()], not open_
        else:
            continue
        if goal := on_one_line(goal.strip(" \t*_`|:-–—")):
            yield goal, complete


def _in_object(value: Any) -> Iterator[tuple[str, bool]]:
    said = fields(value)
    for each in next((items(said[key]) for key in _LISTS if items(said.get(key))), ()):
        of = fields(each)
        goal = next((as_plain_text(of[key]) for key in ("goal", "subgoal", "name") if as_plain_text(of.get(key))), "")
        complete = of.get("complete", of.get("completed", of.get("status")))
        if isinstance(complete, str) and (status := _STATUS.search(f"- {complete[:_LONGEST_STATUS]}")):
            complete = status["negated"] is None and status["word"].lower() not in _OPEN
        if goal.strip() and isinstance(complete, bool):
            yield on_one_line(goal), complete


def read_summary(completion: str) -> str | None:
    """The summary in a whole completion, on one line; None if there is none. Any text is allowed."""
    return on_one_line(_SUMMARY.read(completion) or "") or None
