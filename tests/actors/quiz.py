"""A world whose answers a judge grades."""

from collections.abc import Mapping

from quintet.messages.environment import Task
from quintet.messages.grading import Criterion
from quintet.ports.world import AnswerToGrade, Opening, Outcome, World, WorldState

QUESTION = "Which town has the old mill?"
TARGET = "Larkfield"
TOWN = Task(name="town", seed=0)


class QuizState(WorldState):
    """`look` shows nothing new; `answer X` ends it. The reward is the judge's verdict, else whether X is the target."""

    answer: str

    def __init__(self, criterion: Criterion = "answer") -> None:
        setting = "A quiz. Say look, or answer X."
        goal = f'answer the question "{QUESTION}"'
        super().__init__(Opening(observation=f"{setting}\nGoal: {goal}.", setting=setting, goal=goal))
        self.answer = ""
        self._criterion: Criterion = criterion

    def step(self, action: str) -> Outcome:
        verb, _, said = action.partition(" ")
        if self.answer or (verb, bool(said)) not in (("look", False), ("answer", True)):
            return self.reject("What?")
        if not said:
            return self.accept(self.observation)
        self.answer, self.observation, self.done = said, f"You said {said}.", True
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

    def expert(self) -> tuple[str, ...] | None:
        return () if self.answer else ("look", f"answer the town of {TARGET}")

    def naive(self) -> tuple[str, ...] | None:
        return () if self.answer else ("answer a town",)


class Quiz(World):
    """One question."""

    name = "quiz"
    splits: tuple[str, ...] = ("all",)

    def __init__(self, needs_judge: bool = False, criterion: Criterion = "answer") -> None:
        self.needs_judge = needs_judge
        self._criterion: Criterion = criterion

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return (TOWN.name,)

    def scores(self, task: str) -> tuple[str, ...]:
        return ("exact",)

    def open(self, task: Task) -> QuizState:
        self.check_task(task.name)
        return QuizState(self._criterion)
