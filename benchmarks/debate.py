"""A debate of three critics (examples/debate.py) at a model of 200 ms: rounds of three calls, then ReAct's turns."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measuring import Figure
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.methods.base.method import Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.plugins.catalogue import world
from quintet.plugins.objects import find_object
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Completion, Sampling
from quintet.runtime.garbage import collect_rarely
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

_ROUNDS, _TURNS = 4, 16
_LATENCY = 0.2
_EPISODES = (1, 5, 16)
"""At a time. The limiter starts with 16 calls in flight, so the first rounds of 16 debates wait for each other."""


class _Slow:
    """A critic that plans, or an executor that looks into the inventory, after a while."""

    name = "slow"

    def __init__(self, answer: str) -> None:
        self._answer = answer

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await asyncio.sleep(_LATENCY)
        return Completion(text=self._answer)


def _debate() -> type[Method[Any]]:
    found = find_object("method", f"{Path(__file__).parents[1] / 'examples' / 'debate.py'}:Debate")
    assert found is not None
    assert found.brought is not None
    method: type[Method[Any]] = found.brought.value
    return method


def _spec() -> RunSpec:
    debate, prompts = _debate(), find_prompts(React, "textcraft")
    react = React(ReactConfig(max_steps=_TURNS, patience=_TURNS))
    critics = [role.name for role in debate.roles]
    outer = MethodSpec(
        name=debate.name,
        method=debate(debate.options.model_validate({"rounds": _ROUNDS}), react),
        models=dict.fromkeys(critics, _Slow("List\n1. get 1 stick")),
        sampling=dict.fromkeys(critics, Sampling()),
        prompts={},
    )
    inner = MethodSpec(
        name=React.name,
        method=react,
        models={"executor": _Slow("Thought: What do I have?\nAction: inventory")},
        sampling={"executor": Sampling()},
        prompts={name: prompts.text(name) for name in ("execute", "demonstrations")},
    )
    return RunSpec(methods=(outer, inner), world=world("textcraft"), seed=0)


async def _run(folder: Path, episodes: int) -> float:
    """Seconds that so many debates at a time take."""
    spec = _spec()
    planned = [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch))) for epoch in range(episodes)
    ]
    journal = SqliteJournal(folder / "journal.sqlite")
    began = time.perf_counter()
    async with LocalRuntime(spec, journal, concurrency=episodes) as runtime:
        async for end in runtime.run(planned):
            assert (end.state, end.fault) == ("unsolved", None), end.why
    seconds = time.perf_counter() - began
    journal.close()
    return seconds


def figures() -> Iterator[Figure]:
    """Seconds beside their bound, for one debate and for several at a time."""
    collect_rarely()
    bound = (_ROUNDS + _TURNS) * _LATENCY
    for episodes in _EPISODES:
        with tempfile.TemporaryDirectory() as folder:
            seconds = asyncio.run(_run(Path(folder), episodes))
        title = f"a debate of three critics at {1000 * _LATENCY:.0f} ms, episodes at a time: {episodes}"
        yield Figure(title, seconds, "s", f"{bound / seconds:.2f} of its bound, (rounds + turns) x latency")
