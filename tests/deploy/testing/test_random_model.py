"""The model that acts at random answers questions in their shapes."""

import asyncio

import pytest
from msgspec import Struct

from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.candidates import rank, read_candidates
from quintet.ports.model import Asked, Sampling
from quintet.questions import QUESTIONS
from quintet.questions.shape import SHAPES
from quintet.testing.random_model import RandomModel

_TASK = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 stick using 2 bamboo\n\nGoal: craft stick."
_PROMPT = Prompt(system("Answer."), user(_TASK))
_DECIDE = Decide(setting="", goal="craft stick", n=3)


def _answers(question: str, about: Struct = _DECIDE, form: str | None = None) -> list[str]:
    asked = Asked(question=question, about=about)

    async def ask_all() -> list[str]:
        samplings = (Sampling(seed=seed, form=form) for seed in range(60))
        return [(await RandomModel().answer(_PROMPT, sampling, asked)).text for sampling in samplings]

    return asyncio.run(ask_all())


def test_it_names_candidates_that_repeat_and_whose_confidences_sum_to_anything() -> None:
    weighed = [each for each in map(read_candidates, _answers("candidates")) if each]
    assert len(weighed) > 40
    assert {len(each) for each in weighed} == {1, 2, 3, 4}
    rankings = [rank(each, 3) for each in weighed]
    assert any(ranking.adjusted for ranking in rankings)
    assert any(len(ranking.candidates) < len(each) for ranking, each in zip(rankings, weighed, strict=True))


def test_one_action_is_named_without_a_confidence() -> None:
    assert not any("confidence" in text for text in _answers("decision"))


@pytest.mark.parametrize("question", [each.shape.name for each in QUESTIONS])
def test_it_mostly_answers_every_question(question: str) -> None:
    shape = SHAPES[question]
    assert sum(shape.reading(text, "stop") != shape.reading("Let me see.", "stop") for text in _answers(question)) > 40


@pytest.mark.parametrize("question", [each.shape.name for each in QUESTIONS])
def test_it_answers_in_json_where_that_is_asked_for(question: str) -> None:
    shape = SHAPES[question]
    assert sum(shape.as_text(text) != text for text in _answers(question, form=question)) > 40
