"""Notes are read from every dress of an answer, in order, and no other text is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.notes import Note
from quintet.parsing.written_notes import NONE_WRITTEN, read_notes
from quintet.questions.noting import NOTING

ONE = Note(title="Go first", description="Look before you take.", text="Go there.\nTake it.")
TWO = Note(title="Then", description="", text="Put it down.")

WORDS = st.text("abcdefghij klm", min_size=1, max_size=30).map(lambda text: " ".join(text.split())).filter(bool)
LINES = st.lists(WORDS.map(lambda line: f"take {line}."), min_size=1, max_size=4).map("\n".join)
ANY_NOTES = st.lists(st.builds(Note, title=WORDS, description=WORDS, text=LINES), max_size=5)


@pytest.mark.parametrize(
    "said",
    [
        "Title: Go first\nDescription: Look before you take.\nContent: Go there.\nTake it.\n\n"
        "Title: Then\nContent: Put it down.",
        "# Memory Item 1\n## Title Go first\n## Description Look before you take.\n## Content\nGo there.\nTake it.\n\n"
        "# Memory Item 2\n## Title Then\n## Content Put it down.",
        "Here are the notes:\n\n1. **Title:** Go first\n   **Description:** Look before you take.\n"
        "   **Content:** Go there.\nTake it.\n---\n2. **Title**: Then\n   **Content**: Put it down.",
        "Workflow 1: Go first\nDescription: Look before you take.\nSteps:\nGo there.\nTake it.\n\n"
        "Workflow 2: Then\n\nPut it down.\n\nLet me know if you need more!",
        "Note 1\nTitle: Go first\nDescription: Look before you take.\n\nGo there.\nTake it.\n\nNote 2\nTitle: Then\n\n"
        "Put it down.",
        '{"notes": [{"title": "Go first", "description": "Look before you take.", "content": "Go there.\\nTake it."}, '
        '{"title": "Then", "content": "Put it down."}]}',
        '[{"Title": "Go first", "Description": "Look before you take.", "Content": "Go there.\\nTake it."}, '
        '{"Name": "Then", "Steps": "Put it down."}]',
        '```json\n{"memory_items": [{"title": "Go first", "summary": "Look before you take.", '
        '"text": "Go there.\\nTake it."}, {"title": "Then", "text": "Put it down."}]}\n```',
    ],
)
def test_notes_are_read_from_every_dress(said: str) -> None:
    assert read_notes(said) == (ONE, TWO)


@pytest.mark.parametrize("said", [NONE_WRITTEN, "no workflows", "**None.**", "[]", '{"notes": []}'])
def test_a_model_may_say_that_nothing_is_worth_a_note(said: str) -> None:
    assert read_notes(said) == ()


@pytest.mark.parametrize(
    "said", ["", "The agent went there and took it.", "Title: Go first", "Action: take it", '{"notes": "none yet"}']
)
def test_a_text_without_a_note_is_none(said: str) -> None:
    assert read_notes(said) is None


def test_a_description_alone_is_the_content() -> None:
    assert read_notes("Title: Then\nDescription: Put it down.") == (TWO,)


def test_a_content_may_have_a_label_of_its_own_inside() -> None:
    assert read_notes("Title: a\nContent: First\nSteps: one\nText: two") == (
        Note(title="a", text="First\nSteps: one\nText: two"),
    )


@given(ANY_NOTES)
def test_notes_in_the_prescribed_form_are_read_as_they_are(notes: list[Note]) -> None:
    rows = [{"title": note.title, "description": note.description, "content": note.text} for note in notes]
    for structured in (False, True):
        said = NOTING[0].shape.write({"notes": rows}, structured=structured)
        assert read_notes(said) == tuple(notes)


@given(st.text())
def test_no_note_is_empty_and_titles_are_one_line(text: str) -> None:
    for said in (
        text,
        f"Title: {text}",
        f"Title: {text}\nContent: {text}",
        f"# Item 1\n{text}",
        f'{{"notes": {text}}}',
    ):
        for note in read_notes(said) or ():
            assert note.text.strip()
            for line in (note.title, note.description):
                assert line == " ".join(line.split())
