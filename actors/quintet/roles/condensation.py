"""Puts a long observation in short, and keeps what matters to the task."""

from collections.abc import Mapping

from msgspec.structs import replace

from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.reflection import Condense, Condensed, CondenseFailed
from quintet.parsing.answers import reason
from quintet.parsing.descriptions import read_condensed
from quintet.roles.conversations import paragraphs
from quintet.roles.role_model import RoleModel

_WHAT = "short description"


async def condense(model: RoleModel, prompts: Mapping[str, str], request: Condense) -> Condensed | CondenseFailed:
    """Ask for the observation in short, and once more if the answer has none.

    Args:
        model: the reflector's.
        prompts: `condense`, the instructions, which prescribe the form of the answer.
        request: the observation.

    Source: Devil's Advocate, section 3.2, which prints no prompt for it.
    """
    seen = f"What is seen:\n{request.observation.strip()}"
    material = paragraphs(f"Goal: {request.goal}.", seen, "Describe this in short.")
    prompt = Prompt(system(prompts[request_name(Condense)])).extend(user(material))
    sampling = replace(model.sampling, form="condensed")
    words = model.reminder("condensed")
    text, completion = await model.ask(prompt, sampling, read_condensed, _WHAT, words, request)
    if text is None:
        return CondenseFailed(reason=f"the model {reason(completion.finish, _WHAT)}")
    return Condensed(text=text)
