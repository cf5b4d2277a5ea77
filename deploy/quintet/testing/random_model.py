"""A model that acts at random in any world: enough to take a method down all of its ways, offline."""

import asyncio
from random import Random

from quintet.messages.prompts import ChatMessage, Prompt
from quintet.models.drawing import complete_with
from quintet.models.sim.asked import asked
from quintet.ports.model import Completion, Sampling
from quintet.testing.candidate_actions import gleaned

_LONGEST = 100
"""Turns of the event loop that an answer is in coming."""


class RandomModel:
    """Answers in the form that a prompt asks for, with what the prompt says; now and then with a claim or with nothing.

    A pure function of the prompt and the seed, whose answers all differ: whatever is made of one, a version of a plan
    for example, is known again where it is shown.

    Args:
        mood: which answers are a while in coming, so that what is under way at once ends in another order; 0: none.
    """

    name = "improviser"

    def __init__(self, mood: int = 0) -> None:
        self._mood = mood

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        for _ in range(Random(f"{self._mood}/{prompt.node.address}").randrange(_LONGEST) if self._mood else 0):
            await asyncio.sleep(0)
        messages = prompt.messages()
        chance = Random(f"{prompt.node.address}/{sampling.seed}")
        return complete_with(_answer(messages, chance), messages, sampling)


def _answer(messages: tuple[ChatMessage, ...], chance: Random) -> str:
    said = [action for message in messages for action in gleaned(message.content)]
    wanted, mark = asked(messages), f"{chance.getrandbits(64):016x}"
    if not said or chance.random() < 0.1:
        return f"Let me see {mark}."
    if wanted is not None and wanted.answer == "plan":
        joined = chance.choice(("AND", "OR"))
        steps = f"Step 1: {chance.choice(said)}\nStep 2: {chance.choice(said)}"
        return f"I try {mark}.\n{steps}\nExecution Order: (Step 1 {joined} Step 2)"
    claimed = chance.choices(("task completed", "task failed", None), (1, 2, 12))[0]
    return f"Thought: I try {mark}.\nAction: {claimed or chance.choice(said)}"
