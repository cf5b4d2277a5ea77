"""Many episodes at once in one process: ReAct on TextCraft.

Its model is in this process, and every call is open at once; or it answers over HTTP, with a bound on calls in flight.
`python -m benchmarks.crowd` measures 16,384 episodes of ten calls at ten seconds; `make bench` a smaller crowd.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Figure
from benchmarks.serving import scripted_server
from benchmarks.turns import answers, scripted_react
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.quota import Permit, PermitOutcome
from quintet.messages.solving import Solve
from quintet.models.endpoint.model import Endpoint
from quintet.models.scripted import Scripted
from quintet.ports.model import Completion, Model, Sampling
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from quintet.runs.files import allow_connections
from quintet.runtime.garbage import collecting_rarely
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime

_EPISODES, _CALLS, _LATENCY = 16_384, 10, 10.0
_BEAT = 0.01
"""Seconds between two looks at the loop."""
_FEW, _MANY = 100, 16_384
"""Episodes among which others are ended."""
_ENDED = 64


class _Late(Scripted):
    """Answers after a while."""

    def __init__(self, calls: int, latency: float) -> None:
        super().__init__(answers(calls))
        self._latency = latency

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await asyncio.sleep(self._latency)
        return await super().complete(prompt, sampling)


class _Silent(Scripted):
    """Never answers; `all_ask` is set once so many calls wait for it."""

    def __init__(self, calls: int) -> None:
        super().__init__(answers(1))
        self._left = calls
        self.all_ask = asyncio.Event()

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self._left -= 1
        if not self._left:
            self.all_ask.set()
        await asyncio.Event().wait()
        return await super().complete(prompt, sampling)


class Unlimited:
    """Lets every call start: how fast a run may speed up is not measured here."""

    async def enter(self, permit: Permit, tokens: int) -> None:
        pass

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        pass


@dataclass
class _Stops:
    """How long the loop did nothing else, in seconds of this process's CPU: the machine is shared."""

    longest: float = 0.0

    async def watch(self) -> None:
        before = time.process_time()
        while True:
            await asyncio.sleep(_BEAT)
            now = time.process_time()
            self.longest = max(self.longest, now - before)
            before = now


@dataclass
class Crowd:
    """What a run of many episodes came to."""

    wall: float
    cpu: float
    stop: float
    """The longest one of the loop."""
    peak: float
    """Resident memory, in MB, of the whole process."""


def _unlimited() -> Quota:
    return Quota(lambda _: Unlimited())


def _planned(model: Model, quota: Quota, calls: int, episodes: int, folder: Path) -> tuple[LocalRuntime, list[Planned]]:
    spec = scripted_react(calls, model)
    journal = SqliteJournal(folder / "journal.sqlite")
    runtime = LocalRuntime(spec, journal, concurrency=episodes, quota=quota)
    return runtime, [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch))) for epoch in range(episodes)
    ]


async def _crowd(model: Model, quota: Quota, calls: int, episodes: int, folder: Path) -> Crowd:
    runtime, planned = _planned(model, quota, calls, episodes, folder)
    stops = _Stops()
    watching = asyncio.create_task(stops.watch())
    began, cpu = time.perf_counter(), time.process_time()
    async with runtime:
        with collecting_rarely():
            async for end in runtime.run(planned):
                assert end.state == "unsolved", end.why
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    watching.cancel()
    runtime.journal.close()
    return Crowd(wall, cpu, stops.longest, _peak())


def _peak() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


@contextmanager
def _answering(calls: int, latency: float, in_flight: int | None, folder: Path) -> Generator[tuple[Model, Quota]]:
    """A model in this process; or an endpoint in another, and so many of its calls at once."""
    if in_flight is None:
        yield _Late(calls, latency), _unlimited()
        return
    allow_connections()
    with scripted_server(answers(calls), folder, latency) as url:
        yield Endpoint("scripted", url=url), Quota(LocalLimiters(RateLimits(calls=in_flight)).limiter)


def measure(episodes: int, calls: int, latency: float, in_flight: int | None = None) -> Crowd:
    """Run so many episodes at once; with a bound on calls in flight, over HTTP."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _answering(calls, latency, in_flight, folder) as (model, quota):
            return asyncio.run(_crowd(model, quota, calls, episodes, folder))


async def _ends(among: int, folder: Path) -> float:
    """CPU seconds of an end among so many episodes that wait for their model."""
    model = _Silent(among)
    runtime, planned = _planned(model, _unlimited(), 1, among, folder)
    async with runtime:
        ends = asyncio.ensure_future(anext(runtime.run(planned)))
        await model.all_ask.wait()
        began = time.process_time()
        for episode in planned[:_ENDED]:
            runtime.host.end_episode(episode.path, 1)
        took = time.process_time() - began
        ends.cancel()
        await asyncio.wait([ends])
    runtime.journal.close()
    return took / _ENDED


def _figures_of(episodes: int, calls: int, latency: float, in_flight: int | None = None) -> Iterator[Figure]:
    found = measure(episodes, calls, latency, in_flight)
    bound = episodes * calls * latency / (in_flight or episodes)
    over = "" if in_flight is None else f" over HTTP, {in_flight:,} in flight"
    title = f"{episodes:,} episodes at once, {calls} calls each at {latency:.0f} s{over}"
    each = 1e6 * found.cpu / (episodes * calls)
    yield Figure(title, found.wall, "s", f"{found.wall / bound:.2f} of its bound; {each:.0f} us of CPU a call")
    yield Figure("longest stop of the loop, CPU", 1000 * found.stop, "ms", title)
    yield Figure("resident memory at its most", found.peak, "MB", title)


def figures() -> Iterator[Figure]:
    """A crowd that takes seconds, and what an end costs among few and among many."""
    yield from _figures_of(2_048, 3, 3.0)
    yield from _figures_of(2_048, 3, 3.0, 1_024)
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many, collecting_rarely():
        among_few, among_many = (
            asyncio.run(_ends(among, Path(folder))) for among, folder in ((_FEW, few), (_MANY, many))
        )
    title = f"an end among {_MANY:,} episodes over one among {_FEW:,}, CPU"
    yield Figure(title, among_many / among_few, "x", f"{1e6 * among_many:.0f} us, {1e6 * among_few:.0f} us")


def _main(words: Sequence[str]) -> None:
    episodes, calls, latency, *in_flight = words or (_EPISODES, _CALLS, _LATENCY)
    for figure in _figures_of(int(episodes), int(calls), float(latency), *map(int, in_flight)):
        print(figure, flush=True)


if __name__ == "__main__":
    _main(sys.argv[1:])
