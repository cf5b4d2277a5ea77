"""Messages of the user role: what a simulated user answers an agent."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal, TypeAlias

from msgspec import Struct

from quintet.messages.message import Message, Request, Unanswered

LEAVES: Final = "###STOP###"
"""What a user writes to end the conversation."""
CALLS: Final = "###CALL###"
"""What a user writes before a call of one of its tools."""

Speaker: TypeAlias = Literal["agent", "user", "call", "result"]
"""Of an utterance, or what it is: only its user sees a `call` of one of its tools, and the `result`."""


class Utterance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of a conversation, or a user's call of a tool and what came of it."""

    speaker: Speaker
    text: str


class UserAnswered(Message, frozen=True, kw_only=True, tag="user_answered"):
    """What the user says."""

    text: str
    """Without the mark that ends the conversation; it may be empty then."""
    leaves: bool = False
    """Whether the conversation ends with it."""


class UserCalled(Message, frozen=True, kw_only=True, tag="user_called"):
    """The user uses one of its tools before it answers."""

    call: str
    """As it wrote it: `toggle_data()`."""


class AnswerAsUser(Request[UserAnswered | UserCalled | Unanswered], frozen=True, kw_only=True, tag="answer_as_user"):
    """Ask what a user answers to the last message of a conversation, or which of its tools it calls first.

    Source: tau-bench (Yao et al., 2024), section 3, whose users are simulated by a model; tau2-bench (Barres et al.,
    2025), whose users have tools.
    """

    journaled: ClassVar[bool] = True

    scenario: tuple[str, ...]
    """Who the user is, what it knows and what it wants, part by part."""
    conversation: tuple[Utterance, ...]
    """Begun by the user; last is the agent's message, or what came of calls that the user has made since."""
    tools: Mapping[str, str] = {}
    """What the user may call, by name, each as it is described to it."""

    def subject(self) -> str:
        return self.conversation[-1].text
