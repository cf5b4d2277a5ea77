"""Bounds of what a model may say of its own answer: no more tokens than could be used, no text without end."""

from msgspec.structs import replace

from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling, Usage

LONGEST_TEXT = 2**20
"""Characters of a completion, and of its reasoning."""
_LONGEST_FINGERPRINT = 256


def bounded(completion: Completion, prompt: Prompt, sampling: Sampling) -> tuple[Completion, str]:
    """A completion within its bounds, and what was out of bounds; empty where nothing was.

    The bounds of its usage are those that were reserved for the call. A text that is too long is cut off.
    """
    wrong: list[str] = []
    usage = _bounded_usage(completion.usage, prompt.most_tokens, sampling.max_tokens)
    if usage != completion.usage:
        most, used = f"{prompt.most_tokens:,} and {sampling.max_tokens:,}", completion.usage
        got = f"{used.prompt_tokens:,} and {used.completion_tokens:,}"
        wrong.append(f"expected at most {most} tokens of prompt and completion, got {got}")
        completion = replace(completion, usage=usage)
    if len(completion.text) > LONGEST_TEXT:
        wrong.append(f"expected at most {LONGEST_TEXT:,} characters, got {len(completion.text):,}")
        completion = replace(completion, text=completion.text[:LONGEST_TEXT], finish="length")
    if len(completion.reasoning) > LONGEST_TEXT:
        completion = replace(completion, reasoning=completion.reasoning[:LONGEST_TEXT])
    if len(completion.fingerprint) > _LONGEST_FINGERPRINT:
        completion = replace(completion, fingerprint=completion.fingerprint[:_LONGEST_FINGERPRINT])
    return completion, "; ".join(wrong)


def _bounded_usage(usage: Usage, prompt_tokens: int, completion_tokens: int) -> Usage:
    prompt, answered = min(usage.prompt_tokens, prompt_tokens), min(usage.completion_tokens, completion_tokens)
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=answered,
        cached_tokens=min(usage.cached_tokens, prompt),
        reasoning_tokens=min(usage.reasoning_tokens, answered),
    )
