"""MiniWoB++: a step, an opening and a copy, beside the package's own loop by selenium.

Without its package or a Chromium nothing is measured; without selenium, and a driver that `MINIWOB_CHROMEDRIVER` names
(and `MINIWOB_CHROME_BINARY` its Chromium), ours alone.
"""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

from benchmarks.measuring import Figure, Took, timed
from quintet.environments.miniwob.world import Miniwob
from quintet.environments.webarena.browser.launch import find_chromium
from quintet.environments.webarena.observation.page_text import read_shown_page
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.plugins.extras import PackageMissing

_PAGE, _BUTTONS = "click-button-sequence", ("ONE", "TWO")
_EPISODES = 10


def figures() -> Iterator[Figure]:
    """Episodes of a page with two steps, ours and the package's in turn."""
    try:
        world = Miniwob()
        find_chromium()
    except (PackageMissing, UsageError):
        return
    yield from asyncio.run(_figures(world))


async def _figures(world: Miniwob) -> list[Figure]:
    package = _package()
    opened, stepped, copied = list[Took](), list[Took](), list[Took]()
    reset, theirs = list[float](), list[float]()
    try:
        await _play(world, -1, [], [], [])  # starts the browser
        for seed in range(_EPISODES):
            await _play(world, seed, opened, stepped, copied)
            if package is not None:
                await asyncio.to_thread(_play_by_package, package, seed, reset, theirs)
    finally:
        await world.aclose()
        if package is not None:
            package.close()
    return [
        _figure("miniwob step, p50", stepped, theirs),
        _figure("miniwob session opened, p50", opened, reset),
        Figure("miniwob fork after one step, p50", median(each.wall for each in copied), "ms"),
    ]


def _figure(name: str, ours: Sequence[Took], theirs: Sequence[float]) -> Figure:
    took, cpu = (median(each) for each in zip(*ours, strict=True))
    beside = f"; {took / median(theirs):.2f} x the package's own loop, {median(theirs):,.1f}" if theirs else ""
    return Figure(name, took, "ms", f"{cpu:.1f} ms of CPU in this process{beside}")


async def _play(world: Miniwob, seed: int, opened: list[Took], stepped: list[Took], copied: list[Took]) -> None:
    session = await timed(world.open(Task(name=_PAGE, seed=seed)), opened)
    done = False
    for number, words in enumerate(_BUTTONS):
        if number:
            await (await timed(session.fork(), copied)).close()
        button = read_shown_page(session.observation).find("button", words, 1)
        done = (await timed(session.step(f"click [{button}]"), stepped)).done
    assert done
    await session.close()


def _package() -> Any:
    """The package's environment of the page; None: what it needs is not there."""
    if find_spec("selenium") is None or "MINIWOB_CHROMEDRIVER" not in os.environ:
        return None
    return import_module("miniwob.environment").MiniWoBEnvironment(_PAGE)


def _play_by_package(package: Any, seed: int, reset: list[float], stepped: list[float]) -> None:
    began = time.perf_counter()
    seen, _ = package.reset(seed=seed)
    reset.append(1e3 * (time.perf_counter() - began))
    click, done = import_module("miniwob.action").ActionTypes.CLICK_ELEMENT, False
    for words in _BUTTONS:
        (ref,) = (each["ref"] for each in seen["dom_elements"] if each["text"] == words)
        action = package.create_action(click, ref=ref)
        began = time.perf_counter()
        seen, _, done, *_ = package.step(action)
        stepped.append(1e3 * (time.perf_counter() - began))
    assert done


if __name__ == "__main__":
    for figure in figures():
        print(figure)
