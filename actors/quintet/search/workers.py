"""Several workers on one search: each does a job in a branch, and the search takes what they bring, one at a time."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, TypeAlias, TypeVar

from quintet.roles.branches import Branch, Branches

JobT = TypeVar("JobT")
FoundT = TypeVar("FoundT")

WorkersOrder: TypeAlias = Literal["ends", "rounds"]
"""`ends`: a worker begins its next job when any worker ends, so the order of ends is a decision. `rounds`: all workers
begin together, and what they bring is taken in the order of their numbers: nothing is decided by time."""


async def run_workers(
    branches: Callable[[], Branches],
    jobs: Callable[[], JobT | None],
    work: Callable[[JobT], Coroutine[Any, Any, FoundT]],
    take: Callable[[JobT, FoundT], Awaitable[bool]],
    *,
    workers: int,
    order: WorkersOrder,
) -> None:
    """Do jobs until there are no more.

    Args:
        branches: makes the group in which workers run.
        jobs: the next job; None: there is none until a worker ends.
        work: does a job, in a branch of its own. It must change nothing that `jobs` and `take` read.
        take: adds what was found to the search, and says whether the search is over. The workers that still run are
            stopped then.
        workers: how many jobs are done at once, at least 1. One does them strictly in sequence, without branches.
        order: in which ends are taken.
    """
    if workers == 1:
        while (job := jobs()) is not None:
            if await take(job, await work(job)):
                return
    elif order == "ends":
        await _by_ends(branches, jobs, work, take, workers)
    else:
        await _by_rounds(branches, jobs, work, take, workers)


async def _by_ends(
    branches: Callable[[], Branches],
    jobs: Callable[[], JobT | None],
    work: Callable[[JobT], Coroutine[Any, Any, FoundT]],
    take: Callable[[JobT, FoundT], Awaitable[bool]],
    workers: int,
) -> None:
    running: dict[int, tuple[JobT, Branch[FoundT]]] = {}
    async with branches() as group:
        while True:
            while len(running) < workers and (job := jobs()) is not None:
                branch = group.start(work, job)
                running[branch.number] = job, branch
            if not running:
                return
            job, branch = running.pop(await group.next())
            if await take(job, branch.result()):
                await group.stop()
                return


async def _by_rounds(
    branches: Callable[[], Branches],
    jobs: Callable[[], JobT | None],
    work: Callable[[JobT], Coroutine[Any, Any, FoundT]],
    take: Callable[[JobT, FoundT], Awaitable[bool]],
    workers: int,
) -> None:
    over = False
    while not over:
        begun: list[tuple[JobT, Branch[FoundT]]] = []
        async with branches() as group:
            while len(begun) < workers and (job := jobs()) is not None:
                begun.append((job, group.start(work, job)))
        if not begun:
            return
        for job, branch in begun:
            over |= await take(job, branch.result())
