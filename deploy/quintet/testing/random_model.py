"""A model that acts at random in any world: enough to drive a method down all of its branches, offline."""

import asyncio
from collections.abc import Callable, Mapping
from random import Random

from quintet.messages.execution import Decide
from quintet.messages.prompts import ChatMessage, Prompt
from quintet.models.completion import complete_with
from quintet.ports.model import AnswerForm, Asked, Completion, Sampling
from quintet.testing.actions import candidate_actions

_LONGEST = 100
"""Turns of the event loop that an answer takes at most."""

_VERDICTS: Mapping[AnswerForm, Callable[[Random], str]] = {
    "value": lambda chance: f"Mark: {chance.randint(1, 10)}",
    "choice": lambda chance: f"Choice: {chance.randint(1, 2)}",
    "look_back": lambda chance: f"Reflection: I begin with step {chance.randint(1, 10)}.",
    "alignment": lambda chance: f"The action is to try {chance.getrandbits(64):016x}.\n{_yes(chance, 0.7)}",
    "verdict": lambda chance: _yes(chance, 0.2),
    "condensed": lambda chance: f"Short description: I see {chance.getrandbits(64):016x}.",
}


def _yes(chance: Random, share: float) -> str:
    return "YES" if chance.random() < share else "NO"


class RandomModel:
    """Answers in the form of a question, with words of the prompt; now and then with a claim or with nothing.

    A pure function of question, prompt and seed. All answers differ, so that what is made of one, a version of a plan
    for example, is recognised when it is shown.

    Args:
        delays: seed of the answers' delays, which change the order in which concurrent calls end; 0: no delays.
    """

    name = "random"

    def __init__(self, delays: int = 0) -> None:
        self._delays = delays

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """An action at random."""
        return await self._draw(prompt, sampling, None)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        """An answer at random to a question."""
        return await self._draw(prompt, sampling, asked)

    async def _draw(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
        for _ in range(Random(f"{self._delays}/{prompt.node.address}").randrange(_LONGEST) if self._delays else 0):
            await asyncio.sleep(0)
        chance = Random(f"{prompt.node.address}/{sampling.seed}")
        return complete_with(_answer(prompt.messages(), asked, chance), prompt, sampling)


def _answer(messages: tuple[ChatMessage, ...], asked: Asked | None, chance: Random) -> str:
    candidates = [action for message in messages for action in candidate_actions(message.content)]
    form, mark = None if asked is None else asked.form, f"{chance.getrandbits(64):016x}"
    if not candidates or chance.random() < 0.1:
        return f"Let me see {mark}."
    if form is not None and form in _VERDICTS:
        return f"I see {mark}.\n{_VERDICTS[form](chance)}"
    if form == "candidates" and asked is not None and isinstance(asked.about, Decide):
        return "\n".join(
            f"Action: {chance.choice(candidates)} (confidence {chance.random():.2f})"
            for _ in range(chance.randint(1, asked.about.n + 1))
        )
    if form == "plan":
        joined = chance.choice(("AND", "OR"))
        steps = f"Step 1: {chance.choice(candidates)}\nStep 2: {chance.choice(candidates)}"
        return f"I try {mark}.\n{steps}\nExecution Order: (Step 1 {joined} Step 2)"
    if form == "steps":
        return "\n".join(["List", *(f"{n}. {chance.choice(candidates)}" for n in range(1, 2 + chance.randint(1, 3)))])
    if form == "retargeted":
        return f"New action is: {chance.choice(candidates)}"
    claimed = chance.choices(("task completed", "task failed", None), (1, 2, 12))[0]
    return f"Thought: I try {mark}.\nAction: {claimed or chance.choice(candidates)}"
