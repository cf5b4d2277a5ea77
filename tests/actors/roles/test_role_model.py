"""Models as roles ask them: what goes with a call, and what comes back."""

import asyncio

import pytest

from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Asked, Completion, Sampling
from quintet.questions.acting import DECISION
from quintet.roles.role_model import RoleModel

JSON = '{"thought": "I look.", "action": "look"}'
ABOUT = Decide(setting="", goal="look")


class Recording:
    name = "recording"

    def __init__(self) -> None:
        self.drawn: list[Sampling] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.drawn.append(sampling)
        return Completion(text=JSON)


class Taking(Recording):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Asked] = []

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        self.asked.append(asked)
        return await self.complete(prompt, sampling)


@pytest.mark.parametrize(("structured", "said"), [(False, JSON), (True, "Thought: I look.\nAction: look")])
def test_the_form_goes_with_a_call_only_where_answers_are_structured(structured: bool, said: str) -> None:
    model = Recording()
    formed = RoleModel(model, Sampling(), structured=structured)
    completion = asyncio.run(formed.answer(Prompt(user("Go on.")), Sampling(max_tokens=7), DECISION, ABOUT))
    assert completion.text == said
    assert model.drawn == [Sampling(max_tokens=7, form="decision" if structured else None)]


def test_a_model_that_takes_questions_gets_the_one_behind_the_prompt() -> None:
    model = Taking()
    asyncio.run(RoleModel(model, Sampling()).answer(Prompt(user("Go on.")), Sampling(), DECISION, ABOUT))
    assert model.asked == [Asked(question="decision", about=ABOUT)]
