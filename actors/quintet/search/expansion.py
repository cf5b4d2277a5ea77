"""Expanding a node: candidates are drawn, each is tried in a copy of the world, and their states are judged."""

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from quintet.messages.environment import Session, Step
from quintet.messages.execution import Candidate, Decide, Turn
from quintet.messages.parts import PromptPart
from quintet.methods.base.copy import Copy
from quintet.methods.base.episode import Episode
from quintet.ports.model import SamplingOverride
from quintet.roles.turn_text import seen_after
from quintet.search.evaluator import LeafState, StateEvaluator
from quintet.search.proposals import Proposal, agreed, merge, tried


@dataclass(frozen=True, kw_only=True)
class Child:
    """What an action led to; a node of the tree is made from it."""

    action: str
    confidence: float
    adjusted: bool
    """The model's confidences had to be normalised."""
    turn: Turn
    copy: Copy
    """Of the parent's session, now in the state behind the action."""
    reward: float
    done: bool
    value: float | None = None

    @property
    def session(self) -> Session:
        """Where the world is in this state."""
        return self.copy.session


@dataclass(frozen=True, kw_only=True)
class Point:
    """A state to go on from."""

    session: Session
    turns: tuple[Turn, ...]
    """From the episode's start."""
    value: float | None
    parts: tuple[PromptPart, ...] = ()
    """What prompts show here, beside the episode's own parts."""


Describe: TypeAlias = Callable[[Point], Coroutine[Any, Any, tuple[PromptPart, ...]]]
"""Makes the prompt parts that say what state a point is in."""


@dataclass(frozen=True, kw_only=True)
class Expander:
    """Finds the children of a node.

    An action that the world rejects leads to no child. Neither does a claim: the world says whether the task is done.
    Nor does a state that a model refuses to describe.

    Args:
        candidates: drawn at a node, at least 1.
        root_candidates: the same at the root; None: as many.
        siblings: draw them one after the other, each told which actions were proposed before; else all at once.
        with_confidence: one completion names all candidates, with confidences.
        agreement: the confidence from which on an action is the only one to be tried, and its state is not judged.
            None: all are tried.
        redraws: how often candidates are drawn anew where the world rejects all of them, each time told which.
        thoughts: whether a candidate is a thought with its action; see `Decide`.
        describe: prompts for candidates show these parts of a state in place of the turns and of a first page; None:
            they show the turns.
        sampling: of candidates; None: the role's.
    """

    episode: Episode
    evaluator: StateEvaluator
    candidates: int
    root_candidates: int | None = None
    siblings: bool = False
    with_confidence: bool = False
    agreement: float | None = None
    redraws: int = 0
    thoughts: bool = True
    describe: Describe | None = None
    sampling: SamplingOverride | None = None

    async def expand(self, point: Point, *, phases: tuple[str, str] = ("candidates", "values")) -> tuple[Child, ...]:
        """The children of a state; none if the model refuses to propose actions, or the world rejects them all.

        Args:
            point: where to go on; its session stays as it is.
            phases: what the calls for candidates and for values are counted as.
        """
        async with AsyncExitStack() as copies:
            children, judged = await self._grow(point, phases[0], copies)
            values = await self._values(point, children, phases[1], judged=judged)
            for child in children:
                child.copy.keep()
        return tuple(replace(child, value=value) for child, value in zip(children, values, strict=True))

    async def _grow(self, point: Point, phase: str, copies: AsyncExitStack) -> tuple[Sequence[Child], bool]:
        """Draw candidates and try them; whether their states are to be judged."""
        n = self.candidates if point.turns or self.root_candidates is None else self.root_candidates
        shown = await self._shown(point)
        if shown is None:
            return (), True
        rejected: tuple[str, ...] = ()
        for _ in range(1 + self.redraws):
            drawn = await self.episode.unless_refused(self._draw, shown, n, phase, rejected)
            candidates, adjusted = drawn or ((), False)
            proposals = merge(candidates)
            only = None if self.agreement is None else agreed(proposals, self.agreement)
            trials = proposals if only is None else (only,)
            children = await self._try_all(point, trials, copies, adjusted=adjusted)
            if children or not trials:
                return children, only is None
            rejected += tried(trials)
        return (), True

    async def _shown(self, point: Point) -> Point | None:
        """The state as prompts for candidates show it; None if a model refused to describe it."""
        if self.describe is None:
            return point
        parts = await self.episode.unless_refused(self.describe, point)
        return None if parts is None else replace(point, turns=(), parts=(*point.parts, *parts))

    async def _values(
        self, point: Point, children: Sequence[Child], phase: str, *, judged: bool
    ) -> Sequence[float | None]:
        if not judged:
            return [self.evaluator.of_only_child(point.value)] * len(children)
        if not children:
            return ()
        states = [
            LeafState((*point.turns, child.turn), child.done, child.confidence, child.reward) for child in children
        ]
        return await self.evaluator.evaluate(states, point.parts, phase)

    async def _draw(
        self, point: Point, n: int, phase: str, rejected: tuple[str, ...]
    ) -> tuple[Sequence[Candidate], bool]:
        if not self.siblings:
            reply = await self.episode.ask(self._request(point, phase, n=n, instead_of=rejected))
            return reply.candidates, reply.adjusted
        candidates: list[Candidate] = []
        for _ in range(n):
            request = self._request(point, phase, instead_of=(*rejected, *tried(merge(candidates))))
            reply = await self.episode.ask(request)
            candidates += reply.candidates
        return candidates, False

    def _request(self, point: Point, phase: str, *, instead_of: tuple[str, ...], n: int = 1) -> Decide:
        return Decide(
            setting=self.episode.setting if self.describe is None else self.episode.lasting_setting,
            goal=self.episode.goal,
            parts=(*self.episode.parts, *point.parts),
            history=point.turns,
            sampling=self.sampling,
            n=n,
            instead_of=instead_of,
            with_confidence=self.with_confidence,
            thoughts=self.thoughts,
            phase=phase,
            tools_of=point.session,
        )

    async def _try_all(
        self, point: Point, proposals: Sequence[Proposal], copies: AsyncExitStack, *, adjusted: bool
    ) -> list[Child]:
        async with self.episode.branches() as group:
            trials = [group.start(self._try, point, proposal, adjusted, copies) for proposal in proposals]
        return [child for trial in trials if (child := trial.result()) is not None]

    async def _try(self, point: Point, proposal: Proposal, adjusted: bool, copies: AsyncExitStack) -> Child | None:
        async with AsyncExitStack() as own:
            copy = await own.enter_async_context(self.episode.forked(point.session))
            step = Step(session=copy.session, action=proposal.action, thought=proposal.thought)
            stepped = await self.episode.ask(step)
            if stepped.rejected:
                return None
            # `copies` has only those that will be kept: leaving it waits for nothing, so no stop can come between.
            await copies.enter_async_context(own.pop_all())
        return Child(
            action=proposal.action,
            confidence=proposal.confidence,
            adjusted=adjusted,
            turn=Turn(completion=proposal.completion, observation=seen_after(stepped)),
            copy=copy,
            reward=stepped.reward,
            done=stepped.done,
        )
