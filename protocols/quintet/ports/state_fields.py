"""The declared fields of a world's state: what its class annotates. They are copied by forks and held by snapshots."""

from collections.abc import Callable
from copy import copy, deepcopy
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from quintet.errors import WorldFault, one_line

_ATOMS = (bool, int, float, str, bytes, NoneType)
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


class StateFields(NamedTuple):
    """The declared fields of one class."""

    names: tuple[str, ...]
    copiers: tuple[tuple[str, Callable[[Any], Any]], ...]
    """How a fork gets a value of its own, for those whose value may change in place."""
    ordered: tuple[str, ...]
    """Dictionaries, which are written as pairs: their order counts."""
    decoder: msgspec.msgpack.Decoder[tuple[Any, ...]]

    def encode(self, state: object) -> bytes:
        """The values of the fields. Sets are written in order, so equal states give equal bytes."""
        held = [getattr(state, name) for name in self.names]
        for name in self.ordered:
            place = self.names.index(name)
            held[place] = list(held[place].items())
        return _ENCODER.encode(held)

    def decode(self, state: object, snapshot: bytes) -> None:
        """Set the fields of a state to what `encode` wrote.

        Raises:
            WorldFault: the bytes are something else.
        """
        try:
            held = self.decoder.decode(snapshot)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise WorldFault(f"snapshot: expected one of {type(state).__name__}, got {one_line(error)}") from error
        for name, value in zip(self.names, held, strict=True):
            setattr(state, name, dict(value) if name in self.ordered else value)


@cache
def fields_of(kind: type) -> StateFields:
    """The declared fields of a class and of its bases: its annotations, but for those of class variables.

    Raises:
        TypeError: a dictionary stands inside another type, where its order would be lost.
    """
    hints = {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is not ClassVar}
    for name, hint in hints.items():
        if any(_holds_dictionary(part) for part in get_args(hint)):
            raise TypeError(f"{kind.__name__}.{name}: expected a dictionary as a field of its own, got one in {hint}")
    ordered = tuple(name for name, hint in hints.items() if get_origin(hint) is dict)
    written: list[Any] = [
        list[tuple[get_args(hint)]] if name in ordered else hint  # type: ignore[misc]
        for name, hint in hints.items()
    ]
    return StateFields(
        names=tuple(hints),
        copiers=tuple((name, _copier(hint)) for name, hint in hints.items() if not _is_frozen(hint)),
        ordered=ordered,
        decoder=msgspec.msgpack.Decoder(tuple[tuple(written)]),  # type: ignore[misc]
    )


def _holds_dictionary(hint: Any) -> bool:
    return hint is dict or get_origin(hint) is dict or any(map(_holds_dictionary, get_args(hint)))


def _copier(hint: Any) -> Callable[[Any], Any]:
    return copy if get_origin(hint) in (dict, list, set) and all(map(_is_frozen, get_args(hint))) else deepcopy


def _is_frozen(hint: Any) -> bool:
    """Whether no value of a type can change in place; a frozen class is taken at its word."""
    origin = get_origin(hint)
    if origin in (Union, UnionType, tuple, frozenset):
        return all(part is ... or _is_frozen(part) for part in get_args(hint))
    if origin is Literal or hint in _ATOMS:
        return True
    if isinstance(hint, type) and issubclass(hint, Struct):
        return bool(hint.__struct_config__.frozen)
    dataclass: Any = getattr(cast("object", hint), "__dataclass_params__", None)
    return dataclass is not None and bool(dataclass.frozen)
