"""What a simulated model says in the papers' format, as the JSON that was asked for."""

import re
from typing import assert_never

from msgspec.structs import replace
from pydantic import BaseModel

from quintet.parsing.forms import ActionForm, DecisionForm, PlanForm, ReflectionForm, TaskPlanForm, ThoughtForm
from quintet.ports.model import AnswerForm, Completion

_THOUGHT = re.compile(r"\A\s*Thought:\s*(.*?)(?=\nAction:|\Z)", re.DOTALL)
_ACTION = re.compile(r"^Action:[ \t]*(.*)$", re.MULTILINE)
_STEP = re.compile(r"^Step \d+:[ \t]*(.*)$", re.MULTILINE)
_ORDER = re.compile(r"^Execution Order:[ \t]*(.*)$", re.MULTILINE)
_PLAN = re.compile(r"^Plan:\s*(.*)\Z", re.MULTILINE | re.DOTALL)


def structured(completion: Completion, form: AnswerForm | None) -> Completion:
    """The same as JSON of a form; of one that was cut off, the JSON is cut off. None: as it is."""
    if form is None:
        return completion
    text = _answer(completion.text, form).model_dump_json()
    return replace(completion, text=text[: len(completion.text)] if completion.finish == "length" else text)


def _answer(text: str, form: AnswerForm) -> BaseModel:
    match form:
        case "decision":
            return DecisionForm(thought=_behind(_THOUGHT, text), action=_behind(_ACTION, text))
        case "thought":
            return ThoughtForm(thought=_behind(_THOUGHT, text) or text.strip())
        case "action":
            return ActionForm(action=_behind(_ACTION, text) or text.strip())
        case "plan":
            return PlanForm(steps=tuple(_STEP.findall(text)), order=_behind(_ORDER, text))
        case "reflection":
            return ReflectionForm(text=text.strip())
        case "task_plan":
            return TaskPlanForm(plan=_behind(_PLAN, text) or text.strip())
        case _:
            assert_never(form)


def _behind(label: re.Pattern[str], text: str) -> str:
    """What stands behind a label; empty where it does not stand there."""
    found = label.search(text)
    return found[1].strip() if found else ""
