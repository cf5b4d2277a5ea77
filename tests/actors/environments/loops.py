"""Tests that are coroutines."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

_P = ParamSpec("_P")


def in_loop(test: Callable[_P, Coroutine[Any, Any, None]]) -> Callable[_P, None]:
    """The test on an event loop of its own."""

    @wraps(test)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run
