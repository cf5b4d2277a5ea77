"""A model that acts at random in any world: enough to drive a method down all of its branches, offline."""

import asyncio
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, get_args

from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt
from quintet.models.completion import complete_with
from quintet.ports.model import Asked, Completion, Sampling
from quintet.questions.programming import ProgramShape
from quintet.questions.shape import SHAPES, Shape
from quintet.questions.shapes import Number, OrderedSteps, Rows, Steps, Text, TextsAndRows, ThoughtAndAction, YesOrNo
from quintet.testing.actions import candidate_actions

_LONGEST = 100
"""Turns of the event loop that an answer takes at most."""
_YES: Final[Mapping[str, float]] = {"alignment": 0.7, "verdict": 0.2}
"""How often the answer to a question is yes, where it is not half of the time: a plan is to be pursued for a while."""
_HIGHEST: Final[Mapping[str, int]] = {"choice": 2}
"""The highest number that is answered, where it is not 10."""


class RandomModel:
    """Answers a question in its shape, with words of the prompt; now and then with a claim or with nothing.

    A pure function of the prompt and the seed. All answers differ, so that what is made of one, a version of a plan for
    example, is recognised when it is shown.

    Args:
        delays: seed of the answers' delays, which change the order in which concurrent calls end; 0: no delays.
    """

    name = "random"

    def __init__(self, delays: int = 0) -> None:
        self._delays = delays

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self._complete(prompt, sampling, None)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        return await self._complete(prompt, sampling, asked)

    async def _complete(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
        for _ in range(Random(f"{self._delays}/{prompt.node.address}").randrange(_LONGEST) if self._delays else 0):
            await asyncio.sleep(0)
        chance = Random(f"{prompt.node.address}/{sampling.seed}")
        actions = [action for message in prompt.messages() for action in candidate_actions(message.content)]
        text = _answer(asked, actions, chance, structured=sampling.form is not None)
        return complete_with(text, prompt, sampling)


def _answer(asked: Asked | None, actions: Sequence[str], chance: Random, *, structured: bool) -> str:
    mark = f"{chance.getrandbits(64):016x}"
    if not actions or chance.random() < 0.1:
        return f"Let me see {mark}."
    shape = SHAPES[(asked and asked.question) or "decision"]
    text = shape.write(_fields(shape, asked, actions, mark, chance), structured=structured)
    return f"I try {mark}.\n{text}" if isinstance(shape, OrderedSteps) and not structured else text


def _fields(
    shape: Shape[Any], asked: Asked | None, actions: Sequence[str], mark: str, chance: Random
) -> Mapping[str, Any]:
    match shape:
        case ThoughtAndAction():
            return {"thought": f"I try {mark}.", "action": _action(actions, chance)}
        case ProgramShape(key=key):
            return {key: _program(actions, mark, chance)}
        case Text(key="action" | "new_action" as key):
            return {key: _action(actions, chance)}
        case Text(key=key):
            return {key: f"I see {mark}: {chance.choice(actions)}."}
        case Number(why=why, key=key):
            return {why: f"I see {mark}.", key: chance.randint(1, _HIGHEST.get(shape.name, 10))}
        case YesOrNo(why=why, key=key):
            return {why: f"The action is to try {mark}.", key: chance.random() < _YES.get(shape.name, 0.5)}
        case OrderedSteps():
            joined = chance.choice(("AND", "OR"))
            return {"thought": "", "steps": tuple(chance.choices(actions, k=2)), "order": f"(Step 1 {joined} Step 2)"}
        case Steps():
            return {"steps": tuple(chance.choices(actions, k=1 + chance.randint(1, 3)))}
        case TextsAndRows(texts=texts, key=key):
            said = {name: f"I see {mark}: {chance.choice(actions)}." for name in texts}
            return {**said, key: tuple(_row(shape, actions, chance) for _ in range(chance.randint(0, 3)))}
        case Rows(key=key):
            rows = range(chance.randint(1, _most_rows(asked)))
            return {key: tuple(_row(shape, actions, chance) for _ in rows)}
        case _:
            raise AssertionError(shape)


def _program(actions: Sequence[str], mark: str, chance: Random) -> str:
    """Two steps, of which the second asks something, and fails if its action is refused."""
    first, second = (repr(each) for each in chance.choices(actions, k=2))
    return (
        "def solution(agent, start_from=1):\n"
        f"    if start_from <= 1:\n        agent.act({first})\n"
        f"    if start_from <= 2:\n        found = agent.ask('{mark}')\n        agent.act({second})\n"
        f"        assert agent.accepted, found"
    )


def _action(actions: Sequence[str], chance: Random) -> str:
    claimed = chance.choices(("task completed", "task failed", None), (1, 2, 12))[0]
    return claimed or chance.choice(actions)


def _most_rows(asked: Asked | None) -> int:
    return asked.about.n + 1 if asked is not None and isinstance(asked.about, Decide) else 3


def _row(shape: Rows[Any], actions: Sequence[str], chance: Random) -> Mapping[str, Any]:
    drawn = {
        str: chance.choice(actions),
        bool: chance.random() < 0.5,
        int: chance.randint(0, 4),
        float: round(chance.random(), 2),
        tuple[int, ...]: tuple(chance.randint(1, 9) for _ in range(3)),
    }
    return {
        key: drawn[kind] if kind in drawn else chance.choice(get_args(kind))
        for key, (kind, _) in shape.row_fields.items()
    }
