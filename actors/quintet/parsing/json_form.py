"""What every form of an answer declares: its fields, how a prompt asks for it, and the text that it stands for."""

from abc import ABC, abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class JsonObject(BaseModel):
    """An object in an answer. Every field is required, since strict endpoints demand it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class JsonForm(JsonObject, ABC):
    """An answer as JSON."""

    prescribed: ClassVar[str]
    """How a prompt asks for it."""

    @abstractmethod
    def as_text(self) -> str:
        """The same in the papers' format."""


def on_one_line(text: str) -> str:
    """A text on one line, so that no label within it can be taken for one."""
    return " ".join(text.split())
