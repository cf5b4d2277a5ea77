"""Fixtures of every test, and how tests are spread over processes."""

import asyncio
import inspect
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from threading import current_thread, main_thread
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadGroupScheduling

from quintet.journal.schema import connect
from quintet.runtime.garbage import collect_rarely
from tests.simulation import virtual

# A suite that is run in the background would hand on that SIGINT is ignored to the runs that it interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A user's own games would stand in for the generated ones.
os.environ.pop("ALFWORLD_DATA", None)
# `make test` tries a few examples of each property, the same in each run; `make test-slow` many, and others each time.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", untimed, max_examples=15, derandomize=True)
settings.register_profile("many", untimed, max_examples=1_000)
settings.load_profile("few")
# As in the command's own process: thousands of collected tests live as long as this one.
collect_rarely()


class _ByModule(LoadGroupScheduling):
    """Keeps the tests of a module, or of a group of modules, in one process: what they share is made once."""

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if group == nodeid else group


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadGroupScheduling | None:
    return _ByModule(config, log) if config.getoption("dist") == "loadgroup" else None


@pytest.fixture(autouse=True, scope="session")
def _approvals_are_of_these_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests start is approved in a folder of theirs, also by the processes that they start."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True)
def _journals_in_memory_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A journal in memory ends with its test; Python 3.13 warns of connections that nobody closed."""
    opened: list[sqlite3.Connection] = []

    def remember(file: str, **options: Any) -> sqlite3.Connection:
        connection = connect(file, **options)
        if file == ":memory:" and current_thread() is main_thread():
            opened.append(connection)
        return connection

    monkeypatch.setattr("quintet.journal.writer.connect", remember)
    yield
    for connection in opened:
        connection.close()


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets so many seconds pass at once on the running loop, whose timers are then due: for tests in real time."""

    def jump(seconds: float) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time
        monkeypatch.setattr(loop, "time", lambda: now() + seconds)

    return jump


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in virtual time, or in real time if it is marked so."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    run = asyncio.run if pyfuncitem.get_closest_marker("real_time") else virtual.run
    run(pyfuncitem.obj(**arguments))
    return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests that drive a browser are skipped where there is none."""
    if item.get_closest_marker("web"):
        from tests.web.browser import no_chromium

        if reason := no_chromium():
            pytest.skip(reason)
