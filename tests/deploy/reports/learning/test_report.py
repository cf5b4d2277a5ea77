"""The learning report of a run, while it goes on and afterwards."""

from pathlib import Path

import pytest

from quintet.launch.writable_run import WritableRun
from quintet.learned.iterations import JobReflection, PlanIteration
from quintet.messages.message import Unanswered
from quintet.messages.reflection import Reflected
from quintet.quota.cost import Cost
from quintet.reports.episodes import RunResults, results
from quintet.reports.intervals import rate
from quintet.reports.learning.report import LearningReport, VersionScore
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


@pytest.mark.parametrize(
    ("measured", "chosen", "judging", "states", "ended"),
    [
        ({0: ALL, 1: ALL, 2: ALL}, 1, 1, ["solved", "unsolved"], "done"),
        # Before a choice the newest that was fully measured, or else the newest with a test task.
        ({0: ALL, 1: {"beehive": Went()}}, None, 0, ["solved", "unsolved"], "interrupted"),
        ({1: {"beehive": Went(None)}}, None, 1, ["unfinished", "not begun"], "interrupted"),
        # Its learner has not ended, whatever was measured; or it has, and never asks for the rest.
        ({0: ALL, 1: ALL}, None, 1, ["solved", "unsolved"], "interrupted"),
        ({1: {"beehive": Went()}}, 1, 1, ["solved", "not begun"], "done"),
        # A fault of a version that was not chosen counts.
        ({0: {"beehive": Went("faulted"), "cake": LOST}, 1: ALL}, 1, 1, ["solved", "unsolved"], "faulted"),
    ],
)
def test_a_run_is_judged_by_one_version_and_ends_with_its_learner(
    measured: dict[int, dict[str, Went]],
    chosen: int | None,
    judging: int,
    states: list[str],
    ended: str,
    tmp_path: Path,
) -> None:
    path = learning_runs.write(tmp_path, RECORD, [FIRST, Step({"bowl": Went()}, "Hope.")], measured, chosen=chosen)
    found, learning = _read(path)
    assert [row.state for row in found.rows] == states
    assert (learning.chosen, learning.judging_version, {row.epoch for row in found.rows}) == (
        chosen,
        judging,
        {judging},
    )
    assert (found.ended, found.finished) == (ended, ended != "interrupted")
    begun = sum(map(len, measured.values())) + sum(len(each.batch) for each in learning.iterations)
    assert sum(found.states.values()) == begun + states.count("not begun")


def test_a_run_with_a_repeated_test_episode_is_not_finished(tmp_path: Path) -> None:
    found, _ = _read(
        learning_runs.write(tmp_path, RECORD, [FIRST], {0: {"beehive": Went("faulted")}, 1: ALL}, chosen=1)
    )
    samples.journal(found.folder, {"beehive": Went(None)}, attempt=1)
    assert _read(found.folder.path)[0].ended == "interrupted"


def test_a_run_has_begun_as_soon_as_its_learner_has(tmp_path: Path) -> None:
    found, learning = _read(learning_runs.write(tmp_path / "begun", RECORD, []))
    assert (found.begun, learning.begun) == (True, True)
    with WritableRun.create(tmp_path / "new", RECORD) as folder:
        new = results(folder)
    assert not new.begun
    assert new.learning is not None
    assert (new.learning.versions, new.learning.iterations, new.ended) == ((), (), "interrupted")


def test_an_iteration_has_its_batch_and_reflections_also_while_it_is_collected(tmp_path: Path) -> None:
    steps = [
        FIRST,
        Step({"bowl": Went("faulted"), "ladder": LOST}, "Hope.", {"ladder": Unanswered(reason="mute")}),
        Step({"bowl": Went(None)}, None),
    ]
    _, learning = _read(learning_runs.write(tmp_path, RECORD, steps))
    assert [version.number for version in learning.versions] == [0, 1, 2]
    assert [{row.path: row.state for row in each.batch} for each in learning.iterations] == [
        {"stick/0/0": "unsolved", "torch/0/0": "solved"},
        {"bowl/1/0": "faulted", "ladder/1/0": "unsolved"},
        {"bowl/2/0": "unfinished"},
    ]
    lessons = [each.lessons for each in learning.iterations if isinstance(each.lessons, PlanIteration)]
    assert [each.reflections for each in lessons] == [
        (JobReflection("stick", "It crafted nothing.", "It fetched no log.", "Fetch a log first."),),
        (JobReflection("ladder", failed="mute"),),
        (),
    ]


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
    folder = RunFolder.open_to_read(learning_runs.write(tmp_path, RECORD, steps))
    samples.journal(folder, {"stick": Went()}, attempt=1)
    samples.journal(folder, {"bowl": Went()}, epoch=1, attempt=1)
    _, learning = _read(folder.path)
    assert [{row.path: row.state for row in each.batch} for each in learning.iterations] == [
        {"stick/0/0": "faulted", "torch/0/0": "solved"},
        {"bowl/1/0": "faulted"},
    ]


def test_every_version_has_its_scores(tmp_path: Path) -> None:
    measured = {0: {**ALL, "chest": LOST}, 1: {"beehive": Went("faulted"), "cake": Went()}}
    _, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST], measured))
    start, first = learning.versions
    assert start.held_out == VersionScore(rate([0.0]), ended=1, faulted=0, unfinished=0)
    assert start.test == VersionScore(rate([1.0, 0.0]), ended=2, faulted=0, unfinished=0)
    assert first.held_out is None
    whole = VersionScore(rate([1.0]), ended=1, faulted=1, unfinished=0)
    assert (first.test, whole.whole) == (whole, True)


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
