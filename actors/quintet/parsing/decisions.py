"""Parses the executor's completions: text in; an action, a claim, or neither out.

An action is asked for as `Action: ...`. It is found under other labels, as a heading with the action below, in tags, in
JSON, behind a prompt sign, and as a line of its own; what stands around it is left off (`quintet.parsing.actions`).
Of several actions the first counts. Without an action, a claim may end the text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from heapq import merge
from typing import Any, NamedTuple

from msgspec.structs import replace

from quintet.messages.execution import Act, Claim, Decision, Unreadable
from quintet.parsing.actions import (
    NEXT_LABEL,
    bare_action,
    call_as_action,
    command,
    starts_plainly,
    strip_wrapping,
    whole_line,
)
from quintet.parsing.answers import EMPHASIS, MARK, TAG, answer_text, has_text
from quintet.parsing.claims import claim, claimed_by, speaks_of_the_task
from quintet.parsing.notes import as_note
from quintet.parsing.objects import as_plain_text, fields, first_object, items, loose_fields, value_at
from quintet.ports.model import Finish

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


FORM = "Thought: what you know so far and what has to happen next\nAction: one action"

_NUMBER = rf"(?:\(?[0-9]{{1,3}}[.)]{EMPHASIS})?"
_LINE = rf"^{MARK}{_NUMBER}"
_WHICH = (
    r"(?:(?:my|the|your|our|next|best|final|chosen|selected|first|immediate|current|proposed|suggested|recommended"
    r"|single|one)[ \t]++){0,4}"
)
_COUNT = rf"(?:{EMPHASIS}(?:\#?[0-9]{{1,4}}|\([^()\n]{{0,30}}\)))?"
_COLON = rf"{_COUNT}[ \t*_`\]\"')]*+[:：]"

_ACTION_LINE = re.compile(
    rf"""{_LINE}(?:
        [\[(\# ]*+{_WHICH}(?:actions?|act|command)(?:[ \t](?:taken|chosen|choice
          |to[ \t](?:take|perform|execute|do)))?{_COUNT}(?:
            [ \t*_`\]"')]*+(?:[:：=]|->|→|=>) | [ \t*_]*+(?:--?[ \t]|[–—])
          | [ \t]*+(?:\*\*|__|\])[ \t*_]*+ | [ \t*_\#\]]*+$ )
      | <(?:next_|chosen_)?(?:action|act|command)> )""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_INSIDE = (
    rf"(?:(?<=[\s.!?;,:|)\]*_\"'>-])(?:Action|ACTION|Act)|(?<=[.!?;|]\s)action){_COLON}|<(?:[Aa]ction|ACTION"
    rf"|act|command)>"
)
_ACTION_INSIDE = re.compile(_INSIDE)
_QUOTING = re.compile(r"\b(?:last|previous|prior|earlier|past|that|an|this|no)[ \t*_`\"']*\Z", re.IGNORECASE)
_SPOKEN = re.compile(r"""(?:[\w)]['"”]?[ \t]++|[ \t(]["“'`])[*_]*+\Z""")
"""The text before a label in the middle of a sentence, or in a quotation."""
_TURN = re.compile(rf"^{MARK}(?:th(?:ought|ink)|observation){_COLON}", re.IGNORECASE | re.MULTILINE)
_WEAKLY = re.compile(
    rf"{_LINE}{_WHICH}(?:(?:final[ \t])?(?:answer|output|response|decision|choice)|(?:next[ \t])?(?:step|move)|next"
    rf"|execute|do)"
    rf"{_COLON}"
    rf"|\baction\b[^.\n:]{{0,30}}?\b(?:is|would be|will be|should be|perform is|take is)\b(?:[ \t]to\b)?[ \t:]*+"
    rf"|\baction{_COLON}"
    r"|\b(?:choose|select|perform|execute|take)[ \t](?:(?:the|this|following)[ \t]){0,2}action[ \t:]++"
    r"|^[ \t]*+actions?[ \t]++|^[ \t]*+(?:[→➜➤»$]|=>)[ \t]*+",
    re.IGNORECASE | re.MULTILINE,
)
_PROMPTED = re.compile(r"^[ \t]*+>(?![ \t#*_`>]*+th(?:ink|ought)\b)", re.IGNORECASE | re.MULTILINE)

_THINKING = r"(?:thoughts?|think|thinking|reasoning|rationale)"
_THOUGHT = re.compile(
    rf"{MARK}{_NUMBER}{MARK}(?:[\[(]?{_THINKING}"
    rf"(?:{_COLON}|[ \t]*+(?:\*\*|__|\])|[ \t*_#]*+(?=\n))|<{_THINKING}>)[ \t*_]*+",
    re.IGNORECASE,
)
_OTHER = r"(?:th(?:ought|ink)s?|thinking|reasoning|observations?|act(?:ion)?s?)"
_LABEL = re.compile(rf"{MARK}(?:{_OTHER}{_COLON}|{_OTHER}[ \t*_#]*+$|</?{_OTHER}>)", re.IGNORECASE | re.MULTILINE)
_INPUT = re.compile(rf"\s*{MARK}action[ \t_]input{_COLON}(.*)", re.IGNORECASE)
_TAGS = re.compile(rf"{TAG}(?:thoughts?|response|answer|output|final_answer|tool_call|step)>", re.IGNORECASE)

_END = re.compile(rf"{_INSIDE}|{NEXT_LABEL}")
_BLANK = re.compile(r"\s*+")
_ITEM = re.compile(r"[ \t]*+(?:\(?[0-9]{1,3}[.)]|[-*+•])[ \t]++")
_PARAGRAPH = re.compile(r"(?:(?<=\n\n)|\A)[^\n]+(?=\n\s*\n|\s*\Z)")
_IN_BRACKETS = re.compile(r"[A-Z][a-z]{1,40}\[[^\[\]\n]{1,400}\]\.?")
"""A line like `Finish[Ross]`, which is no sentence although it begins with a capital."""
_LIST_GLANCE = 2_000
_SURE_END = re.compile(r"[\n}]|</(?:action|act|command)>", re.IGNORECASE)
_OPENING = re.compile(r"[ \t]*+[{\[]")
_GLANCE = 40
_DEEPEST = 4

_ACTION_KEYS = ("action", "next_action", "actions", "act", "command", "chosen_action", "selected_action")
_THOUGHT_KEYS = ("thought", "thoughts", "thinking", "think", "reasoning", "rationale")
_NAME_KEYS = ("name", "tool", "tool_name", "function", "type")
_ARGUMENT_KEYS = ("arguments", "args", "argument", "parameters", "params", "input", "action_input", "target", "object")
_JOINING = ("from", "to", "with", "in", "on", "using", "into", "at", "for")


_CALL = re.compile(r"(?:Thought: (?P<thought>[^\n]*)\n)?Action: (?P<action>[\w.-]+ (?P<arguments>\{.*\}))")
"""The lines that the call of a world's tool becomes."""


class _Named(NamedTuple):
    """The text given as the action, and where its label begins."""

    start: int
    action: str
    thought: str = ""


@lru_cache(maxsize=256)  # a conversation's earlier turns are read again at each turn, and in a replay
def read_decision(completion: str, finish: Finish = "stop", expected: str = FORM) -> Decision:
    """Parse a decision; any text is allowed.

    Args:
        finish: how it ended. What a cut may have shortened is not read.
        expected: the form of an answer, quoted to the model if it does not keep to it.
    """
    if not has_text(finish):
        return Unreadable(expected=expected, finish=finish)
    text = answer_text(completion)
    decision = _decided(text)
    if finish == "length" and decision != _decided(uncut(text)):
        decision = None
    return Unreadable(expected=expected, finish=finish) if decision is None else decision


def read_thought(completion: str) -> str:
    """The text before the action or claim; all of it if there is neither. Any text is allowed."""
    decision = read_decision(completion)
    return _thought(answer_text(completion)) if isinstance(decision, Unreadable) else decision.thought


def read_action(completion: str, thought: str = "", finish: Finish = "stop", expected: str = FORM) -> Decision:
    """Parse the answer to a prompt for an action alone, which may lack the label; any text is allowed.

    Args:
        thought: what was thought before, in a completion of its own.
        finish: how it ended.
        expected: what a turn should look like.
    """
    decision = read_decision(completion, finish, expected)
    text = answer_text(completion).strip()
    if isinstance(decision, Unreadable) and finish == "stop" and not _LABEL.match(text):
        decision = read_decision(f"Action: {text}", expected=expected)
    return decision if isinstance(decision, Unreadable) else replace(decision, thought=thought)


def uncut(text: str) -> str:
    """A text that was cut off, up to the last place that a cut cannot have shortened."""
    return text[: max((ending.end() for ending in _SURE_END.finditer(text)), default=0)]


@lru_cache(maxsize=32)  # an answer is read before it is committed, and again when it is used
def _decided(text: str) -> Act | Claim | None:
    if called := _called(text):
        return called
    if named := next(_named(text), None) or _labelled(rows_as_lines(text)):
        completed = claimed_by(named.action)
        if completed is None:
            return Act(thought=named.thought, action=named.action)
        return Claim(thought=named.thought, completed=completed)
    untagged = _TAGS.sub("", text)
    if claimed := claim(untagged):
        return Claim(thought=_thought(untagged[: claimed.start]), completed=claimed.completed)
    shown_action = _paragraph(untagged)
    return shown_action and Act(thought=shown_action.thought, action=shown_action.action)


def _called(text: str) -> Act | None:
    """The call of a tool in its lines, as it is, whatever its arguments say: they are data, and no labels or claims."""
    found = _CALL.fullmatch(text.strip())
    try:
        is_object = found is not None and isinstance(json.loads(found["arguments"]), dict)
    except (ValueError, RecursionError):
        return None
    return Act(thought=(found["thought"] or "").strip(), action=found["action"]) if found and is_object else None


def _named(text: str) -> Iterator[_Named]:
    """The texts that may be the action, the likeliest first."""
    labelled = _labelled(text)
    packed = _packed(text, before=labelled.start if labelled else len(text))
    if first := packed or labelled:
        yield first
    yield from filter(None, (_behind(text, prompt) for prompt in _PROMPTED.finditer(text)))
    for found in _WEAKLY.finditer(text):
        plain = starts_plainly(text[found.end() : found.end() + _GLANCE]) and not _is_quoted(text, found)
        if plain and (named := _behind(text, found)):
            yield named
    if alone := _last_line(text):
        yield alone


def _labelled(text: str) -> _Named | None:
    """The first action under a label; one that a sentence names yields to the line of its own that follows it."""
    labels = merge(_ACTION_LINE.finditer(text), _ACTION_INSIDE.finditer(text), key=lambda label: label.start())
    spoken = None
    for label in labels:
        if _is_quoted(text, label) or not (named := _behind(text, label)):
            continue
        if spoken:
            return spoken if _TURN.search(text, spoken.start, label.start()) else named
        if not _follows(_SPOKEN, text, label):
            return named
        spoken = named
    return spoken


def _is_quoted(text: str, label: re.Match[str]) -> bool:
    """Whether a sentence mentions a label, as in `my last action: look`."""
    return _follows(_QUOTING, text, label)


def _follows(before: re.Pattern[str], text: str, label: re.Match[str]) -> bool:
    """Whether a label follows, on its line, what ends as in `before`."""
    start = label.start()
    return (
        text[start - 1 : start] not in ("", "\n") and before.search(text[max(0, start - _GLANCE) : start]) is not None
    )


def _behind(text: str, label: re.Match[str]) -> _Named | None:
    """The text of a label: the rest of its line up to the next label, or the line below."""
    start, end = _span(text, label.end())
    if not text[start:end].strip(" \t*_`~#"):
        if text[end : end + 1] != "\n":
            return None
        below = _BLANK.match(text, end)
        start, end = _span(text, below.end() if below else end)
        if _LABEL.match(text, start):
            return None
    if action := _single(_unpacked(text, start) or text[start:end]):
        more = _INPUT.match(text, end)
        action = call_as_action(action, strip_wrapping(more[1])) if more else action
        return _Named(label.start(), action, _thought(text[: label.start()]))
    return None


def _span(text: str, start: int) -> tuple[int, int]:
    """From here to the end of the line, or to the next label on it."""
    end = whole_line(text, start)
    ending = _END.search(text, start, end)
    return start, ending.start() if ending else end


def _single(said: str) -> str:
    """The action or the claim in the text that stands for an action; empty if there is neither."""
    said = said.strip()
    line = " ".join(filter(None, map(str.strip, said[: whole_line(said, 0)].split("\n"))))
    label = _ACTION_LINE.match(line)
    line = line[label.end() :] if label else line
    if note := as_note(line.strip()):
        return note
    bare = strip_wrapping(line)
    if claimed_by(bare) is not None:
        return bare
    return "" if speaks_of_the_task(bare) else bare_action(line)


def _unpacked(text: str, start: int) -> str:
    """The action in the object or list that begins here; empty where none does."""
    found = _OPENING.match(text, start)
    packed = found and value_at(text, found.end() - 1)
    return _action(packed.value) if packed else ""


def _packed(text: str, before: int) -> _Named | None:
    """The action of an object that begins before this place."""
    start = text.find("{", 0, before)
    if start < 0:
        return None
    found = first_object(text)
    said = fields(found.value) if found else {key: each.value for key, each in loose_fields(text[start:]).items()}
    if not (action := _single(_action(said))):
        return None
    thought = next(filter(None, (as_plain_text(said.get(key)) for key in _THOUGHT_KEYS)), "") or text[:start]
    return _Named(start, action, _thought(thought))


def _action(value: Any, depth: int = 0) -> str:
    """The action in a JSON value; empty if there is none."""
    if depth == _DEEPEST:
        return ""
    if listed := items(value):
        return _action(listed[0], depth + 1)
    return as_plain_text(value) or _action_of(fields(value), depth + 1)


def _action_of(said: Mapping[str, Any], depth: int) -> str:
    """The action that an object names: under a key for it, or as the call of a tool."""
    arguments = next((said[key] for key in _ARGUMENT_KEYS if key in said), None)
    given = _given(arguments)
    for key in _ACTION_KEYS:
        if action := _action(said.get(key), depth):
            return call_as_action(action, given) if given not in action else action
    if arguments is None:
        inside = (_action_of(fields(each), depth + 1) for each in said.values() if depth < _DEEPEST)
        return next(filter(None, inside), "")
    if depth < _DEEPEST and (inner := _action_of(fields(arguments), depth + 1)):
        return inner
    name = next(filter(None, (as_plain_text(said.get(key)) for key in _NAME_KEYS)), "")
    return call_as_action(name, given) if name else ""


def _given(value: Any) -> str:
    """Arguments of a call as an action has them."""
    named = [
        word for key, each in fields(value).items() for word in (key if key in _JOINING else "", as_plain_text(each))
    ]
    return as_plain_text(value) or " ".join(filter(None, [*map(as_plain_text, items(value)), *named]))


def _last_line(text: str) -> _Named | None:
    """The last line, or the first of the list that it ends, if it is an action by itself, though nothing says so."""
    text = _TAGS.sub("", text).rstrip()
    lines = text[text.rfind("\n", 0, max(0, len(text) - _LIST_GLANCE)) + 1 :].split("\n")
    first = len(lines) - 1
    while first and _ITEM.match(lines[first]) and _ITEM.match(lines[first - 1]):
        first -= 1
    item = _ITEM.match(lines[first])
    start = len(text) - sum(len(line) + 1 for line in lines[first:]) + 1
    before, line = text[:start].strip(), lines[first][item.end() if item else 0 :].strip()
    sure = not before or line[:1] in "`*" or line[:1].islower() or _IN_BRACKETS.fullmatch(line)
    action = command(line) if sure else ""
    return _Named(start, action, _thought(before)) if action else None


def _paragraph(text: str) -> _Named | None:
    """The last paragraph of one line that is an action by itself, with remarks behind it."""
    for line in reversed([*_PARAGRAPH.finditer(text, max(0, len(text) - _LIST_GLANCE))]):
        dressed = line[0][:1] in "`*" or line[0][:1].islower()
        if dressed and (action := command(line[0].strip())):
            return _Named(line.start(), action, _thought(text[: line.start()]))
    return None


def _thought(text: str) -> str:
    text = _TAGS.sub("", text).strip()
    label = _THOUGHT.match(text)
    return text[label.end() if label else 0 :].strip().rstrip(" \t\n|*_#>-")
