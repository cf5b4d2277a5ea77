"""Every model of ours that needs no network keeps the contract of models, and is repeatable."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.prompts import ChatMessage, assistant, user
from quintet.testing.model import *  # noqa: F403
from quintet.testing.model_case import ModelCase
from quintet.testing.repeatable_model import *  # noqa: F403

COMPLETIONS = ["Thought: I begin.\nAction: inventory", "Thought: That is all.\nAction: task completed"]
FOLLOWING = (user("Begin."), assistant(COMPLETIONS[0]), user("Inventory: [stick] (1) "))

MODELS: Mapping[str, tuple[str, Mapping[str, Any], Sequence[ChatMessage]]] = {
    "a stand-in in a conversation": ("sim-fallible", {"error_rate": 1.0}, FOLLOWING),
    "scripted": ("scripted", {"completions": COMPLETIONS}, FOLLOWING),
    "scripted in a cycle": ("scripted", {"completions": COMPLETIONS, "cycle": True}, FOLLOWING),
}
"""By what they are tried as: the model, its options, and a conversation that it answers."""


@pytest.fixture(params=MODELS)
def case(request: pytest.FixtureRequest) -> Iterator[ModelCase]:
    name, options, conversation = MODELS[request.param]
    with ModelCase(name, options, conversation) as case:
        yield case
