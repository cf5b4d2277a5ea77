"""Answers in the styles in which language models write: another form, the same content.

Models wrap their answers into reasoning, Markdown, JSON, lists and courtesies. A run with a model that does so must go
exactly as the same run in plain form; that tests the parsers.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

from quintet.messages.prompts import ChatMessage, Prompt
from quintet.models.completion import complete_with
from quintet.models.stand_in.model import FALLIBLE_RATE, StandIn, fallible
from quintet.ports.model import Asked, Completion, Sampling
from quintet.questions.reflecting import ReflectOn

TurnForm: TypeAlias = Callable[[str, str], str]
"""A thought, which may be empty, and an action in another form."""
TextForm: TypeAlias = Callable[[str], str]
"""A text in another form."""

_TURN = re.compile(r"\A(?:Thought: (?P<thought>[^\n]*)\n)?Action: (?P<action>[^\n]+)\Z")
_CANDIDATES = re.compile(r"\A(?:Action: [^\n]+ \(confidence [0-9.]+\)(?:\n|\Z))+\Z")
_CANDIDATE = re.compile(r"^Action: (.+) \(confidence ([0-9.]+)\)$", re.MULTILINE)
_STEP = re.compile(r"^Step (\d+): (.+)$", re.MULTILINE)
_ORDER = re.compile(r"^Execution Order: (.+)$", re.MULTILINE)
_SUBGOAL = re.compile(r"^subgoal (\d+): (.+) - (complete|incomplete)$", re.MULTILINE)
_CLUSTER = re.compile(r"^High-level Type(\d+): (.+) \[([\d, ]+)\]$", re.MULTILINE)
_INDEX = re.compile(r"\A\[(\d+)\]: (.*)\Z")
_ITEM = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_WITH_VERDICT = re.compile(r"\A(.+)\n(YES|NO)\Z")
_STEP_NUMBER = re.compile(r"\A(\d+): (.*)\Z")


def _lines(action_line: str, thought_line: str = "Thought: {}\n") -> TurnForm:
    """A turn of two lines; the first is left out where there is no thought."""
    return lambda thought, action: (thought_line.format(thought) if thought else "") + action_line.format(action)


def _as_json(thought: str, action: str) -> str:
    return json.dumps({"thought": thought, "action": action} if thought else {"action": action})


TURNS: Sequence[TurnForm] = (
    _lines("Action: {}"),
    _lines("**Action:** {}", "**Thought:** {}\n"),
    _lines("Action: **{}**"),
    _lines("Action: `{}`"),
    _lines('Action: "{}"'),
    _lines("Action: [{}]"),
    lambda thought, action: _lines("Action: {}")(thought, f"{action[0].upper()}{action[1:]}"),
    _lines("Action: {}  # this comes next"),
    _lines("Act: {}"),
    _lines("Action: \n```\n{}\n```"),
    _lines("Action: \n1. {}\n2. look"),
    _lines("### Action\n{}", "### Thought\n{}\n\n"),
    _as_json,
    lambda thought, action: f"```json\n{_as_json(thought, action)}\n```",
    _lines("<action>{}</action>", "<thought>{}</thought>\n"),
)


def _each_candidate(form: str) -> TextForm:
    return lambda text: "\n".join(
        form.format(number=number, action=action, share=share, percent=f"{100 * float(share):g}%")
        for number, (action, share) in enumerate(_CANDIDATE.findall(text), 1)
    )


def _candidates_as_json(text: str) -> str:
    named = _CANDIDATE.findall(text)
    return json.dumps({"candidates": [{"action": action, "confidence": float(share)} for action, share in named]})


CANDIDATES: Sequence[TextForm] = (
    str,
    _each_candidate("{number}. {action} ({share})"),
    _each_candidate("{number}. **{action}** (confidence: {share})"),
    _each_candidate("- {action}: {percent}"),
    _each_candidate("Action {number}: `{action}`, confidence {share}"),
    _each_candidate("Action: {action}\nConfidence: {percent}\n"),
    lambda text: f"| Action | Confidence |\n|---|---|\n{_each_candidate('| {action} | {share} |')(text)}",
    _candidates_as_json,
    lambda text: f"Here are the candidates:\n\n{text}\n\nThe confidences sum to 1.",
)

_BRACES = str.maketrans("()", "{}")


def _each_step(form: str) -> TextForm:
    return lambda text: _STEP.sub(form, text)


def _order(form: Callable[[str], str]) -> TextForm:
    return lambda text: _ORDER.sub(lambda order: form(order[1]), text)


def _with_either(order: str) -> str:
    alternatives = order.strip("()").split(" OR ")
    if len(alternatives) != 2 or " AND " in order:
        return f"Execution Order: {order}"
    return f"Execution Order: either {alternatives[0]} or {alternatives[1]}"


PLANS: Sequence[TextForm] = (
    str,
    _each_step(r"\1. \2"),
    _each_step(r"- \2"),
    _each_step(r"- Step \1: \2"),
    _each_step(r"**Step \1:** \2"),
    _each_step(r"Step \1:\n\2"),
    _order(lambda order: f"Execution Order: {order.translate(_BRACES)}"),
    _order(lambda order: f"Execution Order: {order.removesuffix(')')}"),
    _order(lambda order: f"**Execution Order:** `{order}`"),
    _order(lambda order: f"Execution Order: {order}\n\nThis order respects what is needed."),
    _order(lambda order: f"Execution Order: {order.replace(' OR ', ' | ')}"),
    _order(_with_either),
    "```\n{}\n```".format,
    "Here is my plan:\n\n{}".format,
)

_REASONED: Sequence[TextForm] = (
    str,
    str,
    "<think>\nLet me see. Action: look would be one way, but no.\n</think>\n\n{}".format,
    "<thinking>I know enough.</thinking>\n{}".format,
    "Let me see what I know. I know enough.\n</think>\n\n{}".format,
)

UPDATES: Sequence[TextForm] = (
    str,
    "**Plan:**\n{}".format,
    "## Revised Plan\n\n{}".format,
    "Here is the revised plan:\n\n{}".format,
    "```\n{}\n```".format,
)

VERDICTS: Sequence[TextForm] = (
    str,
    "So far it has come some way.\n\n{}".format,
    "**{}**".format,
    "- {}".format,
    "```\n{}\n```".format,
    lambda text: text.replace(": ", ":\n"),
    lambda text: text.replace(": ", ": **") + "**",
)
"""Marks and choices."""


def _with_sign(subgoal: re.Match[str]) -> str:
    return f"{subgoal[1]}. {subgoal[2]} {'✅' if subgoal[3] == 'complete' else '❌'}"


EVALUATIONS: Sequence[TextForm] = (
    str,
    "Here is where it stands:\n\n{}".format,
    lambda text: _SUBGOAL.sub(r"- **Subgoal \1:** \2 - *\3*", text),
    lambda text: _SUBGOAL.sub(r"\1. \2: \3", text),
    lambda text: _SUBGOAL.sub(r"Subgoal \1: \2 (\3)", text).replace("(incomplete)", "(not complete)"),
    lambda text: _SUBGOAL.sub(_with_sign, text),
    lambda text: json.dumps(
        {"subgoals": [{"goal": goal, "complete": status == "complete"} for _, goal, status in _SUBGOAL.findall(text)]}
    ),
)

SUMMARIES: Sequence[TextForm] = (
    str,
    lambda text: text.replace("Summary: ", "**Summary:** ", 1),
    lambda text: text.replace("Summary: ", "## Summary\n\n", 1),
    lambda text: text.replace("Summary: ", "Here is the summary of the past:\n\nSummary:\n", 1),
    lambda text: json.dumps({"summary": text.removeprefix("Summary: ")}),
    lambda text: text.removeprefix("Summary: "),
)

CLUSTERS: Sequence[TextForm] = (
    str,
    "Here are the types:\n\n{}".format,
    lambda text: _CLUSTER.sub(r"**High-level Type \1: \2** [\3]", text),
    lambda text: _CLUSTER.sub(r"\1. \2: [\3]", text),
    lambda text: _CLUSTER.sub(r"- \2 (\3)", text),
    lambda text: _CLUSTER.sub(r"### Type \1: \2\n\3\n", text),
    lambda text: json.dumps(
        {
            "types": [
                {"name": name, "numbers": [int(number) for number in numbers.split(", ")]}
                for _, name, numbers in _CLUSTER.findall(text)
            ]
        }
    ),
)

INDICES: Sequence[TextForm] = (
    str,
    lambda text: _INDEX.sub(r"Type [\1]: \2", text),
    lambda text: _INDEX.sub(r"**[\1]**: \2", text),
    lambda text: _INDEX.sub(r"\1: \2", text),
    lambda text: _INDEX.sub(r"\2\n\n[\1]", text),
    lambda text: json.dumps({"reason": _INDEX.sub(r"\2", text), "type": int(_INDEX.sub(r"\1", text))}),
)

COMPARISONS: Sequence[TextForm] = (
    str,
    lambda text: _STEP_NUMBER.sub(r"Step \1: \2", text),
    lambda text: _STEP_NUMBER.sub(r"**\1**: \2", text),
    lambda text: _STEP_NUMBER.sub(r"\1. \2", text),
    lambda text: json.dumps({"reason": _STEP_NUMBER.sub(r"\2", text), "step": int(_STEP_NUMBER.sub(r"\1", text))}),
)

STEPS: Sequence[TextForm] = (
    str,
    lambda text: text.replace("List\n", "List:\n\n", 1),
    lambda text: text.replace("List\n", "**List**\n", 1),
    lambda text: text.replace("List\n", "Here is my plan:\n\nList\n", 1),
    lambda text: _ITEM.sub(r"- \1", text),
    "```\n{}\n```".format,
    lambda text: json.dumps({"steps": _ITEM.findall(text)}),
)


def _alignment_as_json(text: str) -> str:
    return _WITH_VERDICT.sub(lambda said: json.dumps({"description": said[1], "aligned": said[2] == "YES"}), text)


ALIGNMENTS: Sequence[TextForm] = (
    str,
    lambda text: _WITH_VERDICT.sub(r"\1\n\n**\2**", text),
    lambda text: _WITH_VERDICT.sub(r"\1\nAnswer: \2", text),
    lambda text: _WITH_VERDICT.sub(r"Let me look at both.\n\n\1\n\2.", text),
    _alignment_as_json,
)


def _verdict_as_json(text: str) -> str:
    return _WITH_VERDICT.sub(lambda said: json.dumps({"reason": said[1], "completed": said[2] == "YES"}), text)


YES_OR_NO: Sequence[TextForm] = (
    str,
    lambda text: _WITH_VERDICT.sub(r"\1\n\n**\2**", text),
    lambda text: _WITH_VERDICT.sub(r"Answer: \2", text),
    lambda text: _WITH_VERDICT.sub(lambda said: f"{said[2].capitalize()}.", text),
    _verdict_as_json,
)

SHORT_DESCRIPTIONS: Sequence[TextForm] = (
    str,
    lambda text: text.replace("Short description: ", "**Short description:** ", 1),
    lambda text: text.replace("Short description: ", "## Short description\n\n", 1),
    lambda text: json.dumps({"short_description": text.removeprefix("Short description: ")}),
)

RETARGETS: Sequence[TextForm] = (
    str,
    lambda text: text.replace("New action is: ", "**New action is:** ", 1),
    lambda text: json.dumps({"new_action": text.removeprefix("New action is: ")}),
)

LOOK_BACKS: Sequence[TextForm] = (
    str,
    lambda text: text.replace("Reflection: ", "**Reflection:** ", 1),
    lambda text: text.replace("Reflection: ", "## Reflection\n\n", 1),
    lambda text: text.removeprefix("Reflection: "),
)

_LABELS = {"summary": "Summary", "flaws": "Flaws", "revision": "Suggested revision"}
STYLES: Mapping[str, Sequence[TextForm]] = {
    "plan": PLANS,
    "task_plan": UPDATES,
    "value": VERDICTS,
    "choice": VERDICTS,
    "look_back": LOOK_BACKS,
    "evaluation": EVALUATIONS,
    "summary": SUMMARIES,
    "clusters": CLUSTERS,
    "index": INDICES,
    "comparison": COMPARISONS,
    "steps": STEPS,
    "alignment": ALIGNMENTS,
    "verdict": YES_OR_NO,
    "condensed": SHORT_DESCRIPTIONS,
    "retargeted": RETARGETS,
}
"""By the shape's name; an answer of any other shape keeps its form."""


class Mixed:
    """Writes another model's answers, each in a style that the answer, its prompt and the seed decide."""

    name = "mixed"

    def __init__(self, model: StandIn, seed: int = 0) -> None:
        self._model = model
        self._seed = seed

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self._model.complete(prompt, sampling)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        plain = await self._model.answer(prompt, sampling, asked)
        text = in_random_style(plain.text, prompt.messages(), asked, self._seed)
        completion = complete_with(text, prompt, sampling)
        return completion if completion.finish == "stop" else plain


def mixed(error_rate: float = FALLIBLE_RATE, style_seed: int = 0) -> Mixed:
    """A fallible stand-in that writes so."""
    return Mixed(fallible(error_rate), style_seed)


def in_random_style(text: str, messages: Sequence[ChatMessage], asked: Asked, seed: int) -> str:
    """A plain answer in a style, or unchanged if it is empty."""
    if not text.strip():
        return text
    draw = int.from_bytes(blake2b(repr((seed, text, messages)).encode(), digest_size=8).digest())
    draw, reasoned = divmod(draw, len(_REASONED))
    if _CANDIDATES.match(text):
        return _REASONED[reasoned](CANDIDATES[draw % len(CANDIDATES)](text))
    if turn := _TURN.match(text):
        return _REASONED[reasoned](TURNS[draw % len(TURNS)](turn["thought"] or "", turn["action"]))
    forms = STYLES.get(asked.question, (str,))
    if isinstance(asked.about, ReflectOn):
        label = _LABELS[asked.about.part]
        forms = (str, f"{label}: {{}}".format, f"**{label}:**\n{{}}".format, f"### {label}\n\n{{}}".format)
    return _REASONED[reasoned](forms[draw % len(forms)](text))
