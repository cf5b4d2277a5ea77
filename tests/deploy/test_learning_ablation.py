"""AutoPlan's ablation through the whole system, simulated: with summaries alone nothing improves steadily."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from quintet.api import open_run
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder

pytestmark = pytest.mark.xdist_group("learning")


async def _learn(folder: Path, kind: str, seed: int, reflection: str) -> None:
    settings = {
        "run": {"learn": True, "task_type": kind, "seed": seed},
        "learning": {"iterations": 6, "reflection": reflection},
    }
    async with open_run("autoplan", "alfworld", tasks=4, journal=folder, settings=settings) as run:
        async for _ in run.run(run.left()):
            pass


def rates(folder: Path, kind: str, seed: int, reflection: str) -> list[float]:
    """The success of every version, from the empty plan on."""
    asyncio.run(_learn(folder, kind, seed, reflection))
    learning = results(RunFolder.open_to_read(folder)).learning
    assert learning is not None
    successes = [version.test.success for version in learning.versions if version.test is not None]
    return [success.value for success in successes if success is not None]


@pytest.mark.slow
def test_with_summaries_alone_a_plan_that_works_may_be_given_up_again(tmp_path: Path) -> None:
    """Which runs give one up depends on guesses, so one of a few is enough."""
    runs = ((kind, seed) for seed in (1, 2, 3) for kind in ("heat", "cool"))
    for kind, seed in runs:
        found = rates(tmp_path / f"{kind}-{seed}", kind, seed, "summary")
        assert len(found) == 7
        if any(later < earlier for earlier, later in pairwise(found)):
            return
    pytest.fail("no plan that worked was given up")


def test_with_full_reflection_a_plan_that_works_is_kept(tmp_path: Path) -> None:
    found = rates(tmp_path / "run", "heat", 3, "full")
    assert found == sorted(found)
    assert found[0] == 0 < found[-1]
