"""What every model holds to, in few calls; and what one holds to beside that which claims to be repeatable.

Paid endpoints repeat nothing and are not called dozens of times, so the second part is only for who asks for it.
"""

from collections.abc import Sequence

from msgspec import Struct

from quintet.errors import ModelFault
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.ports.model import Completion, Sampling
from quintet.testing.clauses import Broken, Clause, Skipped, require, same, shown, typed
from quintet.testing.malformed_actions import ODD
from quintet.testing.named import Named
from quintet.testing.questions import WHOLE, Questioned
from quintet.testing.subprocesses import in_subprocess

_ODD_PROMPT = Prompt(user("\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680 %s {0} \\1 $(x)\n"))


def it_has_a_name(asked: Questioned) -> None:
    typed("a name", str, asked.model.name)
    require(asked.model.name.strip(), "a name", shown(asked.model.name))
    same("its name, read again,", asked.model.name, asked.model.name)


def a_prompt_is_answered_with_a_completion(asked: Questioned) -> None:
    try:
        whole = asked.answer()
    except ModelFault as fault:
        raise Broken("a completion", f"{type(fault).__name__}: {fault}") from fault
    typed("an answer", Completion, whole)
    require(whole.text.strip(), "a text", whole)


def usage_counts_what_was_read_and_said(asked: Questioned) -> None:
    usage = asked.answer().usage
    if not usage.prompt_tokens and not usage.completion_tokens:
        raise Skipped("it brings no usage, so under a budget each of its calls is charged in full")
    require(usage.prompt_tokens > 0 and usage.completion_tokens > 0, "tokens read and tokens said", usage)
    require(0 <= usage.cached_tokens <= usage.prompt_tokens, "cached tokens among the prompt's", usage)
    require(0 <= usage.reasoning_tokens <= usage.completion_tokens, "reasoning among the completion's", usage)


def max_tokens_cuts_the_text_and_says_so(asked: Questioned) -> None:
    whole = asked.answer()
    most = 2
    if 0 < whole.usage.completion_tokens <= most:
        raise Skipped(f"its whole answer has no more than {most} tokens")
    cut = asked.ask(asked.prompt, Sampling(max_tokens=most))
    same(f"the finish with max_tokens {most}", "length", cut.finish)
    require(cut.usage.completion_tokens <= most, f"at most {most} tokens", cut)
    require(len(cut.text) < len(whole.text), f"less text than {shown(whole.text)}", shown(cut.text))


def a_stop_sequence_ends_the_text_before_it(asked: Questioned) -> None:
    whole = asked.answer()
    stop = whole.text[5:9]
    if not stop:
        raise Skipped(f"its answer {shown(whole.text)} is too short to hold a stop sequence")
    cut = asked.ask(asked.prompt, Sampling(max_tokens=WHOLE.max_tokens, stop=("\x00never", stop)))
    require(stop not in cut.text, f"no {stop!r} in the text", shown(cut.text))
    if whole.finish == "stop":
        same("the finish at a stop sequence", "stop", cut.finish)


def calls_can_be_in_flight_at_once(asked: Questioned) -> None:
    asked.answer()
    for answer in asked.ask_at_once([asked.prompt, Prompt(user("Hello.")), asked.prompt]):
        if isinstance(answer, Completion):
            typed("an answer", Completion, answer)


def an_odd_prompt_is_answered_or_ends_in_a_model_fault(asked: Questioned) -> None:
    asked.answer()
    asked.answered(_ODD_PROMPT)


def the_same_prompt_is_answered_the_same(asked: Questioned) -> None:
    whole = asked.answer()
    built_up = Prompt()
    for message in asked.conversation:
        built_up = built_up.extend(message)
    same("the same answer", whole, asked.ask(asked.prompt, WHOLE))
    same("the answer to a prompt built up by messages", whole, asked.ask(built_up, WHOLE))
    same("the answer of another instance", whole, asked.ask(asked.prompt, WHOLE, asked.named.model()))


def another_process_answers_the_same(asked: Questioned) -> None:
    asked.answer()
    draws = Draws(
        named=asked.named,
        messages=asked.conversation,
        samplings=tuple(Sampling(temperature=temperature, seed=5) for temperature in (0.0, 0.7, 1.5)),
    )
    here = [asked.ask(asked.prompt, sampling) for sampling in draws.samplings]
    asked.calls += len(draws.samplings)
    same("the answers in another process", here, in_subprocess(drawn, draws, hash_seed=12345))


def at_temperature_0_the_seed_is_ignored(asked: Questioned) -> None:
    whole = asked.answer()
    for seed in (None, 0, 1, 2**63):
        answer = asked.ask(asked.prompt, Sampling(max_tokens=WHOLE.max_tokens, seed=seed))
        same(f"the answer with seed {seed}", whole, answer)


def usage_grows_with_what_was_read_and_is_within_what_was_said(asked: Questioned) -> None:
    whole = asked.answer()
    longer = asked.ask(Prompt(system("Be brief. " * 40), *asked.conversation), WHOLE)
    more = longer.usage.prompt_tokens - whole.usage.prompt_tokens
    require(more > 40, "more than 40 further tokens for 400 further characters", more)
    require(0 < whole.usage.completion_tokens <= len(whole.text), "a token or more, none without a character", whole)


def a_cut_text_is_the_beginning_of_the_whole(asked: Questioned) -> None:
    whole = asked.answer()
    for most in (1, 2):
        require(whole.usage.completion_tokens > most, f"an answer of more than {most} tokens", whole)
        cut = asked.ask(asked.prompt, Sampling(max_tokens=most))
        same(f"the finish with max_tokens {most}", "length", cut.finish)
        require(cut.usage.completion_tokens <= most, f"at most {most} tokens", cut)
        require(whole.text.startswith(cut.text), f"a beginning of {shown(whole.text)}", shown(cut.text))


def a_stopped_text_is_the_whole_before_the_stop_sequence(asked: Questioned) -> None:
    whole = asked.answer()
    same("the finish of the whole answer", "stop", whole.finish)
    stop = whole.text[5:9]
    cut = asked.ask(asked.prompt, Sampling(max_tokens=WHOLE.max_tokens, stop=("\x00never", stop)))
    same(f"the finish at {stop!r}", "stop", cut.finish)
    same(f"the text before {stop!r}", whole.text.partition(stop)[0], cut.text)


def concurrent_calls_do_not_disturb_each_other(asked: Questioned) -> None:
    asked.answer()
    prompts = [
        asked.prompt,
        Prompt(user("Hello.")),
        Prompt(*asked.conversation, assistant("Hm."), user("Well?")),
    ]
    one_by_one = [asked.answered(prompt) for prompt in prompts]
    same("the answers to concurrent calls", one_by_one * 5, asked.ask_at_once(prompts * 5))


def odd_prompts_are_answered_or_end_in_a_model_fault(asked: Questioned) -> None:
    asked.answer()
    told = [message for message in asked.conversation if message.role == "system"]
    for text in (*ODD, *asked.odd):
        for prompt in (
            Prompt(user(text)),
            Prompt(system(text)),
            Prompt(assistant(text), assistant(text)),
            Prompt(*told, user(text)),
            Prompt(*asked.conversation, assistant(text), user(text)),
            Prompt(*asked.conversation, user(text), user(text), system(text)),
        ):
            asked.answered(prompt)
    asked.answered(Prompt())


MODEL: Sequence[Clause[Questioned]] = (
    it_has_a_name,
    a_prompt_is_answered_with_a_completion,
    usage_counts_what_was_read_and_said,
    max_tokens_cuts_the_text_and_says_so,
    a_stop_sequence_ends_the_text_before_it,
    calls_can_be_in_flight_at_once,
    an_odd_prompt_is_answered_or_ends_in_a_model_fault,
)
"""In less than ten calls. The second clause asks for the answer that the others go by."""

REPEATABLE: Sequence[Clause[Questioned]] = (
    the_same_prompt_is_answered_the_same,
    another_process_answers_the_same,
    at_temperature_0_the_seed_is_ignored,
    usage_grows_with_what_was_read_and_is_within_what_was_said,
    a_cut_text_is_the_beginning_of_the_whole,
    a_stopped_text_is_the_whole_before_the_stop_sequence,
    concurrent_calls_do_not_disturb_each_other,
    odd_prompts_are_answered_or_end_in_a_model_fault,
)
"""For models that claim to be a pure function of prompt and sampling, in a hundred calls and more."""


class Draws(Struct, frozen=True, kw_only=True):
    """What to ask a model in another process."""

    named: Named
    messages: tuple[ChatMessage, ...]
    samplings: tuple[Sampling, ...]


def drawn(draws: Draws) -> list[Completion]:
    """The completions."""
    with Questioned(draws.named, draws.messages) as asked:
        return [asked.ask(asked.prompt, sampling) for sampling in draws.samplings]
