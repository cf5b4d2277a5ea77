"""The contract of models, tried in less than ten calls. The fixture `case` gives the `ModelCase` to try it on.

The tests are in order: the second asks for the answer that the later ones use.
"""

import pytest

from quintet.errors import ModelFault
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, DrawsSeveral, Sampling, Usage
from quintet.testing.expectations import expect, expect_equal, expect_type, fail, short_repr
from quintet.testing.model_case import UNCUT, VARIED, ModelCase

_MALFORMED_PROMPT = Prompt(user("\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680 %s {0} \\1 $(x)\n"))


def test_it_has_a_name(case: ModelCase) -> None:
    expect_type("a name", str, case.model.name)
    expect(case.model.name.strip(), "a name", short_repr(case.model.name))
    expect_equal("its name, read again,", case.model.name, case.model.name)


def test_a_prompt_is_answered_with_a_completion(case: ModelCase) -> None:
    try:
        whole = case.answer()
    except ModelFault as fault:
        fail("a completion", f"{type(fault).__name__}: {fault}")
    expect_type("an answer", Completion, whole)
    expect(whole.text.strip(), "a text", whole)


def test_usage_counts_what_was_read_and_said(case: ModelCase) -> None:
    usage = case.answer().usage
    if not usage.prompt_tokens and not usage.completion_tokens:
        pytest.skip("it brings no usage, so under a budget each of its calls is charged in full")
    expect(usage.prompt_tokens > 0 and usage.completion_tokens > 0, "tokens read and tokens said", usage)
    expect(0 <= usage.cached_tokens <= usage.prompt_tokens, "cached tokens among the prompt's", usage)
    expect(0 <= usage.reasoning_tokens <= usage.completion_tokens, "reasoning among the completion's", usage)


def test_max_tokens_cuts_the_text_and_says_so(case: ModelCase) -> None:
    whole = case.answer()
    most = 2
    if 0 < whole.usage.completion_tokens <= most:
        pytest.skip(f"its whole answer has no more than {most} tokens")
    cut = case.ask(case.prompt, Sampling(max_tokens=most))
    expect_equal(f"the finish with max_tokens {most}", "length", cut.finish)
    expect(cut.usage.completion_tokens <= most, f"at most {most} tokens", cut)
    expect(len(cut.text) < len(whole.text), f"less text than {short_repr(whole.text)}", short_repr(cut.text))


def test_a_stop_sequence_ends_the_text_before_it(case: ModelCase) -> None:
    whole = case.answer()
    stop = whole.text[5:9]
    if not stop:
        pytest.skip(f"its answer {short_repr(whole.text)} is too short to hold a stop sequence")
    cut = case.ask(case.prompt, Sampling(max_tokens=UNCUT.max_tokens, stop=("\x00never", stop)))
    expect(stop not in cut.text, f"no {stop!r} in the text", short_repr(cut.text))
    if whole.finish == "stop":
        expect_equal("the finish at a stop sequence", "stop", cut.finish)


def test_several_completions_come_by_one_request_whose_usage_the_first_has(case: ModelCase) -> None:
    case.answer()
    if not isinstance(case.model, DrawsSeveral):
        pytest.skip("it draws one completion at a time")
    most = case.model.draws_at_once(VARIED, 2)
    expect(most in (1, 2), "1 or 2 completions at once of 2", most)
    if most == 1:
        pytest.skip("it draws one completion at a time as it is now")
    drawn = case.ask_for_several(2)
    expect(len(drawn) <= 2, "at most 2 completions", len(drawn))
    for each in drawn:
        expect_type("a completion", Completion, each)
    others = drawn[1:]
    expect_equal("the usage of those after the first", [Usage() for _ in others], [each.usage for each in others])


def test_calls_can_be_in_flight_at_once(case: ModelCase) -> None:
    case.answer()
    for answer in case.ask_concurrently([case.prompt, Prompt(user("Hello.")), case.prompt]):
        if isinstance(answer, Completion):
            expect_type("an answer", Completion, answer)


def test_a_malformed_prompt_is_answered_or_ends_in_a_model_fault(case: ModelCase) -> None:
    case.answer()
    case.ask_or_fault(_MALFORMED_PROMPT)
