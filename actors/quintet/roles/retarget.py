"""Finds the action that does now what another would have done, where going back led to a state that looks different."""

from collections.abc import Mapping

from msgspec.structs import replace

from quintet.messages.execution import Retarget, Retargeted, RetargetFailed
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import reason
from quintet.parsing.retargets import read_retargeted
from quintet.roles.conversations import paragraphs
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_WHAT = "action"


async def retarget(model: RoleModel, prompts: Mapping[str, str], request: Retarget) -> Retargeted | RetargetFailed:
    """Ask for the action, and once more if the answer has none.

    Args:
        model: the executor's.
        prompts: `retarget`, the instructions, which prescribe the form of the answer.
        request: the action as it was chosen, with what was seen then and what is seen now.

    Source: Devil's Advocate, section 3.3.2 and appendix (element mapping). Differs: the whole action is asked for.
    """
    material = paragraphs(
        f"What was seen then:\n{request.seen.strip() or SILENCE}",
        f"The action that was chosen then: {request.action}",
        f"What is seen now:\n{request.now.strip() or SILENCE}",
        "Which action does the same now?",
    )
    prompt = Prompt(system(prompts[request_name(Retarget)])).extend(user(material))
    sampling = replace(model.sampling, form="retargeted")
    words = model.reminder("retargeted")
    action, completion = await model.ask(prompt, sampling, read_retargeted, _WHAT, words, request)
    if action is None:
        return RetargetFailed(reason=f"the model {reason(completion.finish, _WHAT)}")
    return Retargeted(action=action)
