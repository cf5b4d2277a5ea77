"""LDM2 in the kitchen: a cook who decides by the batch memory and by what was done, and roles that keep the record."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from msgspec.structs import replace

from quintet.errors import ModelFault
from quintet.messages.execution import Act, Candidate, Candidates, Claim, Decide, ExecutorRequest, Turn, Unreadable
from quintet.messages.memory import Classified, Classify, Summarize, Summarized
from quintet.messages.message import ReplyT, Request, Unanswered
from quintet.messages.parts import Recollection, Situation
from quintet.messages.reflection import Choose, Chosen, Compare, Compared
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.ldm2.config import Ldm2Config
from quintet.methods.ldm2.ldm2 import Ldm2
from quintet.ports.world import World
from tests.actors.fakes import TASK, Here, Kitchens, Script, converse

Menu: TypeAlias = Callable[[Decide, int, int], str | Sequence[str]]
"""What comes next, by the request, the batch memory (0: none) and how many actions were carried out. Actions in the
order of falling confidence; or one action, `claim`, `mumble` (unreadable), `full` (context) or `refuse`."""


def batch_of(request: Decide) -> int:
    return next((part.batch for part in request.parts if isinstance(part, Recollection)), 0)


def situation_of(request: Decide) -> Situation:
    (situation,) = (part for part in request.parts if isinstance(part, Situation))
    return situation


class _Cook:
    def __init__(self, menu: Menu) -> None:
        self._menu = menu

    async def receive(self, request: ExecutorRequest) -> Candidates:
        assert isinstance(request, Decide)
        done = int(situation_of(request).summary.split()[0])
        served = self._menu(request, batch_of(request), done)
        if served == "refuse":
            raise ModelFault("the prompt is too long")
        if isinstance(served, str):
            return Candidates(candidates=(_candidate(served, 1.0 if request.with_confidence else None),))
        shares = [1 / 2**number for number in range(1, len(served) + 1)]
        return Candidates(candidates=tuple(map(_candidate, served, shares)))


def _candidate(said: str, confidence: float | None) -> Candidate:
    decision: Act | Claim | Unreadable
    match said:
        case "claim":
            decision = Claim(thought="", completed=True)
        case "mumble":
            decision = Unreadable(expected="Action: one action")
        case "full":
            decision = Unreadable(expected="Action: one action", finish="context_full")
        case action:
            decision = Act(thought="", action=action)
    return Candidate(completion=f"Action: {said}", decision=decision, confidence=confidence)


class _Memory:
    async def receive(self, request: Summarize | Classify) -> Summarized | Classified:
        if isinstance(request, Classify):
            return Classified(goal_type=request.batch + 10)
        return Summarized(evaluation="subgoal 1: serve - incomplete", summary=f"{len(request.steps)} actions")


class _Judge:
    def __init__(self, choice: int | None, step: int | None) -> None:
        self._choice = choice
        self._step = step

    async def receive(self, request: Choose | Compare) -> Chosen | Compared | Unanswered:
        if isinstance(request, Choose):
            if self._choice is None:
                return Unanswered(reason="it makes none")
            return Chosen(number=self._choice, votes=(1,))
        return Unanswered(reason="it names none") if self._step is None else Compared(step=self._step)


class Ldm2Kitchen(Kitchens):
    """All roles around LDM2.

    Args:
        menu: the executor's decisions.
        batches: batch memories; 0: an empty memory; None: no memory at all.
        choice: the option that the reflector chooses; None: it fails.
        step: the step that it names; None: it fails.
        world: another kitchen.
        config: options of the method.
    """

    def __init__(
        self,
        menu: Menu,
        *,
        batches: int | None = 1,
        choice: int | None = 1,
        step: int | None = 1,
        world: World | None = None,
        **config: Any,
    ) -> None:
        super().__init__(Script({}), world=world)
        self._actors |= {"executor": _Cook(menu), "reflector": _Judge(choice, step), "memory": _Memory()}
        self.method = Ldm2(Ldm2Config.model_validate({"max_steps": 6, **config}))
        self._given = () if batches is None else (Recollection(version=3, batches=batches, goal="supper", goal_type=1),)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        if isinstance(request, Summarize | Classify):
            return await Here("memory", self._actors["memory"], self.asked).ask(cast("Request[ReplyT]", request))
        return await super().ask(request)

    def play(self, purpose: str = "", **given: Any) -> Solved | Unsolved:
        """An episode with this purpose; and with other fields of what is recalled."""
        parts = tuple(replace(part, **given) for part in self._given)
        self._actors["subtask"] = self.subtask(self.method, ())
        return converse(lambda: self.ask(Solve(task=TASK, parts=parts, purpose=purpose)))


def actions_of(turns: Sequence[Turn]) -> list[str]:
    return [turn.completion.removeprefix("Action: ") for turn in turns]
