"""Asking a model once more for what its answer lacked."""

from quintet.messages.prompts import Prompt, assistant, user
from quintet.parsing.answers import answer_text
from quintet.ports.model import Completion
from quintet.roles.telling import SILENCE


def once_more(asked: Prompt, completion: Completion, words: str) -> Prompt:
    """The conversation with the answer that was given, without its reasoning, and with what is wrong with it."""
    return asked.extend(assistant(answer_text(completion.text).strip() or SILENCE), user(words))
