"""The model that acts at random answers in the form that a prompt prescribes."""

import asyncio

import pytest

from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.candidates import rank, read_candidates
from quintet.ports.model import Sampling
from quintet.testing.random_model import RandomModel

_TASK = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 stick using 2 bamboo\n\nGoal: craft stick."
_FORM = system("Thought: why\nAction: one action")


def _answers(asked: str) -> list[str]:
    prompt = Prompt(_FORM, user(f"{_TASK}\n\n{asked}"))

    async def ask_all() -> list[str]:
        return [(await RandomModel().complete(prompt, Sampling(seed=seed))).text for seed in range(60)]

    return asyncio.run(ask_all())


def test_it_names_candidates_that_repeat_and_whose_confidences_sum_to_anything() -> None:
    read = [read_candidates(text) for text in _answers("Name 3 actions.\nAction: one action (confidence 0.5)")]
    weighed = [each for each in read if each]
    assert len(weighed) > 40
    assert {len(each) for each in weighed} == {1, 2, 3, 4}
    rankings = [rank(each, 3) for each in weighed]
    assert any(ranking.adjusted for ranking in rankings)
    assert any(len(ranking.candidates) < len(each) for ranking, each in zip(rankings, weighed, strict=True))


@pytest.mark.parametrize("asked", ["Go.", "Tried already:\n- inventory\nChoose another one."])
def test_one_action_is_named_without_a_confidence(asked: str) -> None:
    assert not any("confidence" in text for text in _answers(asked))
