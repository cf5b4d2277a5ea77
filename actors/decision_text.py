"""The executor's completions: text in; an action, a claim, or the finding that there is neither out."""

import re

from msgspec.structs import replace

from actors.free_text import plain
from protocols.execution import Act, Claim, Decision, Unreadable

FORM = "Thought: what you know so far and what has to happen next\nAction: one action"
"""What a completion should look like, as the model is told when it does not."""

# `Action 3:` and `**Action**:` are labels too.
_COLON = r"[ \t*_]*(?:[0-9]+[ \t*_]*)?:"
_ACTION_LINE = re.compile(rf"^[ \t>#*_`-]*action{_COLON}(.*)$", re.IGNORECASE | re.MULTILINE)
_ACTION_INSIDE = re.compile(rf"(?<=[.!?;])[ \t]+Action{_COLON}(.*)$", re.MULTILINE)
_PROMPTED = re.compile(r"^[ \t]*>(?![ \t#*_`>]*th(?:ink|ought)\b)(.*)$", re.IGNORECASE | re.MULTILINE)
_THOUGHT = re.compile(rf"^[ \t>#*_`-]*th(?:ought|ink){_COLON}[ \t*_]*", re.IGNORECASE)
_LABEL = re.compile(rf"^[ \t>#*_`-]*(?:th(?:ought|ink)|action|observation){_COLON}", re.IGNORECASE)

_NEXT_LINE = re.compile(r"\s*(.*)")

_CLAIM = re.compile(r"task\s+(?:is\s+)?(complete|failed)d?\b", re.IGNORECASE)
_CLAIM_AT_END = re.compile(r"(^|[.!?:\n])\W{0,8}task\s+(?:is\s+)?(complete|failed)d?\W{0,8}\Z", re.IGNORECASE)


def read_decision(completion: str) -> Decision:
    """What a completion decides. Lenient; only the first action counts, and any text is allowed.

    An action is `Action: ...` on a line of its own, else the same after a sentence, else `> ...`; it may begin on the
    line below. Where there is none, a claim may end the thought, as it does in the paper's prompts.
    """
    text = plain(completion)
    for form in (_ACTION_LINE, _ACTION_INSIDE, _PROMPTED):
        for found in form.finditer(text):
            if action := _bare(found[1]) or _line_below(text, found.end()):
                return _decided(_thought(text[: found.start()]), action)
    if claimed := _CLAIM_AT_END.search(text.rstrip()):
        return Claim(thought=_thought(text[: claimed.end(1)]), completed=claimed[2].lower() == "complete")
    return Unreadable(expected=FORM)


def read_thought(completion: str) -> str:
    """What a completion says before its action or claim; all of it where it has neither. Any text is allowed."""
    decision = read_decision(completion)
    return _thought(plain(completion)) if isinstance(decision, Unreadable) else decision.thought


def read_action(completion: str, thought: str = "") -> Decision:
    """What a completion decides that was asked for an action alone, and may leave out its label; any text is allowed.

    Args:
        thought: what was thought before, in a completion of its own.
    """
    decision = read_decision(completion)
    text = plain(completion).strip()
    if isinstance(decision, Unreadable) and not _LABEL.match(text):
        decision = read_decision(f"Action: {text}")
    return decision if isinstance(decision, Unreadable) else replace(decision, thought=thought)


def _decided(thought: str, action: str) -> Act | Claim:
    if claimed := _CLAIM.match(action):
        return Claim(thought=thought, completed=claimed[1].lower() == "complete")
    return Act(thought=thought, action=action)


def _thought(text: str) -> str:
    return _THOUGHT.sub("", text.strip(), count=1).strip()


def _line_below(text: str, end: int) -> str:
    found = _NEXT_LINE.match(text, end)
    return "" if found is None or _LABEL.match(found[1]) else _bare(found[1])


def _bare(action: str) -> str:
    """The action without what models put around it: emphasis, quotation marks, a prompt sign, a full stop."""
    first, end = 0, len(action)
    while first < end:
        opening, closing = action[first], action[end - 1]
        if opening.isspace() or opening in "`*>":
            first += 1
        elif closing.isspace() or closing in "`*.":
            end -= 1
        elif opening == closing and opening in "\"'" and end - first > 1:
            first, end = first + 1, end - 1
        else:
            break
    return action[first:end]
