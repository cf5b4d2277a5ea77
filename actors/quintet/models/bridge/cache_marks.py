"""Prompts with marks for a cache that keeps what lies before a mark, as Anthropic's does."""

from typing import Any, Final

from quintet.messages.prompts import ChatMessage, Prompt

_MARK: Final = {"cache_control": {"type": "ephemeral"}}


def with_cache_marks(prompt: Prompt) -> list[dict[str, Any]]:
    """A prompt's messages, marked at the end of the instructions and of what later prompts are to repeat.

    The next prompt of the conversation finds what this one left there, since a look-up goes back from its own mark.
    """
    messages = prompt.messages()
    last = len(messages) - 1
    alone = sum(message.role == "system" for message in messages) == 1
    ends = [
        prompt.lasting if place == last else len(message.content) if message.role == "system" and alone else 0
        for place, message in enumerate(messages)
    ]
    return [{"role": each.role, "content": _blocks(each, end)} for each, end in zip(messages, ends, strict=True)]


def _blocks(message: ChatMessage, end: int) -> str | list[dict[str, Any]]:
    """A message with a mark after its first characters; no block may be without a word."""
    before, after = message.content[:end], message.content[end:]
    if not before.strip():
        return message.content
    block = {"type": "text", "text": before, **_MARK}
    return [block, {"type": "text", "text": after}] if after.strip() else [{**block, "text": message.content}]
