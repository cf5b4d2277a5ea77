"""Monte Carlo tree search: select by UCT, expand, roll out, look back on a failure, back up."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from quintet.messages.parts import PromptPart, Reflections
from quintet.messages.reflection import LookBack, LookedBack
from quintet.methods.base.episode import done_reason
from quintet.search.expansion import Child, Expander
from quintet.search.node import Node
from quintet.search.rollout import RollOut, roll_out
from quintet.search.selection import arrive, back_up, depart, select
from quintet.search.tree_search import TreeSearch
from quintet.search.workers import Workers, WorkersOrder


@dataclass
class TreeIteration:
    """An iteration under way. A worker that has it reads it; only between its jobs is it changed."""

    end: Node
    """The leaf that was selected, and then the state that its roll-out has come to."""
    reflections: tuple[str, ...]
    """Those that were known when it began."""
    phases: tuple[str, str] = ("candidates", "values")
    rolls_out: bool = False
    """Its roll-out has begun."""
    attempts: bool = False
    """Its next job is the attempt that is its roll-out."""
    failure: str = ""
    """Why its end is a failure that is to be looked back on; empty while it goes on."""


@dataclass(frozen=True)
class Found:
    """What a worker brings back."""

    children: tuple[Child, ...] = ()
    rolled: RollOut | None = None
    reflection: str | None = None


@dataclass(kw_only=True)
class MonteCarlo:
    """Searches with several workers.

    An iteration expands a leaf and goes on to the best child, until the world is done or the roll-out is as deep as it
    may be. Each expansion is a job of its own, so others can go on from its children at once; what it grew stays in the
    tree. The end is backed up: with an oracle, a done world's reward; of a world that is not done, what `cut_off`
    says; 0 where nothing could be grown.

    Where the episode has an inner method, a roll-out is one attempt of it from the best child, however deep it goes.

    Args:
        iterations: how often a leaf is selected, at least 1.
        exploration: the weight of the second term of UCT.
        rollout_depth: actions from the root down to which roll-outs go without an inner method; an expansion may lie
            deeper.
        cut_off: what is backed up where a roll-out ended before the world was done, and 0 where there was none; or the
            end's score in either case.
        reflections: how many failures are looked back on: the first ones of which no two have the same last action and
            reward. What was learnt is shown to the candidates and marks of iterations that begin later; where none
            will, nothing is asked.
        spread: whether workers run on several hosts.

    Source: LATS (Zhou et al., 2024), section 4.
    """

    search: TreeSearch
    expander: Expander
    iterations: int
    exploration: float
    rollout_depth: int = 0
    cut_off: float | Literal["value"] = "value"
    reflections: int = 0
    workers: int = 1
    order: WorkersOrder = "ends"
    spread: bool = False
    _begun: int = 0
    _learnt: tuple[str, ...] = ()
    _looked_back_on: set[tuple[str, float]] = field(default_factory=set[tuple[str, float]])
    """The last actions and rewards of failures."""
    _under_way: deque[TreeIteration] = field(default_factory=deque[TreeIteration])

    async def run(self) -> None:
        """Search until an end is a success by the oracle, nothing is open, or the iterations are used up."""
        await Workers(
            branches=partial(self.search.episode.branches, spread=self.spread),
            jobs=self._next_job,
            work=self._work,
            take=self._take,
            discard=self._discard,
            workers=self.workers,
            order=self.order,
        ).run()

    def _next_job(self) -> TreeIteration | None:
        if self._under_way:
            return self._under_way.popleft()
        if self._begun == self.iterations or self.search.is_full:
            return None
        leaf = select(self.search.tree.root, self.exploration)
        if leaf is None:
            return None
        self._begun += 1
        depart(leaf)
        return TreeIteration(leaf, self._learnt)

    async def _work(self, iteration: TreeIteration) -> Found:
        if iteration.failure:
            return Found(reflection=await self._look_back(iteration))
        learnt = iteration.reflections
        parts: tuple[PromptPart, ...] = (Reflections(texts=learnt),) if learnt else ()
        point = self.search.point(iteration.end, parts)
        if iteration.attempts:
            episode, evaluator = self.search.episode, self.expander.evaluator
            return Found(rolled=await episode.unless_refused(roll_out, episode, evaluator, point, iteration.phases[1]))
        return Found(await self.expander.expand(point, phases=iteration.phases))

    async def _look_back(self, iteration: TreeIteration) -> str | None:
        episode = self.search.episode
        request = LookBack(
            setting=episode.setting,
            goal=episode.goal,
            turns=iteration.end.turns,
            reason=iteration.failure,
            earlier=iteration.reflections,
        )
        answer = await episode.unless_refused(episode.ask, request)
        return answer.reflection if isinstance(answer, LookedBack) else None

    async def _take(self, iteration: TreeIteration, found: Found) -> bool:
        arrive(iteration.end)
        goes_on = False
        if found.reflection is not None:
            self._learnt = (*self._learnt, found.reflection)
        if iteration.attempts:
            goes_on = await self._attempted(iteration, found.rolled)
        elif not iteration.failure:
            goes_on = await self._expanded(iteration, found.children)
        if goes_on:
            depart(iteration.end)
            self._under_way.append(iteration)
        else:
            back_up(iteration.end, self._reward(iteration))
        return self.search.has_succeeded

    async def _expanded(self, iteration: TreeIteration, children: Sequence[Child]) -> bool:
        """Add the children, and go on to the best of them; whether the iteration has anything more to do."""
        nodes = await self.search.add(iteration.end, children)
        if not nodes:
            return False
        iteration.end = max(nodes, key=self._merit)
        iteration.phases = ("roll-outs", "roll-outs")
        iteration.attempts = iteration.end.is_open and bool(self.search.episode.inner)
        if iteration.attempts or (iteration.end.is_open and iteration.end.depth < self.rollout_depth):
            iteration.rolls_out = True
            return True
        return self._is_looked_back_on(iteration, self._failure(iteration.end))

    async def _attempted(self, iteration: TreeIteration, rolled: RollOut | None) -> bool:
        """Add what was done in an attempt; whether the iteration has anything more to do."""
        iteration.attempts = False
        if rolled is None:
            return False
        iteration.end = await self.search.extend(iteration.end, rolled)
        return self._is_looked_back_on(iteration, self._failure(iteration.end) if rolled.end.done else rolled.failure)

    def _is_looked_back_on(self, iteration: TreeIteration, failure: str) -> bool:
        end = iteration.end.action, iteration.end.reward
        is_new = end not in self._looked_back_on and len(self._looked_back_on) < self.reflections
        iteration.failure = failure if is_new and self._may_begin_another else ""
        if iteration.failure:
            self._looked_back_on.add(end)
        return bool(iteration.failure)

    @property
    def _may_begin_another(self) -> bool:
        """Whether an iteration may still begin: there is a leaf, or a worker that may grow one."""
        root = self.search.tree.root
        return self._begun < self.iterations and not self.search.is_full and bool(root.openings or root.in_flight)

    def _merit(self, node: Node) -> tuple[bool, bool, float]:
        """A roll-out goes to a done child if there is one, then by score."""
        return self.search.oracle and node.is_success, node.done, node.score

    def _failure(self, end: Node) -> str:
        """Why the end of a roll-out is a failure; empty if it is none, or nobody can say so."""
        if end.done:
            return done_reason(end.reward) if self.search.oracle and end.reward < 1 else ""
        return "" if end.is_open else "out of actions"

    def _reward(self, iteration: TreeIteration) -> float:
        end = iteration.end
        if end.standing == "pruned":
            return 0.0
        if end.done:
            return end.reward if self.search.oracle else end.score
        if self.cut_off == "value":
            return end.score
        return self.cut_off if iteration.rolls_out else 0.0

    async def _discard(self, found: Found) -> None:
        await self.search.discard([*found.children, *([] if found.rolled is None else [found.rolled.end])])
