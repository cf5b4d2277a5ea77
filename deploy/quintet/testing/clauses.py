"""Clauses: how one is broken or skipped, and how a contract is judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_origin

import msgspec
from msgspec import Struct

from quintet.errors import one_line, utf8

SubjectT = TypeVar("SubjectT")

Clause: TypeAlias = Callable[[SubjectT], None]
"""Raises `Broken`, or whatever the plug-in raises, where it does not hold."""

State: TypeAlias = Literal["holds", "broken", "skipped"]

_LONGEST = 300


class Broken(Exception):
    """A clause does not hold.

    Args:
        expected: in words.
        got: words are said as they are, everything else as Python writes it.
    """

    def __init__(self, expected: str, got: object) -> None:
        super().__init__(f"expected {expected}, got {got if isinstance(got, str) else shown(got)}")


class Skipped(Exception):
    """A clause cannot be tried; the text says why."""


@dataclass(frozen=True)
class Verdict:
    """What came of one clause."""

    clause: str
    state: State
    text: str = ""
    """Why it is broken or was skipped."""


def sentence(clause: Clause[Any]) -> str:
    """What a clause says."""
    return clause.__name__.replace("_", " ")


def judged(contract: Sequence[Clause[SubjectT]], subjects: Sequence[SubjectT]) -> Iterator[Verdict]:
    """Every clause with what came of it, one by one.

    A clause is broken where one of the subjects breaks it, which its text names, and skipped where all of them skip it.

    Args:
        subjects: at least one; each is shown as its `str`.
    """
    for clause in contract:
        verdicts = [_judged(clause, subject) for subject in subjects]
        broken = next((verdict for verdict in verdicts if verdict.state == "broken"), None)
        held = next((verdict for verdict in verdicts if verdict.state == "holds"), None)
        yield broken or held or verdicts[0]


def _judged(clause: Clause[SubjectT], subject: SubjectT) -> Verdict:
    try:
        clause(subject)
    except Skipped as why:
        return Verdict(sentence(clause), "skipped", str(why))
    except Broken as broken:
        return Verdict(sentence(clause), "broken", f"{one_line(broken)} ({subject})")
    except (Exception, SystemExit) as error:  # noqa: BLE001  a plug-in may fail at anything, and that is the finding
        return Verdict(sentence(clause), "broken", f"expected no exception, got {_described(error)} ({subject})")
    return Verdict(sentence(clause), "holds")


def require(holds: object, expected: str, got: object) -> None:
    """Break the clause unless something holds."""
    if not holds:
        raise Broken(expected, got)


def same(what: str, expected: object, got: object) -> None:
    """Break the clause unless two things are equal, naming the first part in which they differ."""
    if expected != got:
        where, before, now = _difference(expected, got)
        raise Broken(f"{what}{where} to be {shown(before)}", shown(now))


def typed(what: str, kind: Any, got: object) -> None:
    """Break the clause unless a thing, and what it holds, is of a type: making a Struct checks nothing."""
    require(isinstance(got, get_origin(kind) or kind), f"{what} of type {kind.__name__}", shown(got))
    try:
        msgspec.convert(msgspec.to_builtins(got), kind)
    except (msgspec.ValidationError, TypeError) as error:
        raise Broken(f"{what} with parts of their types", str(error)) from error


def refused(kind: type[Exception], work: Callable[[], object], *, naming: str = "") -> None:
    """Break the clause unless `work` raises an exception of a kind, whose text names something."""
    expected = f"a {kind.__name__}" + (f" that names {naming!r}" if naming else "")
    try:
        got = work()
    except kind as error:
        require(naming in str(error), expected, shown(str(error)))
    except Exception as error:
        raise Broken(expected, _described(error)) from error
    else:
        raise Broken(expected, f"no exception but {shown(got)}")


def shown(thing: object) -> str:
    """A thing as Python writes it, cut to a length that a person reads."""
    try:
        text = utf8(repr(thing))
    except Exception:  # noqa: BLE001  a plug-in's `repr` may fail at anything
        text = f"<{type(thing).__name__} without a readable form>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _described(error: BaseException) -> str:
    frames = extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {one_line(error)}{where}"


def _difference(expected: object, got: object, where: str = "") -> tuple[str, object, object]:
    """Where two things that are not equal first differ, and their parts there."""
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
