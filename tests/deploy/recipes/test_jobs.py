"""The recipes that can run on this machine: real Ray jobs, and the Slurm script with a fake Slurm."""

import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.recipes.recipe import FOLDER, README

pytestmark = [pytest.mark.slow, pytest.mark.ray, pytest.mark.xdist_group("ray")]

BIN = Path(sys.executable).parent
OURS = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "SLURM_", "QUINTET_"))}
VARIABLES = {
    **OURS,
    "PATH": f"{BIN}{os.pathsep}{FOLDER}{os.pathsep}{os.environ['PATH']}",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_JOB_STOP_WAIT_TIME_S": "60",
    "TERM": "dumb",
}
DASHBOARD = "http://127.0.0.1:8265"
ADAPT = ["eval", "adapt", "textcraft", "--tasks", "80", "--ray-address", "auto"]


def free_ports(count: int) -> list[int]:
    """Ports above those of Ray's workers and below the system's ephemeral ones, so no other program takes them."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("", port)):
            found.append(port)
    return found


def parents() -> dict[int, int]:
    """Of every process, by id."""
    found: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            found[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    return found


def below(process: int) -> set[int]:
    """All processes that a process started, directly or not."""
    above, found = parents(), {process}
    while more := {child for child, parent in above.items() if parent in found} - found:
        found |= more
    return found - {process}


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all processes that it started."""
    if process.poll() is not None:
        return
    started = below(process.pid)
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    time.sleep(1)
    for survivor in started & parents().keys():
        with suppress(ProcessLookupError):
            os.kill(survivor, signal.SIGKILL)


@dataclass(frozen=True)
class Head:
    """A Ray head that is this module's own."""

    dashboard: str

    def submit(
        self, *entrypoint: str, options: Sequence[str] = (), variables: Mapping[str, str] = VARIABLES
    ) -> subprocess.CompletedProcess[str]:
        """Submit a job as the README does, and wait for it."""
        command = [str(BIN / "ray"), "job", "submit", "--address", self.dashboard, *options, "--", *entrypoint]
        return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=240, check=False)

    def call(self, path: str, *, method: str = "GET") -> Any:
        """What the dashboard answers; as Ray's own command calls it, but at once."""
        token = {"Authorization": f"Bearer {VARIABLES['RAY_AUTH_TOKEN']}"}
        request = urllib.request.Request(f"{self.dashboard}/api/{path}", headers=token, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    gcs, dashboard, agent, agent_grpc, client, metrics = free_ports(6)
    with tempfile.TemporaryDirectory(prefix="q-", dir="/tmp") as folder, (Path(folder) / "head.log").open("wb") as log:
        process = subprocess.Popen(
            [
                *(BIN / "ray", "start", "--head", "--block", "--num-cpus=2", f"--object-store-memory={128 * 2**20}"),
                *(f"--temp-dir={folder}/ray", f"--port={gcs}", "--dashboard-host=127.0.0.1"),
                *(f"--dashboard-port={dashboard}", f"--dashboard-agent-listen-port={agent}"),
                *(f"--dashboard-agent-grpc-port={agent_grpc}", f"--ray-client-server-port={client}"),
                f"--metrics-export-port={metrics}",
            ],
            env=VARIABLES,
            stdout=log,
            stderr=log,
        )
        try:
            started = Head(f"http://127.0.0.1:{dashboard}")
            until = time.monotonic() + 120
            while "--block" not in Path(log.name).read_text():  # the last that it says, when all of it runs
                assert time.monotonic() < until, Path(log.name).read_text()
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.1)
            yield started
        finally:
            end(process)


def as_shown(beginning: str, folder: Path, *more: str) -> list[str]:
    """A job's entrypoint from the README, with a folder of our own, and more flags."""
    prefix = f"ray job submit --address {DASHBOARD} -- "
    [line] = [
        shown.strip().removeprefix(prefix)
        for shown in README.read_text().split("## `ray up`")[0].splitlines()
        if shown.strip().startswith(prefix + beginning)
    ]
    assert "/runs/react" in line
    return [*line.replace("/runs/react", str(folder)).split(), *more]


def in_an_environment_of_its_own(folder: Path) -> list[str]:
    """Options of a job: a variable, and a working directory that Ray copies."""
    work = folder / "work"
    work.mkdir()
    return ["--runtime-env-json", json.dumps({"env_vars": {"SOMETHING": "else"}, "working_dir": str(work)})]


def on_one_node(entrypoint: list[str]) -> list[str]:
    number = entrypoint.index("--nodes") + 1
    return [*entrypoint[:number], "1", *entrypoint[number + 1 :]]


def test_a_job_runs_and_submitted_again_says_that_nothing_is_left(head: Head, tmp_path: Path) -> None:
    run = tmp_path / "react"
    first = head.submit(*as_shown("quintet eval", run, "--tasks", "2"))
    assert first.returncode == 0, first.stdout
    assert "2/2 episodes" in first.stdout
    assert json.loads((run / "run.json").read_text())["configuration"]["runtime"]["address"] == "auto"
    options = in_an_environment_of_its_own(tmp_path)
    second = head.submit(*on_one_node(as_shown("run-or-resume.sh", run)), options=options)
    assert second.returncode == 0, second.stdout
    assert "nothing to resume: all 2 episodes ended" in second.stdout


def test_a_job_that_is_stopped_suspends_and_submitted_again_finishes(head: Head, tmp_path: Path) -> None:
    run = tmp_path / "run"
    entrypoint = ["run-or-resume.sh", str(run), *ADAPT]
    options = in_an_environment_of_its_own(tmp_path)
    begun = head.submit(*entrypoint, options=[*options, "--no-wait", "--submission-id", "first"])
    assert begun.returncode == 0, begun.stderr
    wait_for(lambda: list(run.glob("journal.sqlite-wal")))
    head.call("jobs/first/stop", method="POST")
    wait_for(lambda: [] if head.call("jobs/first")["status"] == "RUNNING" else ["it ended"])
    assert f"interrupted; to go on: quintet resume {run}" in head.call("jobs/first/logs")["logs"]
    finished = head.submit(*entrypoint)
    assert finished.returncode == 0, finished.stdout
    assert "80/80 episodes" in finished.stdout


def test_without_the_token_no_job_is_accepted(head: Head) -> None:
    refused = head.submit("true", variables={**VARIABLES, "RAY_AUTH_TOKEN": "guessed"})
    assert refused.returncode != 0
    assert "AuthenticationError" in refused.stderr


def wait_for(look: Callable[[], Sequence[object]]) -> None:
    until = time.monotonic() + 120
    while not look():
        assert time.monotonic() < until
        time.sleep(0.05)


@dataclass(frozen=True)
class Slurm:
    """Calls the script, and records its requests."""

    folder: Path
    variables: Mapping[str, str]

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / "job.log").open("ab") as log:
            script = ["bash", str(FOLDER / "slurm.sh"), str(self.folder / "keep"), *arguments]
            return subprocess.Popen(script, env=self.variables, stdout=log, stderr=log, cwd=self.folder)

    @property
    def log(self) -> str:
        return (self.folder / "job.log").read_text()

    @property
    def asked(self) -> list[str]:
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def slurm(tmp_path: Path) -> Iterator[Slurm]:
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("srun", "scontrol"):
        (commands / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\n')
        (commands / name).chmod(0o755)
    [port] = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="q-", dir="/tmp") as disk:
        yield Slurm(
            tmp_path,
            {
                **VARIABLES,
                "PATH": f"{commands}{os.pathsep}{VARIABLES['PATH']}",
                "SLURM_TMPDIR": disk,
                "SLURM_JOB_ID": "77",
                "SLURM_JOB_NUM_NODES": "1",
                "SLURM_CPUS_ON_NODE": "2",
                "PORT": str(port),
            },
        )
        assert list(Path(disk).iterdir()) == []


def test_slurms_time_limit_suspends_copies_and_requeues_and_the_next_start_finishes(slurm: Slurm) -> None:
    first = slurm.start(*ADAPT)
    try:
        wait_for(lambda: list(Path(slurm.variables["SLURM_TMPDIR"]).glob("*/run/keep/journal.sqlite-wal")))
        first.send_signal(signal.SIGTERM)
        assert first.wait(120) == 130, slurm.log
    finally:
        end(first)
    assert slurm.asked == ["scontrol requeue 77"]
    assert {"run.json", "journal.sqlite"} <= {file.name for file in (slurm.folder / "keep").iterdir()}
    second = slurm.start(*ADAPT)
    try:
        assert second.wait(240) == 0, slurm.log
    finally:
        end(second)
    assert "80/80 episodes" in slurm.log
    assert slurm.asked == ["scontrol requeue 77"]
    report = subprocess.run(
        [BIN / "quintet", "report", "--json", slurm.folder / "keep"],
        env=VARIABLES,
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(report.stdout)
