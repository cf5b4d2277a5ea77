"""A trainer that is really killed, and begun again from its checkpoint."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from quintet.api import read_run

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

NAMES = {f"{task}/{number}" for task in ("beehive", "stick", "torch") for number in range(2)}


@asynccontextmanager
async def trainer(*arguments: object) -> AsyncGenerator[asyncio.subprocess.Process, None]:
    main = "from tests.deploy.rollouts.trainer import main; main()"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", main, *map(str, arguments), stdout=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def told(process: asyncio.subprocess.Process, most: int | None = None) -> list[list[str]]:
    """The lines that it tells, up to so many, in words."""
    assert process.stdout is not None
    found = list[list[str]]()
    async for line in process.stdout:
        found.append(line.decode().split())
        if len(found) == most:
            break
    return found


def seeds(run: Path) -> dict[str, set[int]]:
    """Those of the recorded calls, by group."""
    found: dict[str, set[int]] = {name: set() for name in NAMES}
    for path, seed in read_run(run).polars("calls").select("path", "seed").iter_rows():
        task, epoch, *_ = path.split("/")
        found[f"{task}/{int(epoch) // 4}"].add(seed)
    return found


@pytest.mark.parametrize("lines", [1, 12, 40])
async def test_a_killed_trainer_asks_nothing_again_and_gets_whole_groups(lines: int, tmp_path: Path) -> None:
    run = tmp_path / "run"
    async with trainer(run, 0) as process:
        before = await told(process, lines)
        process.kill()
        assert await process.wait() == -signal.SIGKILL
        before += await told(process)
    recorded = set[int]().union(*seeds(run).values())
    done = [line[1] for line in before if line[0] == "group"]
    async with trainer(run, len(done), *done) as process:
        after = await told(process)
        assert await process.wait() == 0
    asked = [int(line[1]) for line in after if line[0] == "call"]
    assert len(set(asked)) == len(asked)
    assert not recorded.intersection(asked)
    groups = {line[1]: set(map(int, line[2:])) for line in after if line[0] == "group"}
    assert set(groups) == NAMES - set(done)
    assert groups == {name: found for name, found in seeds(run).items() if name in groups}
    episodes = read_run(run).polars("episodes")
    assert len(episodes) == len(NAMES) * 4, "each group has all of its attempts"
    assert recorded or lines == 1, "something was recorded before the kill"
