"""Messages of model roles that a method names itself: a completion of any conversation."""

from typing import Annotated

from msgspec import Meta

from quintet.messages.message import Message, Request
from quintet.messages.prompts import ChatMessage
from quintet.ports.model import Finish, SamplingOverride, Usage


class Completed(Message, frozen=True, kw_only=True, tag="completed"):
    """What the model answered. One that was cut off, or holds no answer, is an outcome too: `finish` says so."""

    text: str
    """Without the reasoning that some models put before their answer."""
    finish: Finish = "stop"
    usage: Usage = Usage()


class Complete(Request[Completed], frozen=True, kw_only=True, tag="complete"):
    """Ask a model role of the method's own for one completion.

    The role's instructions, its prompt of the same name as the role, come first as a system message, if it has any.
    """

    role: Annotated[str, Meta(min_length=1)]
    """The name of a role that the method declares: `critic`."""
    messages: Annotated[tuple[ChatMessage, ...], Meta(min_length=1)]
    """The conversation, oldest first."""
    sampling: SamplingOverride | None = None
    """How far completions vary; None: as the role is configured."""
    stop: tuple[str, ...] = ()
    """Texts at which the completion ends, without them."""

    @property
    def phase(self) -> str:
        """What the call is counted as in reports: the role's name."""
        return self.role

    def subject(self) -> str:
        return self.messages[-1].content.partition("\n")[0]
