"""Learning through the whole system, on the simulated model: what a plan is good for, and what a kill does to it."""

import asyncio
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

from deploy.embedding import evaluate, open_run
from protocols.events import AnyEvent
from tests.deploy.test_evaluation import KILLED, ROOT, events

pytestmark = pytest.mark.xdist_group("learning")
"""One process has each plan learnt once for all tests."""

TASKS = 10
"""Unseen ones, by which plans are tried."""


async def _learnt(folder: Path, kind: str) -> str:
    settings = {
        "run": {"learn": True, "task_type": kind},
        "learning": {"iterations": 2, "eval_every": 0},
    }
    async with open_run("autoplan", "alfworld", tasks=1, out=folder, settings=settings) as run:
        async for _ in run.run(run.left()):
            pass
    return (folder / "plan.md").read_text()


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By type of task, the file of the plan that was learnt for it."""
    folder = tmp_path_factory.mktemp("plans")
    for kind in ("heat", "cool"):
        asyncio.run(_learnt(folder / kind, kind))
    return {kind: folder / kind / "plan.md" for kind in ("heat", "cool")}


@cache
def success(method: str, kind: str, plan: Path | None = None) -> float:
    shown = {} if plan is None else {"plan": str(plan)}
    shots = {} if method == "autoplan" else {"demonstrations": "none"}
    settings = {
        "run": {"task_type": kind},
        "method": {**shots, **shown},
        "environment": {"causes": True},
    }
    return fmean(end.reward for end in evaluate(method, "alfworld", tasks=TASKS, settings=settings))


@pytest.mark.parametrize("kind", ["heat", "cool"])
@pytest.mark.parametrize("method", ["autoplan", "react", "adapt"])
def test_a_plan_improves_every_method_that_takes_one(method: str, kind: str, plans: dict[str, Path]) -> None:
    assert success(method, kind, plans[kind]) >= success(method, kind) + 0.4


@pytest.mark.parametrize(("kind", "other"), [("heat", "cool"), ("cool", "heat")])
def test_with_plans_shuffled_between_types_of_tasks_the_gain_is_gone(
    kind: str, other: str, plans: dict[str, Path]
) -> None:
    assert success("autoplan", kind, plans[other]) == success("autoplan", kind)


def test_a_plan_without_its_words_is_no_help(plans: dict[str, Path], tmp_path: Path) -> None:
    silent = tmp_path / "plan.md"
    silent.write_text("1. Do the job.\n")
    assert success("autoplan", "heat", silent) == success("autoplan", "heat")


def test_a_real_kill_in_every_phase_resumes_to_the_same_plans(tmp_path: Path) -> None:
    flags = ["--tasks", "1", "--train-tasks", "4", "--batch", "2", "--set", "method.max_steps=3"]

    def command(lives: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
        called = [sys.executable, "-c", KILLED, str(lives), *arguments]
        return subprocess.run(called, cwd=ROOT, capture_output=True, text=True, check=False)

    def optimize(folder: Path, lives: int) -> int:
        return command(lives, "optimize", "autoplan", "textcraft", *flags, "--out", str(folder)).returncode

    def copies(folder: Path) -> dict[str, str]:
        return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.md")}

    whole = tmp_path / "whole"
    assert optimize(whole, 10**9) == 0
    expected: dict[tuple[str, str], AnyEvent] = events(whole)
    assert {"plan.md", "plans/2.md", "reflections/2.md"} <= copies(whole).keys()
    for moment in range(1, 5):
        folder = tmp_path / f"killed-{moment}"
        assert optimize(folder, moment * len(expected) // 5) == -signal.SIGKILL
        resumed = command(10**9, "resume", str(folder))
        assert resumed.returncode == 0, resumed.stderr
        assert events(folder) == expected
        assert copies(folder) == copies(whole)
