"""The routes that list the tasks of a world."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from quintet.errors import one_line
from quintet.world_server.frames import FrameError, TaskSpec
from quintet.world_server.served_world import ServedWorld

RouteHandler: TypeAlias = Callable[[ServedWorld, web.Request], Awaitable[object]]
"""What is answered to a request, as JSON has it. A `FrameError` and a `UsageError` are answered in words."""

_T = TypeVar("_T")


class _Asked(Struct, frozen=True, kw_only=True):
    """Which tasks are asked for."""

    split: str
    index: int | None = None
    start: int | None = None
    stop: int | None = None


async def read_body(request: web.Request, kind: type[_T]) -> _T:
    """The body of a request; a `FrameError` if it is of another kind."""
    try:
        return msgspec.json.decode(await request.read() or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FrameError("VALIDATION_ERROR", one_line(error)) from error


async def list_splits(world: ServedWorld, _request: web.Request) -> object:
    """The splits, each of a type that OpenEnv knows."""
    return [
        {"name": split, "type": split if split in ("train", "test") else "validation"}
        for split in world.definition.splits
    ]


async def _list(world: ServedWorld, request: web.Request) -> object:
    _, tasks = await _asked(world, request)
    return {"tasks": [TaskSpec(task=task) for task in tasks], "env_name": world.name}


async def _count(world: ServedWorld, request: web.Request) -> object:
    _, tasks = await _asked(world, request)
    return {"num_tasks": len(tasks)}


async def _one(world: ServedWorld, request: web.Request) -> object:
    asked, tasks = await _asked(world, request)
    if asked.index is None or not 0 <= asked.index < len(tasks):
        raise FrameError("VALIDATION_ERROR", f"index: expected 0 to {len(tasks) - 1}, got {asked.index}")
    return {"task": TaskSpec(task=tasks[asked.index])}


async def _range(world: ServedWorld, request: web.Request) -> object:
    asked, tasks = await _asked(world, request)
    return {"tasks": [TaskSpec(task=task) for task in tasks[asked.start : asked.stop]]}


TASK_ROUTES: Final[Mapping[str, RouteHandler]] = {
    "/tasks": _list,
    "/num_tasks": _count,
    "/task": _one,
    "/task_range": _range,
}
"""By the end of the path."""


async def _asked(world: ServedWorld, request: web.Request) -> tuple[_Asked, Sequence[str]]:
    asked = await read_body(request, _Asked)
    return asked, world.tasks(asked.split)
