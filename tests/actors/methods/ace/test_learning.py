"""ACE's learner: what is reviewed, what becomes of a review, and when notes that say the same are merged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.memory.notes import fetch_notes
from quintet.messages.curation import (
    AttemptReviewed,
    NoteRevision,
    NotesRevised,
    ReviewAttempt,
    ReviseNotes,
)
from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.methods.ace.learning import AceLearner
from tests.actors.methods.notebook_roles import Answer, NotebookRoles, unanswered
from tests.actors.methods.training_world import lived_through

LEARN = Learn(training=("one", "two", "three"), held_out=(), test=())
MISTAKE = "It was late."


def added(*texts: str, section: str = "strategies") -> NotesRevised:
    return NotesRevised(revisions=tuple(NoteRevision(operation="ADD", text=each, section=section) for each in texts))


def by_task(request: Any) -> Answer:
    """A review that names the task, and a note of what the review says."""
    if isinstance(request, ReviewAttempt):
        return AttemptReviewed(mistake=MISTAKE, insight=f"Of {request.experience.task}.")
    return added(request.review.insight)


@dataclass(kw_only=True)
class Around(NotebookRoles):
    """Episodes to which all notes of their version were shown.

    Args:
        succeeds: the tasks that do.
    """

    spec = AceLearner
    succeeds: Sequence[str] = ()
    answers: Callable[[Any], Answer] = field(default=by_task)

    def ended(self, request: RunEpisode) -> EpisodeRan:
        recalled = tuple(each.id for each in self.notes(request.version))
        lived = replace(lived_through(request), recalled=recalled)
        return EpisodeRan(faulted=False, reward=float(request.task in self.succeeds), experience=lived)

    def texts(self, version: int) -> list[str]:
        return [each.note.text for each in self.notes(version)]


def test_what_an_attempt_teaches_is_added_to_the_sections_of_the_playbook() -> None:
    roles = Around()
    assert roles.learn(LEARN, merge="never") == 3
    assert [roles.texts(version) for version in range(4)] == [
        [],
        ["Of one."],
        ["Of one.", "Of two."],
        ["Of one.", "Of two.", "Of three."],
    ]
    assert {(each.note.section, each.note.episode) for each in roles.notes(1)} == {("strategies", "one")}


def test_the_curator_may_add_and_nothing_else_and_sees_the_playbook_as_it_is_now() -> None:
    roles = Around()
    roles.learn(LEARN, window=2)
    asked = roles.requests(ReviseNotes)
    assert {each.operations for each in asked} == {("ADD",)}
    assert [[note.text for note in each.notes] for each in asked] == [[], ["Of one."], ["Of one.", "Of two."]]
    assert [each.review for each in asked][:2] == [
        AttemptReviewed(mistake=MISTAKE, insight=insight) for insight in ("Of one.", "Of two.")
    ]


def test_a_failed_attempt_is_reviewed_in_rounds_each_of_which_refines_the_one_before() -> None:
    rounds = iter(range(9))

    def refine(request: Any) -> Answer:
        if isinstance(request, ReviewAttempt):
            return AttemptReviewed(mistake=MISTAKE, insight=f"Round {next(rounds)}.")
        return by_task(request)

    roles = Around(answers=refine)
    roles.learn(replace(LEARN, training=("one",)))
    assert [each.review and each.review.insight for each in roles.requests(ReviewAttempt)] == [
        None,
        "Round 0.",
        "Round 1.",
    ]
    assert roles.texts(1) == ["Round 2."]


def test_a_round_that_changes_nothing_is_the_last() -> None:
    roles = Around()
    roles.learn(replace(LEARN, training=("one",)))
    assert [each.review and each.review.insight for each in roles.requests(ReviewAttempt)] == [None, "Of one."]


def test_a_successful_attempt_is_reviewed_once() -> None:
    roles = Around(succeeds=("one",))
    roles.learn(replace(LEARN, training=("one",)))
    assert [each.succeeded for each in roles.requests(ReviewAttempt)] == [True]
    assert roles.texts(1) == ["Of one."]


def test_the_reviewer_sees_the_notes_that_the_attempt_was_shown_and_its_tags_are_votes() -> None:
    def tag(request: Any) -> Answer:
        if isinstance(request, ReviewAttempt):
            ids = [each.id for each in request.notes]
            return AttemptReviewed(mistake="", insight="x", helpful=tuple(ids[:1]), harmful=tuple(ids[1:]))
        return added(f"Note {len(request.notes)}.")

    roles = Around(answers=tag, succeeds=LEARN.training)
    roles.learn(LEARN, merge="never")
    assert [len(each.notes) for each in roles.requests(ReviewAttempt)] == [0, 1, 2]
    assert [(each.helpful, each.harmful) for each in roles.notes(3)] == [(2, 0), (0, 1), (0, 0)]


def test_nothing_is_noted_of_an_attempt_without_a_review() -> None:
    roles = Around(answers=unanswered)
    roles.learn(LEARN)
    assert roles.requests(ReviseNotes) == []
    assert roles.notes(3) == ()


def test_votes_stay_where_the_curator_does_not_answer() -> None:
    def votes(request: Any) -> Answer:
        if isinstance(request, ReviewAttempt):
            return AttemptReviewed(mistake="", insight="x", helpful=tuple(each.id for each in request.notes))
        return unanswered(request) if request.notes else added("First.")

    roles = Around(answers=votes, succeeds=LEARN.training)
    roles.learn(LEARN)
    assert [(each.note.text, each.helpful) for each in roles.notes(3)] == [("First.", 2)]


def same(request: Any) -> Answer:
    """A note that says the same after every attempt, and votes for all that were shown."""
    if isinstance(request, ReviewAttempt):
        return AttemptReviewed(mistake="", insight="x", helpful=tuple(each.id for each in request.notes))
    return added("Look into the fridge first of all.")


@pytest.mark.parametrize("options", [{}, {"merge": "full", "budget": 8}, {"merge": "full", "budget": 10}])
def test_a_note_that_says_the_same_is_merged_into_the_oldest_in_the_next_version(options: dict[str, Any]) -> None:
    roles = Around(answers=same, succeeds=LEARN.training)
    roles.learn(LEARN, **options)
    first, second = roles.notes(2)
    kept, _added_last = roles.notes(3)
    assert kept.id == first.id
    (merged,) = fetch_notes(roles.store.reader, [second.id], 3)
    assert (merged.state, merged.replaced_by) == ("replaced", first.id)


def test_the_votes_of_a_merged_note_are_handed_over() -> None:
    roles = Around(answers=same, succeeds=LEARN.training)
    roles.learn(LEARN, window=1, rounds=2, merge="full", budget=20)
    assert [each.helpful for each in roles.notes(3)] == [2, 1, 0], "two tasks saw the first, one the second"
    assert [each.helpful for each in roles.notes(4)] == [2 + 1 + 1, 0], "with that of the second, and one more task's"


@pytest.mark.parametrize("options", [{"merge": "never"}, {"merge": "full"}, {"similarity": 1.0}])
def test_notes_are_kept_apart_where_nothing_is_due_or_near_enough(options: dict[str, Any]) -> None:
    roles = Around(answers=same)
    roles.learn(LEARN, **options)
    assert roles.texts(3) == ["Look into the fridge first of all."] * 3
