"""Operations on notes and tags of notes, as models write them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.note_revisions import ReadReview, ReadRevision, read_note_revisions, read_review
from quintet.questions.curating import ReviewAttemptQuestion, ReviseNotesQuestion

WORDS = st.text("abcdefghij klm", min_size=1, max_size=40).map(lambda text: " ".join(text.split())).filter(bool)
NUMBERS = st.integers(0, 999_999_999)
TAGS = st.sampled_from(["helpful", "harmful", "neutral"])
EMPTY = st.just("")
OPERATIONS = st.one_of(
    st.builds(ReadRevision, st.just("ADD"), st.none(), WORDS, WORDS),
    st.builds(ReadRevision, st.just("EDIT"), NUMBERS, WORDS, EMPTY),
    st.builds(ReadRevision, st.sampled_from(["AGREE", "DISAGREE"]), NUMBERS, EMPTY, EMPTY),
)
ADDED = ReadRevision("ADD", None, "Look first.", "")


@given(st.lists(OPERATIONS, max_size=8))
def test_operations_in_the_prescribed_form_are_read_as_they_are(operations: list[ReadRevision]) -> None:
    rows = tuple({**each._asdict(), "note": each.note or 0} for each in operations)
    said = ReviseNotesQuestion.shape.write({"operations": rows})
    assert read_note_revisions(said) == tuple(operations)


@given(WORDS, WORDS, st.lists(st.tuples(NUMBERS, TAGS), max_size=6))
def test_a_review_in_the_prescribed_form_is_read_as_it_is(
    mistake: str, insight: str, tags: list[tuple[int, str]]
) -> None:
    rows = tuple({"note": note, "tag": tag} for note, tag in tags)
    said = ReviewAttemptQuestion.shape.write({"mistake": mistake, "insight": insight, "notes": rows})
    assert read_review(said) == ReadReview(mistake, insight, tuple(tags))


@given(st.text())
def test_what_is_read_of_any_text_is_whole(text: str) -> None:
    for said in (text, f"ADD: {text}", f"EDIT 3: {text}", f'{{"operations": {text}}}', f"AGREE 1\n{text}"):
        for operation, note, words, _ in read_note_revisions(said) or ():
            assert words.strip() or operation in ("AGREE", "DISAGREE")
            assert operation == "ADD" or (note is not None and note >= 0)
            assert "\n" not in words


@given(st.text())
def test_a_review_of_any_text_has_an_insight_on_one_line(text: str) -> None:
    for said in (text, f"Insight: {text}", f"What went wrong: {text}\nInsight: {text}\nNote 1: {text}"):
        read = read_review(said)
        assert read is None or (read.insight.strip() and "\n" not in read.insight + read.mistake)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ADD: Look first.", (ADDED,)),
        ("1. ADD 4: Look first.", (ADDED._replace(note=4),)),
        ("- **ADD** [Habits]: Look first.", (ADDED._replace(section="Habits"),)),
        ("Sure.\n\nADD: Look first.\n\nUPVOTE 2\nREMOVE #3: it is wrong.", "ADD AGREE 2 DISAGREE 3"),
        ("AGREE [2]\nDOWNVOTE note 5", "AGREE 2 DISAGREE 5"),
        ("EDIT 2\nADD\nAGREE", None),
        ("Add the salt: it helps.", None),
        ("NONE", ()),
        ("No changes needed.", ()),
        (json.dumps({"operations": []}), ()),
        (
            json.dumps({"operations": [{"type": "add", "content": "Look\nfirst."}, {"type": "upvote", "id": 2}]}),
            "ADD AGREE 2",
        ),
        ("<think>ADD: no.</think>\nADD: Look first.", (ADDED,)),
    ],
)
def test_operations_are_understood_in_other_words(said: str, read: tuple[ReadRevision, ...] | str | None) -> None:
    found = read_note_revisions(said)
    if isinstance(read, str):
        assert found is not None
        assert " ".join(f"{each.operation} {each.note}" if each.note else each.operation for each in found) == read
    else:
        assert found == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("**Key insight:** Look\nfirst.", ReadReview("", "Look first.", ())),
        (
            "Mistake: It fell.\n\nInsight: Hold it.\n- [2]: harmful, since it fell\nNote #1 = helpful",
            "((2, 'harmful'), (1, 'helpful'))",
        ),
        ("It fell.", None),
        ("Insight:", None),
    ],
)
def test_reviews_are_understood_in_other_words(said: str, read: ReadReview | str | None) -> None:
    found = read_review(said)
    if isinstance(read, str):
        assert found is not None
        assert str(found.tags) == read
    else:
        assert found == read
