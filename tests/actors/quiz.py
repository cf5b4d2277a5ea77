"""A world whose answers a judge grades."""

from collections.abc import Mapping

import msgspec

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.messages.grading import Criterion
from quintet.ports.world import AnswerToGrade, Forks, Opening, Outcome

QUESTION = "Which town has the old mill?"
TARGET = "Larkfield"
TOWN = Task(name="town", seed=0)


class QuizState:
    """`look` shows nothing new; `answer X` ends it. The reward is the judge's verdict, else whether X is the target."""

    def __init__(self, reward: float = 0.0, answer: str = "", criterion: Criterion = "answer") -> None:
        self.reward = reward
        self.answer = answer
        self._criterion: Criterion = criterion

    @property
    def opening(self) -> Opening:
        setting = "A quiz. Say look, or answer X."
        goal = f'answer the question "{QUESTION}"'
        return Opening(observation=f"{setting}\nGoal: {goal}.", setting=setting, goal=goal)

    @property
    def observation(self) -> str:
        return f"You said {self.answer}." if self.answer else self.opening.observation

    def step(self, action: str) -> Outcome:
        verb, _, said = action.partition(" ")
        if self.answer or (verb, bool(said)) not in (("look", False), ("answer", True)):
            return Outcome(observation="What?", reward=self.reward, done=bool(self.answer), rejected=True)
        if not said:
            return Outcome(observation=self.observation, reward=self.reward, done=False, rejected=False)
        self.answer = said
        self.reward = float(said == TARGET)
        return self._outcome({})

    def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        (verdict,) = verdicts
        if verdict is None:
            return self._outcome({})
        self.reward = float(verdict)
        return self._outcome({"judge": self.reward})

    def _outcome(self, further: Mapping[str, float]) -> Outcome:
        return Outcome(
            observation=self.observation,
            reward=self.reward,
            done=True,
            rejected=False,
            figures={"exact": float(self.answer == TARGET), **further},
            to_grade=(AnswerToGrade(question=QUESTION, target=TARGET, answer=self.answer, criterion=self._criterion),),
        )

    def admissible(self) -> tuple[str, ...] | None:
        return None

    def expert(self) -> tuple[str, ...] | None:
        return () if self.answer else ("look", f"answer the town of {TARGET}")

    def naive(self) -> tuple[str, ...] | None:
        return () if self.answer else ("answer a town",)

    def fork(self) -> "QuizState":
        return QuizState(self.reward, self.answer, self._criterion)

    def snapshot(self) -> bytes:
        return msgspec.json.encode((self.reward, self.answer))


class Quiz:
    """One question."""

    name = "quiz"
    version = "1"
    forks: Forks = "copy"
    exact = True
    splits: tuple[str, ...] = ("all",)

    def __init__(self, needs_judge: bool = False, criterion: Criterion = "answer") -> None:
        self.needs_judge = needs_judge
        self._criterion: Criterion = criterion

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.splits:
            raise UsageError(f"split: expected one of {self.splits}, got {split!r}")
        return (TOWN.name,)

    def metadata(self, task: str) -> Mapping[str, str]:
        _check(task)
        return {}

    def open(self, task: Task) -> QuizState:
        _check(task.name)
        return QuizState(criterion=self._criterion)

    def restore(self, task: Task, snapshot: bytes) -> QuizState:
        _check(task.name)
        return QuizState(*msgspec.json.decode(snapshot, type=tuple[float, str]), self._criterion)


def _check(task: str) -> None:
    if task != TOWN.name:
        raise UsageError(f"task: expected {TOWN.name}, got {task!r}")
