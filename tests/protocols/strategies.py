"""Hypothesis strategies for any message or event, read from its fields' types."""

import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs


def _call_tokens(prompt: Sequence[int], drawn: Sequence[tuple[int, float]]) -> CallTokens:
    return CallTokens(
        prompt=pack_ids(prompt),
        completion=pack_ids([token for token, _ in drawn]),
        logprobs=pack_logprobs([logprob for _, logprob in drawn]),
    )


_TOKEN_IDS = st.integers(0, 2**24 - 1)
_LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=20),
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    bytes: st.binary(max_size=20),
    type(None): st.none(),
    CallTokens: st.builds(
        _call_tokens,
        st.lists(_TOKEN_IDS, max_size=200),
        st.lists(st.tuples(_TOKEN_IDS, st.floats(-100, 0)), max_size=20),
    ),
}


def of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type, or instances of a Struct."""
    kind = getattr(kind, "__supertype__", kind)
    if get_origin(kind) is Annotated:
        bounds = kind.__metadata__[0]
        if kind.__origin__ is float:
            least, above = bounds.ge if bounds.gt is None else bounds.gt, bounds.gt is not None
            return st.floats(least, bounds.le, exclude_min=above, allow_infinity=False)
        if bounds.min_length is not None:
            return of(kind.__origin__).filter(lambda value: len(value) >= bounds.min_length)
        return st.integers(bounds.ge, bounds.le or 2**63 - 1)
    if kind in _LEAVES:
        return _LEAVES[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, types.UnionType):
        return st.one_of([of(argument) for argument in arguments])
    if origin is Mapping:
        return st.dictionaries(of(arguments[0]), of(arguments[1]), max_size=2)
    if origin is tuple:
        return st.lists(of(arguments[0]), max_size=2).map(tuple)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _struct(kind)
    raise TypeError(f"no strategy for {kind!r}")


@cache
def _struct(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    def fields() -> st.SearchStrategy[Any]:
        hints = get_type_hints(kind, include_extras=True)
        return st.builds(kind, **{field.name: of(hints[field.name]) for field in msgspec.structs.fields(kind)})

    return st.deferred(fields)
