"""How a completion that holds no answer is put in words: for the model, which may answer again, and for people."""

from collections.abc import Mapping

from quintet.ports.model import Finish

_FOR_THE_MODEL: Mapping[Finish, str] = {
    "stop": "I found no {what} in that",
    "length": "Your answer was cut off before its {what}",
    "refusal": "You declined, so there was no {what} in your answer",
    "content_filter": "Your answer was withheld by a filter, so there was no {what} in it",
    "tool_calls": "You called a tool, and there are none, so there was no {what} in your answer",
    "empty": "Your answer was empty, so there was no {what} in it",
    "not_text": "Your answer was no text, so there was no {what} in it",
    "context_full": "Our conversation is too long for you to go on",
}

_FOR_PEOPLE: Mapping[Finish, str] = {
    "stop": "left out the {what}",
    "length": "was cut off before the {what} was whole",
    "refusal": "refused to write the {what}",
    "content_filter": "was stopped by a content filter at the {what}",
    "tool_calls": "called tools instead of writing the {what}",
    "empty": "gave an empty answer in place of the {what}",
    "not_text": "answered with something else than text in place of the {what}",
    "context_full": "has no room for the prompt of the {what} (context full)",
}


def unanswered(finish: Finish, what: str) -> str:
    """What the model is told of an answer that lacks what was asked for; without a full stop.

    Args:
        finish: how its completion ended; `stop`: by itself.
        what: what was expected, in one word.
    """
    return _FOR_THE_MODEL[finish].format(what=what)


def reason(finish: Finish, what: str) -> str:
    """The same for people, in the words that follow `the model`."""
    return _FOR_PEOPLE[finish].format(what=what)


def has_text(finish: Finish) -> bool:
    """Whether a completion that ended so may hold an answer, or the beginning of one."""
    return finish in ("stop", "length")
