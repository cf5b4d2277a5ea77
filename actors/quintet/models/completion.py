"""Fixed text as a model's completion: counts its tokens, and cuts it by the sampling parameters."""

from quintet.messages.prompts import ChatMessage, Prompt
from quintet.parsing.answers import answer_spans
from quintet.ports.model import Completion, Sampling, Usage

_CHARACTERS_PER_TOKEN = 4
"""The average of English text with the tokenizers in use."""
_TOKENS_PER_MESSAGE = 4
"""Role and delimiters, as chat endpoints charge them."""


def complete_with(text: str, prompt: Prompt, sampling: Sampling) -> Completion:
    """The completion of a model that answers `prompt` with `text`.

    The text ends before the first stop sequence, or at `max_tokens` if that comes earlier. Tokens are counted by rule,
    without a tokenizer: four characters or fewer are one token, and every message of the prompt costs four more.
    """
    text = cut_at_stop(text, sampling.stop)
    room = max(0, sampling.max_tokens) * _CHARACTERS_PER_TOKEN
    usage = Usage(
        prompt_tokens=prompt.total(_tokens_of),
        completion_tokens=_tokens(text[:room]),
    )
    return Completion(text=text[:room], finish="length" if len(text) > room else "stop", usage=usage)


def cut_at_stop(text: str, stop: tuple[str, ...]) -> str:
    """`text` before the first stop sequence in the answer; inline reasoning is not searched."""
    for start, end in answer_spans(text):
        # Blank lines between reasoning and answer do not count: `\nThought:` must not end the answer at once.
        start = end - len(text[start:end].lstrip()) if start else start
        # An empty stop sequence would silence the model; endpoints ignore or refuse it.
        ends = [at for sequence in stop if sequence and (at := text.find(sequence, start, end)) >= 0]
        if ends:
            return text[: min(ends)]
    return text


def _tokens_of(message: ChatMessage) -> int:
    return _TOKENS_PER_MESSAGE + _tokens(message.content)


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
