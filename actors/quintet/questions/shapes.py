"""Shapes of answers: everything that depends on the form of an answer alone.

A shape gives the JSON schema that goes with a call where answers are structured, the line by which a prompt prescribes
it, the text that stands for the JSON, the example for a second try, the lenient reader of text, and what `quintet read`
prints. So there is one way to read an answer: JSON becomes text first.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from quintet.errors import UsageError
from quintet.parsing.answers import on_one_line, reason
from quintet.ports.model import Finish

FoundT = TypeVar("FoundT")
Fields: TypeAlias = Mapping[str, tuple[Any, str]]
"""By name, the type of each field of an answer, and what it holds, in words; these may be empty."""
Reading: TypeAlias = Mapping[str, Any]
"""How an answer is understood, as `quintet read` prints it."""

SHAPES: Final[dict[str, "Shape[Any]"]] = {}
"""All shapes by name; a plug-in's are added as they are made."""

_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MARKED = re.compile(r"\{form (\w+)\}\n?(.*?)\n?\{end\}", re.DOTALL)


def with_form(text: str, *, structured: bool) -> str:
    """A prompt's text with the form that it prescribes.

    Args:
        text: what stands between `{form NAME}` and `{end}` prescribes a form of text.
        structured: whether answers are JSON: the shape's own line replaces that text.

    Raises:
        KeyError: no shape has that name.
    """
    return _MARKED.sub(lambda form: (form[2], SHAPES[form[1]].prescribed)[structured], text)


def response_format(name: str) -> dict[str, Any]:
    """The request field that makes an endpoint answer in the shape of that name."""
    schema = SHAPES[name].schema.model_json_schema()
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


class JsonObject(BaseModel):
    """An object in an answer. Every field is required, since strict endpoints demand it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def json_object(name: str, about: str, fields: Fields) -> type[JsonObject]:
    """The type of an object in an answer."""
    made: dict[str, Any] = {
        key: (kind, Field(description=described) if described else ...) for key, (kind, described) in fields.items()
    }
    return cast("type[JsonObject]", create_model(name, __base__=JsonObject, __doc__=about, **made))


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape(ABC, Generic[FoundT]):
    """The form of an answer.

    Raises:
        UsageError: another shape has the name.
    """

    name: str
    """Of the schema, and of the form in a prompt's `{form NAME}`."""
    about: str
    """What an answer is."""
    read: Callable[[str], FoundT | None]
    """Finds the answer in the text of a whole completion; None: there is none. Any text is allowed."""
    wanted: str
    """What is looked for, in a word or two, which follow `left out the`."""
    kind: str | None = None
    """What `quintet read` calls it; None: it does not read it."""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Of fields in an example; any other shows what it holds."""

    def __post_init__(self) -> None:
        if SHAPES.setdefault(self.name, self) is not self:
            raise UsageError(f"shape: expected another name than {', '.join(SHAPES)}, got {self.name!r}")

    @property
    @abstractmethod
    def fields(self) -> Fields:
        """Of the JSON."""

    @property
    @abstractmethod
    def prescribed(self) -> str:
        """How a prompt asks for the JSON; it names every field in quotes."""

    @abstractmethod
    def text_of(self, fields: Mapping[str, Any]) -> str:
        """What stands for the JSON as text."""

    @abstractmethod
    def fields_of(self, text: str) -> Mapping[str, Any]:
        """The JSON that a text as `text_of` writes it stands for; some of the form for any other text."""

    @cached_property
    def schema(self) -> type[JsonObject]:
        """The type of the JSON."""
        return json_object(f"{self.name.title().replace('_', '')}Form", self.about, self.fields)

    def write(self, fields: Mapping[str, Any], *, structured: bool = False) -> str:
        """An answer as a model writes it.

        Args:
            fields: all of the shape's.
            structured: whether it is JSON.

        Raises:
            ValidationError: they are others, or have other types.
        """
        answer = self.schema(**fields)
        return answer.model_dump_json() if structured else self.text_of(answer.model_dump())

    def as_text(self, completion: str) -> str:
        """The text that stands for an answer as JSON; unchanged if it is not of this form."""
        try:
            return self.text_of(self.schema.model_validate_json(completion).model_dump())
        except ValidationError:
            return completion

    def example(self, *, structured: bool) -> str:
        """An answer for a reminder."""
        shown = {key: described for key, (_, described) in self.fields.items()}
        return self.write({**shown, **self.values}, structured=structured)

    def reading(self, text: str, finish: Finish) -> Reading:
        """How a completion is understood."""
        return self.as_reading(self.kind or self.name, self.read(text), finish)

    def as_reading(self, key: str, found: Any, finish: Finish) -> Reading:
        """What was found, under a key, and notes on why it was not."""
        if finish != "stop" or found is None:
            return {key: None, "notes": [f"the model {reason(finish, self.wanted)}"]}
        return {key: found, "notes": []}


@dataclass(frozen=True, kw_only=True, eq=False)
class Text(Shape[FoundT]):
    """A text under a label."""

    key: str
    """The JSON's field."""
    label: str = ""
    described: str = ""
    """What the text is."""
    says: str = ""
    """The same in the line that prescribes it."""
    keeps_lines: bool = False
    whole: str = "Answer with"
    """How that line begins."""

    @property
    def fields(self) -> Fields:
        return {self.key: (str, self.described)}

    @property
    def prescribed(self) -> str:
        says = f", {self.says}" if self.says else ""
        return f'{self.whole} a JSON object with one text, "{self.key}"{says}, and nothing around it.'

    def text_of(self, fields: Mapping[str, Any]) -> str:
        text = fields[self.key]
        return f"{self.label}{text if self.keeps_lines else on_one_line(text)}"

    def fields_of(self, text: str) -> Mapping[str, Any]:
        labelled = re.search(rf"^{self.label.strip()}\s*(.*)\Z", text, re.MULTILINE | re.DOTALL)
        return {self.key: (labelled[1] if labelled else text).strip()}


@dataclass(frozen=True, kw_only=True, eq=False)
class _Reasoned(Shape[FoundT]):
    """A text, and then a value that follows from it."""

    key: str
    """Of the value."""
    described: str = ""
    """What the value is."""
    says: str
    """The same in the line that prescribes it."""
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
        why = f'"{self.why}", {self.why_says}'
        return f'Answer with a JSON object, and nothing around it: {why}; and then "{self.key}", {self.says}.'

    def text_of(self, fields: Mapping[str, Any]) -> str:
        return self.template.format(why=on_one_line(fields[self.why]), value=self.value_text(fields[self.key]))

    def fields_of(self, text: str) -> Mapping[str, Any]:
        found = _pattern(self.template, why=".*", value=r"[0-9]{1,7}|YES|NO").fullmatch(text.strip())
        said = self.value_of(found["value"]) if found else self.value_type()
        return {self.why: (found["why"] if found else text).strip(), self.key: said}

    @abstractmethod
    def value_text(self, value: Any) -> str: ...

    @abstractmethod
    def value_of(self, text: str) -> Any: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Number(_Reasoned[FoundT]):
    """A number with its reason."""

    @property
    def value_type(self) -> type:
        return int

    def value_text(self, value: Any) -> str:
        return str(value)

    def value_of(self, text: str) -> Any:
        return int(text)


@dataclass(frozen=True, kw_only=True, eq=False)
class YesOrNo(_Reasoned[FoundT]):
    """Yes or no, after a text."""

    wanted: str = "YES or NO"
    says: str = "true or false"
    template: str = "{why}\n{value}"

    @property
    def value_type(self) -> type:
        return bool

    def value_text(self, value: Any) -> str:
        return "YES" if value else "NO"

    def value_of(self, text: str) -> Any:
        return text == "YES"

    def reading(self, text: str, finish: Finish) -> Reading:
        return self.as_reading(self.key, self.read(text), finish)


@dataclass(frozen=True, kw_only=True, eq=False)
class ThoughtAndAction(Shape[FoundT]):
    """A thought and the action that follows from it."""

    thought: str
    """What the thought is."""
    action: str
    """What the action is."""

    @property
    def fields(self) -> Fields:
        return {"thought": (str, self.thought), "action": (str, self.action)}

    @property
    def prescribed(self) -> str:
        return (
            f'Write each answer as a JSON object with two texts, and nothing around it: "thought", {self.thought}; and '
            f'"action", {self.action}. Where answers are shown, the same two stand as lines.'
        )

    def text_of(self, fields: Mapping[str, Any]) -> str:
        return f"Thought: {on_one_line(fields['thought'])}\nAction: {on_one_line(fields['action'])}"

    def fields_of(self, text: str) -> Mapping[str, Any]:
        thought = re.search(r"\A\s*Thought:\s*(.*?)(?=\nAction:|\Z)", text, re.DOTALL)
        action = re.search(r"^Action:[ \t]*(.*)$", text, re.MULTILINE)
        return {"thought": thought[1].strip() if thought else "", "action": action[1].strip() if action else ""}


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps(Shape[FoundT]):
    """Texts in order."""

    described: str
    """What the steps are."""
    line: str
    """Prescribes it."""

    @property
    def fields(self) -> Fields:
        return {"steps": (tuple[str, ...], self.described)}

    @property
    def prescribed(self) -> str:
        return self.line

    def text_of(self, fields: Mapping[str, Any]) -> str:
        return "\n".join(
            ["List", *(f"{number}. {on_one_line(step)}" for number, step in enumerate(fields["steps"], 1))]
        )

    def fields_of(self, text: str) -> Mapping[str, Any]:
        return {"steps": tuple(re.findall(r"^\d+\. (.*)$", text, re.MULTILINE))}


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderedSteps(Steps[FoundT]):
    """Steps, and how they combine."""

    order: str
    """An example of an order."""

    @property
    def fields(self) -> Fields:
        return {**super().fields, "order": (str, f"as in: {self.order}")}

    def text_of(self, fields: Mapping[str, Any]) -> str:
        steps = [f"Step {number}: {on_one_line(step)}" for number, step in enumerate(fields["steps"], 1)]
        order = on_one_line(fields["order"])
        return "\n".join([*steps, *([f"Execution Order: {order}"] if order else [])])

    def fields_of(self, text: str) -> Mapping[str, Any]:
        order = re.search(r"^Execution Order:[ \t]*(.*)$", text, re.MULTILINE)
        steps = re.findall(r"^Step \d+:[ \t]*(.*)$", text, re.MULTILINE)
        return {"steps": tuple(steps), "order": order[1].strip() if order else ""}


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows(Shape[FoundT]):
    """Rows with the same fields, a line each."""

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

    @cached_property
    def fields(self) -> Fields:  # pyright: ignore[reportIncompatibleVariableOverride]
        row: Any = json_object(f"{self.row.title()}Form", self.row_about, self.row_fields)
        return {self.key: (tuple[row, ...], self.described)}

    @property
    def prescribed(self) -> str:
        return (
            f'Answer with a JSON object with one list, "{self.key}", and nothing around it. Each entry is an object '
            f"with two fields: {self.row_says}"
        )

    def text_of(self, fields: Mapping[str, Any]) -> str:
        rows = enumerate(fields[self.key], 1)
        return "\n".join(
            self.template.format(number=number, **{key: _in_row(value) for key, value in row.items()})
            for number, row in rows
        )

    def fields_of(self, text: str) -> Mapping[str, Any]:
        row = _pattern(rf"{self.template}", number=r"\d+", **dict.fromkeys(self.row_fields, r"[^\n]*?"))
        lines = (row.fullmatch(line) for line in text.split("\n"))
        return {self.key: tuple(self._row(found) for found in lines if found)}

    def _row(self, found: re.Match[str]) -> Mapping[str, Any]:
        return {key: _from_row(found[key], kind) for key, (kind, _) in self.row_fields.items()}


def _pattern(template: str, **fields: str) -> re.Pattern[str]:
    """Matches a template's text, each field by its pattern."""
    return re.compile(
        re.escape(template)
        .replace(r"\{", "{")
        .replace(r"\}", "}")
        .format_map({key: f"(?P<{key}>{pattern})" for key, pattern in fields.items()}),
        re.DOTALL,
    )


def _in_row(value: Any) -> str:
    match value:
        case bool():
            return "complete" if value else "incomplete"
        case str():
            return on_one_line(value)
        case float():
            return f"{value:g}"
        case _:
            return ", ".join(map(str, value))


def _from_row(text: str, kind: Any) -> Any:
    if kind is bool:
        return text == "complete"
    if kind is str:
        return text.strip()
    return float(text) if kind is float and _DECIMAL.fullmatch(text) else tuple(map(int, re.findall(r"\d+", text)))
