"""The bases of everything that crosses a mailbox, the reply where a model gave no answer, and the names of requests."""

from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that crosses a mailbox.

    Constructing a message checks nothing; decoding it does. Every concrete message has an explicit, permanent `tag`.
    """


ReplyT = TypeVar("ReplyT", bound=Message)


class Request(Message, Generic[ReplyT], frozen=True, kw_only=True):
    """A message that is answered by exactly one `ReplyT`."""

    journaled: ClassVar[bool] = False
    """Whether the host that answers writes an `Exchanged` event for readers of the journal."""
    changes_memory: ClassVar[bool] = False
    """Whether it changes the run's memory, which only the run's learner does."""
    numbered: ClassVar[bool] = True
    """Whether it takes a number of its asker's. One that leaves nothing in the journal need not: what follows then has
    the same path and seed whether it was asked or not."""

    def subject(self) -> str:
        """What the request is about, in one line, for journals and logs: its `goal`, if it has one."""
        return str(getattr(self, "goal", ""))


class Unanswered(Message, frozen=True, kw_only=True, tag="unanswered"):
    """The model did not answer what it was asked, or in no way that can be used."""

    reason: str
    said: str = ""
    """What it did say of it, where that is of use, such as what an action did without whether it serves its step."""


def phase_of(request: Request[Any]) -> str:
    """What the model calls of a request are for, and are counted as: its field `phase`, or its tag if it has none."""
    return str(getattr(request, "phase", request_name(type(request))))


def request_name(request: type[Request[Any]]) -> str:
    """A kind of request as its prompt is called: its tag, `decompose`."""
    return str(request.__struct_config__.tag)
