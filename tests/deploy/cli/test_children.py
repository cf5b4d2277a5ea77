"""The processes and threads that a plug-in leaves end with the command."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from quintet.cli.children import end_processes, ending_children, processes_below

LEAVES = "sleep 1000 & sh -c 'trap \"\" TERM; echo ready; sleep 1000' &"
"""A shell that ends before its children, one of which says that it does not end any more when it is asked to."""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found in /proc")
def test_processes_that_were_left_end_and_those_that_were_there_before_go_on() -> None:
    ours = subprocess.Popen(["sleep", "1000"])
    before = processes_below(os.getpid())
    try:
        with ending_children():
            with subprocess.Popen(["sh", "-c", LEAVES], stdout=subprocess.PIPE) as shell:
                assert shell.stdout is not None
                assert shell.stdout.readline() == b"ready\n"
            left = processes_below(os.getpid()) - before
            assert len(left) >= 2
        assert not any(map(_is_there, left))
        assert ours.poll() is None
    finally:
        ours.kill()
        ours.wait()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found in /proc")
def test_an_interruption_while_they_end_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: float) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    with subprocess.Popen(["sh", "-c", f"{LEAVES} wait"], stdout=subprocess.PIPE) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline() == b"ready\n"
        left = {shell.pid, *processes_below(shell.pid)}
        monkeypatch.setattr("quintet.cli.children.time.sleep", interrupt)
        with pytest.raises(KeyboardInterrupt):
            end_processes(left)
    assert len(left) >= 2
    assert not any(map(_is_running, left))


def _is_running(process: int) -> bool:
    with suppress(OSError):
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()  # whose parent is gone, and nobody waited
    return False


def _is_there(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


WORLD = """
import os, subprocess, sys, threading, time
from tests.actors.fakes import Kitchen

class Engine(Kitchen):
    "Leaves a process and a thread for each session."
    name = "engine"

    def open(self, task):
        started = subprocess.Popen(["sleep", "1000"])
        with open(os.environ["STARTED"], "a") as file:
            print(started.pid, file=file)
        threading.Thread(target=time.sleep, args=(1000,)).start()
        return super().open(task)
"""


@pytest.mark.slow
@pytest.mark.parametrize("ended_early", [False, True])
def test_a_check_ends_with_all_that_the_world_started(ended_early: bool, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(WORLD)
    words = ["check", "method", "random", "--set", f"environment.name={tmp_path / 'engine.py'}:Engine"]
    variables = {**os.environ, "STARTED": str(tmp_path / "started"), "PYTHONPATH": str(Path(__file__).parents[3])}
    run = [sys.executable, "-c", "import sys; from quintet.cli import main; sys.exit(main())", *words]
    check = subprocess.Popen(run, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert check.stdout is not None
        if ended_early:
            assert any("an episode ends" in line for line in check.stdout)  # it reads no further
            check.send_signal(signal.SIGTERM)
            check.send_signal(signal.SIGTERM)
        said, _ = check.communicate(timeout=120)
    finally:
        check.kill()
    assert check.returncode == (130 if ended_early else 0), said
    assert "Traceback" not in said
    started = {int(line) for line in (tmp_path / "started").read_text().split()}
    assert started
    assert not any(_is_there(process) for process in started)
