"""What it cost to learn what a run is given, up to the version that it is given."""

from contextlib import closing
from pathlib import Path

from quintet.config.settings import from_assignments
from quintet.events import CallMade
from quintet.journal.reader import JournalReader
from quintet.launch.prepare import prepare
from quintet.learned.memories import read_memory
from quintet.memory.schema import MEMORY_FILE
from quintet.quota.cost import Cost
from quintet.reports.learning.cost import learning_runs
from quintet.runs.record import LearningRun
from tests.command import printed
from tests.deploy.studies.given import PLAN, a_notebook, a_run_with_a_plan

_EPISODE_CALL, _LEARNER_CALL = Cost(1, 100, 10, None), Cost(1, 1000, 100, None)


def _given(file: Path, text: str = PLAN) -> tuple[LearningRun, ...]:
    tasks = prepare([from_assignments(["method.name=react", "environment.name=textcraft", "run.tasks=stick,cake"])])
    return learning_runs(file, text, None, tasks.record.tasks)


def test_training_up_to_a_version_counts_and_tests_of_it_do_not(tmp_path: Path) -> None:
    run = a_run_with_a_plan(tmp_path / "run")
    (first,) = _given(run / "plans" / "1.md")
    assert (first.run, first.kind, first.version) == (run, "plan", 1)
    # Two training episodes of 2 calls and 1, held-out ones of 7 and 1, and one call of the learner.
    assert first.cost == sum([_EPISODE_CALL] * 11, _LEARNER_CALL)
    (second,) = _given(run / "plans" / "2.md", "Wait.")
    assert second.cost == sum([_EPISODE_CALL] * 27, _LEARNER_CALL + _LEARNER_CALL)
    (start,) = _given(run / "plans" / "0.md", "")
    assert start.cost == sum([_EPISODE_CALL] * 6, _EPISODE_CALL), "that of choosing among versions"
    assert first.tasks == ("cake", "stick"), "among the tasks that it was given for"


def test_the_chosen_version_is_known_by_its_text_and_an_edited_or_copied_plan_has_no_run(tmp_path: Path) -> None:
    run = a_run_with_a_plan(tmp_path / "run")
    (run / "plan.md").write_text(PLAN)
    assert [each.version for each in _given(run / "plan.md")] == [1]
    assert _given(run / "plan.md", "Mine.") == ()
    assert _given(tmp_path / "plan.md") == ()
    (run / "journal.sqlite").write_bytes(b"no journal")
    assert _given(run / "plans" / "1.md") == (), "a damaged run can still be given"


def test_the_tasks_of_a_stream_are_those_that_its_notes_were_learnt_from(tmp_path: Path) -> None:
    run = tmp_path / "stream"
    printed("stream", "awm", "textcraft", "--model", "sim-strong", "--tasks", "stick,beehive", "--out", run)
    record = prepare(
        [from_assignments(["method.name=react", "environment.name=textcraft", "run.tasks=stick,cake"])]
    ).record
    (learnt_by,) = learning_runs(None, "", read_memory(str(run), "textcraft"), record.tasks)
    assert learnt_by.tasks == ("stick",)
    assert learnt_by.calls == _calls(run), "of all its episodes and its learner"


def _calls(run: Path) -> int:
    with closing(JournalReader.open(run / "journal.sqlite")) as reader:
        return sum(isinstance(record.event, CallMade) for record in reader.records())


def test_a_memory_brings_the_cost_of_what_it_began_with(tmp_path: Path) -> None:
    words = ["optimize", "examples/insights.py:Insights", "textcraft", "--model", "sim-strong", "--tasks", "beehive"]
    learning = ["--set", "learning.tasks=1", "--json"]
    a_notebook(tmp_path / "advice.sqlite")
    printed(*words, *learning, "--memory", tmp_path / "advice.sqlite", "--out", tmp_path / "one")
    printed(*words, *learning, "--memory", tmp_path / "one", "--out", tmp_path / "two")
    config = ["method.name=react", "environment.name=textcraft", "run.tasks=beehive"]
    costs: list[int] = []
    for run in ("one", "two"):
        record = prepare([from_assignments([*config, f"memory.source={tmp_path / run}"])]).record
        (learnt_by,) = record.learnt_by
        assert (learnt_by.run, learnt_by.kind) == (tmp_path / run, "notebook")
        assert record.memory is not None
        assert record.memory.file == tmp_path / run / MEMORY_FILE
        costs.append(learnt_by.calls)
    assert 0 < costs[0] < costs[1]
