"""The executor role: asks a model for actions and carries them out until the task is done, failed or out of budget."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import assert_never

from quintet.errors import UsageError
from quintet.messages.environment import ListActions, Session, Step, Stepped
from quintet.messages.execution import (
    Act,
    Candidates,
    Claim,
    Decide,
    Execute,
    Executed,
    ExecutorRequest,
    Retarget,
    Retargeted,
    Stop,
    Turn,
    Unreadable,
)
from quintet.messages.memory import StoredTuple
from quintet.messages.message import Unanswered, request_name
from quintet.messages.prompts import Prompt
from quintet.ports.roles import Roles
from quintet.questions.acting import ACTION, DECISION, RETARGET
from quintet.roles.asking import Asker
from quintet.roles.conversations import with_question
from quintet.roles.recollection import Recollections, seen_now, situation_of, words_for_turn
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import as_messages, reminder, seen_after
from quintet.roles.turns import OneCallTurn, SeparateCallsTurn, TurnTaking

_COUNT = "{n}"
"""Stands in `decide.candidates` for the number of candidates."""


class Executor:
    """Acts turn by turn: a thought and its action are one completion, or one each; or an action is all.

    Keeps nothing between requests; `deploy/` decides where it runs.

    Args:
        prompts: the instructions by request, which begin every prompt. With `execute.thought` and `execute.formalizer`,
            or the same of `decide`, thought and action are separate completions; see `quintet.roles.turns`.
            `decide.candidates` asks for `{n}` candidates with confidences.

    Raises:
        UsageError: `prompts` has one of the two without the other.

    Source: ADaPT, section 3.1, whose executor is ReAct. Differs: there a thought is a turn of its own and costs budget.
    """

    def __init__(self, model: RoleModel, roles: Roles, prompts: Mapping[str, str]) -> None:
        self._asker = Asker(model, prompts)
        self._roles = roles
        self._turns = dict(_turn_taking(model, prompts))
        self._without_thoughts = OneCallTurn(model, ACTION)

    async def receive(self, request: ExecutorRequest) -> Candidates | Executed | Retargeted | Unanswered:
        match request:
            case Decide():
                return await self._draw(request)
            case Execute():
                return await self._execute(request)
            case Retarget():
                return await self._asker.answer(RETARGET, request)
            case _:
                assert_never(request)

    def _opening(self, request: Decide | Execute) -> Prompt:
        instructions = self._asker.prompts[request_name(type(request))]
        return self._asker.conversations.opening(instructions, request.setting, request.goal, request.parts)

    def _question(self, request: Decide, recalled: Sequence[StoredTuple]) -> Prompt:
        """The conversation, its last message with what was recalled and what is asked beyond the usual turn."""
        asked = [_other_than(request.instead_of, tried=request.tried)] if request.instead_of else []
        if request.with_confidence:
            text = self._asker.prompts["decide.candidates"]
            if _COUNT not in text:
                raise UsageError(f"prompt decide.candidates: expected {_COUNT}, the number of candidates, got none")
            asked.append(text.replace(_COUNT, str(request.n)))
        conversation = self._asker.conversations.after(self._opening(request), request.history)
        return with_question(conversation, *words_for_turn(recalled, situation_of(request.parts)), *asked)

    async def _draw(self, request: Decide) -> Candidates:
        recollections = Recollections(self._roles, request.goal, request.parts)
        situation = situation_of(request.parts)
        recalled = await recollections.recall(seen_now(request.setting, request.history, situation))
        if agreed := recollections.majority(recalled, request.instead_of):
            return Candidates(candidates=(agreed,))
        prompt = self._question(request, recalled)
        turns = self._turns[request_name(Decide)] if request.thoughts else self._without_thoughts
        if request.with_confidence:
            return await turns.decide_at_once(prompt, request)
        if request.n == 1:
            return Candidates(candidates=(await turns.decide(prompt, request),))
        return Candidates(candidates=tuple(await turns.several(prompt, request)))

    async def _execute(self, request: Execute) -> Executed:
        run = _Run(request)
        accepted = partial(self._is_listed, request.session) if request.formalized == "illegal" else None
        recollections = Recollections(self._roles, request.goal, request.parts)
        prompt = self._opening(request)
        turns = self._turns[request_name(Execute)] if request.thoughts else self._without_thoughts
        while run.goes_on():
            recalled = () if run.done else await recollections.recall(seen_now(request.setting, run.turns))
            asked = with_question(prompt, *words_for_turn(recalled))
            candidate = await turns.decide(asked, run.as_decision(), accepted)
            run.calls += 1
            if isinstance(candidate.decision, Claim):
                run.claimed = candidate.decision.completed
                break
            if isinstance(candidate.decision, Unreadable) and candidate.decision.finish == "context_full":
                run.context_full = True
                break
            if run.done:
                # This call was for a claim; the world takes no further action.
                break
            observation = await self._carry_out(candidate.decision, request.session, run)
            turn = Turn(completion=candidate.completion, observation=observation)
            if isinstance(candidate.decision, Act):
                run.turns.append(turn)
            prompt = prompt.extend(*as_messages(turn))
        return run.report()

    async def _is_listed(self, session: Session, action: str) -> bool:
        listed = await self._roles.ask(ListActions(session=session))
        return listed.actions is not None and action in listed.actions

    async def _carry_out(self, decision: Act | Unreadable, session: Session, run: "_Run") -> str:
        match decision:
            case Act(action=action, thought=thought):
                stepped = await self._roles.ask(Step(session=session, action=action, thought=thought))
                run.saw(action, stepped)
                return seen_after(stepped)
            case Unreadable() as unreadable:
                run.fruitless += 1
                return reminder(unreadable)
            case _:
                assert_never(decision)


def _other_than(actions: Sequence[str], *, tried: bool) -> str:
    """Asks for another action than these.

    Source: Devil's Advocate, section 3.3.1, for an action that nobody tried.
    """
    if tried:
        listed = "\n".join(f"- {action}" for action in actions)
        return f"Tried at this point already:\n{listed}\nChoose another action than these."
    return f"Suppose that this action is wrong: {'; '.join(actions)}\nWhich action do you choose instead?"


@dataclass
class _Run:
    request: Execute
    calls: int = 0
    fruitless: int = 0
    """Turns in a row in which nothing was carried out."""
    repeats: int = 0
    """Turns in a row with the same action and the same answer."""
    exchange: tuple[str, str] = ("", "")
    """The last action and its answer."""
    reward: float = 0.0
    done: bool = False
    claimed: bool | None = None
    context_full: bool = False
    last_action: str = ""
    last_observation: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    """Those in which the world was asked to do something."""

    def goes_on(self) -> bool:
        """Whether there is another turn: while budget and patience last, and for a claim once the world is done."""
        if self.calls >= self.request.max_calls:
            return False
        if self.done:
            return self.request.claims and self.claimed is None
        return not (self._is_impatient or self._is_stuck)

    def as_decision(self) -> Decide:
        """The turn that is asked for next."""
        return Decide(
            setting=self.request.setting,
            goal=self.request.goal,
            parts=self.request.parts,
            history=tuple(self.turns),
            sampling=self.request.sampling,
            thoughts=self.request.thoughts,
            tools_of=self.request.session,
        )

    @property
    def _is_impatient(self) -> bool:
        return self.fruitless >= self.request.patience

    @property
    def _is_stuck(self) -> bool:
        return self.request.max_repeats is not None and self.repeats >= self.request.max_repeats

    def saw(self, action: str, stepped: Stepped) -> None:
        self.reward = stepped.reward
        self.done = stepped.done
        if stepped.final_answer and self.request.claims:
            self.claimed = True
        exchange = action, seen_after(stepped)
        self.repeats = self.repeats + 1 if exchange == self.exchange else 1
        self.exchange = exchange
        if stepped.rejected:
            self.fruitless += 1
        else:
            self.fruitless = 0
            self.last_action = action
            self.last_observation = exchange[1]

    def report(self) -> Executed:
        achieved = self.done and self.reward >= 1
        return Executed(
            completed=achieved if self.claimed is None else self.claimed,
            claimed=self.claimed,
            stop=self._stop(),
            reward=self.reward,
            done=self.done,
            calls=self.calls,
            last_action=self.last_action,
            last_observation=self.last_observation,
            turns=tuple(self.turns),
        )

    def _stop(self) -> Stop:
        if self.done:
            return "done"
        if self.claimed is not None:
            return "claimed"
        if self.context_full:
            return "context"
        if self._is_impatient:
            return "patience"
        return "repeats" if self._is_stuck else "budget"


def _turn_taking(model: RoleModel, prompts: Mapping[str, str]) -> Iterator[tuple[str, TurnTaking]]:
    """The form of turns, for each request that has a prompt."""
    expected = DECISION.shape.example(structured=model.structured)
    for name in (request_name(Decide), request_name(Execute)):
        apart = {part: prompts[key] for part in ("thought", "formalizer") if (key := f"{name}.{part}") in prompts}
        if len(apart) == 1:
            both, alone = f"{name}.thought and {name}.formalizer", f"{name}.{next(iter(apart))}"
            raise UsageError(f"prompt: expected {both} or neither, got {alone} alone")
        if name in prompts:
            yield name, SeparateCallsTurn(model, **apart, expected=expected) if apart else OneCallTurn(model)


def _start(parts: ActorParts) -> Executor:
    return Executor(parts.model(), parts.roles, parts.prompts)


EXECUTOR_ROLE = Role(
    name="executor",
    requests={Decide: ("decide",), Execute: ("execute",), Retarget: ("retarget",)},
    start=_start,
    completion_tokens=1_024,
    prompts=Path(__file__).parent / "prompts" / "executor",
)
