"""The judge role: grades answers that a world was given."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from quintet.messages.grading import Grade, Graded, GradeFailed, JudgeRequest
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import reason
from quintet.parsing.json_form import on_one_line
from quintet.parsing.judgements import read_verdict
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_WHAT = "YES or NO"


class AnswerJudge:
    """Grades with one model call, or two: it asks once more for a verdict that it cannot read. Keeps nothing.

    Args:
        model: its own, which no method calls.
        prompts: `grade`, the instructions.

    Source: AutoPlan's released code, which has a model compare an answer on HotpotQA with the correct one. Differs: the
    prompt is ours, and says that the answer is only a text; the reasons come before the verdict.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._instructions = prompts[request_name(Grade)]

    async def receive(self, request: JudgeRequest) -> Graded | GradeFailed:
        lines = {
            "Question": request.question,
            "Correct answer": request.target,
            "Given answer": request.answer,
        }
        # On one line each, so that no answer can bring a label of its own.
        shown = "\n".join(f"{label}: {on_one_line(text) or SILENCE}" for label, text in lines.items())
        prompt = Prompt(system(self._instructions), user(f"{shown}\n\nIs the given answer correct?"))
        sampling = replace(self._model.sampling, form="grade")
        reminder = self._model.reminder("grade")
        correct, completion = await self._model.ask(prompt, sampling, read_verdict, _WHAT, reminder)
        if correct is None:
            return GradeFailed(reason=f"the model {reason(completion.finish, _WHAT)}")
        return Graded(correct=correct)


def _start(parts: ActorParts) -> AnswerJudge:
    return AnswerJudge(parts.model(), parts.prompts)


JUDGE_ROLE = Role(
    name="judge",
    requests={Grade: ("grade",)},
    start=_start,
    completion_tokens=512,
    prompts=Path(__file__).parent / "prompts" / "judge",
    apart=True,
)
