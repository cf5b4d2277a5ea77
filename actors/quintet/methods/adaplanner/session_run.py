"""What programs do in one session: their actions and questions, within a budget."""

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from quintet.messages.environment import Session, Step, Stepped
from quintet.messages.execution import Turn
from quintet.messages.programs import Extract, Extracted
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adaplanner.interpreter import AgentCall, AgentReply, Interpreter, ProgramStopped
from quintet.methods.adaplanner.values import ProgramValue
from quintet.methods.base.episode import Episode
from quintet.parsing.answers import on_one_line
from quintet.parsing.programs import Program
from quintet.ports.model import SamplingOverride
from quintet.roles.turn_text import actions_of, seen_after, turn_of

UNFINISHED = "the program came to its end, and the task is not done"


@dataclass
class TaskBudget:
    """What is left of a task's budget."""

    actions: int
    questions: int


class SessionRun:
    """One program after the other, each from the step in which the one before it failed, with its variables."""

    def __init__(self, episode: Episode, session: Session, budget: TaskBudget, sampling: SamplingOverride) -> None:
        self.session = session
        self.turns: list[Turn] = []
        self.step = 1
        """The step that the next program goes on from."""
        self._episode = episode
        self._budget = budget
        self._sampling = sampling
        self._variables: Mapping[str, ProgramValue] = {}
        self._last: Stepped | None = None

    async def carry_out(self, program: Program) -> Solved | Unsolved:
        """Carry a program out, until the world is done, it ends, or it fails.

        Returns:
            Solved if the world is done with the full reward; at a part of a task, if the program came to its end.
        """
        interpreter = Interpreter(program, start_from=self.step, variables=self._variables)
        try:
            reason = await self._drive(interpreter)
        except ProgramStopped as stopped:
            reason = str(stopped)
        self.step, self._variables = interpreter.step, interpreter.variables
        return self.answer(reason)

    async def _drive(self, interpreter: Interpreter) -> str:
        """Answer the calls of a program. Why it ends before its own end; empty: it does not."""
        running = interpreter.run()
        reply: AgentReply | None = None
        while True:
            try:
                call = next(running) if reply is None else running.send(reply)
            except StopIteration:
                return "" if self._episode.subgoal else UNFINISHED
            left = self._budget.actions if call.is_action else self._budget.questions
            if not left:
                return "out of actions" if call.is_action else "out of questions"
            reply = await (self._act(call) if call.is_action else self._ask(call))
            if self._last is not None and self._last.done:
                return UNFINISHED

    async def _act(self, call: AgentCall) -> AgentReply:
        self._budget.actions -= 1
        action = on_one_line(call.text)
        self._last = await self._episode.ask(Step(session=self.session, action=action))
        self.turns.append(turn_of(action, seen := seen_after(self._last)))
        return AgentReply(seen, accepted=not self._last.rejected)

    async def _ask(self, call: AgentCall) -> AgentReply:
        self._budget.questions -= 1
        request = Extract(
            setting=self._episode.lasting_setting,
            goal=self._episode.goal,
            question=call.text,
            observation=self.turns[-1].observation if self.turns else self._episode.setting,
            sampling=self._sampling,
        )
        found = await self._episode.unless_refused(self._episode.ask, request)
        return AgentReply(found.text if isinstance(found, Extracted) else "")

    def answer(self, reason: str) -> Solved | Unsolved:
        """What the session comes to; `reason`: why it is not solved, empty if a part of a task is."""
        episode, last = self._episode, self._last
        if reason:
            return replace(episode.conclude(last, self.turns, reason=reason), session=self.session)
        turn = self.turns[-1:]
        return Solved(
            session=self.session,
            reward=0.0 if last is None else last.reward,
            done=False,
            claimed=True,
            depth=episode.depth,
            turns=tuple(self.turns),
            last_action=next(iter(actions_of(turn)), episode.last_action),
            last_observation=turn[0].observation if turn else episode.last_observation,
        )
