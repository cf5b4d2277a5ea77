"""A thousand episodes at once against an endpoint of two seconds' latency, beside what the latency alone would take."""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from actors.models.endpoint.model import Endpoint
from benchmarks.measuring import Figure
from benchmarks.turns import answers, scripted_react
from deploy.journal.writer import SqliteJournal
from deploy.open_files import allow_connections
from deploy.runtime.driver import Planned
from deploy.runtime.local import LocalRuntime
from protocols.paths import episode_path

_EPISODES = 1000
_CALLS = 40
"""Of an episode: the pace starts with 16 calls at a time, and its first rounds count too."""
_LATENCY = 2.0


@contextmanager
def _server(script: Path) -> Generator[str, None, None]:
    command = [sys.executable, "-c", "import sys; from deploy.cli import main; sys.exit(main(sys.argv[1:]))"]
    serve = ["serve-sim", "--port", "0", "--model", "scripted", "--script", str(script), "--latency", f"{_LATENCY}s"]
    with subprocess.Popen([*command, *serve], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


async def _run(url: str, folder: Path) -> float:
    assembly = scripted_react(_CALLS, Endpoint("scripted", url=url))
    episodes = [
        Planned(episode_path("beehive", epoch, 0), assembly.task("beehive", epoch)) for epoch in range(_EPISODES)
    ]
    journal = SqliteJournal(folder / "journal.sqlite")
    started = time.perf_counter()
    async with LocalRuntime(assembly, journal, concurrency=_EPISODES) as runtime:
        async for end in runtime.run(episodes):
            assert end.state != "faulted", end.reason
    journal.close()
    return time.perf_counter() - started


def figures() -> Iterator[Figure]:
    """Seconds, and how many times calls x latency / concurrency they are."""
    allow_connections()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "script.json"
        script.write_text(json.dumps(answers(_CALLS)))
        with _server(script) as url:
            seconds = asyncio.run(_run(url, folder))
    bound = _CALLS * _LATENCY
    title = f"{_EPISODES:,} episodes of {_CALLS} calls at {_LATENCY:.0f} s, journal on disk"
    yield Figure(title, seconds, "s", f"{seconds / bound:.2f} of calls x latency / concurrency")
