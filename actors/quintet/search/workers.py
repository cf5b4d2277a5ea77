"""Several workers on one search: each does a job in a branch, and the search takes what they bring, one at a time."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from quintet.roles.branches import Branch, Branches

JobT = TypeVar("JobT")
_FoundT = TypeVar("_FoundT")

WorkersOrder: TypeAlias = Literal["ends", "rounds"]
"""`ends`: a worker begins its next job when any worker ends, so the order of ends is a decision. `rounds`: all workers
begin together, and what they bring is taken in the order of their numbers: nothing is decided by time."""


@dataclass(frozen=True, kw_only=True)
class Workers(Generic[JobT, _FoundT]):
    """Do jobs until there are no more.

    Args:
        branches: makes the group in which workers run.
        jobs: the next job; None: there is none until a worker ends.
        work: does a job, in a branch of its own. It must change nothing that `jobs` and `take` read.
        take: adds what was found to the search, and says whether the search is over. The workers that still run are
            stopped then.
        discard: releases what a worker found that ended when the search was over.
        workers: how many jobs are done at once, at least 1. One does them strictly in sequence, without branches.
    """

    branches: Callable[[], Branches]
    jobs: Callable[[], JobT | None]
    work: Callable[[JobT], Coroutine[Any, Any, _FoundT]]
    take: Callable[[JobT, _FoundT], Awaitable[bool]]
    discard: Callable[[_FoundT], Coroutine[Any, Any, None]]
    workers: int = 1
    order: WorkersOrder = "ends"

    async def run(self) -> None:
        """Search until there is no job, or the search is over."""
        if self.workers == 1:
            await self._in_sequence()
        elif self.order == "ends":
            await self._by_ends()
        else:
            await self._by_rounds()

    async def _in_sequence(self) -> None:
        while (job := self.jobs()) is not None:
            if await self.take(job, await self.work(job)):
                return

    async def _by_ends(self) -> None:
        running: dict[int, tuple[JobT, Branch[_FoundT]]] = {}
        untaken: dict[int, _FoundT] = {}

        async def work(number: int, job: JobT) -> _FoundT:
            untaken[number] = found = await self.work(job)
            return found

        async with self.branches() as group:
            begun = 0
            while True:
                while len(running) < self.workers and (job := self.jobs()) is not None:
                    begun += 1
                    running[begun] = job, group.start(work, begun, job)
                if not running:
                    return
                number = await group.next()
                job, branch = running.pop(number)
                over = await self.take(job, branch.result())
                del untaken[number]
                if over:
                    await group.stop()
                    break
        await self._discard_all(list(untaken.values()))

    async def _discard_all(self, found: Sequence[_FoundT]) -> None:
        """Discard what a replay will not find, under one path, so that it counts its own as now."""
        async with self.branches() as group:
            for each in found:
                group.start(self.discard, each)

    async def _by_rounds(self) -> None:
        over = False
        while not over:
            begun: list[tuple[JobT, Branch[_FoundT]]] = []
            async with self.branches() as group:
                while len(begun) < self.workers and (job := self.jobs()) is not None:
                    begun.append((job, group.start(self.work, job)))
            if not begun:
                return
            for job, branch in begun:
                over |= await self.take(job, branch.result())
