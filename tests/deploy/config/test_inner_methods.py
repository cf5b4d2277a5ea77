"""`[method.inner]`: defaults, names, models and refusals."""

import re
from pathlib import Path
from typing import Any

import pytest

from quintet.config.methods import find_methods, make_methods, method_configs, unmet_need, whole_name
from quintet.config.resolve import as_tables, resolve, resolve_changes
from quintet.config.sections import RunConfig
from quintet.config.settings import Settings, from_assignments, from_table
from quintet.errors import UsageError
from quintet.launch.prepare import prepare, prepare_again
from tests.deploy import samples
from tests.deploy.config import nesting_methods
from tests.deploy.testing.broken_environments import Rigid
from tests.distributions import install


def layers(method: str, *assignments: str, environment: str = "textcraft") -> list[Settings]:
    named = {"method": {"name": method}, "environment": {"name": environment}, "run": {"tasks": 1}}
    return [from_table(named, "test"), from_assignments(assignments)]


def config(method: str, *assignments: str, environment: str = "textcraft") -> RunConfig:
    return resolve(layers(method, *assignments, environment=environment)).config


def options(method: str, *assignments: str, environment: str = "textcraft") -> dict[str, Any]:
    return config(method, *assignments, environment=environment).method.nested_options


def test_the_default_inner_method_is_resolved_with_its_values_for_the_world_and_those_of_the_method_around_it() -> None:
    crafting, household = options("adapt"), options("adapt", environment="alfworld")
    assert (crafting["inner.name"], crafting["inner.max_steps"], crafting["inner.patience"]) == ("react", 20, 8)
    assert (household["inner.max_steps"], household["inner.patience"]) == (20, 5)
    assert household["inner.demonstrations"] == "hybrid"
    assert options("react")["max_steps"] == 80


def test_an_inner_method_that_is_named_has_its_own_values_for_the_world() -> None:
    found = options("try_again(adapt)")
    assert (found["inner.max_depth"], found["inner.inner.name"], found["inner.inner.max_steps"]) == (4, "react", 20)
    assert "inner.max_steps" not in found
    assert options("adapt(react)") == options("adapt")


def test_options_in_the_name_are_settings_as_any_others() -> None:
    by_name = config("reflexion(adapt(react)):trials=2,inner.max_depth=2,inner.inner.max_steps=5")
    by_settings = config(
        "reflexion", "method.inner.name=adapt", "method.trials=2", "method.inner.max_depth=2",
        "method.inner.inner.max_steps=5",
    )  # fmt: skip
    assert by_name == by_settings
    assert config("adapt", "method.inner.name=adapt(plan_execute):max_depth=1") == config(
        "adapt(adapt(plan_execute)):inner.max_depth=1"
    )


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("react", "react"),
        ("adapt", "adapt"),
        ("adapt(plan_execute)", "adapt(plan_execute)"),
        ("reflexion(adapt(devils_advocate))", "reflexion(adapt(devils_advocate))"),
        ("lats(react)", "lats(react)"),
    ],
)
def test_the_whole_is_named_without_default_inner_methods(given: str, name: str) -> None:
    assert whole_name([*find_methods(resolve(layers(given)).settings).values()]) == name


def test_tables_of_a_configuration_resolve_to_the_same() -> None:
    for method in ("lats", "adapt", "reflexion(adapt(devils_advocate)):inner.model.planner.temperature=0.5"):
        found = config(method)
        assert RunConfig.model_validate_json(found.model_dump_json()) == found
        assert resolve([from_table(as_tables(found), "tables")]).config == found


def test_an_inner_method_has_the_runs_models_unless_it_names_its_own() -> None:
    inner = config("adapt(reflexion)", "model.temperature=0.3", "model.planner.temperature=0.4").method.inner
    assert inner is not None
    assert inner.model is None
    own = config(
        "adapt(reflexion)", "model.temperature=0.3", "model.planner.temperature=0.4", "model.draw=thing",
        "method.inner.model.reflector.name=sim-strong", "method.inner.model.top_p=0.5",
    ).method.inner  # fmt: skip
    assert own is not None
    assert own.model is not None
    reflector, planner = own.model.of("reflector"), own.model.of("planner")
    assert (reflector.name, reflector.temperature, reflector.top_p) == ("sim-strong", 0.3, 0.5)
    assert (planner.name, planner.temperature, planner.top_p) == ("sim-weak", 0.3, 0.5)
    assert (planner.options["draw"], reflector.options["draw"]) == ("thing", "goal")


@pytest.mark.parametrize(
    ("method", "assignments", "said"),
    [
        ("adapt(reakt)", [], "method.inner: expected 'react', got 'reakt' (test)"),
        ("adapt(autoplam)", [], "method.inner: expected one of 'react', 'standard', "),
        ("adapt", ["method.inner.name=3"], "method.inner.name: expected a name, got 3 (--set method.inner.name=3)"),
        ("adapt(autoplan)", [], "method.inner: expected a method that does not learn across episodes, got 'autoplan'"),
        ("react(adapt)", [], "method.inner: expected no inner method, which react does not take, got one (test)"),
        (
            "react",
            ["method.inner.max_steps=3"],
            "method.inner: expected no inner method, which react does not take, got one (--set method.inner.max_steps=",
        ),
        (
            "lats",
            ["method.inner.max_steps=3"],
            "method.inner.name: expected the name of lats's inner method, got none (--set method.inner.max_steps=3)",
        ),
        ("adapt", ["method.inner=react"], "got 'react' (--set method.inner=react); did you mean method.inner.name?"),
        ("adapt", ["method.inner.max_step=3"], "expected 'method.inner.max_steps', got an unknown key (--set"),
        ("adapt", ["method.executor_calls=3"], "method.inner.max_steps, "),
        ("adapt", ["method.max_repeats=3"], "method.max_repeats: expected 'method.inner.max_repeats', got an unknown"),
        ("adapt", ["method.inner.model.temprature=1"], "expected 'method.inner.model.temperature', got an unknown key"),
        ("adapt", ["method.inner.model.name=3"], "method.inner.model.name: expected a name, got 3"),
        ("adapt" + "(adapt" * 15 + ")" * 15, [], "expected at most 16 methods within each other, got adapt(adapt("),
        ("adapt(", [], "method: expected a method's name at character 7 of 'adapt(', got the end (test)"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(method: str, assignments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        resolve(layers(method, *assignments))


def test_defaults_that_nest_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"methods": {"endless": f"{nesting_methods.__name__}:Endless"}})
    with pytest.raises(UsageError, match=r"methods within each other, got endless\(endless\(endless\(\.\.\."):
        config("endless")
    assert options("endless(react)")["inner.name"] == "react"


def test_an_inner_method_without_prompts_for_the_world_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"methods": {"homebody": f"{nesting_methods.__name__}:Homebody"}})
    expected = r"prompts of homebody for alfworld: expected execute\.txt in one of .*alfworld, .*found none"
    with pytest.raises(UsageError, match=expected):
        prepare(layers("adapt(homebody)", environment="alfworld"))


@pytest.mark.parametrize(
    ("method", "environment", "copies"),
    [
        ("adapt", "alfworld", "adapt"),
        ("try_again", "textcraft", None),
        ("adapt(try_again)", "textcraft", "try_again"),
        ("adapt(try_again):inner.trials=1", "textcraft", None),
        ("try_again(adapt)", "alfworld", "adapt"),
    ],
)
def test_a_world_that_cannot_copy_is_refused_for_any_of_the_methods(
    method: str, environment: str, copies: str | None
) -> None:
    unmet = unmet_need(make_methods(method_configs(config(method, environment=environment))), Rigid())
    assert bool(unmet) == (copies is not None)
    assert copies is None or f"for method {copies}, got" in unmet


@pytest.mark.parametrize(
    ("method", "option"),
    [
        ("adapt", "method.rollback"),
        ("try_again(adapt)", "method.inner.rollback"),
        ("devils_advocate:speculate=true", "method.speculate"),
        ("adapt:or=parallel", ""),
        ("lats", ""),
    ],
)
def test_the_refusal_names_the_option_without_which_a_method_copies_nothing(method: str, option: str) -> None:
    unmet = unmet_need(make_methods(method_configs(config(method, environment="alfworld"))), Rigid())
    assert unmet.partition(", which cannot")[2] == (f"; --set {option}=false copies none" if option else "")


def test_a_users_prompts_are_of_the_method_whose_section_names_them(tmp_path: Path) -> None:
    (tmp_path / "textcraft").mkdir()
    (tmp_path / "textcraft" / "execute.txt").write_text("Craft.", encoding="utf-8")
    own = prepare(layers("adapt", f"method.inner.prompts={tmp_path}"))
    assert own.spec.methods[1].prompts["execute"] == "Craft."
    changed = {name for name, digest in own.record.prompts.items() if samples.record("adapt").prompts[name] != digest}
    assert changed == {"react/execute"}
    with pytest.raises(UsageError, match=r"method\.prompts: expected .*decompose\.txt.*, got 'execute\.txt'"):
        prepare(layers("adapt", f"method.prompts={tmp_path}"))
    with pytest.raises(UsageError, match=r"method\.inner\.prompts: expected text files in .*, found none"):
        prepare(layers("adapt", f"method.inner.prompts={tmp_path / 'textcraft'}"))


RECORD = prepare(layers("adapt(reflexion)", "method.inner.model.temperature=0.5")).record


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("method.inner.name=react", "method.inner.name: expected 'reflexion', as the run was begun, got 'react'"),
        ("method.name=adapt(react)", "method.inner.name: expected 'reflexion', as the run was begun, got 'react'"),
        ("method.inner.inner.name=standard", "method.inner.inner.name: expected 'react', as the run was begun"),
        ("method.inner.trials=9", "method.inner.trials: expected 4, as the run was begun, got 9 (--set method.inner."),
        ("method.inner.prompts=own", "method.inner.prompts: expected None, as the run was begun, got "),
        ("method.inner.model.temperature=1", "method.inner.model.temperature: expected 0.5, as the run was begun"),
        ("method.inner.model.name=sim-strong", "method.inner.model.name: expected 'sim-weak', as the run was begun"),
    ],
)
def test_a_resume_under_another_inner_method_option_prompt_or_model_is_refused(change: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        resolve_changes(RECORD.configuration, from_assignments([change]), Path("run"))


def test_a_resume_under_another_version_or_prompt_of_an_inner_method_is_refused() -> None:
    assert RECORD.method_versions.keys() == {"adapt", "reflexion", "react"}
    for change, said in (
        ({"method_versions": {**RECORD.method_versions, "react": "0"}}, "method react: expected version 0"),
        ({"prompts": {**RECORD.prompts, "reflexion/look_back": "0"}}, "prompt reflexion/look_back: expected SHA-256 0"),
        ({"models": {**RECORD.models, "react/executor": "x"}}, "model of react/executor: expected name x"),
    ):
        with pytest.raises(UsageError, match=re.escape(said)):
            prepare_again(RECORD.model_copy(update=change), {}, Path("run"))


def test_a_resume_may_change_where_an_inner_model_is_and_give_none_of_its_own() -> None:
    begun = config("adapt", "method.inner.model.name=gpt-4.1-mini", "method.inner.model.url=http://a/v1")
    moved = from_assignments(["method.inner.model.url=http://b/v1"])
    inner = resolve_changes(begun, moved, Path("run")).config.method.inner
    assert inner is not None
    assert inner.model is not None
    assert inner.model.url == "http://b/v1"
    set_here = r"method\.inner\.model\.\w+: .*\(--set method\.inner\.model\.url=http://b/v1\)"
    with pytest.raises(UsageError, match=set_here):
        resolve_changes(config("adapt"), moved, Path("run"))
