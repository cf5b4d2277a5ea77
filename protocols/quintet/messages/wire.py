"""The wire codec: messages to bytes and back, strictly, and the schema of all messages.

A request is decoded as the types that the receiving actor accepts, a reply as the type that its request promises. Both
are read from annotations, so a new message needs no registration.
"""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, Generic, TypeVar, Union, cast, get_args, get_type_hints

import msgspec

from quintet import messages as message_package
from quintet import ports
from quintet.errors import Undecodable
from quintet.events import AnyEvent
from quintet.messages.message import Message, ReplyT, Request
from quintet.ports.transport import Envelope

_encoder = msgspec.msgpack.Encoder()
_envelopes: msgspec.msgpack.Decoder[Envelope] = msgspec.msgpack.Decoder(Envelope)

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

encode: Callable[[Any], bytes] = _encoder.encode
"""Encodes any message or envelope as MessagePack."""


def decode_envelope(data: bytes) -> Envelope:
    """Decode an envelope.

    Raises:
        Undecodable: the bytes are not an envelope.
    """
    try:
        return _envelopes.decode(data)
    except _UNREADABLE as error:
        raise Undecodable(f"envelope: {error}") from error


MessageT = TypeVar("MessageT", bound=Message)


def accepted_messages(method: Callable[[Any], Any]) -> tuple[type[Message], ...]:
    """The messages that an actor's `receive` or `hear` accepts, by its annotation or its own `accepts`."""
    accepted = _accepted(method)
    found: tuple[type[Message], ...] = get_args(accepted) or (accepted,)
    return found


def _accepted(method: Callable[[Any], Any]) -> Any:
    if declared := getattr(getattr(method, "__self__", None), "accepts", ()):
        return Union[tuple(declared)]  # noqa: UP007  of types that are known at run time alone
    return next(hint for name, hint in get_type_hints(method).items() if name != "return")


class MessageDecoder(Generic[MessageT]):
    """Decodes exactly the messages that an actor's `receive` or `hear` accepts."""

    def __init__(self, role: str, method: Callable[[Any], Any]) -> None:
        self._accepted = _accepted(method)
        self._decoder: msgspec.msgpack.Decoder[MessageT] = msgspec.msgpack.Decoder(self._accepted)
        self._role = role

    def __call__(self, body: msgspec.Raw) -> MessageT:
        """Decode a message.

        Raises:
            Undecodable: names the role, the expected messages and where the bytes differ.
        """
        try:
            return self._decoder.decode(body)
        except _UNREADABLE as error:
            raise Undecodable(f"{self._role}: expected {_names(self._accepted)}, got {_tag(body)}: {error}") from error


def decode_reply(request: type[Request[ReplyT]], body: msgspec.Raw) -> ReplyT:
    """Decode the reply that `request` promises.

    Raises:
        Undecodable: the bytes are something else.
    """
    try:
        return _reply_decoder(request).decode(body)  # type: ignore[no-any-return]
    except _UNREADABLE as error:
        expected = _names(reply_type(request))
        raise Undecodable(f"reply to {request.__name__}: expected {expected}, got {_tag(body)}: {error}") from error


@cache
def _reply_decoder(request: type[Request[Any]]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(reply_type(request))


def reply_type(request: type[Request[Any]]) -> Any:
    """The type that `request` promises."""
    (base,) = vars(request)["__orig_bases__"]
    (reply,) = get_args(base)
    # A reply that is defined below its request is named by a string, in the request's own module.
    promise = SimpleNamespace(__annotations__={"reply": reply})
    return get_type_hints(promise, vars(sys.modules[request.__module__]))["reply"]


def _names(accepted: Any) -> str:
    members = getattr(accepted, "__args__", None) or (accepted,)
    return " | ".join(member.__name__ for member in members)


def _tag(body: msgspec.Raw) -> str:
    try:
        found = msgspec.msgpack.decode(body)
    except _UNREADABLE:
        return f"{len(bytes(body))} bytes that are not MessagePack"
    return repr(cast("dict[str, Any]", found).get("type")) if isinstance(found, dict) else type(found).__name__


def messages() -> tuple[type[Message], ...]:
    """Every concrete message, sorted by tag."""
    packages = (message_package, ports)
    for package in packages:
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found: set[type[Message]] = set()
    waiting: list[type[Message]] = [Message]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__struct_config__.tag is not None and kind.__module__.startswith(
                (message_package.__name__, ports.__name__)
            ):
                found.add(kind)
    return tuple(sorted(found, key=lambda kind: str(kind.__struct_config__.tag)))


def wire_schema() -> dict[str, Any]:
    """JSON Schema of all messages, envelopes and events, for other languages and for the golden file."""
    roots = [*messages(), Envelope, AnyEvent]
    _, components = msgspec.json.schema_components(roots, ref_template="#/$defs/{name}")
    for component in components.values():
        # Python 3.13 strips the indentation of docstrings, older versions keep it.
        if "description" in component:
            component["description"] = inspect.cleandoc(component["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Quintet wire schema",
        "$defs": {name: components[name] for name in sorted(components)},
    }
