"""A request's body, read leniently, and the digest it is counted under."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from quintet.messages.prompts import ChatMessage
from quintet.parsing.forms import FORMS
from quintet.ports.model import AnswerForm, Sampling
from quintet.serving.refusals import invalid
from quintet.serving.wire import ChatRequest, ResponseFormat, SaidMessage

_AS_LONG_AS_IT_LIKES = 2**31 - 1
_PLACE = re.compile(r"(.*) - at `\$\.(.*)`")

_decode = msgspec.json.Decoder(ChatRequest).decode
_encode = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class Wanted:
    """A completion that is asked for."""

    model: str
    messages: tuple[ChatMessage, ...]
    sampling: Sampling

    @property
    def digest(self) -> str:
        """See `digest`."""
        return digest(self.model, self.messages, self.sampling)


def digest(model: str, messages: Sequence[ChatMessage], sampling: Sampling) -> str:
    """What requests for the same completion have in common, whatever their JSON looks like: 32 hexadecimal digits.

    Args:
        model: the name that is asked for.
        messages: all of the conversation; the instructions of a developer are those of the system.
        sampling: as the endpoint reads it. What a request leaves out has OpenAI's defaults, not ours: temperature 1,
            and no limit of tokens, which is 2**31 - 1 here.
    """
    return blake2b(_encode((model, messages, sampling)), digest_size=16).hexdigest()


def read(body: bytes) -> Wanted:
    """What `body` asks for.

    Raises:
        Refusal: it is no request, or asks for what is not to be had here.
    """
    request = _decoded(body)
    if request.stream:
        raise invalid("Streaming is not served here; expected stream to be false.", "stream", "unsupported_value")
    return Wanted(request.model, tuple(_message(said) for said in request.messages), _sampling(request))


def _decoded(body: bytes) -> ChatRequest:
    try:
        return _decode(body)
    except msgspec.ValidationError as error:
        place = _PLACE.fullmatch(str(error))
        raise invalid(str(error) if place is None else place[1], None if place is None else place[2]) from error
    # Bytes that are no UTF-8 fail inside of a string; arrays within arrays without end, at Python's own depth.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise invalid(f"We could not parse the JSON body of your request: {error}") from error


def _message(said: SaidMessage) -> ChatMessage:
    content = said.content if isinstance(said.content, str) else "".join(part.text for part in said.content)
    return ChatMessage(role="system" if said.role == "developer" else said.role, content=content)


def _sampling(request: ChatRequest) -> Sampling:
    stop = request.stop or ()
    return Sampling(
        temperature=1.0 if request.temperature is None else request.temperature,
        top_p=1.0 if request.top_p is None else request.top_p,
        max_tokens=request.max_completion_tokens or request.max_tokens or _AS_LONG_AS_IT_LIKES,
        stop=(stop,) if isinstance(stop, str) else tuple(stop),
        seed=request.seed,
        form=_form(request.response_format),
    )


def _form(wanted: ResponseFormat | None) -> AnswerForm | None:
    if wanted is None or wanted.type == "text":
        return None
    name = None if wanted.json_schema is None else wanted.json_schema.name
    for form in FORMS:
        if form == name:
            return form
    expected = ", ".join(FORMS)
    raise invalid(
        f"Expected a JSON schema by one of the names {expected}, got {name!r}.", "response_format.json_schema"
    )
