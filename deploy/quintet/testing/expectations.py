"""Checks for clauses: one that fails ends the test with what was expected and what was got."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn, cast, get_origin

import msgspec
import pytest
from msgspec import Struct

from quintet.errors import one_line, utf8

_LONGEST = 300


def fail(expected: str, got: object) -> NoReturn:
    """End the test as failed; a text that was got is written as it is, everything else as Python writes it."""
    __tracebackhide__ = True
    pytest.fail(f"expected {expected}, got {got if isinstance(got, str) else short_repr(got)}")


def expect(holds: object, expected: str, got: object) -> None:
    """Fail unless something holds."""
    __tracebackhide__ = True
    if not holds:
        fail(expected, got)


def expect_equal(what: str, expected: object, got: object) -> None:
    """Fail unless two things are equal, naming the first part in which they differ."""
    __tracebackhide__ = True
    if expected != got:
        where, before, now = _difference(expected, got)
        fail(f"{what}{where} to be {short_repr(before)}", short_repr(now))


def expect_type(what: str, kind: Any, got: object) -> None:
    """Fail unless a thing and its parts are of a type: making a Struct checks nothing."""
    __tracebackhide__ = True
    expect(isinstance(got, get_origin(kind) or kind), f"{what} of type {kind.__name__}", short_repr(got))
    try:
        msgspec.convert(msgspec.to_builtins(got), kind)
    except (msgspec.ValidationError, TypeError) as error:
        fail(f"{what} with parts of their types", str(error))


def expect_error(kind: type[Exception], work: Callable[[], object], *, naming: str = "", when: str = "") -> None:
    """Fail unless `work` raises an exception of a kind, whose text has `naming` in it; `when`: on which occasion."""
    __tracebackhide__ = True
    expected = f"a {kind.__name__}{when and f' from {when}'}{naming and f' that names {naming!r}'}"
    try:
        got = work()
    except kind as error:
        expect(naming in str(error), expected, short_repr(str(error)))
    except Exception as error:  # noqa: BLE001  the finding is that it is of another kind
        fail(expected, describe_error(error))
    else:
        fail(expected, f"no exception but {short_repr(got)}")


def short_repr(thing: object) -> str:
    """A thing as Python writes it, cut to a length that a person reads."""
    try:
        text = utf8(repr(thing))
    except Exception:  # noqa: BLE001  a plug-in's `repr` may raise anything
        text = f"<{type(thing).__name__} without a readable form>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def describe_error(error: BaseException) -> str:
    """An exception in one line, with the place where it was raised."""
    frames = extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {one_line(error)}{where}"


def _difference(expected: object, got: object, where: str = "") -> tuple[str, object, object]:
    """Where two unequal things first differ, and their parts there."""
    for name, before, now in _parts(expected, got):
        if before != now:
            return _difference(before, now, f"{where}{name}")
    return where, expected, got


def _parts(expected: object, got: object) -> Iterator[tuple[str, object, object]]:
    if isinstance(expected, Struct) and type(expected) is type(got):
        for name in expected.__struct_fields__:
            yield f".{name}", getattr(expected, name), getattr(got, name)
    elif isinstance(expected, tuple | list) and isinstance(got, tuple | list):
        before, now = cast("Sequence[object]", expected), cast("Sequence[object]", got)
        if len(before) == len(now):
            yield from ((f"[{place}]", *pair) for place, pair in enumerate(zip(before, now, strict=True)))
    elif isinstance(expected, Mapping) and isinstance(got, Mapping):
        table, other = cast("Mapping[object, object]", expected), cast("Mapping[object, object]", got)
        for key in dict.fromkeys((*table, *other)):
            yield f"[{key!r}]", table.get(key), other.get(key)
