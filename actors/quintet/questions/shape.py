"""What every shape of an answer has: everything that depends on the form of the answer alone.

A shape gives the JSON schema that goes with a call where answers are structured, the line by which a prompt prescribes
it, the text that stands for the JSON, the example for a second try, the lenient reader of text, and what `quintet read`
prints. So there is one way to read an answer: JSON becomes text first.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from quintet.errors import UsageError
from quintet.parsing.answers import reason
from quintet.ports.model import Finish

FoundT = TypeVar("FoundT")
Fields: TypeAlias = Mapping[str, tuple[Any, str]]
"""By name, the type of each field of an answer, and what it holds, in words; these may be empty."""
Reading: TypeAlias = Mapping[str, Any]
"""How an answer is understood, as `quintet read` prints it."""

AnswerForm: TypeAlias = Literal["text", "schema", "tools"]
"""What a model's answers are: text as the prompt says, JSON, or calls of tools."""

SHAPES: Final[dict[str, "Shape[Any]"]] = {}
"""All shapes by name; a plug-in's are added as they are made."""

_MARKED = re.compile(r"\{form (\w+)\}\n?(.*?)\n?\{end\}", re.DOTALL)


def with_form(text: str, form: AnswerForm) -> str:
    """A prompt's text with the form that it prescribes.

    Args:
        text: what stands between `{form NAME}` and `{end}` prescribes a form of text.
        form: of the answers. If they are no text, the shape's own line replaces that text.

    Raises:
        KeyError: no shape has that name.
    """

    def prescribed(marked: re.Match[str]) -> str:
        shape = SHAPES[marked[1]]
        return {"text": marked[2], "schema": shape.prescribed, "tools": shape.prescribed_call}[form]

    return _MARKED.sub(prescribed, text)


def response_format(name: str) -> dict[str, Any]:
    """The request field that makes an endpoint answer in the shape of that name."""
    schema = SHAPES[name].schema.model_json_schema()
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def tool_of(name: str) -> dict[str, Any]:
    """The tool whose call is an answer in the shape of that name: its arguments are the JSON."""
    shape = SHAPES[name]
    return {
        "name": shape.tool or name,
        "description": shape.about,
        "parameters": shape.schema.model_json_schema(),
        "strict": True,
    }


class JsonObject(BaseModel):
    """An object in an answer. Every field is required, since strict endpoints demand it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def json_object(name: str, about: str, fields: Fields) -> type[JsonObject]:
    """The type of an object in an answer."""
    made: dict[str, Any] = {
        key: (kind, Field(description=described) if described else ...) for key, (kind, described) in fields.items()
    }
    return create_model(name, __base__=JsonObject, __doc__=about, **made)


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape(ABC, Generic[FoundT]):
    """The form of an answer.

    Raises:
        UsageError: another shape has the name.
    """

    free: ClassVar[bool] = False
    """Whether nearly any text is an answer."""

    name: str
    """Of the schema, and of the form in a prompt's `{form NAME}`."""
    about: str
    """What an answer is."""
    wanted: str
    """What is looked for, in a word or two, which follow `left out the`."""
    reader: Callable[[str], FoundT | None] | None = None
    """Finds the answer in the text of a whole completion, any text; None: there is none. None: what the shape itself
    reads."""
    kind: str | None = ""
    """What `quintet read` calls it; empty: by its name. None: it does not read it."""
    tool: str = ""
    """Of an action: what is called where answers are calls of tools, and the world has none of its own. Empty: it is no
    action, and what is called has the shape's name."""
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

    @property
    def prescribed_call(self) -> str:
        """How a prompt asks for it where answers are calls of tools: an action may be a call of the world's own."""
        return self.prescribed

    @abstractmethod
    def text_of(self, fields: Mapping[str, Any]) -> str:
        """What stands for the JSON as text."""

    @abstractmethod
    def usual_reader(self) -> Callable[[str], FoundT | None]:
        """Finds the answer where nothing else is said; see `reader`."""

    @cached_property
    def read(self) -> Callable[[str], FoundT | None]:
        """Finds the answer in the text of a whole completion; None: there is none. Any text is allowed."""
        return self.reader or self.usual_reader()

    @cached_property
    def schema(self) -> type[JsonObject]:
        """The type of the JSON."""
        return json_object(f"{self.name.title().replace('_', '')}Form", self.about, self.fields)

    def ending(self, *, structured: bool) -> str:
        """The last line of the user's text, which says how the answer ends; empty: the instructions alone say it."""
        return ""

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
        return self.write(self.example_fields, structured=structured)

    @property
    def example_fields(self) -> Mapping[str, Any]:
        """The JSON of the example: a text shows what it holds, and a number is 1 unless `values` has another."""
        shown = {key: kind(1) if kind in (bool, int, float) else about for key, (kind, about) in self.fields.items()}
        return {**shown, **self.values}

    @property
    def read_as(self) -> str | None:
        """What `quintet read` calls it; None: it does not read it."""
        return None if self.kind is None else self.kind or self.name

    def reading(self, text: str, finish: Finish) -> Reading:
        """How a completion is understood."""
        return self.as_reading(self.kind or self.name, self.read(text), finish)

    def as_reading(self, key: str, found: Any, finish: Finish) -> Reading:
        """What was found, under a key, and notes on why it was not."""
        if finish != "stop" or found is None:
            return {key: None, "notes": [f"the model {reason(finish, self.wanted)}"]}
        return {key: found, "notes": []}
