"""Fixed text as a model's completion: counted, and cut where the sampling parameters say."""

from collections.abc import Iterable

from quintet.messages.prompts import ChatMessage
from quintet.parsing.answers import answer_spans
from quintet.ports.model import Completion, Sampling, Usage

_CHARACTERS_PER_TOKEN = 4
"""What English text averages with the tokenizers in use."""
_TOKENS_PER_MESSAGE = 4
"""Role and delimiters, as chat endpoints charge them."""


def complete_with(text: str, messages: Iterable[ChatMessage], sampling: Sampling) -> Completion:
    """What a model that wants to say `text` after `messages` is heard to say.

    The text ends before the first stop sequence, and at `max_tokens` if that comes earlier. Tokens are counted by
    rule, not by a tokenizer: four characters, begun ones included, are one token, and every message of the prompt
    costs four more.
    """
    text, finish = stopped(text, sampling.stop), "stop"
    room = max(0, sampling.max_tokens) * _CHARACTERS_PER_TOKEN
    if len(text) > room:
        text, finish = text[:room], "length"
    usage = Usage(
        prompt_tokens=sum(_TOKENS_PER_MESSAGE + _tokens(message.content) for message in messages),
        completion_tokens=_tokens(text),
    )
    return Completion(text=text, finish="length" if finish == "length" else "stop", usage=usage)


def stopped(text: str, stop: tuple[str, ...]) -> str:
    """`text` before the first stop sequence in the answer; reasoning in line is not searched."""
    for start, end in answer_spans(text):
        # The lines between reasoning and answer are no part of the answer: `\nThought:` must not end it at once.
        start = end - len(text[start:end].lstrip()) if start else start
        # An empty stop sequence would silence the model; endpoints ignore or refuse it.
        ends = [at for sequence in stop if sequence and (at := text.find(sequence, start, end)) >= 0]
        if ends:
            return text[: min(ends)]
    return text


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
