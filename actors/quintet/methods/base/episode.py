"""The context of a method: one task in one session, the roles, branches, decisions and seeded randomness."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

import msgspec

from quintet.events import NodeGrown, NodeStanding, TrialEnded
from quintet.messages.environment import Session, Stepped, Task
from quintet.messages.execution import Execute, Executed, Stop, Turn
from quintet.messages.message import ReplyT, Request
from quintet.messages.parts import LastAction, PromptPart
from quintet.messages.paths import Path, episode_of
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.context import MethodContext
from quintet.methods.base.copy import Copy, forked
from quintet.methods.base.offer import LatestOffer, as_offer
from quintet.ports.model import SamplingOverride
from quintet.roles.context import current, note, seeded_random

_REASONS: Mapping[Stop, str] = {
    "claimed": "given up as impossible",
    "budget": "out of steps",
    "patience": "too many rejected actions in a row",
    "repeats": "the same action with the same answer too often in a row",
    "context": "context full",
}


def no_answer(_answer: str) -> str:
    """For a world that takes no answers."""
    return ""


@dataclass(frozen=True)
class Episode(MethodContext):
    """The context of a method's `solve`: an episode, or a subtask of one. It offers no model client, clock or Ray."""

    path: Path
    """Of the request that the method answers."""
    task: Task
    session: Session
    """The session to act in."""
    setting: str
    """The world's opening without the goal."""
    goal: str
    depth: int
    """Recursion level; 1 is the user's own task."""
    parts: tuple[PromptPart, ...]
    """The prompt parts of the executor: the method's demonstrations, then `inherited`."""
    last_action: str = ""
    """The last action of the subtask solved before this one; empty if there was none."""
    last_observation: str = ""
    """The world's answer to `last_action`."""
    failed: tuple[str, ...] = ()
    """What was tried before this subtask without success."""
    inherited: tuple[PromptPart, ...] = ()
    """The parts that came with the request, such as a plan from learning. Subtasks get them too."""
    sampling: SamplingOverride | None = None
    """Sampling of the executor; None: as configured. The planner always uses its configured sampling."""
    purpose: str = ""
    """What the method's learner wants of this episode; empty: what every episode does. Subtasks do not get it."""
    subgoal: bool = False
    """The goal is a part of the task's own, so the world's reward does not say whether it is reached."""
    by: str = ""
    """The method's own name in the run; empty: it is the outermost one."""
    inner: str = ""
    """The name of its inner method in the run; empty: it has none."""
    opens_on_page: bool = False
    """Whether the setting is only what is seen first; see `World`."""
    answer_action: Callable[[str], str] = no_answer
    """The action that ends the task with an answer, one line; empty: the world takes none; see `World`."""
    latest: LatestOffer = field(default_factory=LatestOffer)

    @property
    def is_outermost(self) -> bool:
        """It is the user's own task, in a session that was opened for it; else a subtask, or an inner method's goal."""
        return self.path == episode_of(self.path)

    @property
    def lasting_setting(self) -> str:
        """The setting, as far as it holds for all of the goal: empty where it is only what is seen first."""
        return "" if self.opens_on_page else self.setting

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Ask the role that answers such requests."""
        return await self.roles.ask(request)

    async def execute(
        self,
        *,
        max_calls: int,
        patience: int,
        parts: tuple[PromptPart, ...] | None = None,
        goal: str = "",
        session: Session | None = None,
        max_repeats: int | None = None,
        thoughts: bool = True,
        claims: bool = True,
        formalized: Literal["always", "illegal"] = "always",
        sampling: SamplingOverride | None = None,
    ) -> Solved | Unsolved:
        """Let the executor pursue the goal in the session.

        Args:
            max_calls: budget of turns; see `Execute`.
            patience: rejected or unreadable actions in a row after which it gives up.
            parts: the executor's prompt parts; None: `self.parts`.
            goal: empty for the episode's own.
            session: where to act, in a fork for example; None: in the episode's session.
            max_repeats: how often in a row the same action may get the same answer; None: as often as it likes.
            thoughts: whether an answer is a thought with its action, or an action alone; see `Execute`.
            claims: whether the model is to claim, once the world is done; see `Execute`.
            formalized: which actions are rewritten; see `Execute`.
            sampling: of this run; None: `self.sampling`.

        Returns:
            `Solved` if the executor completed the goal, by its model's claim, or by the full reward if it made none.
        """
        executed = await self.ask(
            Execute(
                session=session or self.session,
                setting=self.setting,
                goal=goal or self.goal,
                parts=self.parts if parts is None else parts,
                max_calls=max_calls,
                patience=patience,
                max_repeats=max_repeats,
                thoughts=thoughts,
                claims=claims,
                formalized=formalized,
                sampling=sampling or self.sampling,
            )
        )
        return self._concluded(executed, session or self.session)

    async def attempt(
        self,
        *,
        goal: str = "",
        session: Session | None = None,
        parts: tuple[PromptPart, ...] | None = None,
        sampling: SamplingOverride | None = None,
    ) -> Solved | Unsolved:
        """Let the inner method pursue a goal. It has demonstrations, prompts and models of its own.

        Args:
            goal: a part of the episode's; empty: the episode's own.
            session: to act in; None: the episode's. The answer may name another one, and then this one is closed.
            parts: what its prompts show after its demonstrations; None: `self.inherited`.
            sampling: of its executor; None: `self.sampling`.

        Returns:
            Its answer, at the depth of this episode: levels of an inner method are its own.

        Raises:
            LookupError: the method has no inner one.
        """
        if not self.inner:
            raise LookupError(f"{self.path}: expected a method with an inner one, got one without")
        answer = await self.ask(
            Solve(
                task=self.task,
                by=self.inner,
                session=session or self.session,
                setting=self.setting,
                goal=goal or self.goal,
                subgoal=self.subgoal or bool(goal and goal != self.goal),
                parts=self.inherited if parts is None else parts,
                sampling=sampling or self.sampling,
            )
        )
        return msgspec.structs.replace(answer, depth=self.depth)

    async def recurse(
        self, goal: str, session: Session, last: LastAction | None = None, *, failed: tuple[str, ...] = ()
    ) -> Solved | Unsolved:
        """Let the method itself solve a subtask, one level deeper.

        Args:
            last: the action to hand on, with the world's answer.
            failed: what was tried before without success.
        """
        return await self.ask(
            Solve(
                task=self.task,
                by=self.by,
                session=session,
                setting=self.setting,
                goal=goal,
                subgoal=True,
                depth=self.depth + 1,
                last_action=last.action if last else "",
                last_observation=last.observation if last else "",
                failed=failed,
                parts=self.inherited,
                sampling=self.sampling,
            )
        )

    def conclude(self, last: Stepped | None, turns: Sequence[Turn] = (), *, reason: str) -> Solved | Unsolved:
        """The answer of a method that acts without a model: solved if the world is done with the full reward.

        Args:
            last: the world's answer to the last action; None if no action was taken.
            reason: why the method gave up, if the world is not done.
        """
        reward, done = (0.0, False) if last is None else (last.reward, last.done)
        if done and reward >= 1:
            return Solved(session=self.session, reward=reward, done=True, depth=self.depth, turns=tuple(turns))
        reason = done_reason(reward) if done else reason
        return Unsolved(
            session=self.session, reward=reward, done=done, reason=reason, depth=self.depth, turns=tuple(turns)
        )

    def offer(self, answer: Solved | Unsolved) -> None:
        """Say how the episode ends if a limit cuts it short from now on. Each offer replaces the one before.

        The episode then has the answer's state, session, reward, claim and depth, and the limit as its reason. Without
        an offer it ends unsolved, with what was earned in the session that it acted in last. Only the outermost
        episode's offers count; those of a subtask or of an inner method have no effect.

        Raises:
            TypeError: it is no `Solved` or `Unsolved`, or a field has a value of another type.
            ValueError: its reward is not in [0, 1], or it names no session.
        """
        self.latest.offer = as_offer(answer)

    def random(self) -> Random:
        """A generator seeded by the task's seed and the current path: the same in every replay and attempt."""
        return seeded_random(self.task.seed)

    def within(self, session: Session, parts: tuple[PromptPart, ...]) -> "Episode":
        """The context of a branch that acts in a session of its own. It may grow a tree; its offers count for nothing.

        Args:
            session: the branch's, which its answers name.
            parts: of the executor's prompts in this branch.
        """
        return replace(self, path=current().path, session=session, parts=parts, latest=LatestOffer())

    def forked(self, session: Session) -> AbstractAsyncContextManager[Copy]:
        """A copy of a session, closed when the block is left unless it is kept: `async with` it.

        In a spread branch the copy of a session from outside the branch lives on the branch's host.
        """
        return forked(self.roles, self.task, session)

    def journal_node(
        self,
        *,
        node: int,
        parent: int | None,
        action: str,
        session: Session | None,
        value: float | None = None,
        confidence: float | None = None,
        visits: int = 0,
        reward: float = 0.0,
        standing: NodeStanding = "open",
        adjusted: bool = False,
    ) -> None:
        """Journal how a node of the method's search tree stands, without waiting: when it is grown, and after a change.

        The arguments are the fields of `quintet.events.NodeGrown`. An episode grows one tree, and so does each branch
        that has a context of its own (`within`).

        Raises:
            ValueError: a value, confidence or reward is outside [0, 1].
            ReplayMismatch: the node stood differently when this was recorded.
        """
        for name, share in (("value", value), ("confidence", confidence), ("reward", reward)):
            if share is not None and not 0 <= share <= 1:
                raise ValueError(f"node {node} of {self.path}: {name}: expected within [0, 1], got {share}")
        note(
            lambda path: NodeGrown(
                path=path,
                tree=self.path,
                node=node,
                parent=parent,
                action=action,
                session=None if session is None else session.id,
                value=value,
                confidence=confidence,
                visits=visits,
                reward=reward,
                standing=standing,
                adjusted=adjusted,
            )
        )

    def journal_trial(self, *, number: int, actions: int, reward: float, steps: int = 0, revised: bool = False) -> None:
        """Journal the end of one of the method's trials, without waiting, for reports.

        The arguments are the fields of `quintet.events.TrialEnded`. Trials are numbered from 1, without a gap.

        Raises:
            ValueError: the number is below 1, a count below 0, or the reward outside [0, 1].
            ReplayMismatch: the trial ended differently when this was recorded.
        """
        for name, count, least in (("number", number, 1), ("actions", actions, 0), ("steps", steps, 0)):
            if count < least:
                raise ValueError(f"trial {number} of {self.path}: {name}: expected at least {least}, got {count}")
        if not 0 <= reward <= 1:
            raise ValueError(f"trial {number} of {self.path}: reward: expected within [0, 1], got {reward}")
        note(
            lambda path: TrialEnded(
                path=path,
                solve=self.path,
                method=self.by,
                number=number,
                actions=actions,
                reward=reward,
                steps=steps,
                revised=revised,
            )
        )

    def _concluded(self, executed: Executed, session: Session) -> Solved | Unsolved:
        if executed.completed:
            return Solved(
                session=session,
                reward=executed.reward,
                done=executed.done,
                claimed=executed.claimed,
                depth=self.depth,
                turns=executed.turns,
                last_action=executed.last_action,
                last_observation=executed.last_observation,
            )
        return Unsolved(
            session=session,
            reward=executed.reward,
            done=executed.done,
            reason=_reason(executed),
            claimed=executed.claimed,
            depth=self.depth,
            turns=executed.turns,
        )


def done_reason(reward: float) -> str:
    """Why an episode failed that its world has ended. A look-back is told it, which may know of the reward."""
    return f"the task ended with a reward of {reward:.2f} of 1" if reward else "the task ended without success"


def _reason(executed: Executed) -> str:
    if executed.claimed is False:
        return _REASONS["claimed"]
    return done_reason(executed.reward) if executed.stop == "done" else _REASONS[executed.stop]
