"""A model that acts at random in any world: enough to take a method down all of its ways, offline."""

from random import Random

from actors.models.drawing import drawn
from actors.models.sim.asked import asked
from deploy.contracts.gleaning import gleaned
from protocols.models import Completion, Sampling
from protocols.prompts import ChatMessage, Prompt

_GIBBERISH = "Let me see."


class Improviser:
    """Answers in the form that a prompt asks for, with what the prompt says; now and then with a claim or with nothing.

    A pure function of the prompt and the seed.
    """

    name = "improviser"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        chance = Random(f"{prompt.node.address}/{sampling.seed}")
        return drawn(_answer(messages, chance), messages, sampling)


def _answer(messages: tuple[ChatMessage, ...], chance: Random) -> str:
    said = [action for message in messages for action in gleaned(message.content)]
    wanted = asked(messages)
    if not said or chance.random() < 0.1:
        return _GIBBERISH
    if wanted is not None and wanted.answer == "plan":
        joined = chance.choice(("AND", "OR"))
        return (
            f"Step 1: {chance.choice(said)}\nStep 2: {chance.choice(said)}\nExecution Order: (Step 1 {joined} Step 2)"
        )
    claimed = chance.choices(("task completed", "task failed", None), (1, 2, 12))[0]
    return f"Thought: I try something.\nAction: {claimed or chance.choice(said)}"
