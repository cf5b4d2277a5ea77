"""ADaPT's conversation: the executor first; where it fails, a plan whose steps are subtasks of their own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import assert_never

from msgspec.structs import replace

from quintet.messages.environment import Close, Fork, Session
from quintet.messages.execution import Execute
from quintet.messages.parts import LastAction
from quintet.messages.planning import AllOf, AnyOf, Decompose, PlanFailed, PlanStep, PlanTree
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.adapt.hand_on import handed_on, last_action_of, with_last_action
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import verdict
from quintet.methods.react.demonstrations import demonstrations, planners_skills
from quintet.methods.react.react import REACT


async def solve(episode: Episode[AdaptConfig]) -> Solved | Unsolved:
    """Pursue the goal; decompose it only when the executor fails and the depth allows.

    Returns:
        `Solved` where the executor completed the goal, else where the logic over the subtasks came out true. A world
        that is done ends everything: the answer is that of the subtask in which it ended. `reward` is the best earned;
        `depth` the deepest level reached. `claimed` is the same conclusion from the models' own claims alone: of the
        executor's run where it decides, else the logic over the subtasks' claims. Of parts joined by AND it is False
        if one claims failure, else None if one makes no claim, else True; of parts joined by OR the reverse. Parts that
        were not reached do not count.

    Source: ADaPT, algorithm 1. Differs: no plan is asked for at the greatest depth, where it had no effect.
    """
    attempt = await _attempt(episode)
    if isinstance(attempt, Solved) or attempt.done or episode.depth >= episode.config.max_depth:
        return attempt
    decomposed = await episode.planner.ask(Decompose(setting=episode.setting, goal=episode.goal))
    if isinstance(decomposed, PlanFailed):
        return replace(attempt, reason=decomposed.reason)
    handed = LastAction(action=episode.last_action, observation=episode.last_observation)
    combined = await _carry_out(episode, decomposed.plan, _left(attempt), handed)
    turns = (*attempt.turns, *combined.turns)
    return replace(combined, reward=max(attempt.reward, combined.reward), turns=turns)


async def _attempt(episode: Episode[AdaptConfig]) -> Solved | Unsolved:
    """The executor's run; the answer names the session to go on with, which after a rollback is another one."""
    handed, looked = await handed_on(episode)
    last = episode.depth >= episode.config.max_depth
    checkpoint = None if last else await _checkpoint(episode, episode.session)
    executed = await episode.executor.ask(
        Execute(
            session=episode.session,
            setting=episode.setting,
            goal=episode.goal,
            parts=(*episode.parts, *handed),
            max_calls=episode.config.executor_calls,
            patience=episode.config.patience,
            sampling=episode.sampling,
        )
    )
    attempt = verdict(executed, session=episode.session, depth=episode.depth)
    attempt = replace(attempt, turns=(*looked, *attempt.turns))
    if isinstance(attempt, Solved):
        attempt = with_last_action(attempt, executed, episode)
    return await _settled(episode, attempt, checkpoint)


async def _carry_out(
    episode: Episode[AdaptConfig], plan: PlanTree, session: Session, last: LastAction
) -> Solved | Unsolved:
    """Do a plan, or a part of one, from `session` on. Brackets use up no depth."""
    match plan:
        case PlanStep(text=text):
            return await episode.subtask(session).ask(
                Solve(
                    task=episode.task,
                    session=session,
                    setting=episode.setting,
                    goal=text,
                    depth=episode.depth + 1,
                    last_action=last.action,
                    last_observation=last.observation,
                    parts=episode.inherited,
                    sampling=episode.sampling,
                )
            )
        case AllOf(parts=parts):
            return await _all_of(episode, parts, session, last)
        case AnyOf(parts=parts):
            return await _any_of(episode, parts, session, last)
        case _:
            assert_never(plan)


async def _all_of(
    episode: Episode[AdaptConfig], parts: tuple[PlanTree, ...], session: Session, last: LastAction
) -> Solved | Unsolved:
    """In order, each part told of the last action before it."""
    answers: list[Solved | Unsolved] = []
    for part in parts:
        answer = await _carry_out(episode, part, session, last)
        answers.append(answer)
        if isinstance(answer, Unsolved) or answer.done:
            break
        session, last = answer.session, last_action_of(answer)
    return _combined(answers, claimed=_all_claim([answer.claimed for answer in answers]))


async def _any_of(
    episode: Episode[AdaptConfig], parts: tuple[PlanTree, ...], session: Session, last: LastAction
) -> Solved | Unsolved:
    """In order, each part told the same."""
    answers: list[Solved | Unsolved] = []
    for number, part in enumerate(parts, start=1):
        checkpoint = await _checkpoint(episode, session) if number < len(parts) else None
        answer = await _settled(episode, await _carry_out(episode, part, session, last), checkpoint)
        answers.append(answer)
        if isinstance(answer, Solved) or answer.done:
            break
        session = _left(answer)
    return _combined(answers, claimed=_any_claims([answer.claimed for answer in answers]))


async def _checkpoint(episode: Episode[AdaptConfig], session: Session) -> Session | None:
    """A copy to go on from should what follows fail; None where failures are left as they are."""
    if not episode.config.rollback:
        return None
    forked = await episode.environment(session).ask(Fork(session=session))
    return forked.session


async def _settled(
    episode: Episode[AdaptConfig], answer: Solved | Unsolved, checkpoint: Session | None
) -> Solved | Unsolved:
    """The answer, going on from the checkpoint if it is a failure; the session not gone on with is closed."""
    if checkpoint is None:
        return answer
    kept = isinstance(answer, Solved) or answer.done
    abandoned = checkpoint if kept else _left(answer)
    await episode.environment(abandoned).ask(Close(session=abandoned))
    return answer if kept else replace(answer, session=checkpoint, turns=())


def _left(answer: Solved | Unsolved) -> Session:
    """The session to go on with. Only an episode that was cut short names none, and then no method goes on."""
    assert answer.session is not None
    return answer.session


def _combined(answers: Sequence[Solved | Unsolved], *, claimed: bool | None) -> Solved | Unsolved:
    """The answer of several parts: as the last one that was reached ended."""
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


def _shown(config: AdaptConfig, metadata: Mapping[str, str]) -> tuple[str, ...]:
    return demonstrations(config.demonstrations, metadata)


def _instructions(config: AdaptConfig, role: str) -> tuple[str, ...]:
    return (role, *planners_skills(config.demonstrations)) if role == "planner" else (role,)


def budget(config: AdaptConfig) -> str:
    return f"{config.max_depth} x {config.executor_calls}"


ADAPT = Method(
    name="adapt",
    version="2",
    config=AdaptConfig,
    solve=solve,
    budget=budget,
    demonstrations=_shown,
    instructions=_instructions,
    roles=("planner", "executor"),
    prompt_folders=(Path(__file__).parent / "prompts", *REACT.prompt_folders),
    worlds={
        "textcraft": {"max_depth": 4, "patience": 8, "rollback": False, "hand_on": "inventory"},
        "alfworld": {
            "max_depth": 3,
            "executor_calls": 20,
            "patience": 5,
            "rollback": True,
            "hand_on": "last_action",
            "demonstrations": "hybrid",
        },
    },
)
