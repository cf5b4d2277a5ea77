"""The wire format of OpenAI's chat completions: the fields of a request that are read, and complete answers."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from quintet.ports.model import Completion, Usage

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


class AnswerMessage(Struct, frozen=True):
    """The message of an answer."""

    content: str | tuple[dict[str, str], ...] | None
    role: str = "assistant"
    refusal: str | None = None
    tool_calls: tuple[dict[str, str | dict[str, str]], ...] | UnsetType = UNSET


class Choice(Struct, frozen=True):
    """The one completion of an answer."""

    message: AnswerMessage
    finish_reason: str
    index: int = 0
    logprobs: None = None


class PromptDetails(Struct, frozen=True):
    """Details of the prompt's tokens."""

    cached_tokens: int


class CompletionDetails(Struct, frozen=True):
    """Details of the completion's tokens."""

    reasoning_tokens: int


class TokenUsage(Struct, frozen=True):
    """Tokens of one call."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptDetails
    completion_tokens_details: CompletionDetails


class ChatCompletion(Struct, frozen=True):
    """An answer."""

    id: str
    model: str
    created: int
    """Seconds since 1970."""
    choices: tuple[Choice, ...]
    usage: TokenUsage
    object: str = "chat.completion"
    system_fingerprint: str = "simulated"


class ModelCard(Struct, frozen=True):
    """A model that can be requested."""

    id: str
    object: str = "model"
    created: int = 0
    owned_by: str = "quintet (simulated)"


class ModelList(Struct, frozen=True):
    """All models that can be requested."""

    data: tuple[ModelCard, ...]
    object: str = "list"


class ErrorBody(Struct, frozen=True):
    """What went wrong."""

    message: str
    type: str
    param: str | None = None
    """The field of the request, as `messages[0].role`."""
    code: str | None = None


class ErrorAnswer(Struct, frozen=True):
    """The body of every error."""

    error: ErrorBody


def to_choice(completion: Completion) -> Choice:
    """Convert a completion."""
    return Choice(message=AnswerMessage(completion.text), finish_reason=completion.finish)


def to_usage(counted: Usage) -> TokenUsage:
    """Convert the usage of a completion."""
    return TokenUsage(
        prompt_tokens=counted.prompt_tokens,
        completion_tokens=counted.completion_tokens,
        total_tokens=counted.prompt_tokens + counted.completion_tokens,
        prompt_tokens_details=PromptDetails(counted.cached_tokens),
        completion_tokens_details=CompletionDetails(counted.reasoning_tokens),
    )
