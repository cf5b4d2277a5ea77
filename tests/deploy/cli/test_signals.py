"""What one signal, two at once, and a second one later do."""

import asyncio
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from quintet.cli import DONE, INTERRUPTED
from quintet.cli.signals import FirstSignals, handle_signal, interrupt_once
from quintet.cli.stoppable import stoppable


def test_terminations_within_a_moment_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [10.0]
    monkeypatch.setattr("quintet.cli.signals.time", SimpleNamespace(monotonic=lambda: now[0]))
    signals = FirstSignals()
    assert not signals.is_repeated(signal.SIGTERM)
    now[0] += 0.9
    assert signals.is_repeated(signal.SIGTERM)
    assert not signals.is_repeated(signal.SIGINT), "a person who presses Ctrl-C means it"
    now[0] += 0.2
    assert not signals.is_repeated(signal.SIGTERM)


async def _clean_up(done: list[str]) -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)  # as `timeout` does: to the process, and to its group
        await asyncio.get_running_loop().create_future()
    finally:
        done.append("cleaned up")


@pytest.mark.real_time
def test_a_run_that_timeout_ends_is_stopped_cleanly() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(stoppable(_clean_up(done)))
    assert done == ["cleaned up"]


def test_a_command_that_timeout_ends_is_interrupted_once() -> None:
    done: list[str] = []

    def end() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)
            done.append("cleaned up")

    with handle_signal(signal.SIGTERM, interrupt_once()), pytest.raises(KeyboardInterrupt):
        end()
    assert done == ["cleaned up"]


_TERMINATED = """
import atexit, importlib.abc, os, signal, sys

when = sys.argv.pop()

def terminate(*_):
    os.kill(os.getpid(), signal.SIGTERM)

class AtImport(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == when:
            terminate()

if when == "exit":
    atexit.register(terminate)
else:
    sys.meta_path.insert(0, AtImport())
from quintet.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("when", "code"), [("quintet.cli.terminal", INTERRUPTED), ("cyclopts", INTERRUPTED), ("exit", DONE)]
)
def test_sigterm_ends_no_process_without_an_exit_code_of_its_own_from_its_first_import_to_its_end(
    when: str, code: int
) -> None:
    ended = subprocess.run([sys.executable, "-c", _TERMINATED, "--version", when], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (code, b"")
