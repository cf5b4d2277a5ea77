"""The wire format of OpenAI's chat completions: as much of a request as is read, and answers in full."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from quintet.ports.model import Completion, Usage

_INT32, _INT64 = 2**31 - 1, 2**63 - 1

Count: TypeAlias = Annotated[int, Meta(ge=1, le=_INT32)]
Seed: TypeAlias = Annotated[int, Meta(ge=-_INT64, le=_INT64)]
Temperature: TypeAlias = Annotated[float, Meta(ge=0)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class TextPart(Struct, frozen=True, tag_field="type", tag="text"):
    """A piece of a message; images and sounds are refused."""

    text: str


class SaidMessage(Struct, frozen=True):
    """A message of the conversation so far."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[TextPart]


class JsonSchema(Struct, frozen=True):
    """A form of answers."""

    name: str


class ResponseFormat(Struct, frozen=True):
    """What an answer is to look like."""

    type: Literal["text", "json_schema"]
    json_schema: JsonSchema | None = None


class ChatRequest(Struct, frozen=True):
    """The body of a request; fields that are not here are ignored."""

    model: str
    messages: Annotated[list[SaidMessage], Meta(min_length=1)]
    temperature: Temperature | None = None
    top_p: Share | None = None
    max_tokens: Count | None = None
    max_completion_tokens: Count | None = None
    stop: str | list[str] | None = None
    seed: Seed | None = None
    n: Annotated[int, Meta(ge=1, le=1)] | None = None
    stream: bool | None = None
    response_format: ResponseFormat | None = None


class GivenMessage(Struct, frozen=True):
    """What the model says."""

    content: str | tuple[dict[str, str], ...] | None
    role: str = "assistant"
    refusal: str | None = None
    tool_calls: tuple[dict[str, str | dict[str, str]], ...] | UnsetType = UNSET


class Choice(Struct, frozen=True):
    """The one completion of an answer."""

    message: GivenMessage
    finish_reason: str
    index: int = 0
    logprobs: None = None


class PromptDetails(Struct, frozen=True):
    """Of the prompt's tokens."""

    cached_tokens: int


class CompletionDetails(Struct, frozen=True):
    """Of the completion's tokens."""

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
    usage: TokenUsage | UnsetType = UNSET
    object: str = "chat.completion"
    system_fingerprint: str = "simulated"


class ModelCard(Struct, frozen=True):
    """A model that can be asked for."""

    id: str
    object: str = "model"
    created: int = 0
    owned_by: str = "quintet (simulated)"


class ModelList(Struct, frozen=True):
    """All of them."""

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
    """The body of every answer that is no success."""

    error: ErrorBody


def choice(completion: Completion) -> Choice:
    """A completion as an answer carries it."""
    return Choice(message=GivenMessage(completion.text), finish_reason=completion.finish)


def usage(counted: Usage) -> TokenUsage:
    """What a completion cost, as an answer says it."""
    return TokenUsage(
        prompt_tokens=counted.prompt_tokens,
        completion_tokens=counted.completion_tokens,
        total_tokens=counted.prompt_tokens + counted.completion_tokens,
        prompt_tokens_details=PromptDetails(counted.cached_tokens),
        completion_tokens_details=CompletionDetails(counted.reasoning_tokens),
    )
