"""The wire format of OpenAI's chat completions: the fields of a request that are read, answers, and errors."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from quintet.models.endpoint.questions import QUESTION_WANTED, WANTED_CODE
from quintet.ports.model import Completion

_INVALID = "invalid_request_error"
_INT32, _INT64 = 2**31 - 1, 2**63 - 1

_Count: TypeAlias = Annotated[int, Meta(ge=1, le=_INT32)]
_Seed: TypeAlias = Annotated[int, Meta(ge=-_INT64, le=_INT64)]
_Temperature: TypeAlias = Annotated[float, Meta(ge=0)]
_Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class TextPart(Struct, frozen=True, tag_field="type", tag="text"):
    """Text in a message; images and audio are refused."""

    text: str


class RequestMessage(Struct, frozen=True):
    """A message of a request."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[TextPart]


class JsonSchema(Struct, frozen=True):
    """The form of an answer, by name."""

    name: str


class ResponseFormat(Struct, frozen=True):
    """The format of an answer."""

    type: Literal["text", "json_schema"]
    json_schema: JsonSchema | None = None


class ChatRequest(Struct, frozen=True):
    """The body of a request; other fields are ignored."""

    model: str
    messages: Annotated[list[RequestMessage], Meta(min_length=1)]
    temperature: _Temperature | None = None
    top_p: _Share | None = None
    max_tokens: _Count | None = None
    max_completion_tokens: _Count | None = None
    stop: str | list[str] | None = None
    seed: _Seed | None = None
    n: Annotated[int, Meta(ge=1, le=1)] | None = None
    stream: bool | None = None
    response_format: ResponseFormat | None = None
    metadata: dict[str, str] | None = None


class ErrorBody(Struct, frozen=True):
    """What went wrong."""

    message: str
    type: str
    param: str | None = None
    """The field of the request, as `messages[0].role`."""
    code: str | None = None


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, error: ErrorBody) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error


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


def completion_fields(id: str, model: str, created: int, completion: Completion) -> dict[str, Any]:
    """An answer, created so many seconds after the Unix epoch."""
    message = {"role": "assistant", "content": completion.text, "refusal": None}
    usage = completion.usage
    return {
        "id": f"chatcmpl-{id}",
        "object": "chat.completion",
        "model": model,
        "created": created,
        "system_fingerprint": "simulated",
        "choices": [{"message": message, "finish_reason": completion.finish, "index": 0, "logprobs": None}],
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        },
    }


def model_fields(name: str) -> dict[str, Any]:
    """A model that can be requested."""
    return {"id": name, "object": "model", "created": 0, "owned_by": "quintet (simulated)"}
