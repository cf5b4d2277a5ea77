"""Worked examples as turns of a conversation, for models that go on with a pattern sooner than they follow a text."""

from itertools import groupby

from quintet.messages.prompts import ChatMessage, assistant, user

_SAID = "Thought:", "Action:"
_SEEN = "Observation:"


def example_turns(text: str) -> list[ChatMessage]:
    """A text of examples as messages: what the agent wrote is the assistant's, all else the user's.

    The first message is a user's. A thought and an action are one line each, as in all examples.
    """
    found: list[ChatMessage] = []
    for is_said, lines in groupby(text.splitlines(), lambda line: line.startswith(_SAID)):
        written = "\n".join(line if is_said else _unlabelled(line) for line in lines).strip()
        if written:
            found.append(assistant(written) if is_said else user(written))
    return found


def _unlabelled(line: str) -> str:
    return line.removeprefix(_SEEN).lstrip() if line.startswith(_SEEN) else line
