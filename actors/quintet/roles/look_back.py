"""Looks back on a failed trial: one reflection on what to do differently next time."""

from collections.abc import Mapping

from msgspec.structs import replace

from quintet.messages.message import request_name
from quintet.messages.parts import Reflections
from quintet.messages.reflection import LookBack, LookBackFailed, LookedBack
from quintet.parsing.answers import reason
from quintet.parsing.look_backs import read_look_back
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.role_model import RoleModel

_QUESTION = "Write your reflection now: what will you do differently next time?"


async def look_back(
    model: RoleModel, prompts: Mapping[str, str], conversations: Conversations, request: LookBack
) -> LookedBack | LookBackFailed:
    """Ask for the reflection, and once more if it cannot be read.

    Args:
        model: the reflector's.
        prompts: `look_back`, the instructions, which prescribe the form of the answer.
        conversations: the reflector's.
        request: the trial.

    Source: Reflexion (Shinn et al., 2023), section 3. Differs: all earlier reflections that the request has are shown.
    """
    earlier = (Reflections(texts=request.earlier),)
    begun = conversations.opening(prompts[request_name(LookBack)], request.setting, request.goal, earlier)
    ended = f"The attempt failed: {request.reason}." if request.reason else "The attempt failed."
    prompt = with_question(conversations.after(begun, request.turns), ended, _QUESTION)
    sampling = replace(model.sampling.overridden(request.sampling), form="look_back")
    words = model.reminder("look_back")
    reflection, completion = await model.ask(prompt, sampling, read_look_back, "reflection", words, request)
    if reflection is None:
        return LookBackFailed(reason=f"the model {reason(completion.finish, 'reflection')}")
    return LookedBack(reflection=reflection)
