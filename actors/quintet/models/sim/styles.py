"""The simulated answers in the styles in which language models write: another form, the same content.

Models wrap their answers into reasoning, Markdown, JSON, lists and courtesies. A run whose simulated model does so
shows that the readers understand them: it has to go exactly as the same run in plain form.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Literal, TypeAlias

from quintet.messages.prompts import ChatMessage
from quintet.models.drawing import complete_with
from quintet.models.sim.request import understood
from quintet.ports.model import Completion, Sampling

Style: TypeAlias = Literal["plain", "mixed"]
"""`mixed`: another form for every answer, drawn by the style seed."""

Turn: TypeAlias = Callable[[str, str], str]
"""A thought, which may be empty, and an action in another form."""
Form: TypeAlias = Callable[[str], str]
"""A text in another form."""

_TURN = re.compile(r"\A(?:Thought: (?P<thought>[^\n]*)\n)?Action: (?P<action>[^\n]+)\Z")
_STEP = re.compile(r"^Step (\d+): (.+)$", re.MULTILINE)
_ORDER = re.compile(r"^Execution Order: (.+)$", re.MULTILINE)


def _labelled(thought: str, action: str, mark: str = "", of_action: str = "Action") -> str:
    said = f"{mark}Thought:{mark} {thought}\n" if thought else ""
    return f"{said}{mark}{of_action}:{mark} {action}"


def _below(thought: str, action: str) -> str:
    said = f"### Thought\n{thought}\n\n" if thought else ""
    return f"{said}### Action\n{action}"


def _as_json(thought: str, action: str) -> str:
    return json.dumps({"thought": thought, "action": action} if thought else {"action": action})


def _in_tags(thought: str, action: str) -> str:
    said = f"<thought>{thought}</thought>\n" if thought else ""
    return f"{said}<action>{action}</action>"


TURNS: Sequence[Turn] = (
    _labelled,
    lambda thought, action: _labelled(thought, action, "**"),
    lambda thought, action: _labelled(thought, f"**{action}**"),
    lambda thought, action: _labelled(thought, f"`{action}`"),
    lambda thought, action: _labelled(thought, f'"{action}"'),
    lambda thought, action: _labelled(thought, f"[{action}]"),
    lambda thought, action: _labelled(thought, f"{action[0].upper()}{action[1:]}"),
    lambda thought, action: _labelled(thought, f"{action}  # this comes next"),
    lambda thought, action: _labelled(thought, action, of_action="Act"),
    lambda thought, action: _labelled(thought, f"\n```\n{action}\n```"),
    lambda thought, action: _labelled(thought, f"\n1. {action}\n2. look"),
    _below,
    _as_json,
    lambda thought, action: f"```json\n{_as_json(thought, action)}\n```",
    _in_tags,
)

_BRACES = str.maketrans("()", "{}")

PLANS: Sequence[Form] = (
    str,
    lambda text: _STEP.sub(r"\1. \2", text),
    lambda text: _STEP.sub(r"- \2", text),
    lambda text: _STEP.sub(r"- Step \1: \2", text),
    lambda text: _STEP.sub(r"**Step \1:** \2", text),
    lambda text: _STEP.sub(r"Step \1:\n\2", text),
    lambda text: _ORDER.sub(lambda order: f"Execution Order: {order[1].translate(_BRACES)}", text),
    lambda text: _ORDER.sub(lambda order: f"Execution Order: {order[1].removesuffix(')')}", text),
    lambda text: _ORDER.sub(lambda order: f"**Execution Order:** `{order[1]}`", text),
    lambda text: _ORDER.sub(lambda order: f"Execution Order: {order[1]}\n\nThis order respects what is needed.", text),
    lambda text: _ORDER.sub(lambda order: f"Execution Order: {order[1].replace(' OR ', ' | ')}", text),
    lambda text: _ORDER.sub(_with_either, text),
    lambda text: f"```\n{text}\n```",
    lambda text: f"Here is my plan:\n\n{text}",
)


def _with_either(order: re.Match[str]) -> str:
    alternatives = order[1].strip("()").split(" OR ")
    if len(alternatives) != 2 or " AND " in order[1]:
        return order[0]
    return f"Execution Order: either {alternatives[0]} or {alternatives[1]}"


_REASONED: Sequence[Form] = (
    str,
    str,
    lambda text: f"<think>\nLet me see. Action: look would be one way, but no.\n</think>\n\n{text}",
    lambda text: f"<thinking>I know enough.</thinking>\n{text}",
    lambda text: f"Let me see what I know. I know enough.\n</think>\n\n{text}",
)

_PARTS: Mapping[str, str] = {"summary": "Summary", "flaws": "Flaws", "revision": "Suggested revision"}


def _part(label: str) -> Sequence[Form]:
    return (
        str,
        lambda text: f"{label}: {text}",
        lambda text: f"**{label}:**\n{text}",
        lambda text: f"### {label}\n\n{text}",
    )


UPDATES: Sequence[Form] = (
    str,
    lambda text: f"**Plan:**\n{text}",
    lambda text: f"## Revised Plan\n\n{text}",
    lambda text: f"Here is the revised plan:\n\n{text}",
    lambda text: f"```\n{text}\n```",
)


def in_style(plain: Completion, messages: Sequence[ChatMessage], sampling: Sampling, seed: int) -> Completion:
    """A completion in a style, or as it is where the style leaves no room for it."""
    completion = complete_with(dressed(plain.text, messages, seed), messages, sampling)
    return completion if completion.finish == "stop" else plain


def dressed(text: str, messages: Sequence[ChatMessage], seed: int) -> str:
    """A plain answer in a style that the answer, its prompt and the seed decide."""
    if not text.strip():
        return text
    draw = int.from_bytes(blake2b(repr((seed, text, messages)).encode(), digest_size=8).digest())
    draw, reasoned = divmod(draw, len(_REASONED))
    return _REASONED[reasoned](_formed(text, messages, draw))


def _formed(text: str, messages: Sequence[ChatMessage], draw: int) -> str:
    if turn := _TURN.match(text):
        return TURNS[draw % len(TURNS)](turn["thought"] or "", turn["action"])
    found = understood(messages)
    forms: Sequence[Form] = (str,)
    match found[0].answer if found is not None else None:
        case "plan":
            forms = PLANS
        case "summary" | "flaws" | "revision" as part:
            forms = _part(_PARTS[part])
        case "update":
            forms = UPDATES
        case _:  # a thought alone, or nothing that was understood
            pass
    return forms[draw % len(forms)](text)
