"""Completions that hold no answer: what each kind is called where people read of it, and what can be done about it."""

from collections.abc import Mapping

from quintet.ports.model import Finish

UNANSWERED: Mapping[Finish, str] = {
    "length": "cut off",
    "context_full": "context full",
    "refusal": "refused",
    "content_filter": "filtered",
    "tool_calls": "tool calls",
    "empty": "empty",
    "not_text": "no text",
}
"""In the order of reports. A completion that was cut off may hold an answer before its end."""

ADVICE: Mapping[Finish, str] = {
    "length": "begin anew with a larger model.max_tokens, which covers reasoning too",
    "context_full": "serve the model with a longer context, or begin anew with a smaller model.max_tokens or another "
    "model",
    "refusal": "begin anew with another model",
    "content_filter": "relax the endpoint's filter, or begin anew with another model",
    "tool_calls": "switch off the server's own tools, or begin anew with another model",
    "empty": "begin anew with a larger model.max_tokens if the model reasons, or without its reasoning (model.extra)",
    "not_text": "begin anew with a model that answers in text",
}
"""What a person can do where no completion holds an answer. What changes results takes a new run."""
