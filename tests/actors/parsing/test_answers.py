"""Inline reasoning is separated from the answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.answers import answer_spans, answer_text, without_reasoning


@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        ("Yes.", "Yes."),
        ("<think>Hm.</think>Yes.", "Yes."),
        ("<thinking>Hm.</thinking>Yes.", "Yes."),
        ("<reasoning>Hm.</reasoning>Yes.", "Yes."),
        ("<THINK>Hm.</Think>Yes.", "Yes."),
        ('<think budget="9">Hm.</think>Yes.', "Yes."),
        ("Hm.</think>Yes.", "Yes."),
        ("Hm.</think>So.</think>Yes.", "Yes."),
        ("<think>Hm.<think>So.</think>Well.</think>Yes.", "Yes."),
        ("<think>Hm.</think>Yes.<think>Or no?</think> Sure.", "Yes. Sure."),
        ("Yes.<think>Or no?", "Yes."),
        ("<think>Hm.", ""),
        ("Hm.</think>", ""),
        ("[THINK]Hm.[/THINK]Yes.", "Yes."),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "Yes."),
        ("I think <this> is so.", "I think <this> is so."),
        ("", ""),
    ],
)
def test_the_answer_is_what_stands_outside_reasoning(completion: str, answer: str) -> None:
    assert without_reasoning(completion) == answer


_PIECES = st.sampled_from(["<think>", "</think>", "<reasoning>", "</thinking>", "Hm. ", "Yes.", "\n", "<", "think>"])


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=20).map("".join)))
def test_spans_are_in_order_and_inside_of_the_text(completion: str) -> None:
    borders = [border for span in answer_spans(completion) for border in span]
    assert borders == sorted(borders)
    assert all(0 <= border <= len(completion) for border in borders)


@given(st.text(st.characters(exclude_characters="<[◁")), st.lists(_PIECES, max_size=10).map("".join))
def test_reasoning_in_front_changes_nothing(reasoning: str, completion: str) -> None:
    assert without_reasoning(f"<think>{reasoning}</think>{completion}") == without_reasoning(completion)


@given(st.text(st.sampled_from("aZ 0.:;!?'\"*#_-=\n\t\r/<`~|"), max_size=60))
def test_an_invisible_character_changes_nothing(text: str) -> None:
    assert answer_text(text) == answer_text(f"{text}\u2060")
