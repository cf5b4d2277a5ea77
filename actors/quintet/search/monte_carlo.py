"""Monte Carlo tree search: select by UCT, expand, roll out, look back on a failure, back up."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain

from quintet.messages.parts import PromptPart, Reflections
from quintet.messages.reflection import LookBack, LookedBack
from quintet.search.backing_up import back_up
from quintet.search.expansion import Child, Expander, Point
from quintet.search.node import Node
from quintet.search.selection import arrive, depart, select
from quintet.search.tree_search import TreeSearch
from quintet.search.workers import Workers, WorkersOrder


@dataclass(frozen=True)
class Job:
    """A leaf for a worker, and what was known when it set out."""

    leaf: Node
    depth: int
    point: Point
    reflections: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """What a worker brings back."""

    levels: tuple[tuple[Child, ...], ...]
    """The leaf's children, then those of the best of them, and so on down the roll-out."""
    reflection: str | None
    """On the end of the roll-out, if it failed."""


@dataclass(kw_only=True)
class MonteCarlo:
    """Searches with several workers.

    A worker expands its leaf and goes on to the best child, until the world is done or the roll-out is as deep as it
    may be. What it grew stays in the tree. The end is backed up: with an oracle, a done world's reward; of another end
    its score; 0 where nothing could be grown.

    Args:
        search: the tree.
        expander: finds children.
        iterations: how often a leaf is selected, at least 1.
        exploration: the weight of the second term of UCT.
        rollout_depth: actions from the root down to which roll-outs go; an expansion may lie deeper.
        reflections: how many of the newest reflections on failures are shown to later candidates and marks; with 0 none
            is asked for.
        failed_reward: what is backed up for a done world with the reward 0.
        workers: at once.
        order: in which their ends are taken.
        spread: whether workers run on several hosts.

    Source: LATS (Zhou et al., 2024), section 4.
    """

    search: TreeSearch
    expander: Expander
    iterations: int
    exploration: float
    rollout_depth: int = 0
    reflections: int = 0
    failed_reward: float = 0.0
    workers: int = 1
    order: WorkersOrder = "ends"
    spread: bool = False
    _begun: int = 0
    _learnt: tuple[str, ...] = ()

    async def run(self) -> None:
        """Search until an end is a success by the oracle, nothing is open, or the iterations are used up."""
        await Workers(
            branches=partial(self.search.episode.branches, spread=self.spread),
            jobs=self._next_job,
            work=self._explore,
            take=self._take,
            discard=self._discard,
            workers=self.workers,
            order=self.order,
        ).run()

    def _next_job(self) -> Job | None:
        if self._begun == self.iterations or self.search.is_full:
            return None
        leaf = select(self.search.tree.root, self.exploration)
        if leaf is None:
            return None
        self._begun += 1
        depart(leaf)
        parts: tuple[PromptPart, ...] = (Reflections(texts=self._learnt),) if self._learnt else ()
        return Job(leaf, leaf.depth, self.search.point(leaf, parts), self._learnt)

    async def _explore(self, job: Job) -> Found:
        levels: list[tuple[Child, ...]] = []
        end, phases = job.point, ("candidates", "values")
        async with AsyncExitStack() as copies:
            while True:
                children = await self.expander.expand(end, copies, phases=phases)
                levels.append(children)
                if not children:
                    break
                best = self._best(children)
                end, phases = end.after(best), ("roll-outs", "roll-outs")
                if best.done or job.depth + len(levels) >= min(self.rollout_depth, self.search.tree.max_depth):
                    break
            reason = self._failure(job.depth, levels)
            reflection = await self._look_back(job, end, reason) if reason and self.reflections else None
            for child in chain.from_iterable(levels):
                child.copy.keep()
        return Found(tuple(levels), reflection)

    def _best(self, children: tuple[Child, ...]) -> Child:
        """The child with which a roll-out goes on or ends: a done one if there is one, then by value."""
        return max(children, key=self._merit)

    def _merit(self, child: Child) -> tuple[bool, bool, float]:
        success = self.search.oracle and child.done and child.reward >= 1
        return success, child.done, child.confidence if child.value is None else child.value

    def _failure(self, depth: int, levels: Sequence[tuple[Child, ...]]) -> str:
        """Why the end of a roll-out is a failure; empty if it is none, or nobody can say so."""
        if not levels[-1]:
            return ""
        best = self._best(levels[-1])
        if best.done:
            return "the world is done without success" if self.search.oracle and best.reward < 1 else ""
        return "out of actions" if depth + len(levels) >= self.search.tree.max_depth else ""

    async def _look_back(self, job: Job, end: Point, reason: str) -> str | None:
        episode = self.search.episode
        request = LookBack(
            setting=episode.setting, goal=episode.goal, turns=end.turns, reason=reason, earlier=job.reflections
        )
        answer = await episode.unless_refused(episode.ask, request)
        return answer.reflection if isinstance(answer, LookedBack) else None

    async def _take(self, job: Job, found: Found) -> bool:
        arrive(job.leaf)
        node = job.leaf
        for children in found.levels:
            nodes = await self.search.add(node, children)
            if nodes:
                node = nodes[children.index(self._best(children))]
        back_up(node, self._reward(node))
        if found.reflection is not None:
            self._learnt = (*self._learnt, found.reflection)[-self.reflections :]
        return self.search.has_succeeded

    async def _discard(self, found: Found) -> None:
        await self.search.discard(tuple(chain.from_iterable(found.levels)))

    def _reward(self, end: Node) -> float:
        if end.standing == "pruned":
            return 0.0
        reward = end.final_reward if self.search.oracle else None
        return end.score if reward is None else reward or self.failed_reward
