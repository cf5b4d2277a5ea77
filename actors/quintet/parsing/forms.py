"""Forms of answers: JSON schemas that replace the papers' text, and the conversion of an answer back to that text.

A request's answer has one form. Where answers are structured, its schema goes with the call, the prompt prescribes its
fields, a reminder shows them, and what comes back is turned into the text that readers read anyway. So there is one way
to read an answer.
"""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from quintet.parsing.json_form import JsonForm, JsonObject, on_one_line
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
from quintet.ports.model import AnswerForm

_MARKED = re.compile(r"\{form (\w+)\}\n?(.*?)\n?\{end\}", re.DOTALL)


class DecisionForm(JsonForm):
    """A thought and the action that follows from it."""

    prescribed = (
        'Write each answer as a JSON object with two texts, and nothing around it: "thought", what you know so far and '
        'what has to happen next; and "action", one action. Where answers are shown, the same two stand as lines.'
    )
    thought: str = Field(description="what you know so far and what has to happen next")
    action: str = Field(description="one action")

    def as_text(self) -> str:
        return f"Thought: {on_one_line(self.thought)}\nAction: {on_one_line(self.action)}"


class CandidateForm(JsonObject):
    """An action that could come next."""

    action: str = Field(description="one action")
    confidence: float = Field(description="from 0 to 1; all sum to 1")


class CandidatesForm(JsonForm):
    """Several actions, each with the model's confidence in it."""

    prescribed = (
        'Answer with a JSON object with one list, "candidates", and nothing around it. Each entry is an object with '
        'two fields: "action", one action, and "confidence", the number. Leave out the thought.'
    )
    candidates: tuple[CandidateForm, ...] = Field(description="different actions, the most promising first")

    def as_text(self) -> str:
        return "\n".join(
            f"Action: {on_one_line(each.action)} (confidence {each.confidence:g})" for each in self.candidates
        )


class ThoughtForm(JsonForm):
    """A thought alone."""

    prescribed = 'Answer with this thought alone: a JSON object with one text, "thought", and nothing around it.'
    thought: str = Field(description="about the one action that comes next")

    def as_text(self) -> str:
        return f"Thought: {on_one_line(self.thought)}"


class ActionForm(JsonForm):
    """An action alone."""

    prescribed = 'Answer with a JSON object with one text, "action", the action, and nothing around it.'
    action: str = Field(description="one action")

    def as_text(self) -> str:
        return f"Action: {on_one_line(self.action)}"


class PlanForm(JsonForm):
    """Steps to a goal, and how they combine."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "steps", a list of texts, the first of which is Step 1; and '
        '"order", which joins them by AND where all are needed, one after the other, or by OR where any one is enough, '
        "with brackets around each group, as in: (Step 1 AND (Step 2 OR Step 3)). Where plans are shown, the same "
        "stands as lines."
    )
    steps: tuple[str, ...] = Field(description="each a goal of its own")
    order: str = Field(description="as in: (Step 1 AND (Step 2 OR Step 3))")

    def as_text(self) -> str:
        steps = [f"Step {number}: {on_one_line(step)}" for number, step in enumerate(self.steps, 1)]
        order = [f"Execution Order: {on_one_line(self.order)}"] if self.order.strip() else []
        return "\n".join([*steps, *order])


class StepsForm(JsonForm):
    """The steps of a plan, one after the other."""

    prescribed = (
        'Answer with a JSON object with one list of texts, "steps", and nothing around it. Each text is one action in '
        "words. Where plans are shown, their steps stand as numbered lines."
    )
    steps: tuple[str, ...] = Field(description="each one action in words, in order")

    def as_text(self) -> str:
        return "\n".join(["List", *(f"{number}. {on_one_line(step)}" for number, step in enumerate(self.steps, 1))])


class RetargetedForm(JsonForm):
    """The same move in other words."""

    prescribed = 'Answer with a JSON object with one text, "new_action", the action, and nothing around it.'
    new_action: str = Field(description="one action")

    def as_text(self) -> str:
        return f"New action is: {on_one_line(self.new_action)}"


class TaskPlanForm(JsonForm):
    """A plan for all tasks of a kind."""

    prescribed = 'Answer with a JSON object with one text, "plan", the whole new plan, and nothing around it.'
    plan: str = Field(description="the whole new plan, its steps numbered")

    def as_text(self) -> str:
        return f"Plan:\n{self.plan}"


FORMS: Mapping[AnswerForm, type[JsonForm]] = {
    "decision": DecisionForm,
    "candidates": CandidatesForm,
    "thought": ThoughtForm,
    "action": ActionForm,
    "plan": PlanForm,
    "reflection": ReflectionForm,
    "task_plan": TaskPlanForm,
    "look_back": LookBackForm,
    "value": ValueForm,
    "choice": ChoiceForm,
    "comparison": ComparisonForm,
    "evaluation": EvaluationForm,
    "summary": SummaryForm,
    "clusters": ClustersForm,
    "index": IndexForm,
    "steps": StepsForm,
    "alignment": AlignmentForm,
    "verdict": VerdictForm,
    "grade": GradeForm,
    "condensed": CondensedForm,
    "retargeted": RetargetedForm,
}


_EXAMPLES: Mapping[AnswerForm, JsonForm] = {
    "decision": DecisionForm(thought="what you know so far and what has to happen next", action="one action"),
    "action": ActionForm(action="one action"),
    "candidates": CandidatesForm(
        candidates=(
            CandidateForm(action="one action", confidence=0.6),
            CandidateForm(action="another action", confidence=0.4),
        )
    ),
    "plan": PlanForm(
        steps=("the first step", "the second step"),
        order="(Step 1 AND Step 2), with OR in place of AND where any one of the steps is enough",
    ),
    "reflection": ReflectionForm(text="what was asked for, in short"),
    "task_plan": TaskPlanForm(plan="the whole plan"),
    "look_back": LookBackForm(reflection="what you will do differently next time"),
    "value": ValueForm(reason="why, in short", mark=5),
    "choice": ChoiceForm(reason="why, in short", choice=1),
    "comparison": ComparisonForm(step=3, reason="why, in short"),
    "evaluation": EvaluationForm(
        subgoals=(
            SubgoalForm(goal="what has to be reached first", complete=True),
            SubgoalForm(goal="what has to be reached next", complete=False),
        )
    ),
    "summary": SummaryForm(summary="what was done and what it led to"),
    "clusters": ClustersForm(
        types=(ClusterForm(name="a short name", numbers=(1, 4, 5)), ClusterForm(name="another name", numbers=(2, 3)))
    ),
    "index": IndexForm(reason="why this type fits best", type=2),
    "steps": StepsForm(steps=("the first action, in words", "the next action, in words")),
    "alignment": AlignmentForm(description="The action is to ... (then whether it serves the step)", aligned=True),
    "grade": GradeForm(reason="how the two answers compare, in short", correct=False),
    "verdict": VerdictForm(reason="why, in short (then whether it is completed)", completed=False),
    "condensed": CondensedForm(short_description="what is seen, in short"),
    "retargeted": RetargetedForm(new_action="one action"),
}
"""Of forms that a model is reminded of."""


def example_of(form: AnswerForm, *, structured: bool) -> str:
    """An example of an answer, for a reminder.

    Args:
        form: one that has an example.
        structured: whether answers are JSON.
    """
    example = _EXAMPLES[form]
    return example.model_dump_json() if structured else example.as_text()


def response_format(form: AnswerForm) -> dict[str, Any]:
    """The request field that makes an endpoint answer in this form."""
    schema = FORMS[form].model_json_schema()
    return {"type": "json_schema", "json_schema": {"name": form, "strict": True, "schema": schema}}


def as_paper_text(completion: str, form: AnswerForm | None) -> str:
    """Convert an answer to the papers' format; unchanged if it is not of this form, or `form` is None."""
    if form is None:
        return completion
    try:
        return FORMS[form].model_validate_json(completion).as_text()
    except ValidationError:
        return completion


def with_form(text: str, *, structured: bool) -> str:
    """A prompt's text with the form that it prescribes.

    Args:
        text: what stands between `{form NAME}` and `{end}` prescribes a form of text.
        structured: whether answers are JSON: the form's own line replaces that text.

    Raises:
        KeyError: no form has that name.
    """
    by_name: dict[str, type[JsonForm]] = {str(name): form for name, form in FORMS.items()}

    def line(marked: re.Match[str]) -> str:
        form = by_name[marked[1]]
        return form.prescribed if structured else marked[2]

    return _MARKED.sub(line, text)
