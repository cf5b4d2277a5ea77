"""Reads a prompt for a choice: the task, and the attempts that stand side by side below it."""

import re
from collections.abc import Iterator, Sequence

from quintet.messages.prompts import ChatMessage, assistant, user

_OPTION = re.compile(r"^option \d{1,4}:[ \t]*$", re.MULTILINE | re.IGNORECASE)
_TURN = re.compile(r"\n[ \t]*\n(?=(?:thought|action)[ \t]*:)", re.IGNORECASE)
_OBSERVATION = re.compile(r"^observation[ \t]*:", re.MULTILINE | re.IGNORECASE)
_QUESTION = re.compile(r"^which option\b[^\n]*\Z", re.MULTILINE | re.IGNORECASE)


def read_options(
    messages: Sequence[ChatMessage],
) -> tuple[tuple[ChatMessage, ...], list[tuple[ChatMessage, ...]]]:
    """The conversation up to the options, and each option as the turns of a conversation after it."""
    *before, last = messages
    head, *options = _OPTION.split(_QUESTION.sub("", last.content.rstrip()))
    return (*before, user(head.strip())), [tuple(_turns(option.strip())) for option in options]


def _turns(option: str) -> Iterator[ChatMessage]:
    for turn in _TURN.split(option):
        answer, *observed = _OBSERVATION.split(turn, maxsplit=1)
        yield assistant(answer.strip())
        yield from (user(said.strip()) for said in observed)
