"""The tasks that a server lists, and how each begins."""

from collections.abc import Mapping
from typing import Any, cast

import aiohttp
import msgspec
from msgspec import Struct

from quintet.environments.openenv.address import NotOffered, ServerAddress
from quintet.errors import UsageError, one_line

_NAMES = ("task", "name", "id", "task_id")
"""Fields of a task that may name it."""


class TaskLists(Struct, frozen=True, kw_only=True):
    """The tasks of a world."""

    splits: Mapping[str, tuple[str, ...]]
    """Names by split, the default one first."""
    resets: Mapping[str, Mapping[str, Any]]
    """By name, the options of a reset that begins it."""


class _Split(Struct, frozen=True):
    name: str


class _Tasks(Struct, frozen=True):
    tasks: list[Any]


async def fetch_tasks(address: ServerAddress, http: aiohttp.ClientSession, seeds: int) -> TaskLists:
    """The tasks that a server lists; if it lists none, so many seeds as `test`, and as many further ones as `train`.

    Raises:
        UsageError: it answers something else than lists.
    """
    try:
        (first, *_) = msgspec.convert(await address.fetch(http, "/list_environments"), list[str])
        splits = msgspec.convert(await address.fetch(http, f"/{first}/splits"), list[_Split])
        listed = {split.name: await _fetch_split(address, http, first, split.name) for split in splits}
    except NotOffered:
        listed = {}
    except ValueError as error:  # msgspec's among them
        raise UsageError(
            f"environment openenv:{address.url}: expected lists of tasks, got {one_line(error)}"
        ) from error
    return _named(listed) if any(listed.values()) else _seeds(seeds)


async def _fetch_split(address: ServerAddress, http: aiohttp.ClientSession, name: str, split: str) -> list[Any]:
    answer = await address.fetch(http, f"/{name}/tasks", {"split": split})
    return msgspec.convert(answer, _Tasks).tasks


def _named(listed: Mapping[str, list[Any]]) -> TaskLists:
    """Tasks by what names them, where each name is of one task, in whatever splits; else by split and place."""
    places = [(split, index, task) for split, tasks in listed.items() for index, task in enumerate(tasks)]
    by_name = {_name(task): task for _, _, task in places}
    unique = None not in by_name and all(by_name[_name(task)] == task for _, _, task in places)
    found = [(split, index, str(_name(task)) if unique else f"{split}-{index}") for split, index, task in places]
    return TaskLists(
        splits={split: tuple(name for of, _, name in found if of == split) for split in listed},
        resets={name: {"split": split, "index": index} for split, index, name in found},
    )


def _name(task: object) -> str | None:
    fields = cast("dict[str, object]", task) if isinstance(task, dict) else {}
    return next((name for field in _NAMES if isinstance(name := fields.get(field), str)), None)


def _seeds(count: int) -> TaskLists:
    names = [f"seed-{seed}" for seed in range(2 * count)]
    return TaskLists(
        splits={"test": tuple(names[:count]), "train": tuple(names[count:])},
        resets={name: {"seed": seed} for seed, name in enumerate(names)},
    )
