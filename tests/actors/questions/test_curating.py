"""Questions about notes: what names no note or is not allowed is refused in words once, and then dropped."""

from msgspec.structs import replace

from quintet.messages.curation import (
    AttemptReviewed,
    ListedNote,
    NoteRevision,
    NotesRevised,
    Operation,
    ReviewAttempt,
    ReviseNotes,
)
from quintet.messages.execution import Turn
from quintet.messages.learning import Experience
from tests.actors.fakes import ask, contents

NOTES = tuple(ListedNote(id=number * 100, text=text) for number, text in ((1, "Taste it."), (2, "Serve it.")))
REVIEW = ReviewAttempt(experience=Experience(task="salt", opening="Cook.", turns=()), succeeded=True, notes=NOTES)
ADD_ONLY: tuple[Operation, ...] = ("ADD",)
SAID = AttemptReviewed(mistake="None.", insight="Taste.")
REVISE = ReviseNotes(notes=NOTES, source="review", review=SAID, operations=ADD_ONLY, sections=("a", "b"), most=2)


def attempt(task: str, did: str) -> Experience:
    return Experience(task=task, opening=f"Cook {task}.", turns=(Turn(completion=f"Action: {did}", observation="So."),))


def test_a_tag_of_a_note_that_was_not_shown_is_asked_about_once_more() -> None:
    reply, model = ask(REVIEW, "Insight: Taste.\nNote 3: helpful", "Insight: Taste.\nNote 2: helpful")
    assert reply == AttemptReviewed(mistake="", insight="Taste.", helpful=(200,))
    assert contents(model.prompts[1])[-1].startswith("user: There is no note 3 among those that you were shown. Please")


def test_a_tag_of_such_a_note_that_is_kept_to_is_dropped_and_counted() -> None:
    said = "Insight: Taste.\nNote 1: neutral\nNote 0: harmful\nNote 2: harmful"
    reply, _ = ask(REVIEW, said, said)
    assert reply == AttemptReviewed(mistake="", insight="Taste.", harmful=(200,), invented=1)


def test_a_review_is_refined_by_what_it_was() -> None:
    _, model = ask(replace(REVIEW, review=SAID), "Insight: Cook it well.")
    assert "Your review so far:\nWhat went wrong: None.\nInsight: Taste." in contents(model.prompts[0])[-1]


def test_an_operation_on_a_note_that_was_not_shown_is_refused_in_words_once() -> None:
    allowed = replace(REVISE, operations=("ADD", "AGREE"))
    reply, model = ask(allowed, "AGREE 1\nAGREE 7", "AGREE 1")
    assert reply == NotesRevised(revisions=(NoteRevision(operation="AGREE", id=100),))
    assert contents(model.prompts[1])[-1].startswith("user: There is no note 7 among those that you were shown. Please")


def test_an_operation_that_is_not_allowed_is_refused_in_words_once_and_then_dropped() -> None:
    reply, model = ask(REVISE, "EDIT 1: Taste it well.\nADD [b]: Wait.", "EDIT 1: Taste it twice.")
    assert reply == NotesRevised(revisions=(NoteRevision(operation="ADD", text="Wait.", section="b"),), refused=1)
    assert contents(model.prompts[1])[-1].startswith("user: EDIT cannot be done here, only ADD. Please")


def test_nothing_to_change_is_an_answer() -> None:
    for said, structured in (("NONE", False), ('{"operations": []}', True)):
        reply, model = ask(REVISE, said, structured=structured)
        assert reply == NotesRevised(revisions=())
        assert len(model.prompts) == 1


def test_of_more_operations_than_are_wanted_the_first_are_taken() -> None:
    reply, _ = ask(REVISE, "ADD [a]: One.\nADD [a]: Two.\nADD [a]: Three.")
    assert [each.text for each in reply.revisions] == ["One.", "Two."]


def test_a_note_of_no_section_goes_to_the_last_one() -> None:
    reply, _ = ask(REVISE, "ADD: One.\nADD [A]: Two.")
    assert [each.section for each in reply.revisions] == ["b", "a"]


def test_a_pair_is_shown_as_an_attempt_that_failed_and_one_that_succeeded() -> None:
    pair = replace(REVISE, source="pair", review=None, notes=(), attempts=(attempt("x", "burn"), attempt("x", "serve")))
    _, model = ask(pair, "NONE")
    system, shown = contents(model.prompts[0])
    assert system == "system: Compare two attempts."
    assert shown.startswith(
        "user: There are no notes yet.\n\nAn attempt that failed:\n\nCook x.\n\nAction: burn\nObservation: So.\n\n"
        "An attempt at the same task that succeeded:\n\nCook x.\n\nAction: serve"
    )


def test_successes_are_shown_by_number() -> None:
    several = replace(REVISE, source="successes", review=None, attempts=(attempt("x", "serve"), attempt("y", "serve")))
    _, model = ask(several, "NONE")
    system, shown = contents(model.prompts[0])
    assert system == "system: Compare several attempts."
    assert "Attempt 2, which succeeded:\n\nCook y.\n\nAction: serve" in shown
