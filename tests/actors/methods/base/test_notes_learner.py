"""Learners of notes: windows of tasks or of given trajectories, a version after each; and verdicts for rewards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, Feedback, Learn, RunEpisode, Version
from quintet.messages.memory import ObservedAction, Trajectory
from quintet.messages.notes import AddNote, Note, NoteChange
from quintet.messages.reflection import AttemptJudged, JudgeAttempt
from quintet.messages.solving import DecisionProcess
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner, NotesOptions
from tests.actors.methods.notebook_roles import Answer, NotebookRoles, unanswered
from tests.actors.methods.training_world import lived_through

LEARN = Learn(training=("one", "two", "three"), held_out=(), test=("test",))


class Diary(NotesLearner[NotesOptions]):
    """Notes how every episode went."""

    async def note(
        self, run: LearnerContext, version: Version, ran: EpisodeRan, experience: Experience
    ) -> Sequence[NoteChange]:
        said = f"{experience.task} of {version}: {ran.reward:g}, {experience.reason or 'no reason'}"
        said += "".join(f", {process.reward:g}" for process in experience.processes)
        return () if experience.task == "two" else [AddNote(note=Note(text=said))]


@dataclass(kw_only=True)
class Around(NotebookRoles):
    """Episodes that all have half of the reward, and a judge."""

    spec = Diary
    faults: tuple[str, ...] = ()
    answers: Callable[[Any], Answer] = field(default=lambda _request: AttemptJudged(succeeded=True))

    def ended(self, request: RunEpisode) -> EpisodeRan:
        process = DecisionProcess(session="s", goal="", setting="", reward=0.5)
        lived = replace(lived_through(request), reason="half of it", processes=(process,))
        return EpisodeRan(faulted=request.task in self.faults, reward=0.5, experience=lived)

    @property
    def texts(self) -> list[tuple[int, str]]:
        """Version and text of every note."""
        return [(version, note.text) for version, note in self.noted]


def test_every_window_of_tasks_makes_a_version_and_the_last_one_may_be_shorter() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=2) == 2
    assert [roles.tasks(version, for_training=True) for version in (0, 1)] == [["one", "two"], ["three"]]
    assert [roles.tasks(version, for_training=False) for version in (0, 1, 2)] == [["test"]] * 3
    assert roles.texts == [
        (1, "one of 0: 0.5, half of it, 0.5"),
        (2, "three of 1: 0.5, half of it, 0.5"),
    ]


def test_without_a_window_all_tasks_make_one_version_a_round() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=None, rounds=2) == 2
    assert [roles.tasks(version, for_training=True) for version in (0, 1)] == [["one", "two", "three"]] * 2
    with pytest.raises(ValueError, match=r"learning.window: expected at most 0, the tasks to learn from, got 1"):
        Diary(NotesOptions(window=None)).versions(0)


def test_rounds_play_the_same_tasks_again_with_later_versions() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=3, rounds=2) == 2
    assert [roles.tasks(version, for_training=True) for version in (0, 1)] == [["one", "two", "three"]] * 2


def _given(*tasks: str, reward: float = 1.0) -> list[Trajectory]:
    steps = (
        ObservedAction(observation="A kitchen.", action="wait"),
        ObservedAction(observation="It is late.", action="serve"),
    )
    return [
        Trajectory(goal=f"do {task}", steps=steps, reward=reward, source="a file", task=task, task_type="meals")
        for task in tasks
    ]


def test_windows_of_given_trajectories_make_versions_and_no_task_is_played_but_to_measure() -> None:
    roles = Around()
    roles.store.give_trajectories([*_given("egg", "two"), *_given("cup", reward=0.5)])
    learn = Learn(training=(), held_out=(), test=("test",), trajectories=3)
    assert roles.learn(learn, source="given", window=2, rounds=2) == 4
    assert [roles.tasks(version, for_training=True) for version in range(5)] == [[]] * 5
    assert [roles.tasks(version, for_training=False) for version in range(5)] == [["test"]] * 5
    egg, cup = "egg of {}: 1, no reason, 1", "cup of {}: 0.5, no reason, 0.5"
    assert roles.texts == [(at + 1, text.format(at)) for at, text in enumerate((egg, cup, egg, cup))]


@pytest.mark.parametrize("feedback", ["reward", "judged"])
def test_a_given_trajectory_is_an_episode_whose_end_is_not_seen(feedback: Feedback) -> None:
    lived: list[Experience] = []

    class Reader(Diary):
        async def note(
            self, run: LearnerContext, version: Version, ran: EpisodeRan, experience: Experience
        ) -> Sequence[NoteChange]:
            assert (ran.succeeded, ran.faulted) == (True, False)
            lived.append(experience)
            return ()

    class AroundReader(Around):
        spec = Reader

    roles = AroundReader(answers=lambda _request: AttemptJudged(succeeded=True))
    roles.store.give_trajectories(_given("egg"))
    roles.learn(Learn(training=(), held_out=(), test=(), trajectories=1, feedback=feedback), source="given")
    reward = float(feedback == "reward")
    turns = (
        Turn(completion="Action: wait", observation="It is late."),
        Turn(completion="Action: serve", observation="The task has ended."),
    )
    process = DecisionProcess(goal="do egg", setting="A kitchen.", session="", reward=reward, turns=turns)
    assert lived == [
        Experience(
            task="egg", task_type="meals", opening="A kitchen.\n\nGoal: do egg.", turns=turns, processes=(process,)
        )
    ]
    assert [request.experience for request in roles.requests(JudgeAttempt)] == lived * (feedback == "judged")


@pytest.mark.parametrize(
    ("options", "stream", "given", "error"),
    [
        ({"source": "given"}, False, 0, "expected --trajectories FILE or --from-run RUN with 'given', got neither"),
        ({}, False, 1, "expected 'given', since 1 trajectory was given, got 'played'"),
        ({"source": "given"}, True, 3, "expected 'played' along a stream, got 'given'"),
    ],
)
def test_trajectories_that_are_not_learnt_from_and_a_source_without_any_are_refused(
    options: dict[str, Any], stream: bool, given: int, error: str
) -> None:
    with pytest.raises(ValueError, match=f"^learning.source: {error}$"):
        Diary(NotesOptions.model_validate(options), stream=stream).versions(3, given)


def test_of_given_trajectories_a_window_has_at_most_all_and_no_episode_is_planned_but_to_measure() -> None:
    learner = Diary(NotesOptions(source="given", window=2))
    assert learner.versions(0, 5) == 3
    assert learner.episodes(0, 0, 2, 5) == 2 * 4
    with pytest.raises(ValueError, match=r"^learning.window: expected at most 1, the given trajectories, got 2$"):
        learner.versions(0, 1)


def test_several_rounds_along_a_stream_are_refused() -> None:
    assert Diary(NotesOptions(window=2), stream=True).versions(3) == 2
    with pytest.raises(ValueError, match=r"learning.rounds: expected 1 along a stream, whose tasks are played once"):
        Diary(NotesOptions(rounds=2), stream=True).versions(3)


def test_nothing_is_noted_of_an_episode_that_faulted() -> None:
    roles = Around(faults=("one",))
    roles.learn(LEARN, window=3)
    assert roles.texts == [(1, "three of 0: 0.5, half of it, 0.5")]


def test_a_window_above_the_number_of_tasks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"learning.window: expected at most 3, the tasks to learn from, got 4"):
        Diary(NotesOptions(window=4)).versions(3)


@pytest.mark.parametrize("succeeded", [True, False])
def test_judged_feedback_shows_a_verdict_and_no_reward_to_judge_or_learner(succeeded: bool) -> None:
    roles = Around(answers=lambda _request: AttemptJudged(succeeded=succeeded))
    roles.learn(replace(LEARN, feedback="judged"), window=3)
    assert roles.texts == [(1, f"{task} of 0: {succeeded:d}, no reason, 0") for task in ("one", "three")]
    shown = [request.experience for request in roles.requests(JudgeAttempt)]
    assert [each.task for each in shown] == ["one", "two", "three"]
    assert {(each.reason, *(process.reward for process in each.processes)) for each in shown} == {("", 0.0)}


def test_nothing_is_learnt_from_an_episode_without_a_verdict() -> None:
    def judge(request: JudgeAttempt) -> Answer:
        return unanswered(request) if request.experience.task == "one" else AttemptJudged(succeeded=True)

    roles = Around(answers=judge)
    roles.learn(replace(LEARN, feedback="judged"), window=3)
    assert roles.texts == [(1, "three of 0: 1, no reason, 0")]
