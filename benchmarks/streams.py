"""ReasoningBank along a stream of ALFWorld at 200 ms a call: a task at a time, and side by side, beside their chains.

A chain is what cannot be shortened: the calls of the longest episode of each window, its verdict, and its notes.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.measuring import Figure
from quintet.api import evaluate
from quintet.messages.paths import attempt_of
from quintet.messages.prompts import Prompt
from quintet.models.stand_in.model import fallible
from quintet.ports.model import Asked, Completion, Sampling

_LATENCY = 0.2
_TASKS = 32
_WINDOWS = (1, 8)
_AFTER = 2
"""Calls that follow an episode, one after the other: its verdict, and its notes."""


class _Slow:
    """The stand-in, after a while; it counts the turns of each task."""

    def __init__(self) -> None:
        self._model = fallible()
        self.name = "slow-stand-in"
        self.turns = Counter[str]()

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self._model.complete(prompt, sampling)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        if asked.question == "decision" and asked.trail is not None:
            self.turns[asked.trail.task.name] += 1
        await asyncio.sleep(_LATENCY)
        return await self._model.answer(prompt, sampling, asked)


def _chain(turns: Sequence[int], window: int) -> int:
    """Calls, one after the other, of tasks with so many turns, in the order of the stream."""
    return sum(max(turns[at : at + window]) + _AFTER for at in range(0, len(turns), window))


def _stream(window: int) -> tuple[float, float, int]:
    """Seconds of a stream, those of CPU, and the calls of its chain."""
    model = _Slow()
    settings = {
        "learning": {"window": window},
        "memory": {"embedder": {"name": "hashed-words"}},
        "limits": {"start": 64},
    }
    began, cpu = time.perf_counter(), time.process_time()
    ends = evaluate("react", "alfworld", stream="reasoning_bank", model=model, tasks=_TASKS, settings=settings)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    played = sorted((attempt_of(end.path) for end in ends), key=lambda each: each.epoch)
    assert len(played) == _TASKS, played
    return seconds, cpu, _chain([model.turns[each.task] for each in played], window)


def figures() -> Iterator[Figure]:
    """Wall time of each window beside its chain."""
    for window in _WINDOWS:
        seconds, cpu, calls = _stream(window)
        title = f"a stream of {_TASKS} tasks at 200 ms, {window} side by side"
        share = f"{calls * _LATENCY / seconds:.2f} of its bound, a chain of {calls} calls"
        yield Figure(title, seconds, "s", f"{share}; {cpu:.1f} s of CPU; at least 0.85")


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
