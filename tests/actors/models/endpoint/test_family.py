"""Which sampling parameters are sent."""

import pytest

from quintet.messages.prompts import assistant, system, user
from quintet.models.endpoint.family import ModelFamily, family_of, fold_system
from quintet.ports.model import Sampling

SAMPLING = Sampling(temperature=0.5, top_p=0.9, max_tokens=64, stop=("\n", ""), seed=7)


USUAL = {"max_tokens": 64, "temperature": 0.5, "top_p": 0.9, "seed": 7, "stop": ["\n"]}
EVERYTHING = (
    *("llama-3.3-70b", "gpt-5-chat-latest", "gpt-4o", "o30", "gpt-50", "o", "gpt-", "foo3", "o3/qwen", "sim-weak", ""),
    *("qwen3-coder-30b", "qwen3-30b-a3b-instruct-2507", "qwen2.5-7b", "deepseek-v3", "phi-4", "glm-4", "unthinking"),
    *("gemini-2.0-flash", "google/gemini-1.5-pro", "grok-3", "grok-2-1212", "x-ai/grok-4-fast-non-reasoning"),
)
OPENAI_REASONING = (
    *("o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5-nano", "gpt-5.1", "openai/gpt-5-mini", "openai/o3:online"),
)
REASONING_IN_LINE = (
    *("deepseek-ai/DeepSeek-R1", "deepseek-r1:7b", "DeepSeek-R1-Distill-Qwen-7B", "deepseek-reasoner"),
    *("Qwen/Qwen3-8B", "qwen3:8b", "QwQ-32B", "magistral-small-2506", "openai/gpt-oss-20b", "gpt-oss:20b"),
    *("qwen3-235b-a22b-thinking-2507", "kimi-k2-thinking", "microsoft/Phi-4-reasoning", "zai-org/GLM-4.5-Air"),
    *("gemini-2.5-flash", "google/gemini-3-pro-preview", "gemini-flash-latest", "x-ai/grok-4.1-fast", "grok-3-mini"),
    *("grok-4-0709", "grok-code-fast-1"),
)


@pytest.mark.parametrize(
    ("model", "parameters", "reasons"),
    [
        *((model, USUAL, False) for model in EVERYTHING),
        *((model, {"max_completion_tokens": 64, "seed": 7}, True) for model in OPENAI_REASONING),
        *((model, {key: USUAL[key] for key in USUAL if key != "stop"}, True) for model in REASONING_IN_LINE),
    ],
)
def test_a_model_is_sent_what_its_family_takes(model: str, parameters: dict[str, object], reasons: bool) -> None:
    assert family_of(model).parameters(SAMPLING) == parameters
    assert family_of(model).reasons is reasons


def test_what_is_not_set_or_omitted_is_not_sent() -> None:
    assert family_of("m").parameters(Sampling(stop=("",))) == {"max_tokens": 512, "temperature": 0.0, "top_p": 1.0}
    family = ModelFamily("max_completion_tokens", frozenset({"seed", "stop"}))
    assert family.parameters(SAMPLING) == {"max_completion_tokens": 64, "temperature": 0.5, "top_p": 0.9}


def test_instructions_go_to_the_head_of_the_first_message_of_the_user() -> None:
    messages = [system("A"), assistant("B"), user("C"), system("D"), user("E")]
    assert fold_system(messages) == [assistant("B"), user("A\n\nD\n\nC"), user("E")]
    assert fold_system([system("A")]) == [user("A")]
    assert fold_system([user("C")]) == [user("C")]
