"""A file of trajectories: one JSON object a line, to learn from.

    {"goal": "craft stick", "reward": 1, "steps": [{"observation": "Crafting commands: ...", "action": "get 2 bamboo"},
    {"observation": "Got 2 bamboo", "action": "craft 1 stick using 2 bamboo"}]}

A line has the goal, the steps in order and the reward at their end. A step is what was seen and what was done then, so
the first observation is the task's setting, and the answer to the last action is left out. Further fields may be given:
`world` and `task` as on the command line, `task_type`, and `source` in any words. Blank lines are skipped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple, cast

import msgspec
from msgspec import Meta, Struct

from quintet.errors import UsageError, one_line
from quintet.memory.ids import MOST_TUPLES
from quintet.messages.memory import ObservedAction, Trajectory
from quintet.plugins.files import limited_lines

LONGEST_LINE = 4 << 20
"""Bytes, the line end included."""

_LONGEST_VALUE = 80
"""Characters of a value that a message quotes."""


class GivenTrajectories(NamedTuple):
    """The trajectories that a run was given."""

    number: int
    digest: str
    """SHA-256 of all of them, in hex."""
    left_out: Mapping[str, int] = {}
    """How many others there were, by why; see `GatheredTrajectories`."""


class _Step(Struct, frozen=True, forbid_unknown_fields=True):
    observation: str
    action: Annotated[str, Meta(min_length=1)]


class _Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    goal: Annotated[str, Meta(min_length=1)]
    reward: Annotated[float, Meta(ge=0, le=1)]
    steps: Annotated[tuple[_Step, ...], Meta(min_length=1, max_length=MOST_TUPLES)]
    world: str = ""
    task: str = ""
    task_type: str = ""
    source: str = ""


def read_trajectory_file(file: Path, world: str) -> Iterator[Trajectory]:
    """Read a file of trajectories, also from a pipe; `world` is the one that they must be of, where a line says it.

    Yields:
        Each with its source: the line's own, or else the file and the line, `expert.jsonl, line 3`.

    Raises:
        UsageError: the file cannot be read or is empty; or a line is longer than `LONGEST_LINE`, is no trajectory, or
            is of another world. The text names the line and the field.
    """
    empty = True
    try:
        for number, line in limited_lines(file, LONGEST_LINE):
            if text := line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").strip():
                empty = False
                yield _read_line(text, world, f"{file}, line {number}")
    except OSError as error:
        raise UsageError(f"trajectories: expected a file to read, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"trajectories: {error}") from error
    if empty:
        raise UsageError(f"trajectories: expected one a line, got an empty file ({file})")


def trajectory_lines(trajectories: Iterable[Trajectory], world: str) -> Iterator[bytes]:
    """The lines of a file of trajectories, with their line ends."""
    encoder = msgspec.json.Encoder()
    for each in trajectories:
        steps = tuple(_Step(step.observation, step.action) for step in each.steps)
        line = _Line(each.goal, each.reward, steps, world, each.task, each.task_type, each.source)
        yield encoder.encode(line) + b"\n"


def _read_line(text: bytes, world: str, where: str) -> Trajectory:
    try:
        line = msgspec.json.decode(text, type=_Line)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"trajectories: {_complaint(error, text)} ({where})") from error
    if line.world not in ("", world):
        raise UsageError(f"trajectories: world: expected {world!r}, got {line.world!r} ({where})")
    return Trajectory(
        goal=line.goal,
        steps=tuple(ObservedAction(observation=step.observation, action=step.action) for step in line.steps),
        reward=line.reward,
        source=line.source or where,
        task=line.task,
        task_type=line.task_type,
    )


_located = re.compile(r"(.*) - at `\$\.?(.*)`").fullmatch
_limits = re.compile(r"Expected .* [<>]= [0-9.]+").fullmatch
_keys = re.compile(r"\w+").findall


def _complaint(error: Exception, text: bytes) -> str:
    """What is wrong with a line: `steps[0].action: expected str of length >= 1, got ""`."""
    if not isinstance(error, msgspec.ValidationError):
        return f"expected a JSON object, got something else: {one_line(error)}"
    found = _located(str(error))
    said, field = found.groups() if found else (str(error), "")
    got = f", got {_value_at(field, text)}" if _limits(said) else ""
    return (f"{field}: " if field else "") + said[0].lower() + said[1:].replace("`", "") + got


def _value_at(field: str, text: bytes) -> str:
    """The value that is out of range, too short or too long."""
    value: object = msgspec.json.decode(text)
    for key in _keys(field):
        if isinstance(value, list):
            value = cast("list[object]", value)[int(key)]
        else:
            value = cast("dict[str, object]", value)[key]
    found = msgspec.json.encode(value).decode()
    return found if len(found) <= _LONGEST_VALUE else f"{found[:_LONGEST_VALUE]}..."
