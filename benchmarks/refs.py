"""Refs and streams: a held ref's ask after 100,000 others, and what a stream of events adds to a turn.

Every prompt is another one, so that nothing is remembered from the ask before.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import Figure
from benchmarks.memory import resident
from benchmarks.turns import answers
from quintet.api import open_run
from quintet.launch.evaluation import Evaluation
from quintet.messages.planning import Decompose

_ASKS = 100_000
_MEASURED = 5_000
"""Asks after the first thousand, and after 100,000."""
_MORE = 20_000
"""Further asks, during which memory stays as it is: all that is remembered, some tens of MB, is full by then."""
_TURNS, _EPISODES = 40, 64
_PAIRS = 10
"""Of runs, one without a stream and one with it; the median of what it adds counts."""


class _Asked(NamedTuple):
    first: float
    last: float
    """CPU seconds of an ask."""
    before: int
    after: int
    """The most bytes that the process held so far: before and after the further asks."""


def _asked() -> _Asked:
    """Ask one ref 100,000 times."""

    async def scene() -> _Asked:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.json"
            plan = "1. fetch 2 bamboo\n2. craft 4 stick using 2 bamboo\nExecution Order: (Step 1 AND Step 2)"
            script.write_text(json.dumps([plan]))
            settings = {"model": {"script": str(script)}}
            opened = open_run("adapt", "textcraft", model="scripted", tasks=1, journal=None, settings=settings)
            async with opened as run:
                planner = run.ref("planner")

                async def ask(begin: int, end: int) -> float:
                    started = time.process_time()
                    for number in range(begin, end):
                        await planner.ask(Decompose(setting="Nothing is known.", goal=f"craft stick {number}"))
                    return (time.process_time() - started) / (end - begin)

                await ask(0, 1_000)
                first = await ask(1_000, 1_000 + _MEASURED)
                await ask(1_000 + _MEASURED, _ASKS)
                last, before = await ask(_ASKS, _ASKS + _MEASURED), resident()
                await ask(_ASKS + _MEASURED, _ASKS + _MORE)
                return _Asked(first, last, before, resident())

    return asyncio.run(scene())


def _turns(*, stream: bool) -> float:
    """CPU seconds of a turn."""

    async def watch(run: Evaluation) -> None:
        async for _ in run.stream():
            pass

    async def scene(folder: Path) -> float:
        script = folder / "script.json"
        script.write_text(json.dumps(answers(_TURNS)))
        settings: dict[str, Any] = {
            "model": {"script": str(script)},
            "method": {"max_steps": _TURNS, "patience": _TURNS},
            "run": {"epochs": _EPISODES},
        }
        opened = open_run(
            "react", "textcraft", model="scripted", tasks=["beehive"], journal=folder / "run", settings=settings
        )
        async with opened as run:
            watching = asyncio.create_task(watch(run)) if stream else None
            await asyncio.sleep(0)
            started = time.process_time()
            async for end in run.run(run.left()):
                assert end.state == "unsolved", end.why
            took = time.process_time() - started
        if watching is not None:
            await watching
        return took / (_TURNS * _EPISODES)

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(scene(Path(folder)))


def figures() -> Iterator[Figure]:
    """An ask after 100,000 over one of the first, the memory in between, and a turn with a stream over one without."""
    measured = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True)
    found = _Asked(*json.loads(measured.stdout))
    yield Figure("a held ref's ask, CPU", found.first * 1e6, "us")
    yield Figure(
        f"a held ref's ask after {_ASKS:,} visits, CPU",
        found.last * 1e6,
        "us",
        f"{found.last / found.first:.2f} times the first; at most 1.2",
    )
    grown, title = (found.after - found.before) / 2**20, f"resident memory, growth in {_MORE:,} visits after {_ASKS:,}"
    yield Figure(title, grown, "MB", f"of {found.after / 2**20:.0f} MB")
    pairs = [(_turns(stream=False), _turns(stream=True)) for _ in range(_PAIRS)]
    share = (statistics.median(streamed / without for without, streamed in pairs) - 1) * 100
    turn = min(without for without, _ in pairs) * 1e6
    yield Figure("a stream of events, CPU of a turn", share, "%", f"a turn takes {turn:.0f} us; at most 5 %")


if __name__ == "__main__":
    print(json.dumps(_asked()))
