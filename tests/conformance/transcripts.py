"""What an engine said on a walk, as a file: a line for the game, and one for every step."""

from pathlib import Path

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.games.dialect import DialectName


class Step(Struct, frozen=True, omit_defaults=True):
    """An action and what it brought. What became admissible is written as the difference to the step before."""

    action: str
    """Of the opening, nothing."""
    observation: str
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    score: int = 0
    done: bool = False


class Heading(Struct, frozen=True):
    """What was played, and how the actions were chosen."""

    name: str
    walk: str
    dialect: DialectName
    objective: str
    """The sentence: `Your task is to: ...`."""


class Transcript(Struct, frozen=True):
    """One walk, its opening first."""

    heading: Heading
    steps: tuple[Step, ...]


def written(transcript: Transcript) -> bytes:
    return b"".join(msgspec.json.encode(part) + b"\n" for part in (transcript.heading, *transcript.steps))


def read(file: Path) -> Transcript:
    heading, *steps = file.read_bytes().splitlines()
    return Transcript(
        msgspec.json.decode(heading, type=Heading), tuple(msgspec.json.decode(step, type=Step) for step in steps)
    )


def changed(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is admissible now and was not before, and the other way round."""
    return tuple(sorted(set(now) - set(before))), tuple(sorted(set(before) - set(now)))
