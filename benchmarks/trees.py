"""Tree searches: LATS and a beam at 200 ms beside their bounds; what a node costs; and a resume of 10,000 nodes."""

import asyncio
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from benchmarks.journal import WRITTEN
from benchmarks.measuring import ROUNDS, Figure
from quintet.errors import EndpointUnavailable, Suspension
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.plugins.catalogue import method, world
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Completion, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

_LATENCY = 0.2
_WORKERS, _DEPTH = 8, 8
_ITERATIONS = {1: 12, _WORKERS: 96}
"""By workers: as many for each worker, so that both take about as long."""
_BEAM, _LEVELS = 4, 20
_CANDIDATES = 5
_NEAR, _FAR = (10, 30), (180, 200)
"""Depths between which nodes are compared."""
_MANY = 10_000


class _Explorer:
    """Proposes what the seed says, with marks and confidences; it notes its calls and the CPU time at each.

    Args:
        latency: seconds of a call.
        most: calls that it answers; then it is away.
    """

    name = "explorer"

    def __init__(self, latency: float = 0.0, most: int | None = None) -> None:
        self._latency = latency
        self._most = most
        self.calls = Counter[str]()
        self.cpu: list[float] = []
        self.first_call = 0.0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.cpu.append(time.process_time())
        self.first_call = self.first_call or time.perf_counter()
        if self._most is not None and len(self.cpu) > self._most:
            raise EndpointUnavailable("enough")
        if self._latency:
            await asyncio.sleep(self._latency)
        digest = blake2b(f"{prompt.node.address}{sampling.seed}".encode(), digest_size=2).digest()
        number = 1 + int.from_bytes(digest)
        closing_words = prompt.node.appended[-1].content
        if "Reflection:" in closing_words:
            return self._say("reflections", "Reflection: Fetch less.")
        if "confidence 0.6" in closing_words:
            lines = [f"Action: get {number + each} diamond (confidence 0.{each})" for each in range(_CANDIDATES)]
            return self._say("candidates", "\n".join(lines))
        if "Mark:" in closing_words or "Mark:" in prompt.messages()[0].content:
            return self._say("values", f"Mark: {1 + number % 10}")
        return self._say("candidates", f"Thought: Diamonds.\nAction: get {number} diamond")

    def _say(self, phase: str, text: str) -> Completion:
        self.calls[phase] += 1
        return Completion(text=text)


def _spec(name: str, model: _Explorer, **options: Any) -> RunSpec:
    chosen = method(name)
    prompts = find_prompts(chosen, "textcraft")
    for prompt in prompts.names:
        prompts.text(prompt)
    values = {**chosen.worlds["textcraft"], "candidates": _CANDIDATES, **options}
    return RunSpec(
        methods=(
            MethodSpec(
                name=chosen.name,
                method=chosen(chosen.options.model_validate(values)),
                models=dict.fromkeys(("executor", "reflector"), model),
                sampling=dict.fromkeys(("executor", "reflector"), Sampling()),
                prompts=prompts.texts,
            ),
        ),
        world=world("textcraft"),
        seed=0,
    )


async def time_episode(spec: RunSpec, file: Path) -> float:
    """Seconds of one episode."""
    planned = Planned(episode_path("beehive", 0, 0), Solve(task=spec.task("beehive", 0)))
    journal = SqliteJournal(file)
    began = time.perf_counter()
    try:
        async with LocalRuntime(spec, journal, concurrency=1) as runtime:
            async for end in runtime.run([planned]):
                assert end.fault is None, end.why
    finally:
        journal.close()
    return time.perf_counter() - began


def figures() -> Iterator[Figure]:
    """Ratios taken in one run."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _lats(Path(folder))
        yield _beam(Path(folder))
        yield from _nodes(Path(folder))
        yield _resume(Path(folder))


def _lats(folder: Path) -> Iterator[Figure]:
    """A wave is what is asked at once: the first candidate, the others, the values; a reflection is one by itself."""
    seconds: dict[int, float] = {}
    calls: dict[int, int] = {}
    for workers in _ITERATIONS:
        model = _Explorer(_LATENCY)
        options = {"iterations": _ITERATIONS[workers], "rollout_depth": _DEPTH, "depth": _DEPTH, "workers": workers}
        seconds[workers] = asyncio.run(time_episode(_spec("lats", model, **options), folder / f"lats-{workers}.sqlite"))
        calls[workers] = model.calls.total()
        waves = 3 * model.calls["candidates"] / _CANDIDATES + model.calls["reflections"]
        bound = waves * _LATENCY / workers
        beside = f"{bound / seconds[workers]:.2f} of its bound, waves x latency / workers; {calls[workers]:,} calls"
        yield Figure(f"LATS at 200 ms, workers: {workers}", seconds[workers], "s", beside)
    faster = seconds[1] / calls[1] / (seconds[_WORKERS] / calls[_WORKERS])
    yield Figure(f"LATS, seconds a call, one worker over {_WORKERS}", faster, "x")


def _beam(folder: Path) -> Figure:
    options = {"order": "beam", "scores": "confidences", "width": _BEAM, "depth": _LEVELS, "workers": _BEAM}
    seconds = asyncio.run(
        time_episode(_spec("search", _Explorer(_LATENCY), **options, nodes=_MANY), folder / "beam.sqlite")
    )
    bound = _LEVELS * _LATENCY
    title = f"beam of {_BEAM} over {_LEVELS} levels at 200 ms"
    return Figure(title, seconds, "s", f"{bound / seconds:.2f} of its bound, levels x latency")


def _nodes(folder: Path) -> Iterator[Figure]:
    """A node: its share of a completion that names five, a fork, a step, its row, and closing it again."""
    best = {_NEAR: float("inf"), _FAR: float("inf")}
    file = folder / "line.sqlite"
    for _ in range(ROUNDS):
        file.unlink(missing_ok=True)
        model = _Explorer()
        options = {"order": "beam", "scores": "confidences", "width": 1, "depth": _FAR[1] + 1, "nodes": _MANY}
        asyncio.run(time_episode(_spec("search", model, **options), file))
        for low, high in best:
            cpu = (model.cpu[high] - model.cpu[low]) / (high - low) / _CANDIDATES
            best[low, high] = min(best[low, high], cpu)
    for depths, cpu in best.items():
        beside = "at most 400" if depths == _NEAR else f"at most 400; {cpu / best[_NEAR]:.2f} x of one near the root"
        yield Figure(f"a node at depth {depths[0]} to {depths[1]}, journal on disk, CPU", cpu * 1e6, "us", beside)
    with closing(sqlite3.connect(file)) as journal:
        ((nodes,), (written,)) = (
            journal.execute(query).fetchone() for query in ("SELECT count(*) FROM nodes", WRITTEN)
        )
    beyond = (file.stat().st_size - written) / nodes
    yield Figure("journal of a node beyond its text", beyond, "bytes", f"{nodes:,} nodes")


def _resume(folder: Path) -> Figure:
    """Seconds from the start until the first new call."""
    file, calls = folder / "many.sqlite", _MANY // _CANDIDATES
    options = {"order": "best", "scores": "confidences", "nodes": 10 * _MANY, "depth": _MANY}
    with suppress(Suspension):
        asyncio.run(time_episode(_spec("search", _Explorer(most=calls), **options), file))
    model = _Explorer(most=0)
    began = time.perf_counter()
    with suppress(Suspension):
        asyncio.run(time_episode(_spec("search", model, **options), file))
    assert len(model.cpu) == 1, f"expected one call, the first that is new, got {len(model.cpu)}"
    with closing(sqlite3.connect(file)) as journal:
        ((nodes,),) = journal.execute("SELECT count(*) FROM nodes").fetchall()
    return Figure("resume of a tree, until the first new call", model.first_call - began, "s", f"{nodes:,} nodes")
