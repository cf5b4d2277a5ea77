"""Models as roles ask them: what goes with a call, and what comes back."""

import asyncio

import pytest

from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Asked, Completion, Sampling
from quintet.questions.acting import DECISION
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import converse

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


class Counting:
    """Notes how many calls are in flight when one begins."""

    name = "counting"

    def __init__(self) -> None:
        self.in_flight = 0
        self.begun: list[int] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.in_flight += 1
        self.begun.append(self.in_flight)
        await asyncio.sleep(0)
        self.in_flight -= 1
        return Completion(text=str(len(self.begun)))


class Joint(Counting):
    """Draws up to two completions by one request."""

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        return [Completion(text=f"joint {number}") for number in range(min(n, 2))]


def answers(model: Counting, n: int) -> list[str]:
    async def draw() -> list[Completion]:
        return await RoleModel(model, Sampling()).answers(Prompt(user("Go on.")), Sampling(), DECISION, ABOUT, n)

    return [completion.text for completion in converse(draw)]


def test_of_several_answers_the_first_is_drawn_alone_and_then_the_others_at_once() -> None:
    model = Counting()
    assert len(answers(model, 4)) == 4
    assert model.begun == [1, 1, 2, 3]


def test_several_answers_are_one_request_as_far_as_the_model_draws_them_so() -> None:
    assert (answers(Joint(), 2), answers(model := Joint(), 4)[:2]) == (["joint 0", "joint 1"], ["joint 0", "joint 1"])
    assert model.begun == [1, 2]
