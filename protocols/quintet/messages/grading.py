"""Messages of the judge role: grade an answer that a world was given."""

from typing import ClassVar, Literal, TypeAlias

from quintet.messages.message import Message, Request, Unanswered

Criterion: TypeAlias = Literal["answer", "reason"]
"""How an answer is graded. `answer`: it means the same as the correct one. `reason`: the target says why the task
cannot be done, and the answer says that it cannot, for that reason."""


class Graded(Message, frozen=True, kw_only=True, tag="graded"):
    """The judge's verdict."""

    correct: bool


class Grade(Request[Graded | Unanswered], frozen=True, kw_only=True, tag="grade"):
    """Ask whether an answer to a question is correct.

    Source: AutoPlan's released code, whose judge of HotpotQA answers yes or no.
    """

    journaled: ClassVar[bool] = True

    question: str
    target: str
    """A correct answer."""
    answer: str
    criterion: Criterion = "answer"

    def subject(self) -> str:
        return self.question if self.criterion == "answer" else f"{self.question} (by its {self.criterion})"
