"""The controller: carries out a plan, each step as a subtask, and combines them by the plan's logic.

Source: ADaPT, section 3.3 and appendix A; where a subtask starts is as in the released code.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

import msgspec

from quintet.messages.environment import Close, CloseBranch, Fork, Session
from quintet.messages.parts import LastAction
from quintet.messages.planning import AllOf, AnyOf, PlanStep, PlanTree
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import Alternatives
from quintet.methods.adapt.hand_on import last_action_of
from quintet.methods.base.episode import Episode


@dataclass(frozen=True, kw_only=True)
class HandedOn:
    """What a step of a plan is told of those before it."""

    last: LastAction
    """The last action of the step that was solved before; empty if there is none."""
    failed: tuple[str, ...] = ()
    """What was tried before without success, in words."""


StepAttempt: TypeAlias = Callable[[str, Session, HandedOn], Awaitable[Solved | Unsolved]]
"""Pursues a step of a plan in a session, with what is handed on to it."""


class Controller:
    """Carries out plans in an episode.

    Args:
        step: pursues a step; its answer names the session to continue in.
        rollback: whether what follows a failure begins from a copy made before it, or from the world as it is.
        alternatives: how the parts of an OR run, in order or at once.
    """

    def __init__(
        self, episode: Episode, step: StepAttempt, *, rollback: bool, alternatives: Alternatives = "sequential"
    ) -> None:
        self._episode = episode
        self._step = step
        self._rollback = rollback
        self._alternatives = alternatives

    async def carry_out(self, plan: PlanTree, session: Session, handed: HandedOn) -> Solved | Unsolved:
        """Carry out a plan, or a part of one, in `session`. Brackets use up no depth.

        Args:
            session: to begin in. The answer names the one to continue in.
        """
        match plan:
            case PlanStep(text=text):
                return await self._step(text, session, handed)
            case AllOf(parts=parts):
                return await self._all_of(parts, session, handed)
            case AnyOf(parts=parts):
                any_of = self._any_of if self._alternatives == "sequential" else self._first_of
                return await any_of(parts, session, handed)
            case _:
                assert_never(plan)

    async def checkpoint(self, session: Session) -> Session | None:
        """A copy of the session to return to after a failure; None without rollback."""
        if not self._rollback:
            return None
        forked = await self._episode.ask(Fork(session=session))
        return forked.session

    async def after(self, answer: Solved | Unsolved, checkpoint: Session | None) -> Solved | Unsolved:
        """The answer, with the checkpoint as its session if it is a failure. The other session is closed.

        What was earned since the checkpoint is gone with it: the answer's reward is 0, and those of the parts before it
        count.
        """
        if checkpoint is None:
            return answer
        kept = isinstance(answer, Solved) or answer.done
        abandoned = checkpoint if kept else session_after(answer)
        await self._episode.ask(Close(session=abandoned))
        return answer if kept else msgspec.structs.replace(_rolled_back(answer), session=checkpoint)

    async def _all_of(self, parts: tuple[PlanTree, ...], session: Session, handed: HandedOn) -> Solved | Unsolved:
        """Run the parts in order; each gets the last action of the one before."""
        answers: list[Solved | Unsolved] = []
        for part in parts:
            answer = await self.carry_out(part, session, handed)
            answers.append(answer)
            if isinstance(answer, Unsolved) or answer.done:
                break
            session, handed = answer.session, replace(handed, last=last_action_of(answer))
        return _combined(answers, claimed=_all_claim([answer.claimed for answer in answers]))

    async def _any_of(self, parts: tuple[PlanTree, ...], session: Session, handed: HandedOn) -> Solved | Unsolved:
        """Run the parts in order until one is solved; each gets the same last action, and the parts that failed."""
        answers: list[Solved | Unsolved] = []
        for number, part in enumerate(parts, start=1):
            checkpoint = await self.checkpoint(session) if number < len(parts) else None
            answer = await self.after(await self.carry_out(part, session, handed), checkpoint)
            answers.append(answer)
            if isinstance(answer, Solved) or answer.done:
                break
            session, handed = session_after(answer), replace(handed, failed=(*handed.failed, _words(part)))
        return _combined(answers, claimed=_any_claims([answer.claimed for answer in answers]))

    async def _first_of(self, parts: tuple[PlanTree, ...], session: Session, handed: HandedOn) -> Solved | Unsolved:
        """Run the parts at once, each on a copy of the session, until one is solved; the others are stopped.

        The session of that part goes on; if none is solved, that of the part which ends the sequential order: the first
        whose world is done, or else the last.
        """
        answers: dict[int, Solved | Unsolved] = {}
        async with self._episode.branches() as group:
            branches = [group.start(self._alternative, part, session, handed) for part in parts]
            while len(answers) < len(parts):
                number = await group.next()
                answers[number] = branches[number - 1].result()
                if isinstance(answers[number], Solved):
                    await group.stop()
                    break
        solved = [number for number, answer in answers.items() if isinstance(answer, Solved)]
        done = [number for number, answer in sorted(answers.items()) if answer.done]
        chosen = [*solved, *done, len(parts)][0]
        for branch in branches:
            if branch.number != chosen:
                await self._episode.ask(CloseBranch(session=session, branch=branch.path))
        await self._episode.ask(Close(session=session))
        abandoned = [_rolled_back(answer) for number, answer in answers.items() if number != chosen]
        claimed = _any_claims([answer.claimed for answer in answers.values()])
        return _combined([*abandoned, answers[chosen]], claimed=claimed)

    async def _alternative(self, part: PlanTree, session: Session, handed: HandedOn) -> Solved | Unsolved:
        """Carry out a part on a copy of the session."""
        forked = await self._episode.ask(Fork(session=session))
        return await self.carry_out(part, forked.session, handed)


def session_after(answer: Solved | Unsolved) -> Session:
    """The session to continue in. Only an episode that was cut short has none, and then no method runs."""
    assert answer.session is not None
    return answer.session


def _rolled_back(answer: Solved | Unsolved) -> Solved | Unsolved:
    """An answer whose session is given up: nothing was done or earned in it."""
    return msgspec.structs.replace(answer, reward=0.0, turns=())


def _combined(answers: Sequence[Solved | Unsolved], *, claimed: bool | None) -> Solved | Unsolved:
    """Combine the answers of several parts; the last one reached decides how they ended.

    The greatest reward is that of the last one's session, since rewards never fall; a part without an action says 0.
    """
    return msgspec.structs.replace(
        answers[-1],
        reward=max(answer.reward for answer in answers),
        claimed=claimed,
        depth=max(answer.depth for answer in answers),
        turns=tuple(turn for answer in answers for turn in answer.turns),
    )


def _all_claim(claims: Sequence[bool | None]) -> bool | None:
    if False in claims:
        return False
    return None if None in claims else True


def _any_claims(claims: Sequence[bool | None]) -> bool | None:
    if True in claims:
        return True
    return None if None in claims else False


def _words(plan: PlanTree) -> str:
    """A part of a plan in words."""
    match plan:
        case PlanStep(text=text):
            return text
        case AllOf(parts=parts):
            return f"({' AND '.join(map(_words, parts))})"
        case AnyOf(parts=parts):
            return f"({' OR '.join(map(_words, parts))})"
        case _:
            assert_never(plan)
