"""Whole runs in a real browser: played, killed and resumed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quintet.events import StepTaken
from quintet.journal.reader import JournalReader
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from tests.command import command

pytestmark = pytest.mark.web


@pytest.fixture
def temporary() -> Generator[Path]:
    """A folder with a short name: Chromium refuses sockets with a long one."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def rewards(folder: Path) -> list[float]:
    return [reward for task in results(RunFolder.open_to_read(folder)).tasks for reward in task.rewards.values()]


def steps(folder: Path) -> list[StepTaken]:
    """Those that are journaled so far."""
    if not (folder / "run.json").exists():
        return []
    reader = JournalReader.open(RunFolder.open_to_read(folder).journal)
    try:
        return [record.event for record in reader.records() if isinstance(record.event, StepTaken)]
    finally:
        reader.close()


def processes_in(folder: Path) -> list[bytes]:
    """Command lines that name a folder."""
    found: list[bytes] = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            words = (process / "cmdline").read_bytes()
            found += [words] if os.fsencode(folder) in words else []
    return found


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_the_expert_solves_tasks_and_the_naive_policy_is_the_floor(tmp_path: Path) -> None:
    chosen = ("--tasks", "webarena-1009,webarena-1001")
    for method, expected in (("expert", [1.0, 1.0]), ("naive", [0.0, 0.0])):
        said = command("eval", method, "webarena", *chosen, "--out", tmp_path / method)
        assert said.code == 0, said.err
        assert rewards(tmp_path / method) == expected


def test_a_run_without_a_browser_that_starts_is_refused_once_and_leaves_no_folder(tmp_path: Path) -> None:
    words = ("eval", "expert", "webarena", "--tasks", "webarena-1009,webarena-1001", "--out", tmp_path / "run")
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho 'no display here' >&2\nexit 3\n", encoding="utf-8")
    for chromium, got in ((tmp_path / "none", "which is none"), (broken, "Chromium did not start: ")):
        if chromium.exists():
            chromium.chmod(0o755)
        said = command(*words, "--set", f"environment.chromium={chromium}")
        assert said.code == 2
        assert said.err.count("apt-get install chromium") == 1, said.err
        assert got in said.err
        assert not (tmp_path / "run").exists()


def test_a_run_that_is_killed_leaves_no_process_and_goes_on(tmp_path: Path, temporary: Path) -> None:
    folder, chosen = tmp_path / "run", ("--tasks", "webarena-1009,webarena-1001")
    words = ("eval", "expert", "webarena", *chosen, "--out", str(folder))
    code = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, "-c", code, *words], env=environment, stdout=subprocess.DEVNULL) as run:
        until(lambda: len(steps(folder)) >= 2)
        assert processes_in(temporary)
        run.send_signal(signal.SIGKILL)
    before = len(steps(folder))
    until(lambda: not processes_in(temporary))
    said = command("resume", folder)
    assert said.code == 0, said.err
    assert rewards(folder) == [1.0, 1.0]
    assert before < len(steps(folder)) == 7
