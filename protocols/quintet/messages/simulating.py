"""Messages of the user role: what a simulated user answers an agent."""

from typing import ClassVar, Final, Literal

from msgspec import Struct

from quintet.messages.message import Message, Request, Unanswered

LEAVES: Final = "###STOP###"
"""What a user writes to end the conversation."""


class Utterance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of a conversation."""

    speaker: Literal["agent", "user"]
    text: str


class UserAnswered(Message, frozen=True, kw_only=True, tag="user_answered"):
    """What the user says."""

    text: str
    """Without the mark that ends the conversation; it may be empty then."""
    leaves: bool = False
    """Whether the conversation ends with it."""


class AnswerAsUser(Request[UserAnswered | Unanswered], frozen=True, kw_only=True, tag="answer_as_user"):
    """Ask what a user answers to the last message of a conversation.

    Source: tau-bench (Yao et al., 2024), section 3, whose users are simulated by a model.
    """

    journaled: ClassVar[bool] = True

    scenario: tuple[str, ...]
    """Who the user is, what it knows and what it wants, part by part."""
    conversation: tuple[Utterance, ...]
    """Begun by the user; the agent's message is the last one."""

    def subject(self) -> str:
        return self.conversation[-1].text
