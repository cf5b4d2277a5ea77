"""Comparisons of runs that exist."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.reports.load import load_report
from quintet.reports.notes import notes
from quintet.studies.comparison import paired_tests
from quintet.studies.run_comparison import compare_runs, report_against
from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS, went, write_comparison


def _write(path: Path, method: str = "react", tasks: tuple[str, ...] = TASKS, **sections: Mapping[str, object]) -> Path:
    return samples.write(path, samples.record(method, tasks, **sections), dict.fromkeys(tasks, Went()))


def test_runs_are_the_arms_and_the_first_is_the_reference(tmp_path: Path) -> None:
    runs = [_write(tmp_path / "plain"), _write(tmp_path / "deep", "adapt")]
    study, report = compare_runs(runs)
    assert ([run.arm for run in report.runs], study.reference) == (["plain", "deep"], "plain")
    assert [(test.ours, test.theirs, test.tasks) for test in paired_tests(report)] == [("deep", "plain", 4)]
    assert compare_runs(runs, reference="deep")[0].reference == "deep"
    write_comparison(tmp_path / "study", {"react": [went(1, 1, 1, 1)], "standard": [went(1, 1, 1, 1)]})
    of_study = compare_runs([tmp_path / "study", runs[1]])[1].runs
    assert [run.label for run in of_study] == ["study/react", "study/standard", "deep"]
    namesakes = [runs[0], _write(tmp_path / "other" / "plain", "adapt")]
    assert [run.label for run in compare_runs(namesakes)[1].runs] == [str(run) for run in namesakes]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"run": {"seed": 3}}, "run.seed: expected 0, as in {one}, got 3 ({other})"),
        ({"run": {"split": "dev"}}, "run.split: expected 'test', as in {one}, got 'dev' ({other})"),
        ({"run": {"epochs": 2}}, "run.epochs: expected 1, as in {one}, got 2 ({other})"),
        ({"run": {"tasks": ["beehive", "cake"]}}, "task 3: expected 'lantern', as in {one}, got none ({other})"),
        (
            {"run": {"tasks": ["cake", "beehive", *TASKS[2:]]}},
            "task 1: expected 'beehive', as in {one}, got 'cake' ({other})",
        ),
        (
            {"environment": {"name": "alfworld"}, "run": {"tasks": 1}},
            "environment.name: expected 'textcraft', as in {one}, got 'alfworld' ({other})",
        ),
    ],
)
def test_runs_of_other_tasks_or_worlds_are_refused_with_the_first_difference(
    other: Mapping[str, Mapping[str, object]], said: str, tmp_path: Path
) -> None:
    record = samples.record("react", None if "environment" in other else TASKS, **other)
    one, another = _write(tmp_path / "one"), samples.write(tmp_path / "other", record, {})
    with pytest.raises(UsageError) as refused:
        compare_runs([one, another])
    assert str(refused.value) == said.format(one=one, other=another)


def test_other_options_of_the_world_are_refused(tmp_path: Path) -> None:
    worlds: list[Mapping[str, object]] = [{"name": "alfworld"}, {"name": "alfworld", "causes": True}]
    runs = [
        samples.write(tmp_path / str(place), samples.record("react", None, environment=world, run={"tasks": 1}), {})
        for place, world in enumerate(worlds)
    ]
    with pytest.raises(UsageError, match=r"environment\.causes: expected (none|False), as in .*, got True"):
        compare_runs(runs)


def test_two_judges_are_refused_and_one_beside_none_is_not(tmp_path: Path) -> None:
    record = samples.record()
    runs = [
        samples.write(
            tmp_path / str(place), record.model_copy(update={"models": {**record.models, **judge}}), {"beehive": Went()}
        )
        for place, judge in enumerate([{"judge": "one"}, {"judge": "two"}, {}])
    ]
    with pytest.raises(UsageError, match=r"^model\.judge\.name: expected 'one', as in .*, got 'two' \(.*\)$"):
        compare_runs(runs[:2])
    assert [run.label for run in compare_runs(runs[1:])[1].runs] == ["1", "2"]


def test_one_run_itself_a_copy_of_it_and_one_that_learns_are_refused(tmp_path: Path) -> None:
    run = _write(tmp_path / "run")
    with pytest.raises(UsageError, match="RUNS: expected at least two, got react"):
        compare_runs([run])
    (tmp_path / "link").symlink_to(run)
    with pytest.raises(UsageError, match=rf"RUNS: expected each once, got {run} 2 times"):
        compare_runs([run, tmp_path / "link"])
    shutil.copytree(run, tmp_path / "copy")
    with pytest.raises(UsageError, match=rf"RUNS: expected different runs, got a copy of {run} \({tmp_path}/copy\)"):
        compare_runs([run, tmp_path / "copy"])
    learns = samples.record("autoplan", TASKS, run={"learn": True}, learning={"tasks": 4})
    learner = samples.write(tmp_path / "learner", learns, {})
    with pytest.raises(UsageError, match=rf"RUNS: expected runs that do not learn, got one that does \({learner}\)"):
        compare_runs([run, learner])


def test_a_report_against_a_run_has_the_tests_of_compare_and_warns_where_tasks_differ(tmp_path: Path) -> None:
    plain = samples.write(tmp_path / "plain", samples.record("react", TASKS), dict.fromkeys(TASKS, Went("unsolved", 0)))
    deep = _write(tmp_path / "deep", "adapt", TASKS[:3])
    for against in ("plain", str(plain)):
        report = report_against([plain, deep], against)
        assert [(test.ours, test.theirs, test.tasks) for test in paired_tests(report)] == [("deep", "plain", 3)]
        assert report.compared[0].unpaired == (0, 1)
    assert [run.label for run in report_against([deep], str(plain)).runs] == ["plain", "deep"]
    said = command("report", deep, "--against", plain)
    assert "Success less that of plain, in percentage points, paired by task" in said.out
    assert "deep - plain: compares the 3 tasks that ended in both; 0 ended in deep only, 1 in plain only" in said.out
    assert "warning" not in said.out  # the line above says it
    assert "warning: tasks differ: 3 tasks ended in both, 1 in plain only, 0 in deep only" in notes(
        load_report([plain, deep])
    )


def test_a_report_warns_of_runs_in_other_worlds_and_refuses_one_against_what_shares_nothing(tmp_path: Path) -> None:
    runs = [_write(tmp_path / "one"), _write(tmp_path / "other", run={"seed": 3})]
    [warning] = [note for note in notes(load_report(runs)) if "warning" in note]
    assert warning == "warning: tasks or worlds differ: run.seed is 0 in one, 3 in other"
    assert warning in notes(report_against(runs, "one"))
    runs[1] = _write(tmp_path / "stick", tasks=("stick",))
    for compared, against, said in (
        (runs, "three", "expected one of 'one', 'stick', got 'three'"),
        (runs, "one", "expected runs that share tasks with one, got stick"),
        (runs[:1], str(runs[0]), ".* got no other run"),
    ):
        with pytest.raises(UsageError, match=f"--against: {said}"):
            report_against(compared, against)
