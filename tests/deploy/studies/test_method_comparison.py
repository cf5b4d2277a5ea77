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


def test_every_method_is_an_arm_under_one_budget() -> None:
    study = define_comparison(["react", "adapt"], budget="calls=40")
    arms = prepare_arms(study, [TEXTCRAFT])
    assert {name: arm.config.method.name for name, arm in arms.items()} == {"react": "react", "adapt": "adapt"}
    assert {arm.config.limits.episode_calls for arm in arms.values()} == {40}
    assert study.reference == "react"


@pytest.mark.parametrize(
    ("budget", "limit"), [("tokens=5000", {"episode_tokens": 5000}), ("usd=0.5", {"episode_usd": 0.5}), (None, None)]
)
def test_a_budget_is_every_episodes_own(budget: str | None, limit: dict[str, float] | None) -> None:
    study = define_comparison(["react", "adapt"], budget=budget, reference="adapt")
    assert [arm.get("limits") for arm in study.arms.values()] == [limit, limit]
    assert study.reference == "adapt"


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


def test_a_budget_below_one_call_and_one_of_another_flag_are_refused() -> None:
    with pytest.raises(UsageError, match=r"limits\.episode_calls: expected >= 1, got 0"):
        prepare_arms(define_comparison(["react", "adapt"], budget="calls=0"), [TEXTCRAFT])
    nested = define_comparison(["adapt(react)", "adapt(plan_execute)"])
    inner = from_assignments(["method.inner.name=reflexion"])
    with pytest.raises(UsageError, match=r"method\.inner\.name: expected what study compare sets for each arm"):
        prepare_arms(nested, [TEXTCRAFT, inner])
    study = define_comparison(["react", "adapt"], budget="calls=5")
    with pytest.raises(UsageError, match="expected what study compare sets for each arm, got 6"):
        prepare_arms(study, [TEXTCRAFT, from_assignments(["limits.episode_calls=6"])])


def _arms(*methods: str) -> Study:
    return define_comparison(list(methods))


def test_a_method_that_would_have_to_learn_is_refused_with_the_command_that_learns(tmp_path: Path) -> None:
    for method, kind in (("autoplan", "plan"), ("ldm2", "memory")):
        with pytest.raises(UsageError, match=rf"{method}: expected --{kind} .*; quintet optimize {method} textcraft"):
            refuse_incomparable(prepare_arms(_arms("react", method), [TEXTCRAFT]))
    plan = tmp_path / "plan.md"
    plan.write_text("Look before you act.")
    given = from_assignments([f"method.plan={plan}"])
    refuse_incomparable(prepare_arms(_arms("react", "autoplan"), [TEXTCRAFT, given]))


def test_a_run_that_learns_is_refused() -> None:
    arms = prepare_arms(_arms("autoplan", "ldm2"), [TEXTCRAFT])
    learning = samples.prepared("autoplan", run={"learn": True}, learning={"tasks": 4})
    with pytest.raises(UsageError, match=r"run\.learn: expected methods that do not learn while they are compared"):
        refuse_incomparable({**arms, "autoplan": learning})


def test_two_names_of_one_method_are_refused() -> None:
    arm = samples.prepared("react")
    with pytest.raises(UsageError, match="expected different methods, got react and react:max_steps=80, which are the"):
        refuse_incomparable({"react": arm, "react:max_steps=80": arm})


def test_findings_need_a_reference_that_is_an_arm() -> None:
    with pytest.raises(ValueError, match="reference: expected one of react, got 'adapt'"):
        Study(name="x", summary="x", common={}, arms={"react": {}}, reference="adapt", findings=ComparisonFindings())
