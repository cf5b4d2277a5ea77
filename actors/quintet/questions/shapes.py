"""The shapes of answers: a text, a number or yes or no with its reason, a thought with an action, steps, rows."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, TypeVar, assert_never

from quintet.errors import UsageError
from quintet.messages.execution import Act, Claim, Decision, Unreadable
from quintet.messages.message import Unanswered
from quintet.messages.planning import AllOf, AnyOf, Decomposed, PlanMade, PlanStep, PlanTree
from quintet.parsing.answers import missing_answer, on_one_line
from quintet.parsing.decisions import read_decision
from quintet.parsing.indices import number_reader
from quintet.parsing.judgements import read_verdict
from quintet.parsing.labelled import labelled_text
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.ports.model import Finish
from quintet.questions.shape import Fields, FoundT, Reading, Shape, json_object

MOST: Final = 9_999
"""A completion alone does not say how many options, steps or types there were."""

PlanT = TypeVar("PlanT", PlanMade, Decomposed)


@dataclass(frozen=True, kw_only=True, eq=False)
class Text(Shape[FoundT]):
    """A text under a label."""

    free = True
    key: str
    """The JSON's field."""
    label: str = ""
    described: str = ""
    """What the text is."""
    says: str | None = None
    """The same in the line that prescribes it; None: in the same words."""
    keeps_lines: bool = False
    whole: str = "Answer with"
    """How that line begins."""

    def usual_reader(self) -> Callable[[str], Any]:
        return labelled_text(re.escape(self.label.strip(" :\n") or self.key), self.key).read

    @property
    def fields(self) -> Fields:
        return {self.key: (str, self.described)}

    @property
    def prescribed(self) -> str:
        says = self.described if self.says is None else self.says
        named = f'"{self.key}", {says}' if says else f'"{self.key}"'
        return f"{self.whole} a JSON object with one text, {named}, and nothing around it."

    @property
    def prescribed_call(self) -> str:
        return "Answer with one call of a tool that is offered." if self.tool else self.prescribed

    def text_of(self, fields: Mapping[str, Any]) -> str:
        text = fields[self.key]
        return f"{self.label}{text if self.keeps_lines else on_one_line(text)}"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Reasoned(Shape[FoundT]):
    """A text, and then a value that follows from it."""

    key: str
    """Of the value."""
    described: str = ""
    """What the value is."""
    says: str = ""
    """The same in the line that prescribes it; empty: in the same words."""
    template: str
    """Of the text, with `{why}` and `{value}`."""
    why: str = "reason"
    """The key of the text before the value."""
    why_described: str = "why, in short"
    why_says: str = "a short text, why"

    @property
    def fields(self) -> Fields:
        return {self.why: (str, self.why_described), self.key: (self.value_type, self.described)}

    @property
    @abstractmethod
    def value_type(self) -> type: ...

    @property
    def prescribed(self) -> str:
        why, value = f'"{self.why}", {self.why_says}', f'"{self.key}", {self.says or self.described}'
        return f"Answer with a JSON object, and nothing around it: {why}; and then {value}."

    def text_of(self, fields: Mapping[str, Any]) -> str:
        return self.template.format(why=on_one_line(fields[self.why]), value=self.value_text(fields[self.key]))

    @abstractmethod
    def value_text(self, value: Any) -> str: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Number(_Reasoned[FoundT]):
    """A number with its reason."""

    def usual_reader(self) -> Callable[[str], Any]:
        return partial(number_reader(re.escape(self.key), self.key).read, most=MOST)

    @property
    def value_type(self) -> type:
        return int

    def value_text(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True, kw_only=True, eq=False)
class YesOrNo(_Reasoned[FoundT]):
    """Yes or no, after a text."""

    wanted: str = "YES or NO"
    says: str = "true or false"
    template: str = "{why}\n{value}"

    def usual_reader(self) -> Callable[[str], Any]:
        return read_verdict

    @property
    def value_type(self) -> type:
        return bool

    def value_text(self, value: Any) -> str:
        return "YES" if value else "NO"

    def ending(self, *, structured: bool) -> str:
        if structured:
            return f'End with "{self.key}", {self.says}.'
        yes, no = (self.template.rpartition("\n")[2].format(value=self.value_text(value)) for value in (True, False))
        return f"End with {yes} or {no}."

    def reading(self, text: str, finish: Finish) -> Reading:
        return self.as_reading(self.key, self.read(text), finish)


@dataclass(frozen=True, kw_only=True, eq=False)
class ThoughtAndAction(Shape[Decision]):
    """A thought and the action that follows from it."""

    thought: str
    """What the thought is."""
    action: str
    """What the action is."""

    def usual_reader(self) -> Callable[[str], Decision]:
        return read_decision

    def reading(self, text: str, finish: Finish) -> Reading:
        decision = read_decision(text, finish)
        if isinstance(decision, Unreadable):
            return {"unreadable": missing_answer(decision.finish, self.wanted)}
        return decided(decision)

    @property
    def fields(self) -> Fields:
        return {"thought": (str, self.thought), "action": (str, self.action)}

    @property
    def prescribed(self) -> str:
        return (
            f'Write each answer as a JSON object with two texts, and nothing around it: "thought", {self.thought}; and '
            f'"action", {self.action}. Where answers are shown, the same two stand as lines.'
        )

    @property
    def prescribed_call(self) -> str:
        return (
            'Write each answer as one call of a tool that is offered. Before the call, or as its "thought" if it takes '
            f"one, say {self.thought}. Where answers are shown, the two stand as lines."
        )

    def text_of(self, fields: Mapping[str, Any]) -> str:
        return f"Thought: {on_one_line(fields['thought'])}\nAction: {on_one_line(fields['action'])}"


@dataclass(frozen=True, kw_only=True, eq=False)
class _ListedSteps(Shape[FoundT]):
    """Texts in order."""

    described: str
    """What the steps are."""
    line: str
    """Prescribes it."""

    @property
    def prescribed(self) -> str:
        return self.line


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps(_ListedSteps[PlanMade]):
    """Steps, one after the other."""

    def usual_reader(self) -> Callable[[str], PlanMade | None]:
        return lambda text: _or_none(read_plan(text))

    def reading(self, text: str, finish: Finish) -> Reading:
        plan = read_plan(text, finish)
        if isinstance(plan, Unanswered):
            return {"steps": None, "notes": [plan.reason]}
        return {"steps": [step.text for step in plan.steps], "notes": []}

    @property
    def fields(self) -> Fields:
        return {"steps": (tuple[str, ...], self.described)}

    def text_of(self, fields: Mapping[str, Any]) -> str:
        return "\n".join(
            ["List", *(f"{number}. {on_one_line(step)}" for number, step in enumerate(fields["steps"], 1))]
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderedSteps(_ListedSteps[Decomposed]):
    """Steps, and how they combine."""

    order: str
    """An example of an order."""
    thought: str
    """What the thought before them is."""

    def usual_reader(self) -> Callable[[str], Decomposed | None]:
        return lambda text: _or_none(read_decomposition(text))

    def reading(self, text: str, finish: Finish) -> Reading:
        plan = read_decomposition(text, finish)
        if isinstance(plan, Unanswered):
            return {"plan": None, "notes": [plan.reason]}
        notes = ["ambiguous: AND and OR without brackets are read from left to right"] * plan.ambiguous
        notes += [f"all steps are taken: {plan.fallback}"] * bool(plan.fallback)
        return {"plan": _tree(plan.plan), "notes": notes}

    @property
    def fields(self) -> Fields:
        return {
            "thought": (str, self.thought),
            "steps": (tuple[str, ...], self.described),
            "order": (str, f"as in: {self.order}"),
        }

    def text_of(self, fields: Mapping[str, Any]) -> str:
        steps = [f"Step {number}: {on_one_line(step)}" for number, step in enumerate(fields["steps"], 1)]
        labelled = {"Thought": on_one_line(fields["thought"]), "Execution Order": on_one_line(fields["order"])}
        thought, order = ([f"{label}: {said}"] if said else [] for label, said in labelled.items())
        return "\n".join([*thought, *steps, *order])


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows(Shape[FoundT]):
    """Rows with the same fields, a line each. It has no reader of its own."""

    key: str
    """Of the list."""
    described: str = ""
    """What the list is."""
    row: str
    """What a row is called."""
    row_about: str
    row_fields: Fields
    row_says: str
    """The fields of a row in the line that prescribes them, and what else it says."""
    template: str
    """A row as text, with its `{number}` and its fields."""
    empty: str = ""
    """The text that stands for no rows."""

    def usual_reader(self) -> Callable[[str], Any]:
        raise UsageError(f"shape {self.name}: expected a reader of its rows, got none")

    @cached_property
    def _row(self) -> Any:
        row: Any = json_object(f"{self.row.title()}Form", self.row_about, self.row_fields)
        return tuple[row, ...]

    @property
    def fields(self) -> Fields:
        return {self.key: (self._row, self.described)}

    @property
    def prescribed(self) -> str:
        return (
            f'Answer with a JSON object with one list, "{self.key}", and nothing around it. Each entry is an object '
            f"with {_IN_WORDS[len(self.row_fields)]} fields: {self.row_says}"
        )

    def text_of(self, fields: Mapping[str, Any]) -> str:
        rows = enumerate(fields[self.key], 1)
        return "\n".join(self.row_text(number, row) for number, row in rows) or self.empty

    def row_text(self, number: int, row: Mapping[str, Any]) -> str:
        """A row as text."""
        return self.template.format(number=number, **{key: _in_row(value) for key, value in row.items()})


@dataclass(frozen=True, kw_only=True, eq=False)
class TextsAndRows(Rows[FoundT]):
    """Texts, each under its label, and then rows."""

    texts: Fields
    """By key, what each is."""
    labels: Mapping[str, str]
    """By key."""

    @property
    def fields(self) -> Fields:
        return {**self.texts, **super().fields}

    @property
    def prescribed(self) -> str:
        texts = "; ".join(f'"{key}", {described}' for key, (_, described) in self.texts.items())
        return (
            f'Answer with a JSON object, and nothing around it: {texts}; and then a list, "{self.key}". Each of its '
            f"entries is an object with {_IN_WORDS[len(self.row_fields)]} fields: {self.row_says}"
        )

    def text_of(self, fields: Mapping[str, Any]) -> str:
        said = [f"{self.labels[key]}: {on_one_line(fields[key])}" for key in self.texts]
        rows = super().text_of(fields)
        return "\n".join([*said, *([rows] if rows else [])])


_IN_WORDS: Final = {2: "two", 3: "three", 4: "four"}


def _in_row(value: Any) -> str:
    match value:
        case bool():
            return "complete" if value else "incomplete"
        case str():
            return on_one_line(value)
        case int():
            return str(value)
        case float():
            return f"{value:g}"
        case _:
            return ", ".join(map(str, value))


def decided(decision: Act | Claim) -> Reading:
    """A decision as `quintet read` prints it."""
    match decision:
        case Act(action=action):
            return {"action": action}
        case Claim(completed=completed):
            return {"claim": completed}
        case _:
            assert_never(decision)


def _tree(plan: PlanTree) -> str | Reading:
    match plan:
        case PlanStep(text=text):
            return text
        case AllOf(parts=parts):
            return {"all": [_tree(part) for part in parts]}
        case AnyOf(parts=parts):
            return {"any": [_tree(part) for part in parts]}
        case _:
            assert_never(plan)


def _or_none(plan: PlanT | Unanswered) -> PlanT | None:
    return None if isinstance(plan, Unanswered) else plan
