"""The turns of a conversation: what was answered, and what came back."""

from collections.abc import Iterator, Sequence

from quintet.messages.prompts import ChatMessage


def turns(messages: Sequence[ChatMessage]) -> Iterator[tuple[str, str]]:
    """Every answer with the observation that followed it; one that followed none stands beside an empty answer."""
    answer = ""
    for message in messages:
        if message.role == "assistant":
            answer = message.content
        elif message.role == "user":
            yield answer, message.content
            answer = ""
