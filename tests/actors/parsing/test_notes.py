"""Notes are read from every dress of an answer, whatever they say, and no other action is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.execution import Act
from quintet.parsing.decisions import read_decision
from quintet.parsing.notes import as_note, read_note

NOTED = st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="[]`"), min_size=1)


@pytest.mark.parametrize(
    ("action", "noted"),
    [
        ("note_down [the mug is on desk 1]", "the mug is on desk 1"),
        ("note_down[the mug]", "the mug"),
        ("Note_Down [Mug 2: desk 1; keep it, then go to fridge]", "Mug 2: desk 1; keep it, then go to fridge"),
        ("`note_down [craft 1 stick using 2 bamboo]`", "craft 1 stick using 2 bamboo"),
        ("note_down the mug is on desk 1", "the mug is on desk 1"),
        ("note down: the mug", "the mug"),
        ("note_down (the mug)", "the mug"),
        ('note_down ["the mug"]', "the mug"),
        ("note_down [a [b] c]", "a [b] c"),
        ("note_down [the mug] (for later)", "the mug"),
        ("note_down [it is here. The task is completed.]", "it is here. The task is completed."),
        ("note_down [Then go to desk 1]", "Then go to desk 1"),
        ("note_down [open to the end", "open to the end"),
    ],
)
def test_a_note_survives_the_reader_of_decisions(action: str, noted: str) -> None:
    for said in (f"Thought: Keep it.\nAction: {action}", f"**Action:** {action}", action):
        assert read_decision(said) == Act(
            thought="Keep it." if "Thought" in said else "", action=f"note_down [{noted}]"
        )
    assert read_note(action) == noted


@pytest.mark.parametrize(
    "said",
    [
        '{"thought": "", "action": "note_down [the mug]"}',
        '{"action": "note_down", "action_input": "the mug"}',
        "Action: note_down\nAction Input: the mug",
    ],
)
def test_a_note_may_be_the_call_of_a_tool(said: str) -> None:
    decision = read_decision(said)
    assert isinstance(decision, Act)
    assert read_note(decision.action) == "the mug"


@pytest.mark.parametrize("action", ["", "go to desk 1", "notebook [1]", "craft 1 note_block"])
def test_other_actions_are_no_notes(action: str) -> None:
    assert as_note(action) == ""
    assert read_note(action) is None


@pytest.mark.parametrize("action", ["note_down", "note_down []", "note_down [ ]", "`note_down`"])
def test_a_note_without_a_text_is_no_other_action(action: str) -> None:
    assert as_note(action) == ""
    assert read_note(action) == ""


@given(NOTED)
def test_what_is_noted_is_what_was_written_and_reading_it_again_changes_nothing(text: str) -> None:
    note = as_note(f"note_down [{text}]")
    assert as_note(note) == note
    if note:
        assert read_note(note) == read_note(f"note_down [{text}]")
        assert note.removeprefix("note_down [").removesuffix("]") in text
