"""The model that acts at random answers in the form that a prompt prescribes."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from quintet.messages.prompts import ChatMessage, Prompt, system, user
from quintet.parsing.candidates import rank, read_candidates
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.judgements import read_verdict
from quintet.parsing.retargets import read_retargeted
from quintet.ports.model import Sampling
from quintet.testing.random_model import RandomModel

_TASK = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 stick using 2 bamboo\n\nGoal: craft stick."
_FORM = system("Thought: why\nAction: one action")


def _answers(asked: str, form: ChatMessage = _FORM) -> list[str]:
    prompt = Prompt(form, user(f"{_TASK}\n\n{asked}"))

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


def _aligned(text: str) -> bool | None:
    return read_alignment(text).aligned


def _condensed(text: str) -> bool | None:
    return (read_condensed(text) or "").startswith("I see") or None


@pytest.mark.parametrize(
    ("form", "read"),
    [
        ("The action is to ...\nYES", _aligned),
        ("YES or NO alone on a line:\nNO", read_verdict),
        ("Short description: in short", _condensed),
        ("New action is: one action", read_retargeted),
    ],
)
def test_it_mostly_answers_questions_about_actions_and_states(form: str, read: Callable[[str], Any]) -> None:
    answers = [read(text) for text in _answers("", system(form))]
    assert 40 < sum(answer is not None for answer in answers) < 60
