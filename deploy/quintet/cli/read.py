"""`read`: how the completions of a model are understood, line by line."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from msgspec import Struct

from quintet.errors import UsageError
from quintet.ports.model import Finish
from quintet.questions.shape import SHAPES, Reading

KINDS = tuple(shape.read_as for shape in SHAPES.values() if shape.read_as is not None)


def _check_kind(_type: Any, kind: str) -> None:
    if kind not in KINDS:
        known = '", "'.join(KINDS)
        raise ValueError(f'Choose from: "{known}".')


class _Line(Struct):
    """A completion; other fields of a line are ignored."""

    text: str
    finish: Finish = "stop"


def read_completions_command(
    kind: Annotated[str, Parameter(help=f"{', '.join(KINDS[:-1])} or {KINDS[-1]}.", validator=_check_kind)],
) -> None:
    """Read completions from standard input, one a line, and print how each is understood."""
    for understood in readings(kind, sys.stdin.buffer):
        print(json.dumps(understood), flush=True)


def readings(kind: str, lines: Iterable[bytes]) -> Iterator[Reading]:
    """How every line's completion is understood; blank lines are left out."""
    shape = next(shape for shape in SHAPES.values() if shape.read_as == kind)
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            completion = decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise UsageError(
                f'standard input, line {number}: expected {{"text": "..."}}, got {_quote(line)}: {error}'
            ) from error
        yield shape.reading(completion.text, completion.finish)


def _quote(line: bytes) -> str:
    text = ascii(line[:60].decode(errors="replace").strip())
    return f"{text}..." if len(line) > 60 else text
