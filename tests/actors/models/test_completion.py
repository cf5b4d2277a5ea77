import pytest

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.completion import complete_with
from quintet.ports.model import Sampling

ASKED = Prompt(system("12345678"), user("123456789"))


def test_four_characters_are_a_token_and_every_message_costs_four_more() -> None:
    usage = complete_with("12345", ASKED, Sampling()).usage
    assert usage.completion_tokens == 2
    assert usage.prompt_tokens == (4 + 2) + (4 + 3)
    assert complete_with("", ASKED.extend(assistant("")), Sampling()).usage.prompt_tokens == usage.prompt_tokens + 4


@pytest.mark.parametrize(
    ("said", "sampling", "text", "finish"),
    [
        ("Action: inventory", Sampling(), "Action: inventory", "stop"),
        ("12345678", Sampling(max_tokens=2), "12345678", "stop"),
        ("123456789", Sampling(max_tokens=2), "12345678", "length"),
        ("one\ntwo\nthree", Sampling(stop=("three", "\n")), "one", "stop"),
        ("one", Sampling(stop=("",)), "one", "stop"),
        ("1234567890\nmore", Sampling(max_tokens=1, stop=("\n",)), "1234", "length"),
        ("one", Sampling(max_tokens=0), "", "length"),
        ("one", Sampling(max_tokens=-1), "", "length"),
    ],
)
def test_a_text_ends_at_its_first_stop_sequence_or_is_cut_to_whole_tokens(
    said: str, sampling: Sampling, text: str, finish: str
) -> None:
    completion = complete_with(said, ASKED, sampling)
    assert (completion.text, completion.finish) == (text, finish)
    assert completion.usage.completion_tokens == -(-len(text) // 4)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("<think>1\nObservation: 2</think>one\nObservation: two", "<think>1\nObservation: 2</think>one"),
        ("1\nObservation: 2</think>one", "1\nObservation: 2</think>one"),
        ("one<think>1\nObservation: 2", "one<think>1\nObservation: 2"),
        ("<think>1</think>\n\nObservation: one\nObservation: two", "<think>1</think>\n\nObservation: one"),
        ("one\nObservation: <think>1</think>two", "one"),
        ("\nObservation: one", ""),
    ],
)
def test_stop_sequences_are_looked_for_behind_reasoning_only(said: str, heard: str) -> None:
    assert complete_with(said, ASKED, Sampling(stop=("\nObservation:",))).text == heard
