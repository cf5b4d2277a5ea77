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


def test_an_uncut_text_is_said_whole() -> None:
    completion = complete_with("Action: inventory", ASKED, Sampling())
    assert (completion.text, completion.finish) == ("Action: inventory", "stop")


def test_a_text_that_just_fits_is_not_cut() -> None:
    completion = complete_with("12345678", ASKED, Sampling(max_tokens=2))
    assert (completion.text, completion.finish) == ("12345678", "stop")


def test_a_longer_text_is_cut_to_whole_tokens() -> None:
    completion = complete_with("123456789", ASKED, Sampling(max_tokens=2))
    assert (completion.text, completion.finish) == ("12345678", "length")
    assert completion.usage.completion_tokens == 2


def test_the_first_stop_sequence_in_the_text_ends_it() -> None:
    completion = complete_with("one\ntwo\nthree", ASKED, Sampling(stop=("three", "\n")))
    assert (completion.text, completion.finish) == ("one", "stop")


def test_an_empty_stop_sequence_stops_nothing() -> None:
    assert complete_with("one", ASKED, Sampling(stop=("",))).text == "one"


def test_a_stop_sequence_behind_the_cut_does_not_hide_the_cut() -> None:
    completion = complete_with("1234567890\nmore", ASKED, Sampling(max_tokens=1, stop=("\n",)))
    assert (completion.text, completion.finish) == ("1234", "length")


def test_no_room_at_all_is_an_empty_text_cut_short() -> None:
    for most in (0, -1):
        completion = complete_with("one", ASKED, Sampling(max_tokens=most))
        assert (completion.text, completion.finish) == ("", "length")


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
