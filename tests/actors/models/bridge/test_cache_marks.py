"""Marks for a cache of prefixes: where they stand, and what they save."""

import asyncio
from typing import Any

import pytest

from benchmarks.caching_server import PrefixCache, caching_server
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.bridge.cache_marks import with_cache_marks
from quintet.models.bridge.model import Bridge
from quintet.ports.model import Completion, Sampling
from quintet.roles.conversations import with_question

MARK = {"cache_control": {"type": "ephemeral"}}
OPENING = Prompt(system("Be short.")).extend(user("Task."))


def block(text: str, **further: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **further}


def test_marks_end_the_instructions_and_what_lasts() -> None:
    first, last = with_cache_marks(OPENING)
    assert first == {"role": "system", "content": [block("Be short.", **MARK)]}
    assert last == {"role": "user", "content": [block("Task.", **MARK)]}


def test_a_question_that_later_prompts_leave_out_stands_behind_the_mark() -> None:
    prompt = with_question(with_question(OPENING.extend(assistant("Act."), user("Seen.")), "What now?"), "In a word.")
    assert with_cache_marks(prompt)[2:] == [
        {"role": "assistant", "content": "Act."},
        {"role": "user", "content": [block("Seen.", **MARK), block("\n\nWhat now?\n\nIn a word.")]},
    ]
    assert with_question(OPENING) is OPENING


def test_what_is_asked_once_and_a_blank_are_not_marked() -> None:
    once = Prompt(system("Be short."), user("Once."), lasting=0)
    assert with_cache_marks(once)[1] == {"role": "user", "content": "Once."}
    blank = with_question(Prompt(user(" ")), "What now?")
    assert with_cache_marks(blank) == [{"role": "user", "content": " \n\nWhat now?"}]


def test_several_instructions_are_sent_as_they_are() -> None:
    prompt = Prompt(system("One."), system("Two."), user("Task."))
    assert [message["content"] for message in with_cache_marks(prompt)[:2]] == ["One.", "Two."]


def test_each_prompt_of_a_conversation_reads_what_the_one_before_wrote() -> None:
    cache = PrefixCache()
    prompt = Prompt(system("Instructions. " * 400)).extend(user("Task. " * 100))
    prompt_tokens = written = 0
    for turn in range(6):
        used = cache.usage({"messages": with_cache_marks(with_question(prompt, f"Question {turn}?"))})
        assert used["cache_read_input_tokens"] == written
        written += used["cache_creation_input_tokens"]
        assert used["input_tokens"] < 10, "the question alone"
        prompt_tokens = sum(used.values())
        prompt = prompt.extend(assistant(f"Action: {turn}"), user("Seen. " * 50))
    assert written > 0.99 * prompt_tokens


@pytest.mark.slow
@pytest.mark.parametrize(("cache", "cached"), [(True, 1400), (False, 0)])
def test_a_provider_with_anthropics_interface_gets_the_marks(cache: bool, cached: int) -> None:
    async def ask(address: str) -> list[Completion]:
        model = Bridge("anthropic/claude-opus-4-1", address=address, cache_prompt=cache)
        prompt = Prompt(system("Instructions. " * 400), user("Begin."))
        try:
            return [await model.complete(prompt, Sampling()), await model.complete(prompt.extend(), Sampling())]
        finally:
            await model.aclose()

    with caching_server(["One.", "Two."]) as address:
        first, second = asyncio.run(ask(address))
    assert first.usage.prompt_tokens == second.usage.prompt_tokens == 1401
    assert first.usage.cached_tokens == 0
    assert second.usage.cached_tokens in (cached, cached + 1)


@pytest.mark.slow
def test_others_get_none_and_pay_nothing_to_cache() -> None:
    assert Bridge("anthropic/claude-opus-4-1").pays_to_cache
    assert not Bridge("openai/gpt-4.1-mini").pays_to_cache
