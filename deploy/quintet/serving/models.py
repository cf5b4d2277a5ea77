"""The models that are served. All are simulated, as every answer states; their text becomes JSON on request."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from msgspec.structs import replace
from pydantic import BaseModel

from quintet.errors import UsageError
from quintet.models.sim.styles import WritingStyle
from quintet.parsing.forms import (
    ActionForm,
    CandidateForm,
    CandidatesForm,
    DecisionForm,
    PlanForm,
    RetargetedForm,
    StepsForm,
    TaskPlanForm,
    ThoughtForm,
)
from quintet.parsing.memory_forms import (
    ClusterForm,
    ClustersForm,
    EvaluationForm,
    IndexForm,
    SubgoalForm,
    SummaryForm,
)
from quintet.parsing.reflector_forms import (
    AlignmentForm,
    ChoiceForm,
    ComparisonForm,
    CondensedForm,
    GradeForm,
    LookBackForm,
    ReflectionForm,
    ValueForm,
    VerdictForm,
)
from quintet.plugins import catalogue
from quintet.ports.model import AnswerForm, Completion, Model

_LEVELS = ("sim-weak", "sim-strong", "sim-newcomer", "sim-fallible")
_NAMES = ("sim", *_LEVELS, "scripted")


def served_models(
    name: str, *, script: Path | None = None, cycle: bool = False, style: WritingStyle = "plain", seed: int = 0
) -> Mapping[str, Model]:
    """The models to serve, by the name to request.

    Args:
        name: `sim`: every level under its own name, and the first as `sim` too; a level: that one alone, as `sim`
            too; or `scripted`.
        script: a file with a JSON list of texts, for `scripted` only.
        cycle: whether `scripted` starts again after its last text.
        style: of the levels' texts.
        seed: of the style.

    Raises:
        UsageError: the name is unknown, or the script is missing or malformed.
    """
    if name not in _NAMES:
        raise UsageError(f"--model: expected {catalogue.one_of(_NAMES, name)}, got {name!r}")
    if name == "scripted":
        if style != "plain":
            raise UsageError(f"--style: expected a simulated level, since scripted only repeats its file, got {style}")
        if script is None:
            raise UsageError("--script: expected a file for the model scripted, got none")
        return {name: catalogue.model(name, script=script, cycle=cycle)}
    if script is not None or cycle:
        raise UsageError(
            f"--model: expected scripted, since {'--script' if script else '--cycle'} is given, got {name!r}"
        )
    levels = _LEVELS if name == "sim" else (name,)
    models = {level: catalogue.model(level, style=style, style_seed=seed) for level in levels}
    return {"sim": models[levels[0]], **models}


_THOUGHT = re.compile(r"\A\s*Thought:\s*(.*?)(?=\nAction:|\Z)", re.DOTALL)
_ACTION = re.compile(r"^Action:[ \t]*(.*)$", re.MULTILINE)
_CANDIDATE = re.compile(r"^Action:[ \t]*(.*?)[ \t]*\(confidence ([0-9]+(?:\.[0-9]+)?)\)$", re.MULTILINE)
_STEP = re.compile(r"^Step \d+:[ \t]*(.*)$", re.MULTILINE)
_ORDER = re.compile(r"^Execution Order:[ \t]*(.*)$", re.MULTILINE)
_PLAN = re.compile(r"^Plan:\s*(.*)\Z", re.MULTILINE | re.DOTALL)
_LOOK_BACK = re.compile(r"^Reflection:\s*(.*)\Z", re.MULTILINE | re.DOTALL)
_SUBGOAL = re.compile(r"^subgoal \d+:[ \t]*(.*?) - (in)?complete$", re.MULTILINE)
_SUMMARY = re.compile(r"^Summary:\s*(.*)\Z", re.MULTILINE | re.DOTALL)
_CLUSTER = re.compile(r"^High-level Type\d+:[ \t]*(.*?) \[([\d, ]+)\]$", re.MULTILINE)
_WHOLE = re.compile(r"\d+")
_REASONED = re.compile(r"\s*\[?(\d{1,7})\]?:(.*)", re.DOTALL)
_ITEM = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_YES_OR_NO = re.compile(r"^(YES|NO)$", re.MULTILINE)
_GRADE = re.compile(r"^Correct: (YES|NO)$", re.MULTILINE)
_SHORT = re.compile(r"^Short description:\s*(.*)\Z", re.MULTILINE | re.DOTALL)
_NEW_ACTION = re.compile(r"^New action is:[ \t]*(.*)$", re.MULTILINE)
_NUMBER = re.compile(r"^(?:Mark|Choice):[ \t]*([0-9]{1,4})[ \t]*$", re.MULTILINE)


def as_json_form(completion: Completion, form: AnswerForm | None) -> Completion:
    """Rewrite a completion as JSON of a form. If it was cut off, so is the JSON. No form: unchanged."""
    if form is None:
        return completion
    text = _answer(completion.text, form).model_dump_json()
    return replace(completion, text=text[: len(completion.text)] if completion.finish == "length" else text)


def _answer(text: str, form: AnswerForm) -> BaseModel:
    match form:
        case "decision":
            return DecisionForm(thought=_after(_THOUGHT, text), action=_after(_ACTION, text))
        case "candidates":
            candidates = (
                CandidateForm(action=said, confidence=float(given)) for said, given in _CANDIDATE.findall(text)
            )
            return CandidatesForm(candidates=tuple(candidates))
        case "thought":
            return ThoughtForm(thought=_after(_THOUGHT, text) or text.strip())
        case "action":
            return ActionForm(action=_after(_ACTION, text) or text.strip())
        case "plan":
            return PlanForm(steps=tuple(_STEP.findall(text)), order=_after(_ORDER, text))
        case "reflection":
            return ReflectionForm(text=text.strip())
        case "task_plan":
            return TaskPlanForm(plan=_after(_PLAN, text) or text.strip())
        case "look_back":
            return LookBackForm(reflection=_after(_LOOK_BACK, text) or text.strip())
        case "value":
            return ValueForm(reason=_NUMBER.sub("", text).strip(), mark=int(_after(_NUMBER, text) or 0))
        case "choice":
            return ChoiceForm(reason=_NUMBER.sub("", text).strip(), choice=int(_after(_NUMBER, text) or 0))
        case "evaluation":
            subgoals = (SubgoalForm(goal=goal, complete=not stands) for goal, stands in _SUBGOAL.findall(text))
            return EvaluationForm(subgoals=tuple(subgoals))
        case "summary":
            return SummaryForm(summary=_after(_SUMMARY, text) or text.strip())
        case "clusters":
            listed = ((name, tuple(map(int, _WHOLE.findall(numbers)))) for name, numbers in _CLUSTER.findall(text))
            return ClustersForm(types=tuple(ClusterForm(name=name, numbers=numbers) for name, numbers in listed))
        case "index":
            number, reason = _numbered(text)
            return IndexForm(reason=reason, type=number)
        case "comparison":
            number, reason = _numbered(text)
            return ComparisonForm(reason=reason, step=number)
        case "steps":
            return StepsForm(steps=tuple(_ITEM.findall(text)))
        case "alignment":
            return AlignmentForm(
                description=_YES_OR_NO.sub("", text).strip(), aligned=_after(_YES_OR_NO, text) == "YES"
            )
        case "verdict":
            return VerdictForm(reason=_YES_OR_NO.sub("", text).strip(), completed=_after(_YES_OR_NO, text) == "YES")
        case "grade":
            return GradeForm(reason=_GRADE.sub("", text).strip(), correct=_after(_GRADE, text) == "YES")
        case "condensed":
            return CondensedForm(short_description=_after(_SHORT, text) or text.strip())
        case "retargeted":
            return RetargetedForm(new_action=_after(_NEW_ACTION, text) or text.strip())
        case _:
            assert_never(form)


def _numbered(text: str) -> tuple[int, str]:
    """A number and its reason; 0 if there is none."""
    found = _REASONED.match(text)
    return (int(found[1]), found[2].strip()) if found else (0, text.strip())


def _after(label: re.Pattern[str], text: str) -> str:
    """The text after a label; empty if the label is missing."""
    found = label.search(text)
    return found[1].strip() if found else ""
