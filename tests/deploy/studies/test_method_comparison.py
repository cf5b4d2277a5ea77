"""Comparisons that are defined from the command line."""

from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import ComparisonFindings, Study, recorded_study
from quintet.studies.method_comparison import define_comparison, refuse_incomparable
from quintet.studies.run import create
from tests.deploy import samples

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
