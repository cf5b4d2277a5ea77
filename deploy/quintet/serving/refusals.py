"""Answers without a completion: OpenAI's errors."""

from quintet.models.endpoint.questions import QUESTION_WANTED, WANTED_CODE
from quintet.serving.wire import ErrorBody

_INVALID = "invalid_request_error"


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, error: ErrorBody, *, retry_after: float | None = None) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error
        self.retry_after = retry_after
        """Value of the header `Retry-After`, in seconds."""


def invalid(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    """The request is invalid."""
    return Refusal(400, ErrorBody(message=message, type=_INVALID, param=param, code=code))


def question_wanted(model: str) -> Refusal:
    """The model answers typed questions, and none came with the prompt."""
    message = f"The model {model!r} answers typed questions, which Quintet sends beside a prompt."
    return Refusal(QUESTION_WANTED, ErrorBody(message=message, type=_INVALID, param="metadata", code=WANTED_CODE))


def unknown_model(name: str) -> Refusal:
    """No model has that name."""
    message = f"The model {name!r} does not exist or you do not have access to it."
    return Refusal(404, ErrorBody(message=message, type=_INVALID, param="model", code="model_not_found"))


def unknown_route(method: str, path: str) -> Refusal:
    """No route has that path."""
    return Refusal(404, ErrorBody(message=f"Invalid URL ({method} {path})", type=_INVALID))


def not_json(content: str) -> Refusal:
    """The request's body is said to be something else."""
    message = f"Unsupported content type: {content!r}. Expected application/json."
    return Refusal(415, ErrorBody(message=message, type=_INVALID, code="unsupported_content_type"))
