"""Finds the answer in a completion, and words the lack of one."""

import re
from collections.abc import Mapping

from quintet.ports.model import Finish

_NAMES = "(?:think|thinking|reasoning|scratchpad|seed:think)"
_HARMONY = r"<\|channel\|>[ \t]*"

_BORDER = re.compile(
    rf"(?P<opening><{_NAMES}(?:[ \t][^<>\n]{{0,80}})?>|◁think▷|<\|begin_of_thought\|>|{_HARMONY}(?!final)\w{{1,20}})"
    rf"|</{_NAMES}>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|{_HARMONY}final[^<>\n]{{0,40}}<\|message\|>",
    re.IGNORECASE,
)


def answer_spans(completion: str) -> list[tuple[int, int]]:
    """Where the answer stands in a completion: starts and ends of the parts outside reasoning; any text is allowed.

    A closing tag without an opening one ends reasoning that began in the prompt: the chat templates of some models open
    it. Reasoning that is not closed goes on to the end.
    """
    spans: list[tuple[int, int]] = []
    start, inside = 0, False
    for border in _BORDER.finditer(completion):
        if not border["opening"]:
            if not inside:
                spans.clear()
            start, inside = border.end(), False
        elif not inside:
            spans.append((start, border.start()))
            inside = True
    return spans if inside else [*spans, (start, len(completion))]


def without_reasoning(completion: str) -> str:
    """The answer alone; any text is allowed."""
    return "".join(completion[start:end] for start, end in answer_spans(completion))


MARK = r"[ \t>#*_`~|+•\-]*+"
"""Signs before a label: quotes, headings, emphasis, bullets. Possessive, so that a long run costs its length once."""
EMPHASIS = r"[ \t*_`]*+"
SEPARATOR = rf"{EMPHASIS}[:：]{EMPHASIS}"

_INVISIBLE = re.compile("[\0\u00ad\u200b-\u200d\u2060\ufe0f\ufeff]|/no_?think\\b")
_WIDE = re.compile("[\u00a0\u2002-\u200a\u202f\u3000]")
_KEYCAP = re.compile("\ufe0f?\u20e3")
_LINE_END = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_FENCE = re.compile(r"^[ \t]*+(?:```|~~~)[\w+-]{0,20}[ \t]*$", re.MULTILINE)
_TURN_BEGINS = re.compile(
    r"<\|(?:im_start|start|start_header_id)\|>\w{0,20}(?:<\|end_header_id\|>)?|<\|(?:begin_of_text|message|assistant)\|>"
    r"|<start_of_turn>\w{0,20}|<\|(?:begin|end)_of_solution\|>|<s>|\[/?INST\]"
)
_TURN_ENDS = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|return|endoftext|end_of_text)\|>|</s>|<end_of_turn>|<eos>|<｜end▁of▁sentence｜>"
)


_ROLE = re.compile(rf"^{MARK}(?:assistant|agent|ai|player){EMPHASIS}[:：]", re.IGNORECASE | re.MULTILINE)


_BOXED = re.compile(r"\\(?:boxed|text|textbf|mathbf)\{([^{}\n]*+)\}")
"""What mathematicians put around an answer."""


TAG = r"(?<!\[)</?"
"""The beginning of a tag around an answer, unlike that of what an action takes, as in `finish[<answer>]`."""


_PLAIN = re.compile(r"[\w \t\n.,:;!?'\"()*#+=-]++", re.ASCII)
"""A text without invisible characters, strange line ends, fences and tags."""


def answer_text(completion: str) -> str:
    """The first turn of a completion as plain lines. Any text is allowed."""
    if _PLAIN.fullmatch(completion) and not completion.isspace():
        return _ROLE.sub("", completion)
    text = _INVISIBLE.sub("", _KEYCAP.sub(".", without_reasoning(completion)))
    text = _BOXED.sub(r"\1", _BOXED.sub(r"\1", _WIDE.sub(" ", _LINE_END.sub("\n", text))))
    turns = (_TURN_BEGINS.sub("", turn) for turn in _TURN_ENDS.split(text))
    return _ROLE.sub("", _FENCE.sub("", next(filter(str.strip, turns), "")))


_POLITE = r"(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|alright|all right|great|understood|got it|yes)"
_POLITE_ALONE = re.compile(rf"{_POLITE}(?:[ ,][^\n.!:]{{0,40}})?(?:![ \t]+|[.!:][ \t]*(?:\n|$))", re.IGNORECASE)
_ANNOUNCED = re.compile(
    rf"(?:{_POLITE}[,.!:]?[ \t]+)?(?:[^\n.:]{{0,80}},[ \t])?"
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|(?:the following|these|this) (?:is|are)|i (?:have )?(?:identified"
    r"|found|wrote|rewrote))\b"
    r"(?P<what>[^\n:.]{0,160})(?:[:.][ \t*_]*(?:\n|$)|:[ \t]+)",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:summar|descri|flaw|revision|revised|suggest|plan|answer|reflection|steps|rewrit|happened|was done|went)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:please )?(?:let me know|i hope|hope this|feel free|if you(?:['’]d)? (?:need|have|want|would|like)"
    r"|would you like|do you want)\b",
    re.IGNORECASE,
)
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_LISTED = re.compile(r"[ \t]*+(?:[0-9]{1,3}[.)]|[-*•+])[ \t]")
_CANNOT = r"\bi(?: cannot| can['’]t| can not| won['’]t|['’]m (?:unable|not able) to| am (?:unable|not able) to)\b"
_REFUSAL = re.compile(
    rf"(?:(?:(?:i(?:['’]m| am) )?(?:very |really )?sorry|i apologi[sz]e|as an ai)\b[^\n]{{0,100}}?{_CANNOT}"
    rf"|{_CANNOT}(?: \w{{1,10}})? (?:help|assist|comply|fulfil|do that))[^\n]{{0,300}}\Z",
    re.IGNORECASE,
)
_LONGEST_CLOSING = 300


def on_one_line(text: str) -> str:
    """A text on one line, so that no label within it can be taken for one."""
    return " ".join(text.split())


def without_courtesies(text: str) -> str:
    """A text without an announcement before it and an offer of help after it, unless nothing else remains.

    An apology alone is not an answer: the result is empty.
    """
    text = _without_closing(_without_announcement(text.strip()))
    return "" if _REFUSAL.match(text) else text


def _without_announcement(text: str) -> str:
    if polite := _POLITE_ALONE.match(text):
        text = text[polite.end() :].lstrip() or text
    announced = _ANNOUNCED.match(text)
    if announced and _KNOWN.search(announced["what"]):
        text = text[announced.end() :].lstrip() or text
    return text


def _without_closing(text: str) -> str:
    text = _without_rules(text)
    start = text.rfind("\n") + 1
    if start and len(text) - start <= _LONGEST_CLOSING and _CLOSING.match(text, start):
        return text[:start].rstrip()
    return text


def _without_rules(text: str) -> str:
    """A text without horizontal rules at its ends, and without the remark after the last one."""
    lines = text.split("\n")
    lines = lines[next((at for at, line in enumerate(lines) if not _RULE.fullmatch(line)), len(lines)) :]
    rules = [at for at, line in enumerate(lines) if at and _RULE.fullmatch(line)]
    if (
        rules
        and not any(map(_LISTED.match, lines[rules[-1] + 1 :]))
        and sum(map(len, lines[rules[-1] :])) <= _LONGEST_CLOSING
    ):
        del lines[rules[-1] :]
    return "\n".join(lines).strip()


_FOR_THE_MODEL: Mapping[Finish, str] = {
    "stop": "I found no {what} in that",
    "length": "Your answer was cut off before its {what}",
    "refusal": "You declined, so there was no {what} in your answer",
    "content_filter": "Your answer was withheld by a filter, so there was no {what} in it",
    "tool_calls": "You called a tool, and there are none, so there was no {what} in your answer",
    "empty": "Your answer was empty, so there was no {what} in it",
    "not_text": "Your answer was no text, so there was no {what} in it",
    "context_full": "Our conversation is too long for you to go on",
}

_FOR_PEOPLE: Mapping[Finish, str] = {
    "stop": "left out the {what}",
    "length": "was cut off before the {what} was whole",
    "refusal": "refused to write the {what}",
    "content_filter": "was stopped by a content filter at the {what}",
    "tool_calls": "called tools instead of writing the {what}",
    "empty": "gave an empty answer in place of the {what}",
    "not_text": "answered with something else than text in place of the {what}",
    "context_full": "has no room for the prompt of the {what} (context full)",
}


def missing_answer(finish: Finish, what: str) -> str:
    """Say to the model that its answer lacks a part; without a full stop.

    Args:
        finish: how its completion ended; `stop`: by itself.
        what: the expected part, in one word.
    """
    return _FOR_THE_MODEL[finish].format(what=what)


def reason(finish: Finish, what: str) -> str:
    """The same for people, in words that follow `the model`."""
    return _FOR_PEOPLE[finish].format(what=what)


def has_text(finish: Finish) -> bool:
    """Whether a completion with this finish may hold an answer, or the beginning of one."""
    return finish in ("stop", "length")
