"""The recipes as a person submits them, to schedulers that are small scripts (`shims/`): runs, studies and learners."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # no stubs installed; basedpyright brings its own

from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import open_any
from tests.deploy.recipes.recipe import FOLDER, README, documents

pytestmark = pytest.mark.slow

SHIMS = Path(__file__).with_name("shims")
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

REFLEXION = ["eval", "reflexion", "textcraft", "--tasks", "4"]
ALL: Mapping[str, list[str]] = {**COMMANDS, "reflections": REFLEXION}
JOIN = ["--ray-address", "auto"]

_RAY = """
import os

class util:
    @staticmethod
    def get_node_ip_address():
        return "127.0.0.1"

def init(**_):
    pass

def nodes():
    return [{"Alive": True}] * len(os.listdir(os.environ["SHIM_NODES_ARE"]))
"""


@dataclass(frozen=True)
class Site:
    """A machine from which jobs are submitted."""

    folder: Path
    variables: dict[str, str]

    def call(self, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            list(map(str, command)),
            env=self.variables | variables,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )

    def state(self) -> int:
        """The exit code of the last job of a scheduler."""
        return int((self.folder / "calls" / "state").read_text())

    def asked(self, command: str) -> list[str]:
        """What a command was called with."""
        return (self.folder / "calls" / command).read_text().splitlines()

    @property
    def log(self) -> str:
        """Of the Slurm job."""
        return (self.folder / "quintet-77.log").read_text()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    for name in ("calls", "nodes", "runs", "python/ray"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "python" / "ray" / "__init__.py").write_text(_RAY)
    kept_from_us = ("RAY_", "SLURM_", "QUINTET_")
    with tempfile.TemporaryDirectory(prefix="q-", dir="/tmp") as disk:
        variables = {name: value for name, value in os.environ.items() if not name.startswith(kept_from_us)}
        yield Site(
            tmp_path,
            variables
            | {
                "PATH": os.pathsep.join(map(str, (SHIMS, BIN, FOLDER, os.environ["PATH"]))),
                "PYTHONPATH": str(tmp_path / "python"),
                "SHIM_CALLS": str(tmp_path / "calls"),
                "SHIM_NODES_ARE": str(tmp_path / "nodes"),
                "SHIM_RUNS": str(tmp_path / "runs"),
                "SHIM_QUINTET": str(BIN / "quintet"),
                "SLURM_TMPDIR": disk,
                "TERM": "dumb",
            },
        )
        assert list(Path(disk).iterdir()) == []


def finished(path: Path) -> bool:
    found = open_any(path)
    if isinstance(found, RunFolder):
        return results(found).finished
    return all(found.begun(arm) for arm in found.record.arms) and all(
        results(arm).finished for arm in found.arms().values()
    )


def names(path: Path) -> set[str]:
    return {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}


@pytest.mark.parametrize("kind", ALL)
def test_sbatch_runs_on_three_nodes_and_keeps_all_of_it(kind: str, site: Site) -> None:
    keep = site.folder / "keep"
    submitted = site.call("sbatch", FOLDER / "slurm.sh", keep, *ALL[kind], *JOIN, SHIM_NODES="3")
    assert submitted.stdout == "Submitted batch job 77\n"
    assert site.state() == 0, site.log
    assert finished(keep)
    assert sorted(call.split()[1] for call in site.asked("ray")) == ["--block", "--block", "--head"]
    assert list((site.folder / "nodes").iterdir()) == [], "every Ray was ended"
    by_hand = site.call("quintet", *ALL[kind], "--out", site.folder / "by-hand")
    assert by_hand.returncode == 0, by_hand.stdout
    assert names(keep) == {name for name in names(site.folder / "by-hand") if Path(name).name != "lock"}


def test_an_array_keeps_the_shard_of_every_task_and_submitted_again_resumes_each(site: Site) -> None:
    keep = site.folder / "keep"
    sharded = {"SHIM_QUINTET": str(SHIMS / "sharded"), "SHIM_WHOLE": site.variables["SHIM_QUINTET"]}
    for _ in range(2):
        site.call("sbatch", "--array=0-1", FOLDER / "slurm.sh", keep, *COMMANDS["run"], *JOIN, **sharded)
        assert site.state() == 0, site.log
    assert site.log.count("nothing to resume") == 2
    assert {path.name for path in keep.iterdir()} == {"run.json", "shards"}
    shards = sorted((keep / "shards").iterdir())
    assert [path.name for path in shards] == ["0", "1"]
    assert all(map(finished, shards))


@pytest.mark.parametrize(
    ("first", "last", "count", "said"),
    [
        (1, 4, 4, "expected --array=0-N, or SHARDS beside a part of it, got 4 tasks from 1 to 4"),
        (0, 2, 2, "expected --array=0-N, or SHARDS beside a part of it, got 2 tasks from 0 to 2"),
        (0, 0, 1, "expected an array of several tasks, or SHARDS beside one, got one task"),
    ],
)
def test_an_array_that_is_not_of_all_shards_is_refused(
    first: int, last: int, count: int, said: str, site: Site
) -> None:
    refused = site.call(
        "bash", FOLDER / "slurm.sh", site.folder / "keep", *COMMANDS["run"], **_task(first, last, count)
    )
    assert (refused.returncode, refused.stdout) == (2, f"slurm.sh: {said}\n")
    assert not (site.folder / "keep").exists()


def test_a_part_of_an_array_names_the_number_of_all_shards(site: Site) -> None:
    sharded = {"SHIM_QUINTET": str(SHIMS / "sharded"), "SHIM_WHOLE": site.variables["SHIM_QUINTET"]}
    words: list[Path | str] = [FOLDER / "slurm.sh", site.folder / "keep", *COMMANDS["run"], *JOIN]
    site.call("sbatch", *words, **_task(0, 0, 1), **sharded, SHARDS="2")
    assert site.state() == 0, site.log
    assert [path.name for path in (site.folder / "keep" / "shards").iterdir()] == ["0"]


def _task(first: int, last: int, count: int) -> dict[str, str]:
    named = {"ID": first, "MIN": first, "MAX": last, "COUNT": count}
    return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in named.items()}


@pytest.mark.parametrize("kind", LONGER)
def test_a_time_limit_requeues_the_job_and_its_next_start_finishes(kind: str, site: Site) -> None:
    keep = site.folder / "keep"
    site.call("sbatch", FOLDER / "slurm.sh", keep, *LONGER[kind], *JOIN, SHIM_TIME_LIMIT="journal.sqlite-wal")
    assert site.state() == 0, site.log
    assert site.asked("scontrol") == ["requeue 77"]
    assert finished(keep)


@pytest.mark.parametrize(("broken", "what"), [("--head", "Ray's head"), ("--block", "Ray on other nodes")])
def test_a_ray_that_does_not_start_ends_the_job_at_once_and_says_why(broken: str, what: str, site: Site) -> None:
    site.call("sbatch", FOLDER / "slurm.sh", site.folder / "keep", *COMMANDS["run"], SHIM_NODES="2", SHIM_BROKEN=broken)
    assert site.state() == 2
    assert f"slurm.sh: {what} ended; the last lines of its log:\nray: no such interface\n" in site.log
    assert not (site.folder / "calls" / "scontrol").exists(), "it is not requeued"


def test_slurm_fails_and_names_the_folder_if_it_cannot_be_copied(site: Site) -> None:
    keep = site.folder / "keep"
    (keep / "run.json.part").mkdir(parents=True)  # where the last file goes through
    site.call("sbatch", FOLDER / "slurm.sh", keep, *COMMANDS["run"], *JOIN)
    assert site.state() == 2
    [left] = Path(site.variables["SLURM_TMPDIR"]).glob("*/run/keep")
    assert f"as a whole; it is in {left}" in site.log
    assert finished(left)
    shutil.rmtree(left.parents[1])


def test_slurm_reports_that_nothing_has_started(site: Site) -> None:
    site.call("sbatch", FOLDER / "slurm.sh", site.folder / "keep", "eval", "react", "nowhere", *JOIN)
    assert site.state() == 2
    assert "nothing has begun" in site.log


def manifest(site: Site, command: list[str]) -> Path:
    """The RayJob with another command."""
    claim, job = documents("kuberay.yaml")
    wrapper, folder, *_ = job["spec"]["entrypoint"].split()
    job["spec"]["entrypoint"] = " ".join([wrapper, folder, *command, *JOIN])
    file = site.folder / "kuberay.yaml"
    file.write_text(yaml.safe_dump_all([claim, job]))
    return file


@pytest.mark.parametrize("kind", ALL)
def test_a_ray_job_is_applied_looked_at_and_applied_again(kind: str, site: Site) -> None:
    file, run = manifest(site, ALL[kind]), site.folder / "runs" / "react-textcraft"
    for _ in range(2):
        applied = site.call("kubectl", "apply", "--filename", file)
        assert applied.stdout.splitlines() == [
            "persistentvolumeclaim/quintet-runs created",
            "rayjob/react-textcraft created",
        ]
        assert site.state() == 0
    assert finished(run)
    followed = site.call("kubectl", "logs", "--follow", "--selector", "job-name=react-textcraft")
    assert "run folder: " in followed.stdout or kind == "study"
    looked = site.call("kubectl", "exec", "quintet-look", "--", "quintet", "report", "/runs/react-textcraft")
    assert looked.returncode == 0, looked.stdout
    site.call("kubectl", "cp", "quintet-look:/runs/react-textcraft", "copied")
    assert names(site.folder / "copied") == names(run)


def test_a_ray_job_that_fails_is_tried_again_and_says_why_each_time(site: Site) -> None:
    site.call("kubectl", "apply", "--filename", manifest(site, ["eval", "react", "nowhere"]))
    assert site.state() == 2
    log = (site.folder / "calls" / "react-textcraft.log").read_text()
    assert log.count("quintet: ") == 3, log
    assert "nowhere" in log


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", ["ray-up-local.yaml", "ray-up-gcp.yaml"])
def test_a_job_on_a_cluster_of_ray_up_is_submitted_fetched_and_submitted_again(
    name: str, kind: str, site: Site
) -> None:
    shown = [line.strip() for line in README.read_text().splitlines() if line.startswith("    ray ")]
    [submit] = {line.partition(" -- ")[0] for line in shown if "run-or-resume.sh" in line}
    up = site.call("ray", "up", FOLDER / name)
    assert up.returncode == 0, up.stdout
    for _ in range(2):
        job = [*submit.split(), "--", "run-or-resume.sh", "--nodes", "3", "/runs/react", *ALL[kind], *JOIN]
        done = site.call(*job)
        assert done.returncode == 0, done.stdout
    assert finished(site.folder / "runs" / "react")
    site.call("ray", "rsync-down", FOLDER / name, "/runs/react", "./react")
    assert names(site.folder / "react") == names(site.folder / "runs" / "react")


def test_a_job_that_fails_says_so(site: Site) -> None:
    done = site.call("ray", "job", "submit", "--", "run-or-resume.sh", "/runs/react", *RUN, "no-such-task")
    assert done.returncode == 1
    assert "no-such-task" in done.stdout
