"""Turns as they stand in a conversation afterwards: what the model said, and what the world answered."""

from typing import assert_never

from quintet.messages.execution import Act, Claim, Decision, Turn, Unreadable
from quintet.messages.prompts import ChatMessage, assistant, user
from quintet.parsing.answers import answer_text, has_text
from quintet.ports.model import Completion

SILENCE = "(nothing)"
"""Stands for an empty observation or completion, since some endpoints refuse an empty message."""


def as_messages(turn: Turn) -> tuple[ChatMessage, ChatMessage]:
    """A turn as two messages."""
    return assistant(turn.completion or SILENCE), user(turn.observation or SILENCE)


def kept(completion: Completion, decision: Decision) -> str:
    """What stays of a completion in its conversation: no reasoning, and nothing behind the action carried out."""
    if not isinstance(decision, Unreadable):
        return put_together(decision.thought, decision)
    return answer_text(completion.text).strip() if has_text(completion.finish) else ""


def put_together(thought: str, decision: Decision) -> str:
    """A thought and what was decided, as one completion would have said it."""
    return "\n".join([*([f"Thought: {thought}"] if thought else []), *_said(decision)])


def turn_of(action: str, observation: str, thought: str = "") -> Turn:
    """A step of the world as a turn."""
    return Turn(completion=put_together(thought, Act(thought=thought, action=action)), observation=observation)


def _said(decision: Decision) -> list[str]:
    match decision:
        case Act(action=action):
            return [f"Action: {action}"]
        case Claim(completed=completed):
            return [f"Action: task {'completed' if completed else 'failed'}"]
        case Unreadable():
            return []
        case _:
            assert_never(decision)
