"""Tests that are coroutines run in real time, which browsers take, on the event loop of their playground if any."""

import asyncio
import inspect

import pytest

from tests.actors.environments.webarena.browser.playground import Playground


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    test = pyfuncitem.obj(**arguments)
    for play in arguments.values():
        if isinstance(play, Playground):
            play.run(play.play(test))
            return True
    asyncio.run(test)
    return True
