"""Reads a request's body leniently, and computes the digest under which it is counted."""

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

import msgspec

from quintet.messages.prompts import ChatMessage
from quintet.models.endpoint.questions import QUESTION_FIELD
from quintet.ports.model import Sampling
from quintet.questions.shape import SHAPES
from quintet.serving.wire import ChatRequest, RequestMessage, ResponseFormat, invalid

_NO_TOKEN_LIMIT = 2**31 - 1
_PLACE = re.compile(r"(.*) - at `\$\.(.*)`")

_DecodedT = TypeVar("_DecodedT")

_decoder = msgspec.json.Decoder(ChatRequest)
_encode = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class CompletionRequest:
    """A request for a completion."""

    model: str
    messages: tuple[ChatMessage, ...]
    """`developer` counts as `system`."""
    sampling: Sampling
    """Missing values have OpenAI's defaults, not ours: temperature 1, and no limit of tokens, which is 2**31 - 1."""
    question: str | None = None
    """The typed question behind the prompt, encoded; None: it came without."""

    @property
    def digest(self) -> str:
        """The same 32 hexadecimal digits for all requests for the same completion, however their JSON is written."""
        return blake2b(_encode((self.model, self.messages, self.sampling)), digest_size=16).hexdigest()


def read_request(body: bytes) -> CompletionRequest:
    """Read a request; refuse what is malformed or not supported."""
    request = decode_body(_decoder, body)
    if request.stream:
        raise invalid("Streaming is not served here; expected stream to be false.", "stream", "unsupported_value")
    return CompletionRequest(
        request.model,
        tuple(_message(message) for message in request.messages),
        _sampling(request),
        (request.metadata or {}).get(QUESTION_FIELD),
    )


def decode_body(decoder: msgspec.json.Decoder[_DecodedT], body: bytes) -> _DecodedT:
    """Decode a request's body, or refuse it."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        place = _PLACE.fullmatch(str(error))
        raise invalid(str(error) if place is None else place[1], None if place is None else place[2]) from error
    # UnicodeDecodeError: a string is not UTF-8. RecursionError: arrays are nested too deep.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise invalid(f"We could not parse the JSON body of your request: {error}") from error


def _message(message: RequestMessage) -> ChatMessage:
    content = message.content if isinstance(message.content, str) else "".join(part.text for part in message.content)
    return ChatMessage(role="system" if message.role == "developer" else message.role, content=content)


def _sampling(request: ChatRequest) -> Sampling:
    stop = request.stop or ()
    return Sampling(
        temperature=1.0 if request.temperature is None else request.temperature,
        top_p=1.0 if request.top_p is None else request.top_p,
        max_tokens=request.max_completion_tokens or request.max_tokens or _NO_TOKEN_LIMIT,
        stop=(stop,) if isinstance(stop, str) else tuple(stop),
        seed=request.seed,
        form=_form(request.response_format),
    )


def _form(wanted: ResponseFormat | None) -> str | None:
    if wanted is None or wanted.type == "text":
        return None
    name = None if wanted.json_schema is None else wanted.json_schema.name
    if name in SHAPES:
        return name
    expected = ", ".join(SHAPES)
    raise invalid(
        f"Expected a JSON schema by one of the names {expected}, got {name!r}.", "response_format.json_schema"
    )
