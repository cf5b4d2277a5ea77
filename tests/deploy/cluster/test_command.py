"""Runs on Ray as a person starts them: from the command line, from a file, and from a notebook."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.cluster.cluster import Cluster
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from tests.command import command
from tests.test_packaging import COMMAND, run, with_folders_of_our_names

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

GOALS = "beehive,lantern,stick"

PLACEMENT = """
[runtime]
placement = "per-role"
concurrency = 3
[runtime.roles.environment]
hosts = 2
cpus = 0.1
"""


def comparable(report: str) -> dict[str, Any]:
    """A report as JSON, without what may differ between runtimes."""
    found: dict[str, Any] = json.loads(report)
    for each in found["runs"]:
        for key in ("path", "seconds"):
            del each[key]
        del each["configuration"]["runtime"]
        for episode in each["episodes"]:
            del episode["seconds"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("what", [["eval", "adapt", "textcraft"], ["study", "demo"]], ids=" ".join)
def test_the_command_on_ray_reports_the_same_as_the_local_one_and_says_where_to_see_its_actors(
    what: list[str], tmp_path: Path
) -> None:
    local = command(*what, "--tasks", GOALS, "--json", "--out", tmp_path / "local")
    assert local.code == 0, local.err
    project = tmp_path / "project"
    project.mkdir()
    (with_folders_of_our_names(project) / "placement.toml").write_text(PLACEMENT)
    flags = ["--tasks", GOALS, "--json", "--out", "ours", "--config", "placement.toml"]
    on_ray = run(COMMAND, *what, *flags, folder=project)
    assert on_ray.returncode == 0, on_ray.stderr
    assert comparable(on_ray.stdout) == comparable(local.out)
    assert re.search("Ray namespace quintet-(ours|adapt)-[0-9a-f]{6}: ", on_ray.stderr)
    assert "ray list actors --address http://127.0.0.1:" in on_ray.stderr


@pytest.mark.slow
def test_a_fork_on_ray_reports_the_same_as_the_local_one(tmp_path: Path) -> None:
    command("eval", "adapt", "textcraft", "--tasks", GOALS, "--out", tmp_path / "run", code=0)
    words = ["fork", str(tmp_path / "run"), "--at", "step:2", "--observe", "Nothing.", "--times", "2", "--json"]
    local = command(*words, "--out", tmp_path / "local", code=0)
    on_ray = run(COMMAND, *words, "--hosts", "2", "--out", "ours", folder=tmp_path)
    assert on_ray.returncode == 0, on_ray.stderr
    assert comparable(on_ray.stdout) == comparable(local.out)
    assert comparable(local.out)["runs"][0]["fork"]["calls_copied"] > 0


def cell(**runtime: Any) -> list[EpisodeEnded]:
    """A cell of a notebook, whose loop runs already."""

    async def run() -> list[EpisodeEnded]:
        return evaluate("react", "textcraft", model="sim-strong", tasks=2, settings={"runtime": runtime})

    return asyncio.run(run())


@pytest.mark.slow
def test_a_notebook_that_is_connected_to_ray_evaluates_there(local_cluster: Cluster) -> None:
    assert local_cluster.nodes
    assert [end.reward for end in cell(kind="ray", hosts=1)] == [1.0, 1.0]
    with pytest.raises(UsageError, match=r"--ray-address: expected .*, the cluster that this process is in, got 10\.0"):
        cell(address="10.0.0.1:6379")
