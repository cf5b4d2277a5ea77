"""Runs that are gone on with from Python."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from quintet.api import open_run, read_run, reopen_run, resume
from quintet.errors import UsageError
from tests.deploy.hooks.test_thread import Listed


async def leave_after_one(folder: Path) -> None:
    begun = open_run("react", "textcraft", model="sim-strong", tasks=2, journal=folder)
    async with begun as run, aclosing(run.run(run.left())) as ends:
        async for _ in ends:
            break


def test_a_run_that_was_left_is_resumed_read_and_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    asyncio.run(leave_after_one(folder))
    assert "unfinished" in read_run(folder).polars("episodes")["state"]
    hook = Listed()
    (end,) = resume(str(folder), hooks=[hook])
    assert hook.told[:2] == ["begin run", f"start {end.path}"]
    assert "end 1.0" in hook.told
    assert end.reward == 1.0
    assert read_run(folder).polars("episodes")["success"].to_list() == [True, True]
    assert resume(folder) == []

    async def look() -> int:
        async with reopen_run(folder, settings={"runtime": {"concurrency": 3}}) as run:
            return len(run.left(retry_faulted=True))

    assert asyncio.run(look()) == 0


def test_what_would_change_results_and_what_is_no_run_is_refused(tmp_path: Path) -> None:
    asyncio.run(leave_after_one(tmp_path / "run"))
    with pytest.raises(UsageError, match=r"run\.seed"):
        resume(tmp_path / "run", settings={"run": {"seed": 5}})
    with pytest.raises(UsageError, match="settings: expected a mapping by section"):
        resume(tmp_path / "run", settings=[1])  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"run\.json"):
        resume(tmp_path)
