"""Errors that are outcomes: the prompt does not fit into the model, or a filter withholds the answer to it."""

import re
from typing import Literal

from openai import APIStatusError

from quintet.models.endpoint.answer import complaint

_CODES_OF_FULL = frozenset(
    {
        "context_length_exceeded",  # OpenAI, Azure, Groq, llama-cpp-python
        "exceed_context_size_error",  # llama.cpp
        "context_window_exceeded",
        "contextwindowexceedederror",  # LiteLLM
        "string_above_max_length",  # OpenAI
        "request_too_large",  # Anthropic
    }
)
_FULL = re.compile(
    r"context (length|size|window|limit)"
    r"|maximum (model|prompt|input) length"
    r"|\b(prompt|input)\b.* too (long|large)"
    r"|too many (input |prompt )?tokens"
    r"|(input|prompt) tokens? .*exceed"
    r"|\binputs`? (tokens \+|must have less than)"
    r"|reduce the length of the (messages|prompt|input)",
    re.IGNORECASE,
)
"""What vLLM, SGLang, TGI, Ollama, LM Studio, Together, Mistral, Gemini, xAI, Anthropic and others write."""
_FILTERED = re.compile(r"content[ _]?(filter|management policy|policy violation)|moderation|flagged", re.IGNORECASE)


def why_unanswerable(error: APIStatusError) -> Literal["context_full", "content_filter"] | None:
    """How a completion would have to end that this prompt can have here; None where the error says nothing of it."""
    status = error.status_code
    words = {str(word).lower() for word in (error.code, error.type) if word}
    text = complaint(error.response.content)
    if status == 413 or (status in (400, 422, 500) and (words & _CODES_OF_FULL or _FULL.search(text))):
        return "context_full"
    if status in (400, 403, 422) and ("content_filter" in words or _FILTERED.search(text)):
        return "content_filter"
    return None
