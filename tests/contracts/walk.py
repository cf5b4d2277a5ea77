"""A walk through a world, written down so that two processes can compare theirs: `python -m tests.contracts.walk`."""

import sys
from importlib import import_module

import msgspec
from msgspec import Struct

from protocols.environment import Task
from protocols.worlds import Opening, Outcome, World


class Walk(Struct, frozen=True):
    """Which actions to take on which task of which world."""

    factory: str
    """What makes the world: `package.module:callable`."""
    task: Task
    actions: tuple[str, ...]


class Transcript(Struct, frozen=True):
    """Everything there is to see on a walk."""

    version: str
    tasks: dict[str, tuple[str, ...]]
    opening: Opening
    outcomes: tuple[Outcome, ...]
    snapshots: tuple[bytes, ...]
    """Before the first action and after each."""


def make_world(factory: str) -> World:
    module, name = factory.split(":")
    made: World = getattr(import_module(module), name)()
    return made


def transcript(walk: Walk) -> Transcript:
    world = make_world(walk.factory)
    state = world.open(walk.task)
    outcomes: list[Outcome] = []
    snapshots = [state.snapshot()]
    for action in walk.actions:
        outcomes.append(state.step(action))
        snapshots.append(state.snapshot())
    return Transcript(
        version=world.version,
        tasks={split: world.tasks(split) for split in world.splits},
        opening=state.opening,
        outcomes=tuple(outcomes),
        snapshots=tuple(snapshots),
    )


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Walk)
    sys.stdout.buffer.write(msgspec.json.encode(transcript(asked)))
