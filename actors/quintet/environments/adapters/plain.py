"""Any world as a `World`: coroutines are run to their end, and the base class answers for what the object lacks."""

import asyncio
from collections.abc import Coroutine
from functools import cache
from inspect import getattr_static, iscoroutine, iscoroutinefunction
from threading import Thread
from typing import Any, TypeVar, cast

from quintet.environments.adapters.members import member_of
from quintet.ports.world import World, WorldState

_T = TypeVar("_T")


def as_world(found: object) -> World:
    """A world with every member, to be called from plain code: the object itself if it inherits from `World`."""
    return found if isinstance(found, World) else cast("World", _Plain(found, World))


def beneath(world: object) -> object:
    """The object that `as_world` was given."""
    return world.found if isinstance(world, _Plain) else world


def run_now(call: Coroutine[Any, Any, _T]) -> _T:
    """The result of a coroutine, run on a loop of its own: the caller may be on one."""
    return asyncio.run_coroutine_threadsafe(call, _loop()).result()


class _Plain:
    def __init__(self, found: object, base: type) -> None:
        self.found = found
        self._base = base

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # not there yet, as where it is copied
            raise AttributeError(name)
        member = member_of(self.found, self._base, name, to=self)
        if not callable(member) or iscoroutinefunction(getattr_static(self._base, name, None)):
            return member

        def call(*arguments: Any, **options: Any) -> Any:
            result = member(*arguments, **options)
            result = run_now(result) if iscoroutine(result) else result
            return _Plain(result, WorldState) if name in ("open", "restore", "fork") else result

        return call


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="async worlds", daemon=True).start()
    return loop
