"""Runs on Ray as a person starts them: from the command line, from a file, and from a notebook."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.cluster.cluster import Cluster
from quintet.errors import UsageError
from quintet.events import EpisodeEnded

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

ROOT = Path(__file__).parents[3]
GOALS = "beehive,lantern,stick"

PLACEMENT = """
[runtime]
placement = "per-role"
concurrency = 3
[runtime.roles.environment]
hosts = 2
cpus = 0.1
"""


def demo(out: Path, *flags: str) -> tuple[dict[str, Any], str]:
    """The report of the demo over some goals, without what may differ, and its standard error."""
    code = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "study", "demo", "--tasks", GOALS, "--json", "--out", str(out), *flags]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    for run in report["runs"]:
        for key in ("path", "seconds"):
            del run[key]
        del run["configuration"]["runtime"]
        for episode in run["episodes"]:
            del episode["seconds"]
    return report, done.stderr


def test_the_demo_on_ray_reports_the_same_as_the_local_one_and_says_where_to_see_its_actors(tmp_path: Path) -> None:
    placement = tmp_path / "placement.toml"
    placement.write_text(PLACEMENT)
    local, _ = demo(tmp_path / "local")
    on_ray, said = demo(tmp_path / "ray", "--config", str(placement))
    assert on_ray == local
    assert "Ray namespace quintet-adapt-" in said
    assert "ray list actors --address http://127.0.0.1:" in said


def cell(**runtime: Any) -> list[EpisodeEnded]:
    """A cell of a notebook, whose loop runs already."""

    async def run() -> list[EpisodeEnded]:
        return evaluate("react", "textcraft", model="sim-strong", tasks=2, settings={"runtime": runtime})

    return asyncio.run(run())


def test_a_notebook_that_is_connected_to_ray_evaluates_there(local_cluster: Cluster) -> None:
    assert local_cluster.nodes
    assert [end.reward for end in cell(kind="ray", hosts=1)] == [1.0, 1.0]
    with pytest.raises(UsageError, match=r"--ray-address: expected .*, the cluster that this process is in, got 10\.0"):
        cell(address="10.0.0.1:6379")
