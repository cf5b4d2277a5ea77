"""How a completion that holds no answer is put in words: for the model, which may answer again, and for people."""

from collections.abc import Mapping

from protocols.models import Finish

_FOR_THE_MODEL: Mapping[Finish, str] = {
    "stop": "I found no {what} in that",
    "length": "Your answer was cut off before its {what} was whole. Be brief",
    "refusal": "You declined, so there was no {what} in your answer",
    "content_filter": "Your answer was withheld by a filter, so no {what} reached me",
    "tool_calls": "You called a tool, and there are none, so there was no {what} in your answer",
    "empty": "Your answer was empty, so there was no {what} in it",
    "not_text": "Your answer was no text, so there was no {what} in it",
    "context_full": "Our conversation is too long for you to answer",
}

_FOR_PEOPLE: Mapping[Finish, str] = {
    "stop": "finished",
    "length": "was cut off",
    "refusal": "refused",
    "content_filter": "was stopped by a content filter",
    "tool_calls": "only called tools",
    "empty": "answered nothing",
    "not_text": "answered with something else than text",
    "context_full": "had no room left for the prompt",
}


def told(finish: Finish, what: str) -> str:
    """What is said to the model about an answer without an action or a plan, without a full stop.

    Args:
        finish: how its completion ended; `stop`: by itself.
        what: what was expected, in one word.
    """
    return _FOR_THE_MODEL[finish].format(what=what)


def reason(finish: Finish) -> str:
    """What became of a model that gave no whole answer, behind `the model`."""
    return _FOR_PEOPLE[finish]


def has_text(finish: Finish) -> bool:
    """Whether a completion that ended so may hold an answer, or the beginning of one."""
    return finish in ("stop", "length")
