"""The judge role: grades answers that a world was given."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from quintet.messages.grading import Criterion, Grade, Graded, GradeFailed, JudgeRequest
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import reason
from quintet.parsing.json_form import on_one_line
from quintet.parsing.judgements import read_grade
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_WHAT = "YES or NO"
_REASON = f"{request_name(Grade)}.reason"
"""The prompt of the criterion `reason`."""


class _Wording(NamedTuple):
    """How a criterion is asked about."""

    prompt: str
    question: str
    target: str
    """Labels of what is shown."""
    asks: str


_WORDINGS: Mapping[Criterion, _Wording] = {
    "answer": _Wording(request_name(Grade), "Question", "Correct answer", "Is the given answer correct?"),
    "reason": _Wording(
        _REASON, "Task", "Why it cannot be done", "Does the given answer say that it cannot be done, for this reason?"
    ),
}


class AnswerJudge:
    """Grades with one model call, or two: it asks once more for a verdict that it cannot read. Keeps nothing.

    Args:
        model: its own, which no method calls.
        prompts: `grade`, the instructions, and `grade.reason`, those for an answer that says why a task cannot be done.

    Source: AutoPlan's released code, which has a model compare an answer on HotpotQA with the correct one; WebArena's,
    which compares answers and reasons. Differs: the prompts are ours, and say that the answer is only a text; the
    reasons come before the verdict; there is no partly correct.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._instructions: Mapping[Criterion, str] = {
            criterion: prompts[wording.prompt] for criterion, wording in _WORDINGS.items()
        }

    async def receive(self, request: JudgeRequest) -> Graded | GradeFailed:
        wording = _WORDINGS[request.criterion]
        lines = {
            wording.question: request.question,
            wording.target: request.target,
            "Given answer": request.answer,
        }
        # On one line each, so that no answer can bring a label of its own.
        shown = "\n".join(f"{label}: {on_one_line(text) or SILENCE}" for label, text in lines.items())
        prompt = Prompt(system(self._instructions[request.criterion]), user(f"{shown}\n\n{wording.asks}"))
        sampling = replace(self._model.sampling, form="grade")
        reminder = self._model.reminder("grade")
        correct, completion = await self._model.ask(prompt, sampling, read_grade, _WHAT, reminder, request)
        if correct is None:
            return GradeFailed(reason=f"the model {reason(completion.finish, _WHAT)}")
        return Graded(correct=correct)


def _start(parts: ActorParts) -> AnswerJudge:
    return AnswerJudge(parts.model(), parts.prompts)


JUDGE_ROLE = Role(
    name="judge",
    requests={Grade: (request_name(Grade), _REASON)},
    start=_start,
    completion_tokens=512,
    prompts=Path(__file__).parent / "prompts" / "judge",
    apart=True,
)
