"""Devil's Advocate in a world: planner, executor and reflector answer by a script, and the world is real."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar, cast

from quintet.errors import ModelFault
from quintet.events import AnyEvent, TrialEnded
from quintet.events.recording import Recording
from quintet.messages.environment import Session, Task
from quintet.messages.execution import Candidate, Candidates, Decide, Retarget, Retargeted
from quintet.messages.message import Message, ReplyT, Request, Unanswered
from quintet.messages.paths import Path, episode_path
from quintet.messages.planning import MakePlan, PlanMade, PlanStep
from quintet.messages.reflection import Align, Aligned, AnswerGiven, Condense, Condensed, GiveAnswer, Judge, Judged
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.method import Method
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.parsing.decisions import read_decision
from quintet.ports.world import World
from quintet.roles.context import RequestContext, current, running
from tests.actors.fakes import TASK, Kitchens, Script
from tests.simulation.virtual import run

T = TypeVar("T")

NO_ANSWER = "no answer"
"""In place of an answer: it cannot be read."""
REFUSED = "refused"
"""In place of an answer: the model refuses for good."""


def said(text: str) -> Candidate:
    """An answer of the executor, an action or any completion."""
    completion = text if ":" in text or "?" in text else f"Thought: Hm.\nAction: {text}"
    return Candidate(completion=completion, decision=read_decision(completion))


def served(judge: Judge) -> bool:
    """The task is completed when the supper is served; no step is."""
    return judge.current is None and "served" in judge.observation


class Play(Kitchens):
    """Roles of one episode.

    Args:
        plans: answers of the planner, in order; the last one again and again.
        actions: answers of the executor, in order.
        remedies: by action, its remedies in the order in which they are asked for.
        aligned: the verdict on an action.
        completed: the verdict on a task or step.
        condensed: the summary of an observation.
        retargeted: the action that does the same now.
        answered: the answer to the task.
        world: another one than the plain kitchen.
        task: of the world.
        latency: seconds that each answer takes, on a virtual clock.
    """

    def __init__(
        self,
        *,
        plans: Sequence[tuple[str, ...] | str] = (("cook",),),
        actions: Sequence[str] = (),
        remedies: Mapping[str, Sequence[str]] | None = None,
        aligned: Callable[[Align], bool | str] = lambda _: True,
        completed: Callable[[Judge], bool | str] = served,
        condensed: str = "In short.",
        retargeted: Callable[[Retarget], str] = lambda _: NO_ANSWER,
        answered: str = NO_ANSWER,
        world: World | None = None,
        task: Task = TASK,
        latency: Callable[[Request[Any]], float] = lambda _: 0.0,
    ) -> None:
        super().__init__(Script({}), world=world)
        self._plans = list(plans)
        self._given = list(actions)
        self._remedies = remedies or {}
        self._asked_for = Counter[str]()
        self._aligned = aligned
        self._completed = completed
        self._condensed = condensed
        self._retargeted = retargeted
        self._answered = answered
        self._task = task
        self._latency = latency
        self.events: list[AnyEvent] = []
        """That were journaled without waiting."""
        self.most_sessions = 0
        """That were open at once."""
        self.seconds = 0.0
        """That the last episode took."""

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        answer = self._answer(request)
        if answer is None:
            reply = await super().ask(request)
            self.most_sessions = max(self.most_sessions, self.actor.sessions)
            return reply
        with current().turn():
            self.asked.append(request)
            await asyncio.sleep(self._latency(request))
            if answer == REFUSED:
                raise ModelFault("too long")
            return cast("ReplyT", answer)

    def solve_by(self, method: Method[Any], session: Session | None = None, **fields: Any) -> Solved | Unsolved:
        """What an episode of the method, or a subtask in a session, comes to."""
        path = Path(f"{episode_path(self._task.name, 0, 0)}{'' if session is None else '/7'}")
        solve = Solve(task=self._task, session=session, **fields)
        return self.run(lambda: self.subtask(method, ()).receive(solve), path)

    def solved(self, **config: Any) -> Solved | Unsolved:
        """What an episode of Devil's Advocate comes to."""
        return self.solve_by(DevilsAdvocate(DevilsAdvocateConfig.model_validate(config)))

    def run(self, work: Callable[[], Coroutine[Any, Any, T]], path: Path) -> T:
        """Run `work` under a path."""

        async def commit(*_events: AnyEvent) -> None: ...

        async def act() -> T:
            began = asyncio.get_running_loop().time()
            with running(RequestContext(path, 1, Recording(path), commit, self.events.append)):
                answer = await work()
            self.seconds = asyncio.get_running_loop().time() - began
            return answer

        return run(act())

    @property
    def trials(self) -> list[TrialEnded]:
        """The trials that were journaled."""
        return [event for event in self.events if isinstance(event, TrialEnded)]

    def _answer(self, request: Request[Any]) -> Message | str | None:
        match request:
            case MakePlan():
                plan = self._plans.pop(0) if len(self._plans) > 1 else self._plans[0]
                if isinstance(plan, str):
                    return REFUSED if plan == REFUSED else Unanswered(reason=plan)
                return PlanMade(steps=tuple(PlanStep(number=n, text=text) for n, text in enumerate(plan, 1)))
            case Decide(instead_of=(first,), n=n):
                answers = [self._remedy(first) for _ in range(n)]
                return REFUSED if REFUSED in answers else Candidates(candidates=tuple(map(said, answers)))
            case Decide():
                answer = self._given.pop(0)
                return REFUSED if answer == REFUSED else Candidates(candidates=(said(answer),))
            case Align(action=action):
                sentence = f"The action is to {action}."
                aligned = self._aligned(request)
                if isinstance(aligned, str):
                    return REFUSED if aligned == REFUSED else Unanswered(reason=aligned)
                return Aligned(description=sentence, aligned=aligned)
            case Judge():
                completed = self._completed(request)
                if isinstance(completed, str):
                    return REFUSED if completed == REFUSED else Unanswered(reason=completed)
                return Judged(completed=completed)
            case GiveAnswer():
                if self._answered in (NO_ANSWER, REFUSED):
                    return REFUSED if self._answered == REFUSED else Unanswered(reason=NO_ANSWER)
                return AnswerGiven(answer=self._answered)
            case Condense():
                failed = self._condensed == NO_ANSWER
                return Unanswered(reason=NO_ANSWER) if failed else Condensed(text=self._condensed)
            case Retarget():
                action = self._retargeted(request)
                return Unanswered(reason=action) if action == NO_ANSWER else Retargeted(action=action)
            case _:
                return None

    def _remedy(self, first: str) -> str:
        remedies = self._remedies.get(first, ("?",))
        answer = remedies[self._asked_for[first] % len(remedies)]
        self._asked_for[first] += 1
        return answer
