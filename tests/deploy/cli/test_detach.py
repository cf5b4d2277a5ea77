"""`--detach`: a command in a process of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quintet.cli import detach
from quintet.runs.files import lock_holder
from quintet.runs.listing import read_entry
from tests.command import command, refused

EVAL = ["eval", "react", "textcraft", "--tasks", "stick", "--set", "method.max_steps=1"]


class Fails:
    """A process that says why and ends at once."""

    words: list[str]
    pid = 1

    def __init__(self, words: list[str], *, stdout: Any, **_: object) -> None:
        Fails.words = words
        stdout.write(b"quintet: no such thing\n")
        stdout.flush()

    def poll(self) -> int:
        return 2


def test_a_detached_command_that_fails_says_why_and_is_told_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(detach, "subprocess", SimpleNamespace(Popen=Fails, DEVNULL=subprocess.DEVNULL))
    assert refused(*EVAL, "--detach", "--out", tmp_path / "run") == "quintet: no such thing\n"
    assert Fails.words[-len(EVAL) - 2 :] == [*EVAL, "--out", str(tmp_path / "run")]
    refused("study", "demo", "--tasks", "1", "--detach", "--out", tmp_path / "study")
    assert refused("eval", "react", "textcraft", "--tasks", "0", "--detach").startswith("quintet: run.tasks")
    refused(*EVAL, "--detach")
    assert re.fullmatch(r"--out runs/\S+-react-textcraft", " ".join(Fails.words[-2:]))


@pytest.mark.slow
def test_a_detached_run_outlives_its_command_and_is_stopped_and_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    flags = ["--model", "sim-fallible", "--epochs", "200", "--out", str(folder), "--detach", "--json"]
    words = ["-c", "import sys; from quintet.cli import main; sys.exit(main())", "eval", "adapt", "textcraft", *flags]
    began = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    said = json.loads(began.stdout)
    holder = lock_holder(folder)
    assert holder is not None
    assert (said["folder"], said["process"]) == (str(folder), holder.process)
    assert os.getsid(holder.process) == holder.process  # no terminal's end reaches it
    command("ctl", folder, "stop", code=0)
    log = Path(said["log"])
    _wait_until(lambda: "to go on: quintet resume" in log.read_text())
    assert (read_entry(folder).state, read_entry(folder).reason) == (
        "interrupted",
        "stopped by an operator (quintet ctl stop)",
    )
    command("resume", folder, "--detach", code=0)
    holder = lock_holder(folder)
    assert holder is not None
    os.kill(holder.process, signal.SIGTERM)
    _wait_until(lambda: lock_holder(folder) is None)


def _wait_until(so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not so():
        assert time.monotonic() < until
        time.sleep(0.05)
