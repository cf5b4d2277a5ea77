"""The recipes with runs, studies and learners: begun, interrupted, submitted again, with a fake scheduler."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import open_any
from tests.deploy.recipes.recipe import FOLDER

BIN = Path(sys.executable).parent
RUN = ["eval", "react", "textcraft", "--tasks"]
STUDY = ["study", "demo", "--no-picture", "--tasks"]
LEARNER = ["optimize", "autoplan", "textcraft", "--tasks", "2", "--set", "learning.batch=2", "--train-tasks"]
COMMANDS: Mapping[str, list[str]] = {
    "run": [*RUN, "4"],
    "study": [*STUDY, "3"],
    "learner": [*LEARNER, "2", "--set", "learning.iterations=1"],
}
"""Each ends in a second or two."""
LONGER: Mapping[str, list[str]] = {
    "run": [*RUN, "80", "--concurrency", "1"],
    "study": [*STUDY, "80", "--concurrency", "1"],
    "learner": [*LEARNER, "16", "--set", "learning.iterations=8", "--concurrency", "1"],
}
"""Long enough to be interrupted."""

_RAY = """
class util:
    @staticmethod
    def get_node_ip_address():
        return "127.0.0.1"

def init(**_):
    pass

def nodes():
    return [{"Alive": True}] * 3
"""


@dataclass(frozen=True)
class Scheduler:
    """Starts scripts as a scheduler does, on a node without Ray."""

    folder: Path
    disk: Path
    variables: Mapping[str, str]

    def start(self, *command: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            list(map(str, command)),
            env=self.variables,
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def submit(self, *command: str | Path) -> tuple[int, str]:
        with ended(self.start(*command)) as job:
            said, _ = job.communicate(timeout=60)
            return job.returncode, said

    def slurm(self, keep: Path, command: list[str]) -> tuple[int, str]:
        return self.submit("bash", FOLDER / "slurm.sh", keep, *command)

    @property
    def requeued(self) -> list[str]:
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []


@contextmanager
def ended(job: subprocess.Popen[str]) -> Generator[subprocess.Popen[str], None, None]:
    """The job, and its whole session killed where it does not end inside."""
    with job:
        try:
            yield job
        except BaseException:
            os.killpg(job.pid, signal.SIGKILL)
            raise


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    played = tmp_path / "played"
    (played / "ray").mkdir(parents=True)
    (played / "ray" / "__init__.py").write_text(_RAY)
    scripts = {"ray": "exec sleep 600", "srun": "exec sleep 600", "scontrol": f'echo "$*" >> {tmp_path}/calls'}
    for name, script in scripts.items():
        (played / name).mkdir(exist_ok=True)
        (played / "bin").mkdir(exist_ok=True)
        (played / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (played / "bin" / name).chmod(0o755)
    kept_from_us = ("RAY_", "SLURM_", "QUINTET_")
    with tempfile.TemporaryDirectory(prefix="q-", dir="/tmp") as disk:
        variables = {name: value for name, value in os.environ.items() if not name.startswith(kept_from_us)}
        variables |= {
            "PATH": os.pathsep.join(map(str, (played / "bin", BIN, FOLDER, os.environ["PATH"]))),
            "PYTHONPATH": os.pathsep.join(map(str, (played, FOLDER.parents[1]))),
            "SLURM_TMPDIR": disk,
            "SLURM_JOB_ID": "77",
            "SLURM_JOB_NUM_NODES": "1",
            "TERM": "dumb",
        }
        yield Scheduler(tmp_path, Path(disk), variables)


def finished(path: Path) -> bool:
    found = open_any(path)
    if isinstance(found, RunFolder):
        return results(found).finished
    return all(found.begun(arm) for arm in found.record.arms) and all(
        results(arm).finished for arm in found.arms().values()
    )


def names(path: Path) -> set[str]:
    return {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}


def test_slurm_fails_and_names_the_folder_if_it_cannot_be_copied(scheduler: Scheduler) -> None:
    keep = scheduler.folder / "keep"
    keep.mkdir()
    (keep / "run.json.part").mkdir()  # where the last file goes through
    code, said = scheduler.slurm(keep, COMMANDS["run"])
    assert code == 2
    assert "could not be copied" in said
    [left] = scheduler.disk.glob("*/run/keep")
    assert f"it is in {left}" in said
    assert finished(left)


@pytest.mark.slow
def test_slurm_reports_that_nothing_has_started(scheduler: Scheduler) -> None:
    code, said = scheduler.slurm(scheduler.folder / "keep", ["eval", "react", "nowhere"])
    assert code == 2
    assert "nothing has begun" in said
    assert list(scheduler.disk.iterdir()) == []
