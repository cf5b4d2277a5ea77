"""Runs on Ray as a person starts them: from the command line, from a file, and from a notebook."""

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.cluster.cluster import Cluster
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from tests.actors.environments.mcp import notes_server
from tests.command import command
from tests.test_packaging import COMMAND, run, with_folders_of_our_names

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

GOALS = "beehive,lantern,stick"

ACTIONS = ('write {"text": "tea"}', 'submit {"answer": "milk"}')

PLACEMENT = """
[runtime]
placement = "per-role"
concurrency = 3
[runtime.roles.environment]
hosts = 2
cpus = 0.1
"""


CHECK = """
async def wrote(session, answer):
    told = await session.call("tell", variable="INK")
    return float(told == "<INK>" and await session.call("write", text=answer) == "2 notes")
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


@pytest.mark.slow
def test_a_world_of_tools_on_ray_reports_the_same_as_the_local_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INK", "iron-gall-4711")
    monkeypatch.chdir(tmp_path)
    shutil.copy(notes_server.__file__, "notes.py")
    Path("check.py").write_text(CHECK)
    Path("script.json").write_text(json.dumps([f"Action: {action}" for action in ACTIONS]))
    options = ("environment.goal=write a note", "environment.check=check.py:wrote", "environment.variables=['INK']")
    flags = [word for option in (*options, "model.script=script.json") for word in ("--set", option)]
    words = ["eval", "react", f"mcp:{sys.executable} notes.py", "--model", "scripted", "--json", *flags]
    local = command(*words, "--out", "local", code=0)
    on_ray = run(COMMAND, *words, "--placement", "per-role", "--out", "ours", folder=tmp_path)
    assert on_ray.returncode == 0, on_ray.stderr
    assert comparable(on_ray.stdout) == comparable(local.out)
    (episode,) = comparable(local.out)["runs"][0]["episodes"]
    assert (episode["reward"], episode["figures"]) == (1.0, {"check": 1.0})


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
