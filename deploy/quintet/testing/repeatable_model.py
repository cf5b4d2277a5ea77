"""The contract of models that are a pure function of prompt and sampling, tried in a hundred calls and more.

It goes beyond the contract in `quintet.testing.model`: paid endpoints do not repeat their answers, and cost money.
"""

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.ports.model import Sampling
from quintet.testing.actions import MALFORMED_TEXTS
from quintet.testing.expectations import expect, expect_equal, short_repr
from quintet.testing.model_case import UNCUT, CompletionsRequest, ModelCase, complete_all
from quintet.testing.subprocesses import in_subprocess


def test_the_same_prompt_is_answered_the_same(case: ModelCase) -> None:
    whole = case.answer()
    built_up = Prompt()
    for message in case.conversation:
        built_up = built_up.extend(message)
    expect_equal("the same answer", whole, case.ask(case.prompt, UNCUT))
    expect_equal("the answer to a prompt built up by messages", whole, case.ask(built_up, UNCUT))
    expect_equal("the answer of another instance", whole, case.ask_another(case.prompt, UNCUT))


def test_another_process_answers_the_same(case: ModelCase) -> None:
    case.answer()
    request = CompletionsRequest(
        plug_in=case.plug_in,
        messages=case.conversation,
        samplings=tuple(Sampling(temperature=temperature, seed=5) for temperature in (0.0, 0.7, 1.5)),
    )
    here = [case.ask(case.prompt, sampling) for sampling in request.samplings]
    case.calls += len(request.samplings)
    expect_equal("the answers in another process", here, in_subprocess(complete_all, request))


def test_at_temperature_0_the_seed_is_ignored(case: ModelCase) -> None:
    whole = case.answer()
    for seed in (None, 0, 1, 2**63):
        answer = case.ask(case.prompt, Sampling(max_tokens=UNCUT.max_tokens, seed=seed))
        expect_equal(f"the answer with seed {seed}", whole, answer)


def test_usage_grows_with_what_was_read_and_is_within_what_was_said(case: ModelCase) -> None:
    whole = case.answer()
    longer = case.ask(Prompt(system("Be brief. " * 40), *case.conversation), UNCUT)
    more = longer.usage.prompt_tokens - whole.usage.prompt_tokens
    expect(more > 40, "more than 40 further tokens for 400 further characters", more)
    expect(0 < whole.usage.completion_tokens <= len(whole.text), "a token or more, none without a character", whole)


def test_a_cut_text_is_the_beginning_of_the_whole(case: ModelCase) -> None:
    whole = case.answer()
    for most in (1, 2):
        expect(whole.usage.completion_tokens > most, f"an answer of more than {most} tokens", whole)
        cut = case.ask(case.prompt, Sampling(max_tokens=most))
        expect_equal(f"the finish with max_tokens {most}", "length", cut.finish)
        expect(cut.usage.completion_tokens <= most, f"at most {most} tokens", cut)
        expect(whole.text.startswith(cut.text), f"a beginning of {short_repr(whole.text)}", short_repr(cut.text))


def test_a_stopped_text_is_the_whole_before_the_stop_sequence(case: ModelCase) -> None:
    whole = case.answer()
    expect_equal("the finish of the whole answer", "stop", whole.finish)
    stop = whole.text[5:9]
    cut = case.ask(case.prompt, Sampling(max_tokens=UNCUT.max_tokens, stop=("\x00never", stop)))
    expect_equal(f"the finish at {stop!r}", "stop", cut.finish)
    expect_equal(f"the text before {stop!r}", whole.text.partition(stop)[0], cut.text)


def test_concurrent_calls_do_not_disturb_each_other(case: ModelCase) -> None:
    case.answer()
    prompts = [
        case.prompt,
        Prompt(user("Hello.")),
        Prompt(*case.conversation, assistant("Hm."), user("Well?")),
    ]
    one_by_one = [case.ask_or_fault(prompt) for prompt in prompts]
    expect_equal("the answers to concurrent calls", one_by_one * 5, case.ask_concurrently(prompts * 5))


def test_malformed_prompts_are_answered_or_end_in_a_model_fault(case: ModelCase) -> None:
    case.answer()
    instructions = [message for message in case.conversation if message.role == "system"]
    for text in MALFORMED_TEXTS:
        for prompt in (
            Prompt(user(text)),
            Prompt(system(text)),
            Prompt(assistant(text), assistant(text)),
            Prompt(*instructions, user(text)),
            Prompt(*case.conversation, assistant(text), user(text)),
            Prompt(*case.conversation, user(text), user(text), system(text)),
        ):
            case.ask_or_fault(prompt)
    case.ask_or_fault(Prompt())
