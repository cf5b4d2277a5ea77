"""Worked examples as turns of a conversation, for models that go on with a pattern sooner than they follow a text."""

from itertools import groupby

from quintet.messages.prompts import ChatMessage, assistant, user
from quintet.roles.turn_text import SILENCE

_SAID = "Thought:", "Action:"
_SEEN = "Observation:"


def example_turns(text: str) -> list[ChatMessage]:
    """A text of examples as messages: what the agent wrote is the assistant's, all else the user's.

    The first message is a user's. A thought and an action are one line each, as in all examples. An empty observation
    is one that says so, since some endpoints refuse two messages of one role in a row.
    """
    found: list[ChatMessage] = []
    for is_said, lines in groupby(text.strip().splitlines(), lambda line: line.startswith(_SAID)):
        written = "\n".join(line if is_said else _unlabelled(line) for line in lines).strip()
        found.append(assistant(written) if is_said else user(written or SILENCE))
    return found


def _unlabelled(line: str) -> str:
    return line.removeprefix(_SEEN).lstrip() if line.startswith(_SEEN) else line
