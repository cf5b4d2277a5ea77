"""Compares two processes at one goal: in which step of the better one do they part?"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.reflection import Compare, Compared, ComparisonFailed
from quintet.parsing.answers import reason
from quintet.parsing.indices import read_comparison
from quintet.roles.conversations import paragraphs
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_QUESTION = "In which step of process 1 do the two first differ?"


async def compare_processes(
    model: RoleModel, prompts: Mapping[str, str], request: Compare
) -> Compared | ComparisonFailed:
    """Ask for the step, and once more if the answer names none of the better process.

    Args:
        model: the reflector's.
        prompts: `compare`, the instructions, which prescribe the form of the answer.
        request: the processes. Nothing is said of their rewards but that the first is the better one.

    Source: LDM2, section 3.3, equation 10, and table 4.
    """
    better = _process("Process 1 (the better one):", request.better)
    worse = _process("Process 2:", request.worse)
    material = paragraphs(f"Goal: {request.goal}.", *better, *worse, _QUESTION)
    prompt = Prompt(system(prompts[request_name(Compare)])).extend(user(material))
    sampling = replace(model.sampling.overridden(request.sampling), form="comparison")
    read = partial(read_comparison, steps=len(request.better))
    words = model.reminder("comparison")
    step, completion = await model.ask(prompt, sampling, read, "step", words, request)
    if step is None:
        return ComparisonFailed(reason=f"the model {reason(completion.finish, 'step of process 1')}")
    return Compared(step=step)


def _process(heading: str, turns: Sequence[Turn]) -> Iterator[str]:
    """A heading, and the turns as numbered steps."""
    yield heading
    for number, turn in enumerate(turns, 1):
        observation = turn.observation.strip() or SILENCE
        yield f"{number}. {turn.completion.strip() or SILENCE}\nObservation: {observation}"
    if not turns:
        yield SILENCE
