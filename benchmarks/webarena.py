"""WebArena: a step, opening a session, going back, a session's memory, eight sessions at once, a page that hangs."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.measuring import Figure, Took, timed
from quintet.environments.webarena.browser.launch import find_chromium
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.world import WebArena
from quintet.errors import UsageError
from quintet.messages.environment import Task

_EVERY = 2
"""Of the 26 tasks every second is played, so that each site is."""
_AT_ONCE = 8


def figures() -> Iterator[Figure]:
    """On our sites, along the tasks' walks. None where there is no Chromium."""
    try:
        find_chromium()
    except UsageError:
        return
    yield from asyncio.run(_figures())


async def _figures() -> list[Figure]:
    world = WebArena()
    tasks = [Task(name=name, seed=0) for name in world.tasks("test")[::_EVERY]]
    try:
        await _play(world, tasks[:1])  # starts the browser, fills the seed, compiles templates
        return [
            *await _alone(world, tasks),
            await _memory(world, tasks),
            *await _together(world, tasks),
        ]
    finally:
        await world.aclose()


async def _alone(world: WebArena, tasks: Sequence[Task]) -> list[Figure]:
    opened: list[Took] = []
    steps: list[Took] = []
    restored: list[Took] = []
    for task in tasks:
        session = await timed(world.open(task), opened)
        await _walk(session, steps)
        snapshot = await session.snapshot()
        again = await timed(world.restore(task, snapshot), restored)
        await again.close()
        await session.close()
    ours = median(each.ours for each in steps)
    return [
        Figure("webarena step with its tree, p50", median(each.wall for each in steps), "ms", "at most 150 ms"),
        Figure("webarena step, CPU of this process, p50", ours, "ms", "at most 20 ms; the sites are served in it too"),
        Figure("webarena session opened, p50", median(each.wall for each in opened), "ms", "at most 300 ms"),
        Figure("webarena going back, p50", median(each.wall for each in restored), "ms", "at most 400 ms"),
    ]


async def _memory(world: WebArena, tasks: Sequence[Task]) -> Figure:
    """What each further session takes, in the browser and in this process."""
    sessions = [await world.open(tasks[0])]
    before = _memory_of_all()
    sessions += [await world.open(task) for task in tasks[1 : _AT_ONCE + 1]]
    taken = _memory_of_all() - before
    for session in sessions:
        await session.close()
    return Figure("webarena memory of a session", taken / _AT_ONCE / 1e6, "MB", "at most 80 MB")


async def _together(world: WebArena, tasks: Sequence[Task]) -> list[Figure]:
    alone = await _rate(world, [tasks])
    together = await _rate(world, [tasks] * _AT_ONCE)
    hanging = await _beside_a_page_that_hangs(world, tasks)
    cores = f"here {os.cpu_count()} cores"
    return [
        Figure(
            f"webarena steps of {_AT_ONCE} sessions at once",
            together,
            "/s",
            f"{together / alone:.1f} times one session's {alone:.1f}; at least 5 where cores allow, {cores}",
        ),
        Figure(
            "webarena steps beside a page that hangs",
            hanging,
            "/s",
            f"{hanging / alone:.1f} times one session's alone; it takes a core, {cores}",
        ),
    ]


async def _beside_a_page_that_hangs(world: WebArena, tasks: Sequence[Task]) -> float:
    """Steps per second of a session while a script in another window of its browser does not end."""
    browser = HostBrowser()
    window = await browser.browser.window(hosts=())
    try:
        await window.open(["about:blank"])
        looping = asyncio.create_task(window.evaluate(None, "() => { while (true) {} }"))
        rate = await _rate(world, [tasks])
        await looping
        return rate
    finally:
        await window.close()
        await browser.close()


async def _rate(world: WebArena, groups: Sequence[Sequence[Task]]) -> float:
    """Steps per second, with the tasks of a group played one after the other, and the groups at once."""
    started = time.perf_counter()
    taken = await asyncio.gather(*(_play(world, tasks) for tasks in groups))
    return sum(taken) / (time.perf_counter() - started)


async def _play(world: WebArena, tasks: Sequence[Task]) -> int:
    steps: list[Took] = []
    for task in tasks:
        session = await world.open(task)
        await _walk(session, steps)
        await session.close()
    return len(steps)


async def _walk(session: WebSession, steps: list[Took]) -> None:
    """Follow the walk up to its `stop`, which evaluates the task."""
    while (advised := await session.expert()) and not advised[0].startswith("stop"):
        await timed(session.step(advised[0]), steps)


def _memory_of_all() -> int:
    """Bytes of this process and of all below it, with what they share counted once."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended meanwhile
    family = {os.getpid()}
    while more := {number for number, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(_share(number) for number in family)


def _share(number: int) -> int:
    try:
        rollup = Path(f"/proc/{number}/smaps_rollup").read_text()
    except OSError:
        return 0  # it ended meanwhile
    return 1024 * int(rollup.partition("\nPss:")[2].split()[0])


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
