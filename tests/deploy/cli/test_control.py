"""`quintet ctl`: its commands, and a real run in another process that is controlled from outside."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.cli.control import describe_status, parse_control
from quintet.control.messages import (
    CancelEpisode,
    ChangeSettings,
    GetStatus,
    Pause,
    RequeueEpisode,
    Resume,
    RunningEpisode,
    RunStatus,
    SetPace,
    StatusCharge,
    StopRun,
    reply_decoder,
)
from quintet.errors import UsageError
from quintet.events import Cancelled, Requeued
from quintet.journal.reader import JournalReader
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import Path as EpisodePath
from quintet.reports.episodes import results
from quintet.runs.folder import SOCKET
from quintet.runs.run_folder import RunFolder
from tests.command import command, printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]

_GATED = """
import asyncio, os, pathlib, sys
from quintet.models import scripted
from quintet.cli import main
answer, gate = scripted.Scripted.complete, pathlib.Path(os.environ["GATE"])
async def gated(self, prompt, sampling):
    while not gate.exists():
        await asyncio.sleep(0.05)
    return await answer(self, prompt, sampling)
scripted.Scripted.complete = gated
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("status", GetStatus()),
        ("pause", Pause()),
        ("resume", Resume()),
        ("cancel beehive/0/0", CancelEpisode(episode="beehive/0/0")),
        ("requeue beehive", RequeueEpisode(episode="beehive")),
        ("stop", StopRun()),
        ("set concurrency=8", ChangeSettings(settings={"runtime.concurrency": 8})),
        ("set hosts=3", ChangeSettings(settings={"runtime.hosts": 3})),
        (
            "budget usd=1.5 tokens=none",
            ChangeSettings(settings={"limits.budget_usd": 1.5, "limits.budget_tokens": None}),
        ),
        ("limits calls=4", ChangeSettings(settings={"limits.calls": 4})),
        ("pace gpt requests_per_minute=9", SetPace(model="gpt", limits={"requests_per_minute": 9})),
    ],
)
def test_control_words_are_parsed_as_commands(words: str, command: object) -> None:
    assert parse_control(words.split()) == command


@pytest.mark.parametrize(
    "words",
    ["", "halt", "status now", "budget", "budget usd=", "budget eur=3", "limits calls=true", "limits calls=[]",
     "pace gpt", "pace calls=3", "cancel", "cancel a b", "set", "set concurrency=0", "set concurrency=1.5",
     "set concurrency=²", "set seed=3", "set concurrency=1e9"],
)  # fmt: skip
def test_unknown_control_words_are_refused_with_what_is_expected(words: str) -> None:
    with pytest.raises(UsageError, match=r"ctl: .*expected"):
        parse_control(words.split())


def test_a_status_is_printed_in_lines() -> None:
    running = tuple(RunningEpisode(episode=EpisodePath(f"a{n}/0/0"), host="host-2", seconds=31.4) for n in range(22))
    status = RunStatus(
        episodes=100,
        done=40,
        paused=True,
        concurrency=22,
        running=running,
        queued=(EpisodePath("b/0/0"),),
        hosts=("host-2",),
        lost=("host",),
        calls=21,
        charged=StatusCharge(usd=1.23456, tokens=98_765),
    )
    lines = list(describe_status(status))
    assert lines[0] == "paused: 40 of 100 episodes done, 22 running, 1 queued, concurrency 22"
    assert lines[1] == "model calls in flight: 21; charged 1.2346 USD, 98,765 tokens"
    assert lines[2] == "hosts: 1 live: host-2; lost: host"
    assert lines[3] == "  a0/0/0 on host-2 for 31 s"
    assert lines[-1] == "  and 2 more"
    living = "1 of 2 hosts live; host host-3 did not start: no room"
    assert list(describe_status(replace(status, hosts_text=living)))[2] == f"hosts: {living}: host-2; lost: host"


def ctl(folder: Path, *words: str) -> str:
    """What a command that is carried out prints."""
    return printed("ctl", folder, *words)


def refusal(folder: Path, *words: str) -> str:
    return refused("ctl", folder, *words)


def test_a_folder_in_which_nothing_runs_is_refused(tmp_path: Path) -> None:
    ended = samples.write(tmp_path / "ended", samples.record(), {"beehive": Went()})
    assert "expected a run that is running, got one that has ended" in refusal(ended, "status")
    assert "--force: expected with requeue EPISODE only, got 'cancel beehive'" in refusal(
        ended, "cancel", "beehive", "--force"
    )
    begun = samples.write(tmp_path / "begun", samples.record(), {"beehive": Went(state=None)})
    assert "expected a run that is running, got one that was interrupted" in refusal(begun, "status")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(begun / SOCKET))
    assert "expected a run that is running, got one that was interrupted" in refusal(begun, "status")
    assert "expected a folder, found none" in refusal(tmp_path / "none", "status")


class Child:
    """A run in a process of its own, whose model answers nothing before the gate is opened."""

    def __init__(self, gate: Path, *arguments: str) -> None:
        self._gate = gate
        self.process = subprocess.Popen(
            [sys.executable, "-c", _GATED, *arguments],
            cwd=ROOT,
            env={**os.environ, "GATE": str(gate)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def open_the_gate(self) -> None:
        self._gate.touch()

    def until(self, folder: Path, so: Callable[[RunStatus], bool]) -> RunStatus:
        """Wait until the run listens and its status satisfies `so`."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.process.communicate()
            if (done := command("ctl", folder, "status", "--json")).code == 0:
                status = reply_decoder.decode(done.out)
                assert isinstance(status, RunStatus)
                if so(status):
                    return status
            time.sleep(0.02)
        raise AssertionError("the status did not become that")

    def end(self) -> tuple[int, str]:
        """Its exit code and its standard error."""
        _, err = self.process.communicate(timeout=120)
        return self.process.returncode, err


@contextmanager
def child(gate: Path, *arguments: str) -> Generator[Child, None, None]:
    made = Child(gate, *arguments)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


@pytest.fixture
def scripted(tmp_path: Path) -> list[str]:
    """Flags: a model that gives up after twenty calls."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(["Action: inventory"] * 19 + ["Action: task failed"]))
    return ["--model", "scripted", "--set", f'model.script="{script}"']


def decisions(folder: Path) -> dict[str, str]:
    reader = JournalReader.open(folder / "journal.sqlite")
    events = [record.event for record in reader.records()]
    reader.close()
    return {event.path: event.kind for event in events if isinstance(event, Cancelled | Requeued)}


def test_a_run_in_another_process_is_controlled_from_its_first_episode_to_its_last(
    tmp_path: Path, scripted: list[str]
) -> None:
    folder = tmp_path / "run"
    arguments = ["--tasks", "beehive,lantern,lectern,stick,cake", "--concurrency", "2", "--out", str(folder)]
    with child(tmp_path / "gate", "eval", "react", "textcraft", *arguments, *scripted) as running:
        running.until(folder, lambda status: len(status.running) == 2)
        assert ctl(folder, "pause").startswith("paused: no episode starts")
        status = running.until(folder, lambda status: status.paused)
        assert ctl(folder, "status").startswith("paused: ")
        first, last = status.running[0].episode, status.queued[-1]
        assert "expected" in refusal(folder, "cancel", "lanternn")
        assert ctl(folder, "cancel", last) == f"{last} ended: unsolved, cancelled by operator, reward 0\n"
        assert "got one that ended: unsolved" in refusal(folder, "cancel", last)
        assert "got one that is running; to cancel it and repeat it: --force" in refusal(folder, "requeue", first)
        assert ctl(folder, "requeue", first, "--force").startswith(f"{first[:-1]}1 is queued")
        assert ctl(folder, "set", "concurrency=4").startswith("concurrency 4")
        status = running.until(folder, lambda status: len(status.queued) == 3)
        assert (status.done, status.concurrency, status.queued[0]) == (1, 4, f"{first[:-1]}1")
        running.open_the_gate()
        assert ctl(folder, "resume") == "resumed\n"
        code, err = running.end()
    assert code == 0, err
    assert decisions(folder) == {first: "cancelled", last: "cancelled", f"{first[:-1]}1": "requeued"}
    found = results(RunFolder.open_to_read(folder))
    assert found.count("unsolved") == 5
    assert {row.path: row.reason for row in found.rows}[last] == "cancelled by operator"
    assert {row.attempt for row in found.rows if row.task == first.split("/")[0]} == {1}
    assert not (folder / SOCKET).exists()
    assert "has ended" in refusal(folder, "status")


@pytest.mark.parametrize("end", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL])
def test_a_paused_run_that_was_interrupted_or_killed_resumes_and_is_not_paused(
    end: signal.Signals, tmp_path: Path, scripted: list[str]
) -> None:
    folder = tmp_path / ("deep" * 50) / ("deep" * 30) / "run"
    folder.parent.mkdir(parents=True)
    arguments = ["--tasks", "beehive,lantern,cake", "--concurrency", "2", "--out", str(folder)]
    with child(tmp_path / "gate", "eval", "react", "textcraft", *arguments, *scripted) as running:
        running.until(folder, lambda status: len(status.running) == 2)
        assert "no longer paused" in ctl(folder, "pause")
        assert ctl(folder, "requeue", "beehive", "--force").startswith("beehive/0/1 is queued")
        os.kill(running.process.pid, end)
        code, err = running.end()
    assert code == (130 if end == signal.SIGINT else -end), err
    assert (folder / SOCKET).exists() == (end == signal.SIGKILL)
    assert "got one that was interrupted" in refusal(folder, "status")
    with child(tmp_path / "gate", "resume", str(folder)) as running:
        assert not running.until(folder, lambda status: len(status.running) == 2).paused
        running.open_the_gate()
        code, err = running.end()
    assert code == 0, err
    rows = {row.path: row.reason for row in results(RunFolder.open_to_read(folder)).rows}
    assert rows == {
        "beehive/0/1": "given up as impossible",
        "lantern/0/0": "given up as impossible",
        "cake/0/0": "given up as impossible",
    }


@pytest.mark.slow
def test_ctl_on_a_study_controls_its_running_arm(tmp_path: Path, scripted: list[str]) -> None:
    folder = tmp_path / "study"
    arguments = ["--tasks", "beehive", "--out", str(folder), *scripted]
    with child(tmp_path / "gate", "study", "demo", *arguments) as running:
        running.until(folder, lambda status: len(status.running) == 1)
        first = ctl(folder, "cancel", "beehive").splitlines()
        assert first[0].startswith("arm ")
        assert first[1] == "beehive/0/0 ended: unsolved, cancelled by operator, reward 0"
        running.open_the_gate()
        code, err = running.end()
    assert code == 0, err
    assert "got one with no arm running" in refusal(folder, "status")


def held(path: Path) -> WritableRun:
    """A run that is open to write, and does not listen."""
    return WritableRun.open(path)


def test_a_run_is_found_by_a_part_of_its_name_or_because_no_other_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "ctl: expected a run that is running here, found none (quintet ls)" in refused("ctl", "status")
    paths = [samples.write(tmp_path / "runs" / name, samples.record(), {}) for name in ("one", "other")]
    not_listening = "expected a run that is running, got one that was interrupted, or that cannot be controlled"
    with held(paths[0]):
        for words in (["status"], ["on", "pause"], ["runs/one", "stop"]):
            said = refused("ctl", *words)
            assert not_listening in said
            assert "runs/one" in said
        wanted = "expected the name of a run that is running here, 'two', found runs/one"
        assert wanted in refused("ctl", "two", "stop")
        with held(paths[1]):
            assert "since several run: runs/one, runs/other" in refused("ctl", "stop")
            assert "runs/one" in refused("ctl", "one", "stop")
        assert "got 'stpo'" in refused("ctl", "stpo")


def test_a_person_is_asked_which_run_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    paths = [samples.write(tmp_path / "runs" / name, samples.record(), {}) for name in ("one", "other")]
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    with held(paths[0]), held(paths[1]):
        for answer, said in (("2\n", "runs/other"), ("3\n", "expected a number from 1 to 2, got '3'")):
            monkeypatch.setattr(sys.stdin, "readline", lambda answer=answer: answer, raising=False)
            asked = refused("ctl", "status")
            assert asked.startswith("1: runs/one\n2: runs/other\nWhich run? ")
            assert said in asked.split("Which run? ")[1]
