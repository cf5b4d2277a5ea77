"""Which sampling parameters are sent."""

import pytest

from actors.models.endpoint.dialect import Dialect, dialect_of
from protocols.models import Sampling

SAMPLING = Sampling(temperature=0.5, top_p=0.9, max_tokens=64, stop=("\n", ""), seed=7)


def test_everything_is_sent_by_default() -> None:
    assert dialect_of("llama-3.3-70b").parameters(SAMPLING) == {
        "max_tokens": 64,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "stop": ("\n",),
    }


def test_what_is_not_set_is_not_sent() -> None:
    assert dialect_of("m").parameters(Sampling(stop=("",))) == {"max_tokens": 512, "temperature": 0.0, "top_p": 1.0}


def test_what_is_omitted_is_not_sent() -> None:
    dialect = Dialect("max_completion_tokens", frozenset({"seed", "stop"}))
    assert dialect.parameters(SAMPLING) == {"max_completion_tokens": 64, "temperature": 0.5, "top_p": 0.9}


@pytest.mark.parametrize(
    "model",
    ["o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5-nano", "gpt-5.1", "openai/gpt-5-mini", "openai/o3:online"],
)
def test_a_reasoning_model_is_sent_what_it_takes(model: str) -> None:
    assert dialect_of(model).parameters(SAMPLING) == {"max_completion_tokens": 64, "seed": 7}


@pytest.mark.parametrize(
    "model", ["gpt-5-chat-latest", "gpt-4o", "o30", "gpt-50", "o", "gpt-", "foo3", "o3/qwen", "sim-weak", ""]
)
def test_any_other_is_sent_everything(model: str) -> None:
    assert "temperature" in dialect_of(model).parameters(SAMPLING)
