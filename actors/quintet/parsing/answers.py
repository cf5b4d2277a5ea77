"""The answer in a completion: without reasoning, tokens of chat templates, fences and invisible characters."""

import re

from quintet.parsing.reasoning import without_reasoning

MARK = r"[ \t>#*_`~|+•\-]*+"
"""What models put before a label: quotes, headings, emphasis, bullets. Possessive, so that a long run costs its length
once."""
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


def answer(completion: str) -> str:
    """The first turn of a completion as plain lines; a line that was ended stays so. Any text is allowed."""
    text = _INVISIBLE.sub("", _KEYCAP.sub(".", without_reasoning(completion)))
    text = _WIDE.sub(" ", _LINE_END.sub("\n", text))
    turns = (_TURN_BEGINS.sub("", turn) for turn in _TURN_ENDS.split(text))
    return _ROLE.sub("", _FENCE.sub("", next(filter(str.strip, turns), "")))
