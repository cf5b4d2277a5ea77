"""A small world that has every optional member and keeps their contract, and others that break it in one place each."""

from collections.abc import Collection, Mapping
from itertools import count
from typing import Any, Self

from msgspec.structs import replace

from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.messages.simulating import Utterance
from quintet.ports.world import AnswerToGrade, Forks, MessageToUser, Opening, Outcome, World, WorldState

TASKS = ("letter", "parcel", "crate")


class Desk(WorldState):
    """`write` writes a letter, `send` hands it to a judge and ends the task."""

    def __init__(self, office: "Office", task: Task, *, written: bool = False) -> None:
        setting = 'A desk. "write" writes a letter, "send" sends it.'
        super().__init__(Opening(observation=f"{setting} Goal: send a letter.", setting=setting, goal="send a letter"))
        self.office = office
        self.task = task
        self.written = written
        self.sent = False
        if written:
            self.observation = "A letter lies here."

    def step(self, action: str) -> Outcome:
        if action.startswith("leave ") and not self.sent:
            self.sent = True
            return self._outcome("You leave.")
        fits = not self.sent and (action == "write" or (action == "send" and self.written))
        if not fits:
            return self._outcome("Nothing happens.", rejected=True)
        if action == "write":
            self.written, self.observation = True, "A letter lies here."
            return self._outcome(self.observation)
        self.sent, self.reward, self.observation = True, 1.0, "It is sent."
        self.office.letters += 1
        return self._outcome(self.observation, to_grade=self.answers())

    def answers(self) -> tuple[AnswerToGrade, ...]:
        return (AnswerToGrade(question="Who?", target="Ann", answer="Ann"),)

    def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        self.reward = self.worth(verdicts[0])
        return self._outcome(self.observation)

    def worth(self, verdict: bool | None) -> float:
        return float(verdict is True)

    def figures(self) -> dict[str, Any]:
        return {"letters": float(self.sent)}

    def _outcome(self, seen: str, *, rejected: bool = False, to_grade: tuple[AnswerToGrade, ...] = ()) -> Outcome:
        return Outcome(
            observation=seen,
            reward=self.reward,
            done=self.sent,
            rejected=rejected,
            lasting=self.sent and not rejected,
            figures=self.figures(),
            to_grade=to_grade,
        )

    def expert(self) -> tuple[str, ...] | None:
        """The next action only."""
        return () if self.sent else ("send",) if self.written else ("write",)

    def naive(self) -> Any:
        return ("write", "send")

    def fork(self) -> Self:
        raise AssertionError("a world that cannot copy a state was asked to")

    def snapshot(self) -> bytes:
        return f"{self.task.name} {self.task.seed} {int(self.written)}".encode()


class Office(World):
    """Keeps how many letters were sent, and goes back to desks."""

    name, version, exact = "office", "1", False
    forks: Forks = "none"
    goes_back: Any = True
    needs_judge: Any = False
    repeats: Any = False
    places: Any = 2
    desk: type[Desk] = Desk

    def __init__(self) -> None:
        self.letters = 0

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return TASKS

    def open(self, task: Task) -> Desk:
        self.metadata(task.name)
        return self.desk(self, task)

    def restore(self, task: Task, snapshot: bytes) -> Desk:
        self.metadata(task.name)
        before = f"{task.name} {task.seed} ".encode()
        if snapshot not in (before + b"0", before + b"1"):
            raise WorldFault("snapshot: expected a desk, got something else")
        return self.desk(self, task, written=snapshot.endswith(b"1"))

    def answer_action(self, answer: str) -> str:
        return f"leave {answer}"

    async def get_ready(self, tasks: Collection[str]) -> None:
        self.metadata(*tasks)

    async def reset(self) -> None:
        self.letters = 0

    def refusal(self, task: str, *, judged: bool) -> Any:
        return {"crate": "needs a crane", "parcel": "" if judged else "needs a judge"}.get(task, "")


class RepeatingOffice(Office):
    repeats = True


def with_members(**members: Any) -> type[Office]:
    """An office with other members."""
    return type("Office", (Office,), members)


def with_desk(desk: type[Desk], **members: Any) -> type[Office]:
    """An office with such desks."""
    return with_members(desk=desk, **members)


class Shifting(Office):
    """Its content is another each time."""

    _asked = count()

    def content(self, split: str) -> Mapping[str, str]:
        return {"letters": str(next(self._asked))}


class SilentOffice(Office):
    """Gives no reason for what it refuses."""

    def refusal(self, task: str, *, judged: bool) -> Any:
        return None


class OpensOnce(Office):
    """Its door cannot be opened when it is open."""

    is_open = False

    async def get_ready(self, tasks: Collection[str]) -> None:
        if self.is_open:
            raise UsageError("door: expected a closed one")
        self.is_open = True


class Backward(Office):
    """Refuses tasks since there is a judge."""

    def refusal(self, task: str, *, judged: bool) -> Any:
        return "too well judged" if judged else ""


class Jammed(Desk):
    """Nothing is sent once something was."""

    def step(self, action: str) -> Outcome:
        return super().step(action if self.office.letters < 1 else "wait")


class Boastful(Desk):
    """Counts twice."""

    def figures(self) -> dict[str, Any]:
        return {"letters": 2.0 * self.sent}


class ListingNaive(Desk):
    """Its naive policy is a list."""

    def naive(self) -> Any:
        return ["write"]


class HastyNaive(Desk):
    """Its naive policy sends what is not written."""

    def naive(self) -> Any:
        return ("send",)


class Contrary(Desk):
    """Earns by bad verdicts."""

    def worth(self, verdict: bool | None) -> float:
        return float(verdict is False)


class Counting(Desk):
    """What it writes first is how many letters were sent in all."""

    sent_by_all = 0

    def step(self, action: str) -> Outcome:
        type(self).sent_by_all += action == "send"
        outcome = super().step(action)
        return replace(outcome, observation=f"{outcome.observation} {self.sent_by_all}", figures={}, to_grade=())


class Restless(Desk):
    """A look at it moves it."""

    def snapshot(self) -> bytes:
        self.observation = "The letter moved."
        return super().snapshot()


class Chatty(Desk):
    """It says something to a user."""

    def _outcome(self, seen: str, *, rejected: bool = False, to_grade: tuple[AnswerToGrade, ...] = ()) -> Outcome:
        said = (Utterance(speaker="user", text="Good day."), Utterance(speaker="agent", text="Hello."))
        outcome = super()._outcome(seen, rejected=rejected, to_grade=to_grade)
        return replace(outcome, to_user=MessageToUser(scenario=("You wait.",), conversation=said))
