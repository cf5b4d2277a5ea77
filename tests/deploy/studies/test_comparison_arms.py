"""Comparisons of methods that are to run, and of runs that exist."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.reports.load import load_report
from quintet.reports.notes import notes
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms
from quintet.studies.comparison import paired_tests
from quintet.studies.comparison_arms import compare_runs, define_comparison, refuse_incomparable, report_against
from quintet.studies.definition import ComparisonFindings, Study, recorded_study
from quintet.studies.run import create
from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS, went, write_comparison

TEXTCRAFT = from_assignments(["environment.name=textcraft", "run.tasks=1"])


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        ("calls=40", {"episode_calls": 40}),
        ("tokens=5000", {"episode_tokens": 5000}),
        ("usd=0.5", {"episode_usd": 0.5}),
        (None, None),
    ],
)
def test_every_method_is_an_arm_under_one_budget(budget: str | None, limit: dict[str, float] | None) -> None:
    study = define_comparison(["react", "adapt"], budget=budget, reference="adapt")
    assert [arm.get("limits") for arm in study.arms.values()] == [limit, limit]
    assert (study.reference, define_comparison(["react", "adapt"]).reference) == ("adapt", "react")
    if budget == "calls=40":
        arms = prepare_arms(study, [TEXTCRAFT])
        assert {name: arm.config.method.name for name, arm in arms.items()} == {"react": "react", "adapt": "adapt"}
        assert {arm.config.limits.episode_calls for arm in arms.values()} == {40}


@pytest.mark.parametrize("methods", [["adapt(standard)", "react:max_steps=20,patience=3"], ["react", "a(b(c)):d.e=f"]])
def test_a_folder_keeps_the_definition_with_nested_names(methods: list[str], tmp_path: Path) -> None:
    study = define_comparison(methods, budget="calls=40")
    create(study, dict.fromkeys(study.arms, samples.prepared()), tmp_path).close()
    assert recorded_study(StudyFolder.open_to_read(tmp_path)) == study
    assert list(study.arms) == methods


@pytest.mark.parametrize(
    ("methods", "budget", "reference", "said"),
    [
        (["react"], None, None, "METHODS: expected at least two before the environment, got react"),
        ([], None, None, "METHODS: expected at least two before the environment, got none"),
        (["react", "adapt", "react"], None, None, "METHODS: expected each once, got react 2 times"),
        (["react", "adapt("], None, None, "expected a method's name at character 7"),
        (["react", "adapt:prompts=a/b"], None, None, "METHODS: expected at most 100 letters, digits"),
        (["react", "adapt"], "40", None, "--budget: expected calls=N, tokens=N or usd=X, got '40'"),
        (["react", "adapt"], "calls=", None, "--budget: expected calls=N, tokens=N or usd=X, got 'calls='"),
        (["react", "adapt"], "calls=0", None, "limits.episode_calls: expected >= 1, got 0 (--budget calls=0)"),
        (["react", "adapt"], None, "lats", "--reference: expected one of 'react', 'adapt', got 'lats'"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    methods: list[str], budget: str | None, reference: str | None, said: str
) -> None:
    with pytest.raises(UsageError) as refused:
        define_comparison(methods, budget=budget, reference=reference)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("methods", "setting", "said"),
    [
        (["adapt(react)", "adapt(plan_execute)"], "method.inner.name=reflexion", r"method\.inner\.name: expected what"),
        (["react", "adapt"], "limits.episode_calls=6", "expected what study compare sets for each arm, got 6"),
    ],
)
def test_a_setting_in_which_the_methods_differ_is_refused(methods: list[str], setting: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        prepare_arms(define_comparison(methods, budget="calls=5"), [TEXTCRAFT, from_assignments([setting])])


def test_a_method_that_would_have_to_learn_is_refused_with_the_command_that_learns(tmp_path: Path) -> None:
    for method, kind in (("autoplan", "plan"), ("ldm2", "memory")):
        with pytest.raises(UsageError, match=rf"{method}: expected --{kind} .*; quintet optimize {method} textcraft"):
            refuse_incomparable(prepare_arms(define_comparison(["react", method]), [TEXTCRAFT]))
    plan = tmp_path / "plan.md"
    plan.write_text("Look before you act.")
    given = from_assignments([f"method.plan={plan}"])
    refuse_incomparable(prepare_arms(define_comparison(["react", "autoplan"]), [TEXTCRAFT, given]))


def test_a_run_that_learns_and_two_names_of_one_method_are_refused() -> None:
    arm = samples.prepared("react")
    learning = samples.prepared("autoplan", run={"learn": True}, learning={"tasks": 4})
    with pytest.raises(UsageError, match=r"run\.learn: expected methods that do not learn while they are compared"):
        refuse_incomparable({"react": arm, "autoplan": learning})
    with pytest.raises(UsageError, match="expected different methods, got react and react:max_steps=80, which are the"):
        refuse_incomparable({"react": arm, "react:max_steps=80": arm})
    with pytest.raises(ValueError, match="reference: expected one of react, got 'adapt'"):
        Study(name="x", summary="x", common={}, arms={"react": {}}, reference="adapt", findings=ComparisonFindings())


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
    expected = "runs that do not learn, or learn along their own tasks"
    with pytest.raises(UsageError, match=rf"RUNS: expected {expected}, got one that learns from others \({learner}\)"):
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
