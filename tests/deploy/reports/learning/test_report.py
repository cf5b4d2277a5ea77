"""The learning report of a run, while it goes on and afterwards."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from quintet.launch.writable_run import WritableRun
from quintet.learned.iterations import JobReflection, PlanIteration
from quintet.messages.message import Unanswered
from quintet.messages.reflection import Reflected
from quintet.quota.cost import Cost
from quintet.reports.episodes import RunResults, results
from quintet.reports.learning.report import Iteration, LearningReport
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, NO_LESSONS, Step
from tests.deploy.samples import Went

LOOKED_BACK = Reflected(summary="It crafted nothing.", flaws="It fetched no log.", revision="Fetch a log first.")
FIRST = Step({"stick": LOST, "torch": Went()}, "Fetch a log first.", {"stick": LOOKED_BACK})
ALL = {"beehive": Went(), "cake": LOST}
RECORD = learning_runs.record(("stick", "torch", "bowl", "ladder"), ("chest",))


def _read(path: Path) -> tuple[RunResults, LearningReport]:
    found = results(RunFolder.open_to_read(path))
    assert found.learning is not None
    return found, found.learning


def test_a_run_is_judged_by_the_version_that_its_learner_chose(tmp_path: Path) -> None:
    measured = {0: ALL, 1: {"beehive": Went(), "cake": Went()}, 2: ALL}
    path = learning_runs.write(tmp_path, RECORD, [FIRST, Step({"bowl": Went()}, "Hope.")], measured, chosen=1)
    found, learning = _read(path)
    assert [(row.path, row.success) for row in found.rows] == [("beehive/1/0", True), ("cake/1/0", True)]
    assert (learning.chosen, learning.judging_version) == (1, 1)
    assert (found.ended, found.finished) == ("done", True)
    assert sum(found.states.values()) == 2 + 4 + sum(len(each.batch) for each in learning.iterations)


def test_before_a_choice_a_run_is_judged_by_the_newest_fully_measured_version(tmp_path: Path) -> None:
    path = learning_runs.write(tmp_path, RECORD, [FIRST], {0: ALL, 1: {"beehive": Went()}})
    found, learning = _read(path)
    assert (learning.chosen, learning.judging_version) == (None, 0)
    assert [row.epoch for row in found.rows] == [0, 0]
    assert found.ended == "interrupted"


def test_or_else_by_the_newest_version_with_a_test_task(tmp_path: Path) -> None:
    found, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST], {1: {"beehive": Went(None)}}))
    assert learning.judging_version == 1
    assert [row.state for row in found.rows] == ["unfinished", "not begun"]


def test_a_run_whose_learner_has_not_ended_is_not_finished_whatever_was_measured(tmp_path: Path) -> None:
    found, _ = _read(learning_runs.write(tmp_path, RECORD, [FIRST], {0: ALL, 1: ALL}))
    assert not found.finished


def test_a_run_with_a_repeated_test_episode_is_not_finished(tmp_path: Path) -> None:
    path = learning_runs.write(
        tmp_path, RECORD, [FIRST], {0: {"beehive": Went("faulted"), "cake": LOST}, 1: ALL}, chosen=1
    )
    found, _ = _read(path)
    assert (found.ended, found.count("faulted")) == ("faulted", 1), "of a version that was not chosen, and counted"
    samples.journal(found.folder, {"beehive": Went(None)}, attempt=1)
    again, _ = _read(path)
    assert again.ended == "interrupted"


def test_a_run_is_finished_without_episodes_that_its_learner_never_asks_for(tmp_path: Path) -> None:
    found, _ = _read(learning_runs.write(tmp_path, RECORD, [FIRST], {1: {"beehive": Went()}}, chosen=1))
    assert [row.state for row in found.rows] == ["solved", "not begun"]
    assert found.finished


def test_a_run_has_begun_as_soon_as_its_learner_has(tmp_path: Path) -> None:
    found, learning = _read(learning_runs.write(tmp_path / "begun", RECORD, []))
    assert (found.begun, learning.begun) == (True, True)
    with WritableRun.create(tmp_path / "new", RECORD, mounts=samples.NOWHERE) as folder:
        new = results(folder)
    assert not new.begun
    assert new.learning is not None
    assert (new.learning.versions, new.learning.iterations, new.ended) == ((), (), "interrupted")


def _reflections(iteration: Iteration) -> Sequence[JobReflection]:
    assert isinstance(iteration.lessons, PlanIteration)
    return iteration.lessons.reflections


def test_an_iteration_has_its_batch_and_reflections(tmp_path: Path) -> None:
    steps = [
        FIRST,
        Step({"bowl": Went("faulted"), "ladder": LOST}, "Hope.", {"ladder": Unanswered(reason="mute")}),
    ]
    _, learning = _read(learning_runs.write(tmp_path, RECORD, steps))
    first, second = learning.iterations
    assert [(row.path, row.success) for row in first.batch] == [("stick/0/0", False), ("torch/0/0", True)]
    assert _reflections(first) == (
        JobReflection("stick", "It crafted nothing.", "It fetched no log.", "Fetch a log first."),
    )
    assert [(row.path, row.state) for row in second.batch] == [("bowl/1/0", "faulted"), ("ladder/1/0", "unsolved")]
    assert _reflections(second) == (JobReflection("ladder", failed="mute"),)


def test_an_iteration_is_listed_while_its_batch_is_collected(tmp_path: Path) -> None:
    _, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST, Step({"bowl": Went(None)}, None)]))
    assert [version.number for version in learning.versions] == [0, 1]
    assert [(iteration.number, len(iteration.batch)) for iteration in learning.iterations] == [(1, 2), (2, 1)]


def test_updates_without_change_have_different_outcomes(tmp_path: Path) -> None:
    steps = [
        FIRST,
        Step({"bowl": LOST}, f"{FIRST.plan}\n"),
        Step({"ladder": LOST}, Unanswered(reason="no text")),
        Step({"stick": Went("faulted")}, NO_LESSONS),
    ]
    _, learning = _read(learning_runs.write(tmp_path, RECORD, steps))
    outcomes = [version.outcome for version in learning.versions]
    assert outcomes == [None, "changed", "unchanged", "update failed", "no lessons"]
    assert [iteration.lessons.failed for iteration in learning.iterations] == ["", "", "no text", ""]
    assert (learning.updates, learning.count("unchanged"), learning.count("update failed")) == (4, 1, 1)


def test_a_batch_keeps_the_reported_attempt_after_later_repeats(tmp_path: Path) -> None:
    steps = [Step({"stick": Went("faulted"), "torch": Went()}, "Hope."), Step({"bowl": Went("faulted")}, None)]
    path = learning_runs.write(tmp_path, RECORD, steps)
    folder = RunFolder.open_to_read(path)
    samples.journal(folder, {"stick": Went()}, attempt=1)
    samples.journal(folder, {"bowl": Went()}, epoch=1, attempt=1)
    _, learning = _read(path)
    first, second = learning.iterations
    assert [(row.path, row.state) for row in first.batch] == [("stick/0/0", "faulted"), ("torch/0/0", "solved")]
    assert [row.path for row in second.batch] == ["bowl/1/0"]


def test_every_version_has_its_scores(tmp_path: Path) -> None:
    measured = {0: {**ALL, "chest": LOST}, 1: {"beehive": Went("faulted"), "cake": Went()}}
    _, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST], measured))
    start, first = learning.versions
    assert start.held_out is not None
    assert start.held_out.success is not None
    assert start.held_out.success.value == 0.0
    assert start.test is not None
    assert start.test.success is not None
    assert (start.test.success.value, start.test.ended) == (0.5, 2)
    assert start.test.success.low == pytest.approx(0.0945, abs=1e-4)
    assert first.held_out is None
    assert first.test is not None
    assert (first.test.ended, first.test.faulted, first.test.unfinished, first.test.whole) == (1, 1, 0, True)


def test_spending_is_split_into_training_inference_and_measuring(tmp_path: Path) -> None:
    measured = {0: {**ALL, "chest": Went(calls=5)}, 1: {"beehive": Went(calls=2), "cake": Went(calls=3)}}
    found, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST], measured, chosen=1))
    # Two episodes of the batch, five calls with the held-out task, a reflection and an update of 1,100 tokens each.
    assert learning.training == Cost(2 + 5 + 2, 100 * 7 + 2000, 10 * 7 + 200, None)
    assert learning.instances == 3
    assert learning.inference == Cost(5, 500, 50, None)
    assert learning.measuring == Cost(2, 200, 20, None)
    parts = (learning.training, learning.inference, learning.measuring)
    assert found.cost.calls == sum(part.calls for part in parts)
    assert {part.nanodollars for part in parts} == {None}, "the model has no price"
