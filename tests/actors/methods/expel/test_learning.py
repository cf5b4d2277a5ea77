"""ExpeL's learner: what the curator is shown in which order, what its operations do, and the examples that are kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.memory.notes import fetch_notes
from quintet.messages.curation import NoteRevision, NotesRevised, Operation, ReviseNotes
from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, Learn, RunEpisode
from quintet.messages.memory import ObservedAction, Trajectory
from quintet.messages.notes import StoredNote
from quintet.messages.solving import DecisionProcess
from quintet.methods.expel.config import ExpelLearning
from quintet.methods.expel.learning import GATHER, ExpelLearner
from tests.actors.methods.notebook_roles import Answer, NotebookRoles, unanswered

LEARN = Learn(training=("one", "two", "three"), held_out=(), test=())
DONE = NotesRevised(revisions=())


def rule(operation: Operation, text: str = "", note: int | None = None) -> Callable[[ReviseNotes], NotesRevised]:
    """An answer of one operation, on the note in that place."""

    def answer(request: ReviseNotes) -> NotesRevised:
        id = None if note is None else request.notes[note].id
        return NotesRevised(revisions=(NoteRevision(operation=operation, text=text, id=id),))

    return answer


@dataclass(kw_only=True)
class Around(NotebookRoles):
    """Tasks that succeed in some trial.

    Args:
        trials: by task, the number of trials, and whether the last one succeeded.
        says: the curator's answers, in order; then none.
    """

    spec = ExpelLearner
    trials: Mapping[str, tuple[int, bool]] = field(default_factory=dict[str, tuple[int, bool]])
    says: Sequence[Callable[[ReviseNotes], Answer]] = ()
    answers: Callable[[Any], Answer] = field(default=lambda _request: DONE)

    def __post_init__(self) -> None:
        left = [*self.says]
        self.answers = lambda request: left.pop(0)(request) if left else DONE

    def ended(self, request: RunEpisode) -> EpisodeRan:
        number, succeeded = self.trials.get(request.task, (1, False))
        processes = tuple(
            DecisionProcess(
                goal=f"do {request.task}",
                setting="Here.",
                session=f"s{each}",
                reward=float(succeeded and each == number),
                turns=(Turn(completion=f"Action: try {each}", observation="So."),),
            )
            for each in range(1, number + 1)
        )
        experience = Experience(
            task=request.task, opening=f"Please do {request.task}.", turns=processes[-1].turns, processes=processes
        )
        return EpisodeRan(faulted=False, reward=float(succeeded), experience=experience)

    @property
    def shown(self) -> list[tuple[str, list[str]]]:
        """What the curator was shown: the source, and the attempts."""
        return [
            (each.source, [f"{lived.task}: {lived.turns[0].completion[8:]}" for lived in each.attempts])
            for each in self.requests(ReviseNotes)
        ]

    def section(self, name: str, version: int = 1) -> list[StoredNote]:
        return [each for each in self.notes(version) if each.note.section == name]


def test_pairs_of_each_task_come_first_and_then_successes_of_several() -> None:
    roles = Around(trials={"one": (3, True), "two": (2, False), "three": (1, True)})
    assert roles.learn(LEARN) == 1
    assert roles.shown == [
        ("pair", ["one: try 1", "one: try 3"]),
        ("pair", ["one: try 2", "one: try 3"]),
        ("successes", ["one: try 3", "three: try 1"]),
    ]


def test_so_many_successes_are_shown_at_once() -> None:
    roles = Around(trials=dict.fromkeys(LEARN.training, (1, True)))
    roles.learn(LEARN, successes=2)
    assert roles.shown == [("successes", ["one: try 1", "two: try 1"]), ("successes", ["three: try 1"])]


def test_nothing_is_asked_where_no_task_succeeded() -> None:
    roles = Around(trials=dict.fromkeys(LEARN.training, (4, False)))
    roles.learn(LEARN)
    assert roles.shown == []
    assert roles.notes(1) == ()


def test_an_insight_begins_with_two_votes_and_each_operation_sees_what_those_before_it_did() -> None:
    says = [rule("ADD", "Look."), rule("AGREE", note=0), rule("EDIT", "Look first.", 0)]
    roles = Around(trials={"one": (3, True), "two": (2, True)}, says=says)
    roles.learn(LEARN)
    asked = [[(each.text, each.helpful, each.harmful) for each in asked.notes] for asked in roles.requests(ReviseNotes)]
    assert asked == [[], [("Look.", 2, 0)], [("Look.", 3, 0)], [("Look first.", 4, 0)]]
    (insight,) = roles.section("insights")
    assert (insight.note.text, insight.note.episode, insight.helpful) == ("Look first.", "one", 4)


def test_an_insight_is_removed_when_the_votes_against_it_are_as_many_as_those_for_it() -> None:
    says = [rule("ADD", "Run."), rule("DISAGREE", note=0), rule("DISAGREE", note=0)]
    roles = Around(trials={"one": (4, True)}, says=says)
    roles.learn(LEARN)
    asked = [[each.harmful for each in asked.notes] for asked in roles.requests(ReviseNotes)]
    assert asked == [[], [0], [1], []]
    ids = [each.id for asked in roles.requests(ReviseNotes) for each in asked.notes]
    (removed,) = fetch_notes(roles.store.reader, ids[:1], 1)
    assert (removed.state, removed.helpful, removed.harmful) == ("replaced", 2, 2)


def test_an_operation_on_what_the_same_answer_removed_is_left_alone() -> None:
    def twice(request: ReviseNotes) -> NotesRevised:
        id = request.notes[0].id
        return NotesRevised(revisions=(NoteRevision(operation="DISAGREE", id=id),) * 3)

    roles = Around(trials={"one": (3, True)}, says=[rule("ADD", "Run."), twice])
    roles.learn(LEARN)
    assert roles.section("insights") == []


def test_an_insight_that_is_there_is_not_added_again() -> None:
    roles = Around(trials={"one": (3, True)}, says=[rule("ADD", "Look."), rule("ADD", "Look.")])
    roles.learn(LEARN)
    assert [each.note.text for each in roles.section("insights")] == ["Look."]


@pytest.mark.parametrize(("most", "allowed"), [(1, False), (2, True)])
def test_no_insight_is_added_to_a_full_list(most: int, allowed: bool) -> None:
    roles = Around(trials={"one": (2, True)}, says=[rule("ADD", "Look.")])
    roles.learn(LEARN, insights=most)
    first, second = roles.requests(ReviseNotes)
    assert "ADD" in first.operations
    assert ("ADD" in second.operations) is allowed


def test_an_answer_adds_no_more_insights_than_the_list_may_have() -> None:
    def add(_request: ReviseNotes) -> NotesRevised:
        texts = ("Look.", "Wait.", "Ask.")
        return NotesRevised(revisions=tuple(NoteRevision(operation="ADD", text=text) for text in texts))

    roles = Around(trials={"one": (2, True)}, says=[add])
    roles.learn(LEARN, insights=2)
    assert [each.note.text for each in roles.section("insights")] == ["Look.", "Wait."]


def test_a_success_of_each_task_is_kept_as_an_example_that_its_goal_finds() -> None:
    roles = Around(trials={"one": (2, True), "two": (1, True)})
    assert roles.learn(LEARN, rounds=2) == 2
    notes = [each.note for each in roles.section("examples", version=2)]
    assert [(each.about, each.episode, each.text) for each in notes] == [
        ("do one", "one", "Action: try 2\nObservation: So."),
        ("do two", "two", "Action: try 1\nObservation: So."),
    ]


@pytest.mark.parametrize("window", [1, None])
def test_of_several_given_successes_of_a_task_one_is_an_example_also_where_the_task_is_unknown(
    window: int | None,
) -> None:
    roles = Around()
    steps = (ObservedAction(observation="Here.", action="try"),)
    given = [Trajectory(goal=f"do {goal}", steps=steps, reward=1.0) for goal in ("one", "two", "one")]
    roles.store.give_trajectories(given)
    learn = Learn(training=(), held_out=(), test=(), trajectories=3)
    newest = roles.learn(learn, source="given", window=window, rounds=2)
    assert [each.note.about for each in roles.section("examples", version=newest)] == ["do one", "do two"]


def test_an_answer_that_cannot_be_read_loses_no_example() -> None:
    roles = Around(trials={"one": (2, True)})
    roles.answers = unanswered
    roles.learn(LEARN)
    assert len(roles.section("examples")) == 1


def test_training_episodes_gather_experience_from_all_tasks_at_once() -> None:
    learner = ExpelLearner(ExpelLearning())
    assert learner.purpose(0) == GATHER
    assert learner.versions(24) == 1
    assert ExpelLearner(ExpelLearning(window=8)).versions(24) == 3


def test_a_verdict_in_place_of_rewards_makes_the_last_trial_the_success() -> None:
    """With judged feedback the trials' rewards are not told; only the last one can have succeeded."""
    roles = Around(trials={"one": (2, True)})
    blank = roles.ended
    roles.ended = lambda request: _without_rewards(blank(request))  # type: ignore[method-assign]
    roles.learn(LEARN)
    assert roles.shown[0] == ("pair", ["one: try 1", "one: try 2"])


def _without_rewards(ran: EpisodeRan) -> EpisodeRan:
    assert ran.experience is not None
    processes = tuple(replace(each, reward=0.0) for each in ran.experience.processes)
    return replace(ran, experience=replace(ran.experience, processes=processes))
