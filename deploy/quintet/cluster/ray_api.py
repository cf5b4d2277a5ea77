"""How Ray is called: without its own annotations, and its blocking calls off the event loop."""

import asyncio
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import ray as _ray
from ray import ObjectRef

_P = ParamSpec("_P")
_T = TypeVar("_T")

ray: Any = _ray
"""Any: many of Ray's annotations are loose or missing. Callers state the type of what they get."""


class RemoteMethod(Protocol, Generic[_P, _T]):
    """A method of an actor, as it is called from outside."""

    def remote(self, *args: _P.args, **kwargs: _P.kwargs) -> "ObjectRef[_T]": ...


async def in_thread(work: Callable[[], _T]) -> _T:
    """Like `asyncio.to_thread`, but leaves no work behind: if cancelled, it ends when the work has ended."""
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        raise


@contextmanager
def variables_kept(*names: str) -> Generator[None, None, None]:
    """Afterwards these variables of the environment are as before."""
    before = {name: os.environ.get(name) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
