"""Models as roles ask them: what goes with a call, and what comes back."""

import asyncio

import pytest

from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, Sampling
from quintet.roles.role_model import RoleModel

JSON = '{"thought": "I look.", "action": "look"}'


class Recording:
    name = "recording"

    def __init__(self) -> None:
        self.asked: list[Sampling] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.asked.append(sampling)
        return Completion(text=JSON)


@pytest.mark.parametrize(("structured", "said"), [(False, JSON), (True, "Thought: I look.\nAction: look")])
def test_the_form_goes_with_a_call_only_where_answers_are_structured(structured: bool, said: str) -> None:
    model = Recording()
    formed = RoleModel(model, Sampling(), structured=structured)
    completion = asyncio.run(formed.complete(Prompt(user("Go on.")), Sampling(max_tokens=7, form="decision")))
    assert completion.text == said
    assert model.asked == [Sampling(max_tokens=7, form="decision" if structured else None)]
    assert formed.name == "recording"
