"""Defects of paths, branches and copies of worlds."""

import asyncio
from typing import Any
from weakref import WeakSet

from quintet.events import BranchEnded
from quintet.ports.world import WorldState
from quintet.roles.branches import Branches
from quintet.roles.context import RequestContext
from tests.soak.controls.control import Control, replaced
from tests.soak.controls.journal import in_background

_LATE = 30.0
"""Seconds."""


def _late_if_odd(original: Any) -> Any:
    async def later(group: Any, events: Any) -> None:
        await asyncio.sleep(_LATE)
        await original(group, events)

    async def commit(group: Any, events: Any) -> None:
        match events:
            case [BranchEnded(place=place)] if place % 2:
                in_background(later(group, events))
            case _:
                await original(group, events)

    return commit


def _third_twice(original: Any) -> Any:
    third: WeakSet[RequestContext] = WeakSet()

    def next_position(context: Any) -> Any:
        position = original(context)
        if context._count == 3 and context not in third:
            third.add(context)
            context._count = 2
        return position

    return next_position


def _sharing(original: Any) -> Any:
    def fork(state: WorldState) -> WorldState:
        copy: WorldState = original(state)
        vars(copy).update(vars(state))
        return copy

    return fork


PATHS = (
    Control(
        "a branch's end out of order",
        "The ends of branches are committed in the order in which they are taken.",
        lambda: replaced(Branches, "_commit", _late_if_odd),
    ),
    Control(
        "a path used twice",
        "Everything that happens has a path of its own.",
        lambda: replaced(RequestContext, "next", _third_twice),
    ),
    Control(
        "a fork that shares state",
        "What is done in a copy of a session changes no other.",
        lambda: replaced(WorldState, "fork", _sharing),
    ),
)
