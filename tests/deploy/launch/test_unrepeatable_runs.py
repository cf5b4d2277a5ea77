"""Whole runs in a world that does not repeat: killed, resumed, and played on hosts of its own, with real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from quintet.events import EpisodeEnded
from quintet.journal.reader import JournalReader
from quintet.runs.run_folder import RunFolder
from tests.command import command

WORLD = f"{Path(__file__).with_name('guest_book.py')}:GuestBook"
CODE = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"

pytestmark = pytest.mark.slow


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "book.txt"
    file.touch()
    monkeypatch.setenv("GUEST_BOOK", str(file))
    return file


def lines(book: Path) -> list[str]:
    return book.read_text().splitlines()


def started(book: Path, *arguments: object, steps: int) -> "subprocess.Popen[bytes]":
    """A run that has taken so many steps."""
    process = subprocess.Popen([sys.executable, "-c", CODE, *map(str, arguments)])
    for _ in range(6000):
        if sum(line.startswith("step") for line in lines(book)) >= steps:
            return process
        assert process.poll() is None, "the run ended before"
        time.sleep(0.01)
    raise AssertionError("too slow")


def ends(run: Path) -> dict[str, EpisodeEnded]:
    with closing(JournalReader.open(RunFolder.open_to_read(run).journal)) as reader:
        records = [record.event for record in reader.records()]
    return {event.path: event for event in records if isinstance(event, EpisodeEnded)}


def check_resumed(book: Path, run: Path, *, interrupted: int) -> None:
    """Every task has a result, the interrupted ones as another attempt after one reset, and nothing is open."""
    found = ends(run)
    states = {path: end.state for path, end in found.items()}
    assert sorted(states.values()) == ["interrupted"] * interrupted + ["solved"] * 4
    assert {end.reason for end in found.values() if end.state == "interrupted"} == {"its run stopped"}
    written = lines(book)
    assert written.count("reset") == 1
    after = written[written.index("reset") + 1 :]
    opened = [line for line in after if line.startswith("open")]
    assert len([line for line in after if line.startswith("close")]) == len(opened)
    again = {path.split("/")[0] for path in states if path.endswith("/1")}
    assert len(again) == interrupted
    assert again <= {line.split()[1] for line in opened}


def test_a_killed_run_ends_its_interrupted_attempts_resets_once_and_goes_on(tmp_path: Path, book: Path) -> None:
    run = tmp_path / "run"
    process = started(book, "eval", "expert", WORLD, "--out", run, steps=2)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    said = command("report", run)
    assert "4 of 4" not in said.out
    command("resume", run, code=0)
    check_resumed(book, run, interrupted=2)
    said = command("report", run)
    assert "2 interrupted attempts, not counted; each episode began again" in said.out + said.err
    content = json.loads(command("report", run, "--json").out)["runs"][0]
    assert (content["interrupted"], content["unfinished"], content["ended"]) == (2, 0, 4)


def test_a_killed_run_that_is_killed_again_before_its_attempts_begin_resets_again(tmp_path: Path, book: Path) -> None:
    run = tmp_path / "run"
    process = started(book, "eval", "expert", WORLD, "--out", run, steps=2)
    process.kill()
    process.wait()
    stopped = subprocess.run(
        [sys.executable, "-c", STOP_AT_RESET, str(run)], env={**os.environ}, check=False, capture_output=True
    )
    assert stopped.returncode == -signal.SIGKILL, stopped.stderr
    assert list(ends(run)) == ["ann/0/0", "bob/0/0"]
    command("resume", run, code=0)
    check_resumed(book, run, interrupted=2)


def test_faulted_episodes_that_have_acted_are_repeated_after_a_reset(tmp_path: Path, book: Path) -> None:
    run, no_ink = tmp_path / "run", tmp_path / "no ink"
    no_ink.touch()
    said = command("eval", "expert", WORLD, "--out", run, "--tasks", "ann,bob")
    assert {end.state for end in ends(run).values()} == {"faulted"}, said.err
    no_ink.unlink()
    stopped = subprocess.run([sys.executable, "-c", STOP_AT_RESET, str(run), "--faulted"], check=False)
    assert stopped.returncode == -signal.SIGKILL
    command("resume", run, "--faulted", code=0)
    assert [path for path, end in ends(run).items() if end.state == "solved"] == ["ann/0/1", "bob/0/1"]
    written = lines(book)
    assert written.count("reset") == 1
    assert [line.split()[0] for line in written[: written.index("reset")]].count("step") == 2


STOP_AT_RESET = """
import os, signal, sys
from quintet.runtime.environment_hosts import EnvironmentHosts

async def end(self):
    os.kill(os.getpid(), signal.SIGKILL)

EnvironmentHosts.reset = end
from quintet.cli import main
main(["resume", *sys.argv[1:]])
"""


@pytest.mark.ray
def test_a_host_of_the_world_that_is_killed_interrupts_its_episodes_alone(tmp_path: Path, book: Path) -> None:
    run = tmp_path / "run"
    places = ("--set", "environment.places=1", "--set", "environment.seconds=0.5")
    hosts = ("--set", "runtime.roles.environment.hosts=2", "--set", "runtime.concurrency=2")
    process = started(book, "eval", "expert", WORLD, "--out", run, "--runtime", "ray", *hosts, *places, steps=2)
    victim = int(next(line for line in lines(book) if line.startswith("step")).split()[2])
    os.kill(victim, signal.SIGKILL)
    assert process.wait(timeout=240) == 0
    found = ends(run)
    interrupted = [end for end in found.values() if end.state == "interrupted"]
    assert len(interrupted) == 1
    assert "died" in interrupted[0].reason
    assert sorted(end.state for end in found.values()) == ["interrupted"] + ["solved"] * 4
    assert lines(book).count("reset") == 1
    assert len({line.split()[2] for line in lines(book) if line.startswith("open")}) == 3
