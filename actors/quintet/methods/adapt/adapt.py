"""ADaPT: the executor first; if it fails, a plan whose steps are subtasks."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, assert_never

from msgspec.structs import replace

from quintet.messages.environment import Close, CloseBranch, Fork, Session
from quintet.messages.execution import Execute
from quintet.messages.message import Request
from quintet.messages.parts import LastAction
from quintet.messages.planning import AllOf, AnyOf, Decompose, PlanFailed, PlanStep, PlanTree
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.adapt.hand_on import collect_hand_on, last_action_of, with_last_action
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.react.demonstrations import demonstrations, planners_skills
from quintet.methods.react.react import React


class Adapt(Method[AdaptConfig]):
    """Pursues the goal; decomposes it only if the executor fails and the depth allows it.

    Solved if the executor completed the goal, or if the plan's logic over the subtasks is true. A world that is done
    ends the episode with the answer of the current subtask. `reward` is the best earned; `depth` the deepest level
    reached. `claimed` is the same conclusion by the models' claims alone: the executor's claim if it decides, else the
    logic over the subtasks' claims. Parts joined by AND claim False if one claims failure, else None if one makes no
    claim, else True; parts joined by OR the reverse. Parts that were not reached do not count.

    Source: ADaPT, algorithm 1. Differs: no plan is asked for at the greatest depth, where it had no effect.
    """

    name = "adapt"
    version = "2"
    requests = (Decompose, Execute)
    prompt_folders = (Path(__file__).parent / "prompts", *React.prompt_folders)
    worlds = {
        "textcraft": {"max_depth": 4, "patience": 8, "rollback": False, "hand_on": "inventory"},
        "alfworld": {
            "max_depth": 3,
            "executor_calls": 20,
            "patience": 5,
            "rollback": True,
            "hand_on": "last_action",
            "demonstrations": "hybrid",
        },
    }

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        attempt = await self._execute(episode)
        if isinstance(attempt, Solved) or attempt.done or episode.depth >= self.config.max_depth:
            return attempt
        decomposed = await episode.ask(Decompose(setting=episode.setting, goal=episode.goal))
        if isinstance(decomposed, PlanFailed):
            return replace(attempt, reason=decomposed.reason)
        handed = LastAction(action=episode.last_action, observation=episode.last_observation)
        combined = await self._carry_out(episode, decomposed.plan, _left(attempt), handed)
        turns = (*attempt.turns, *combined.turns)
        return replace(combined, reward=max(attempt.reward, combined.reward), turns=turns)

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...]:
        return demonstrations(self.config.demonstrations, metadata)

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        skills = planners_skills(self.config.demonstrations) if request is Decompose else ()
        return (*super().instructions(request), *skills)

    def needs_forks(self) -> bool:
        return self.config.rollback

    def budget(self) -> str:
        return f"{self.config.max_depth} x {self.config.executor_calls}"

    async def _execute(self, episode: Episode) -> Solved | Unsolved:
        """Run the executor. The answer names the session to continue in, which is another one after a rollback."""
        kind = self.config.hand_on
        handed, looked = await collect_hand_on(episode, kind)
        last = episode.depth >= self.config.max_depth
        checkpoint = None if last else await self._checkpoint(episode, episode.session)
        attempt = await episode.execute(
            parts=(*episode.parts, *handed), max_calls=self.config.executor_calls, patience=self.config.patience
        )
        attempt = replace(attempt, turns=(*looked, *attempt.turns))
        if isinstance(attempt, Solved):
            attempt = with_last_action(attempt, episode, kind)
        return await _after(episode, attempt, checkpoint)

    async def _carry_out(
        self, episode: Episode, plan: PlanTree, session: Session, last: LastAction
    ) -> Solved | Unsolved:
        """Carry out a plan, or a part of one, in `session`. Brackets use up no depth."""
        match plan:
            case PlanStep(text=text):
                return await episode.attempt(goal=text, session=session, last=last)
            case AllOf(parts=parts):
                return await self._all_of(episode, parts, session, last)
            case AnyOf(parts=parts):
                any_of = self._any_of if self.config.alternatives == "sequential" else self._first_of
                return await any_of(episode, parts, session, last)
            case _:
                assert_never(plan)

    async def _all_of(
        self, episode: Episode, parts: tuple[PlanTree, ...], session: Session, last: LastAction
    ) -> Solved | Unsolved:
        """Run the parts in order; each gets the last action of the one before."""
        answers: list[Solved | Unsolved] = []
        for part in parts:
            answer = await self._carry_out(episode, part, session, last)
            answers.append(answer)
            if isinstance(answer, Unsolved) or answer.done:
                break
            session, last = answer.session, last_action_of(answer)
        return _combined(answers, claimed=_all_claim([answer.claimed for answer in answers]))

    async def _any_of(
        self, episode: Episode, parts: tuple[PlanTree, ...], session: Session, last: LastAction
    ) -> Solved | Unsolved:
        """Run the parts in order until one is solved; each gets the same last action."""
        answers: list[Solved | Unsolved] = []
        for number, part in enumerate(parts, start=1):
            checkpoint = await self._checkpoint(episode, session) if number < len(parts) else None
            answer = await _after(episode, await self._carry_out(episode, part, session, last), checkpoint)
            answers.append(answer)
            if isinstance(answer, Solved) or answer.done:
                break
            session = _left(answer)
        return _combined(answers, claimed=_any_claims([answer.claimed for answer in answers]))

    async def _first_of(
        self, episode: Episode, parts: tuple[PlanTree, ...], session: Session, last: LastAction
    ) -> Solved | Unsolved:
        """Run the parts at once, each on a copy of the session, until one is solved; the others are stopped.

        The session of that part goes on; if none is solved, that of the part which ends the sequential order: the first
        whose world is done, or else the last.
        """
        answers: dict[int, Solved | Unsolved] = {}
        async with episode.branches() as group:
            branches = [group.start(self._alternative, episode, part, session, last) for part in parts]
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
                await episode.ask(CloseBranch(session=session, branch=branch.path))
        await episode.ask(Close(session=session))
        abandoned = [replace(answer, turns=()) for number, answer in answers.items() if number != chosen]
        claimed = _any_claims([answer.claimed for answer in answers.values()])
        return _combined([*abandoned, answers[chosen]], claimed=claimed)

    async def _alternative(
        self, episode: Episode, part: PlanTree, session: Session, last: LastAction
    ) -> Solved | Unsolved:
        """Carry out a part on a copy of the session."""
        forked = await episode.ask(Fork(session=session))
        return await self._carry_out(episode, part, forked.session, last)

    async def _checkpoint(self, episode: Episode, session: Session) -> Session | None:
        """A copy of the session to return to after a failure; None without rollback."""
        if not self.config.rollback:
            return None
        forked = await episode.ask(Fork(session=session))
        return forked.session


async def _after(episode: Episode, answer: Solved | Unsolved, checkpoint: Session | None) -> Solved | Unsolved:
    """The answer, with the checkpoint as its session if it is a failure. The other session is closed."""
    if checkpoint is None:
        return answer
    kept = isinstance(answer, Solved) or answer.done
    abandoned = checkpoint if kept else _left(answer)
    await episode.ask(Close(session=abandoned))
    return answer if kept else replace(answer, session=checkpoint, turns=())


def _left(answer: Solved | Unsolved) -> Session:
    """The session to continue in. Only an episode that was cut short has none, and then no method runs."""
    assert answer.session is not None
    return answer.session


def _combined(answers: Sequence[Solved | Unsolved], *, claimed: bool | None) -> Solved | Unsolved:
    """Combine the answers of several parts; the last one reached decides how they ended."""
    return replace(
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
