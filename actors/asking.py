"""Asking a model once more for what its answer lacked."""

from actors.parsing.answers import answer
from actors.telling import SILENCE
from protocols.models import Completion
from protocols.prompts import Prompt, assistant, user


def once_more(asked: Prompt, completion: Completion, words: str) -> Prompt:
    """The conversation with the answer that was given, without its reasoning, and with what is wrong with it."""
    return asked.extend(assistant(answer(completion.text).strip() or SILENCE), user(words))
