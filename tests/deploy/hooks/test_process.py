"""A process with hooks that misbehave ends as it would without them."""

import subprocess
import sys
from pathlib import Path

import pytest

STUCK = """
import threading
from quintet.api import Hook

class Stuck(Hook):
    grace_seconds = 0.2

    def on_step(self, step, record):
        threading.Event().wait()

class Exiting(Hook):
    def on_call(self, call, record):
        raise SystemExit(7)
"""


@pytest.mark.slow
def test_a_hook_that_blocks_for_ever_and_one_that_exits_neither_keep_nor_end_the_process(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(STUCK)
    command = ["eval", "react", "textcraft", "--tasks", "stick", "--out", "run"]
    hooks = ["--hooks", "bad.py:Stuck", "--hooks", "bad.py:Exiting"]
    done = subprocess.run(
        [str(Path(sys.executable).with_name("quintet")), *command, *hooks],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 named task" in done.stdout
    assert "hook Stuck: still busy 0.2 s after the run; it is left behind" in done.stderr
    assert "hook Exiting: it raised" in done.stderr
    assert done.stderr.count("Traceback") == 1
