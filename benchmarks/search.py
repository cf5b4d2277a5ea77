"""A tree search: each request builds its prompt from the turns on its branch.

What is offered to the journal, and what does a request cost deep in the tree?
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel

from benchmarks.measuring import ROUNDS, Figure
from quintet.events import Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Decide, Turn
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt, PromptAddress
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.messages.wire import encode
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins.catalogue import world
from quintet.ports.model import Completion, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

DEPTH = 30
_WIDTH = 4
"""Branches kept at each level; each gets as many candidates."""


class _NoOptions(BaseModel):
    pass


class _BeamSearch(Method[_NoOptions]):
    """Keeps the first branches of each level; the world is left out."""

    name, version, requests, worlds = "beam-search", "1", (Decide,), {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        histories: list[tuple[Turn, ...]] = [()]
        for _ in range(DEPTH):
            async with episode.branches() as group:
                asked = [group.start(self._expand, episode, history) for history in histories]
            grown = [history for branch in asked for history in branch.result()]
            histories = grown[:: max(1, len(grown) // _WIDTH)][:_WIDTH]
        return episode.conclude(None, reason="the search ended")

    async def _expand(self, episode: Episode, history: tuple[Turn, ...]) -> list[tuple[Turn, ...]]:
        request = Decide(setting=episode.setting, goal=episode.goal, history=history, n=_WIDTH)
        reply = await episode.ask(request)
        return [
            (*history, Turn(completion=candidate.completion, observation=f"Got it, as asked: {candidate.completion}"))
            for candidate in reply.candidates
        ]


class _Varied:
    """A model whose answer follows from the seed alone."""

    name = "varied"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return Completion(text=f"Thought: I take what draw {sampling.seed} says.\nAction: get {sampling.seed} diamond")


class _Counting(SqliteJournal):
    """Counts the bytes of the prompts that it is offered, and of those that it keeps."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.offered = self.kept = 0
        self._known: set[PromptAddress] = set()

    async def append(self, records: Iterable[Record]) -> None:
        records = tuple(records)
        await super().append(records)
        for node in (node for record in records for node in record.prompts):
            size = len(encode(node.appended))
            self.offered += size
            self.kept += 0 if node.address in self._known else size
            self._known.add(node.address)


async def _run(method: Method[_NoOptions], journal: SqliteJournal) -> None:
    spec = RunSpec(
        methods=(
            MethodSpec(
                name=method.name,
                method=method,
                models={"executor": _Varied()},
                sampling={"executor": Sampling()},
                prompts={"decide": "Answer with a thought and one action."},
            ),
        ),
        world=world("textcraft"),
        seed=0,
    )
    async with LocalRuntime(spec, journal, concurrency=1) as runtime:
        path = episode_path("beehive", 0, 0)
        async for end in runtime.run([Planned(path, Solve(task=spec.task("beehive", 0)))]):
            assert end.state == "unsolved", end.why


async def offered_and_kept() -> tuple[int, int]:
    """Bytes of prompts that a search to `DEPTH` offers to the journal, and those that the journal keeps."""
    journal = _Counting()
    await _run(_BeamSearch(_NoOptions()), journal)
    journal.close()
    return journal.offered, journal.kept


DEPTHS = 10, 200
_CANDIDATES = 5
_REQUESTS = 60


class _DeepRequests(Method[_NoOptions]):
    """Asks again and again for candidates at the end of a branch that grew by a turn; the world is left out."""

    name, version, requests, worlds = "deep-requests", "1", (Decide,), {"textcraft": {}}

    def __init__(self, config: _NoOptions) -> None:
        super().__init__(config)
        self.seconds: dict[int, float] = dict.fromkeys(DEPTHS, float("inf"))
        """CPU time of a request, by the depth of its branch: the best round."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        for number in range(ROUNDS * len(DEPTHS)):
            depth = DEPTHS[number % len(DEPTHS)]
            history = tuple(_turn(f"{number} and {each}") for each in range(depth))
            await self._ask(episode, history)
            started = time.process_time()
            for each in range(_REQUESTS):
                await self._ask(episode, (*history, _turn(f"the last of {each}")))
            taken = (time.process_time() - started) / _REQUESTS
            self.seconds[depth] = min(self.seconds[depth], taken)
        return episode.conclude(None, reason="the requests are over")

    async def _ask(self, episode: Episode, history: tuple[Turn, ...]) -> None:
        request = Decide(setting=episode.setting, goal=episode.goal, history=history, n=_CANDIDATES)
        await episode.ask(request)


def _turn(item: str) -> Turn:
    completion = f"Thought: I need {item}, so I try to get it.\nAction: get {item}"
    return Turn(completion=completion, observation=f"Got {item}, as asked")


async def seconds_by_depth() -> dict[int, float]:
    """CPU time of a request for candidates, with a journal on disk, by the depth of its branch."""
    method = _DeepRequests(_NoOptions())
    with TemporaryDirectory() as folder:
        journal = SqliteJournal(Path(folder) / "journal.sqlite")
        await _run(method, journal)
        journal.close()
    return method.seconds


def figures() -> Iterator[Figure]:
    """Bytes offered over bytes kept; a request's cost deep in a tree over that near its root."""
    offered, kept = asyncio.run(offered_and_kept())
    title = f"prompt bytes offered over kept, search to depth {DEPTH}"
    yield Figure(title, offered / kept, "x", f"{kept:,} bytes kept")
    shallow, deep = (1e3 * seconds for seconds in asyncio.run(seconds_by_depth()).values())
    title = f"a request for {_CANDIDATES} candidates at depth {DEPTHS[1]} over depth {DEPTHS[0]}"
    yield Figure(title, deep / shallow, "x", f"{deep:.2f} ms of CPU, {shallow:.2f} ms")
