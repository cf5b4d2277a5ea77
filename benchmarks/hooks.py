"""Hooks: what one that does nothing costs a turn, in the CPU of all threads together.

A turn costs some 200 us and varies by more than the figure, so what a hook adds is measured apart: a turn's two events
are fed, in the order and at the pace of a run, to a feed with the hook and to one without.
"""

import asyncio
import time
from collections.abc import Iterator

from benchmarks.measuring import ROUNDS, Figure
from benchmarks.turns import cpu_of_turn
from quintet.config.settings import from_table
from quintet.events import CallMade, EpisodeEnded, Record, StepTaken
from quintet.hooks.hook import Hook, RunInfo
from quintet.hooks.thread import RunningHooks
from quintet.journal.feed import EpisodeStart, Feed
from quintet.launch.prepare import prepare
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress
from quintet.ports.model import Completion, Sampling

_TURNS = 20_000
_TURNS_IN_A_BURST = 500
"""What a fast run does while a hook looks away."""

_PATH = Path("beehive/0/0/1")
_CALL = Record(
    event=CallMade(
        path=_PATH,
        model="scripted",
        prompt=PromptAddress("0" * 32),
        sampling=Sampling(),
        completion=Completion(text="Action: get 2 diamond"),
    ),
    incarnation=1,
)
_STEP = Record(
    event=StepTaken(
        path=_PATH, session="one", action="get 2 diamond", observation="", reward=0.0, done=False, rejected=True
    ),
    incarnation=1,
)


class _Nothing(Hook):
    """Overrides what is called in a turn, and does nothing."""

    def on_episode_begin(self, episode: EpisodeStart) -> None:
        pass

    def on_call(self, call: CallMade, record: Record) -> None:
        pass

    def on_step(self, step: StepTaken, record: Record) -> None:
        pass

    def on_record(self, record: Record) -> None:
        pass

    def on_episode_end(self, end: EpisodeEnded, record: Record) -> None:
        pass

    def flush(self) -> None:
        pass


def _cpu(*hooks: Hook) -> float:
    """Seconds of CPU that feeding a turn takes."""
    table = {"method": {"name": "react"}, "environment": {"name": "textcraft"}}
    record = prepare([from_table(table, "benchmarks.hooks")]).record

    async def feed_turns() -> float:
        feed = Feed()
        running = RunningHooks(hooks, feed, print)
        running.begin(RunInfo("benchmark", None, record))
        started = time.process_time()
        for _ in range(_TURNS // _TURNS_IN_A_BURST):
            for _ in range(_TURNS_IN_A_BURST):
                feed.committed([_CALL])
                feed.committed([_STEP])
            await asyncio.sleep(0.1)
        feed.close()
        await running.close()
        return (time.process_time() - started) / _TURNS

    return asyncio.run(feed_turns())


def figures() -> Iterator[Figure]:
    """What a hook adds to a turn, of the CPU of a turn without one."""
    bare = min(_cpu() for _ in range(ROUNDS))
    added = min(_cpu(_Nothing()) for _ in range(ROUNDS)) - bare
    turn = min(cpu_of_turn() for _ in range(ROUNDS))
    compared = f"{1e6 * added:.1f} us of {1e6 * turn:.0f}; at most 1 %"
    yield Figure("a hook that does nothing, CPU of a turn", 100 * added / turn, "%", compared)
