"""A thousand episodes at once against an endpoint of two seconds' latency, compared with the latency alone."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Figure
from benchmarks.serving import scripted_server
from benchmarks.turns import answers, scripted_react
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solve
from quintet.models.endpoint.model import Endpoint
from quintet.runs.files import allow_connections
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime

_EPISODES = 1000
_CALLS = 40
"""Of an episode: the limiter starts with 16 calls at a time, and its first rounds count too."""
_LATENCY = 2.0


async def _run(url: str, folder: Path) -> float:
    spec = scripted_react(_CALLS, Endpoint("scripted", url=url))
    episodes = [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch)))
        for epoch in range(_EPISODES)
    ]
    journal = SqliteJournal(folder / "journal.sqlite")
    started = time.perf_counter()
    async with LocalRuntime(spec, journal, concurrency=_EPISODES) as runtime:
        async for end in runtime.run(episodes):
            assert end.state != "faulted", end.reason
    journal.close()
    return time.perf_counter() - started


def figures() -> Iterator[Figure]:
    """Seconds, and their ratio to calls x latency / concurrency."""
    allow_connections()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with scripted_server(answers(_CALLS), folder, _LATENCY) as url:
            seconds = asyncio.run(_run(url, folder))
    bound = _CALLS * _LATENCY
    title = f"{_EPISODES:,} episodes of {_CALLS} calls at {_LATENCY:.0f} s, journal on disk"
    yield Figure(title, seconds, "s", f"{seconds / bound:.2f} of calls x latency / concurrency")
