"""Says what an action did, and whether it serves the step of the plan that is pursued, in one prompt."""

from collections.abc import Mapping

from msgspec.structs import replace

from quintet.messages.message import request_name
from quintet.messages.parts import TaskSteps
from quintet.messages.reflection import Align, Aligned, AlignFailed
from quintet.parsing.answers import reason
from quintet.parsing.descriptions import Alignment, read_alignment
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_WHAT = "YES or NO"


async def align(
    model: RoleModel, prompts: Mapping[str, str], conversations: Conversations, request: Align
) -> Aligned | AlignFailed:
    """Ask for both, and once more if there is no YES or NO.

    Without a description, which is rare, the action itself describes it.

    Args:
        model: the reflector's.
        prompts: `align`, the instructions, which prescribe the form of the answer.
        conversations: the reflector's.
        request: the action, and what was seen before and after it.

    Source: Devil's Advocate, equations 5 and 9, and appendix. Differs: the setting and the goal are shown too.
    """
    plan = (*request.parts, TaskSteps(steps=request.steps, current=request.current))
    begun = conversations.opening(prompts[request_name(Align)], request.setting, request.goal, plan)
    prompt = with_question(
        begun,
        f"Before the action:\n{request.before.strip() or SILENCE}",
        f"The action: {request.action}",
        f"After the action:\n{request.after.strip() or SILENCE}",
        "What is the action about, and does it serve the step to do now? "
        'Begin with "The action is to", and end with YES or NO.',
    )
    sampling = replace(model.sampling, form="alignment")
    words = f"Does the action serve the step? {model.reminder('alignment')}"
    seen = Alignment("", None)

    def read(text: str) -> bool | None:
        nonlocal seen
        alignment = read_alignment(text)
        seen = alignment._replace(description=alignment.description or seen.description)
        return seen.aligned

    aligned, completion = await model.ask(prompt, sampling, read, _WHAT, words, request)
    if aligned is None:
        return AlignFailed(reason=f"the model {reason(completion.finish, _WHAT)}", description=seen.description)
    return Aligned(description=seen.description or f"The action is to {request.action}", aligned=aligned)
