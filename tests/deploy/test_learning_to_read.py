"""Learning on HotpotQA and WebShop through the whole system, on the simulated model that begins with wrong beliefs."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from quintet.api import open_run
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("learning")]

TASKS = 12


async def _learn(method: str, world: str, folder: Path, learning: dict[str, Any]) -> None:
    settings = {"run": {"learn": True}, "learning": learning, "model": {"name": "sim-weak"}}
    async with open_run(method, world, tasks=TASKS, journal=folder, settings=settings) as run:
        async for _ in run.run(run.left()):
            pass


@pytest.mark.parametrize("world", ["hotpotqa", "webshop"])
@pytest.mark.parametrize(
    ("method", "learning"),
    [("autoplan", {"iterations": 2, "eval_every": 1}), ("ldm2", {"tasks": 16, "goals": 4, "eval_every": 1})],
)
def test_what_is_learnt_from_tasks_solves_others(
    method: str, learning: dict[str, Any], world: str, tmp_path: Path
) -> None:
    asyncio.run(_learn(method, world, tmp_path / "run", learning))
    learnt = results(RunFolder.open_to_read(tmp_path / "run")).learning
    assert learnt is not None
    shares = [version.test.success for version in learnt.versions if version.test is not None]
    before, *_, after = [share.value for share in shares if share is not None]
    assert len(shares) == 3
    assert after >= before + 0.3
