"""Judges whether a task, or a step of its plan, is completed."""

from collections.abc import Mapping

from msgspec.structs import replace

from quintet.messages.message import request_name
from quintet.messages.parts import History, Notes, TaskSteps
from quintet.messages.reflection import Judge, Judged, JudgeFailed
from quintet.parsing.answers import reason
from quintet.parsing.judgements import read_verdict
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_WHAT = "YES or NO"


async def judge(
    model: RoleModel, prompts: Mapping[str, str], conversations: Conversations, request: Judge
) -> Judged | JudgeFailed:
    """Ask for the verdict, and once more if there is no YES or NO.

    Args:
        model: the reflector's.
        prompts: `judge` for the task and `judge.step` for a step: the instructions, which prescribe the form of the
            answer.
        conversations: the reflector's.
        request: what was done, and what is seen now. Nothing is said of rewards.

    Source: Devil's Advocate, equations 6 and 7, and appendix. Differs: the prompt for a step is ours, since only the
    task's is printed; the setting is shown too.
    """
    name = request_name(Judge)
    parts = (
        *request.parts,
        TaskSteps(steps=request.steps, current=request.current),
        History(texts=request.history),
        Notes(texts=request.notes),
    )
    instructions = prompts[name if request.current is None else f"{name}.step"]
    begun = conversations.opening(instructions, request.setting, request.goal, parts)
    judged = "the goal reached" if request.current is None else "the step to do now completed"
    now = f"What is seen now:\n{request.observation.strip() or SILENCE}"
    prompt = with_question(begun, now, f"Is {judged}? End with YES or NO.")
    sampling = replace(model.sampling, form="verdict")
    words = model.reminder("verdict")
    completed, completion = await model.ask(prompt, sampling, read_verdict, _WHAT, words, request)
    if completed is None:
        return JudgeFailed(reason=f"the model {reason(completion.finish, _WHAT)}")
    return Judged(completed=completed)
