"""Resolving settings to a configuration."""

import json
import re
from pathlib import Path

import pytest

from quintet.config.resolve import as_tables, resolve_changes
from quintet.config.sections import MODEL_ROLES, ModelSettings, RunConfig
from quintet.config.settings import Settings, from_assignments, from_environment, from_file, from_table
from quintet.environments.alfworld.games.game import to_bytes
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from quintet.methods.adapt.adapt import Adapt
from quintet.plugins import catalogue
from quintet.roles.question_roles import PLANNER_ROLE
from quintet.roles.registry import ROLES
from tests.actors.environments.alfworld import homes

BASE = ["method.name=adapt", "environment.name=textcraft"]


def _resolve(*assignments: str) -> RunConfig:
    return prepare([from_assignments([*BASE, *assignments])]).config


def test_flags_override_variables_override_the_file_overrides_defaults(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    inner = "[method.inner]\npatience = 1\nmax_steps = 1\n"
    file.write_text(f"[method]\nmax_depth = 1\n{inner}", encoding="utf-8")
    layers: list[Settings] = [
        from_file(file),
        from_environment({"QUINTET_METHOD__INNER__PATIENCE": "2", "QUINTET_METHOD__INNER__MAX_STEPS": "2"}),
        from_assignments([*BASE, "method.inner.max_steps=3"]),
    ]
    options = prepare(layers).config.method.nested_options
    assert (options["max_depth"], options["inner.patience"], options["inner.max_steps"]) == (1, 2, 3)
    assert (options["rollback"], options["hand_on"]) == (
        False,
        "inventory",
    )  # the method's defaults for its environment


def test_an_option_that_is_a_word_of_python_has_its_own_name_in_settings(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('[method]\nor = "parallel"\n', encoding="utf-8")
    assert _resolve().method.options["or"] == "sequential"
    for layer in (from_file(file), from_environment({"QUINTET_METHOD__OR": "parallel"})):
        prepared = prepare([from_assignments(BASE), layer])
        assert prepared.config.method.options["or"] == "parallel"
        assert "alternatives" not in prepared.config.method.options
        method = prepared.spec.method
        assert isinstance(method, Adapt)
        assert method.config.alternatives == "parallel"


def test_a_roles_model_differs_only_in_what_its_table_says() -> None:
    config = _resolve("model.temperature=0.7", "model.planner.name=sim-strong", "model.planner.max_tokens=99")
    planner, executor = config.model.of("planner"), config.model.of("executor")
    assert (planner.name, planner.temperature, planner.max_tokens) == ("sim-strong", 0.7, 99)
    assert (executor.name, executor.temperature, executor.max_tokens) == ("sim-weak", 0.7, None)
    assert planner.sampling(PLANNER_ROLE).max_tokens == 99


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("sim-weak", {"executor": 1024, "planner": 2048, "reflector": 2048}),
        ("qwen3:8b", dict.fromkeys(MODEL_ROLES, 8192)),
    ],
)
def test_a_completion_is_as_long_as_its_role_needs_and_longer_where_the_model_reasons(
    name: str, most: dict[str, int]
) -> None:
    settings = ModelSettings(name=name)
    assert {role.name: settings.sampling(role).max_tokens for role in ROLES if role.name in most} == most
    assert ModelSettings(name=name, max_tokens=7).sampling(PLANNER_ROLE).max_tokens == 7


def test_another_models_options_are_not_inherited() -> None:
    config = _resolve("model.name=scripted", 'model.completions=["a"]', "model.planner.name=sim-strong")
    assert "completions" not in config.model.of("planner").options
    assert config.model.of("executor").options["completions"] == ["a"]


def test_names_of_tasks_may_be_text_or_a_list() -> None:
    assert _resolve("run.tasks=beehive, cake").run.tasks == ("beehive", "cake")
    assert _resolve('run.tasks=["beehive"]').run.tasks == ("beehive",)


def test_a_path_is_kept_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "script.json"
    script.write_text('["a"]', encoding="utf-8")
    (tmp_path / "own" / "textcraft").mkdir(parents=True)
    (tmp_path / "own" / "textcraft" / "decompose.txt").write_text("Plan.", encoding="utf-8")
    config = _resolve("model.name=scripted", "model.script=script.json", "method.prompts=own")
    assert config.model.of("executor").options["script"] == str(script)
    assert config.method.prompts == tmp_path / "own"


@pytest.mark.parametrize(
    ("assignments", "said"),
    [
        (["method.max_depth=0"], "method.max_depth: expected >= 1, got 0 (--set method.max_depth=0)"),
        (["method.max_depth=deep"], "method.max_depth: expected an integer, got 'deep' (--set method.max_depth=deep)"),
        (["method.or=both"], "method.or: expected 'sequential' or 'parallel', got 'both' (--set method.or=both)"),
        (["method.max_dept=3"], "method.max_dept: expected 'method.max_depth', got an unknown key"),
        (["modle.name=sim-weak"], "modle.name: expected 'model.name', got an unknown key"),
        (["memory.shuffled=true"], "memory.shuffled: expected 'memory.control', got an unknown key"),
        (["seed=3"], "seed: expected 'run.seed', got an unknown key (--set seed=3)"),
        (["model.planner=sim-strong"], "--set model.planner=sim-strong); did you mean model.planner.name?"),
        (["run=3"], "run: expected a table, got 3 (--set run=3)"),
        (["run.epochs=2147483648"], "run.epochs: expected at most 2,147,483,647, got 2147483648 (--set run.epochs="),
        (
            [f"method.inner.max_steps={'9' * 5000}"],
            "method.inner.max_steps: expected an integer of fewer digits, got '999",
        ),
        (["run.epochs=50001"], "run.epochs: expected at most 5000, which with 200 tasks makes 1,000,000 episodes"),
        (["method.inner.max_steps=1.5"], "method.inner.max_steps: expected an integer, got 1.5"),
        (["run.epochs=true"], "run.epochs: expected a number, got true (--set run.epochs=true)"),
        (["environment.recipes=~nobody-here/x"], "environment.recipes: expected a path below a known home folder"),
        (['method.prompts="a\\u0000b"'], "method.prompts: expected a path without null characters"),
        (["model.temperature=-1"], "model.temperature: expected >= 0, got -1 (--set model.temperature=-1)"),
        (["model.temperature=nan"], "model.temperature: expected"),
        (["model.top_p=0"], "model.top_p: expected > 0, got 0"),
        (["model.name=sim-week"], "got 'sim-week' (--set model.name=sim-week)"),
        (["model.name=3"], "model.name: expected a name, got 3"),
        (["model.name= "], "model.name: expected a name, got ' '"),
        (["model.executor.name=", "model.url=http://127.0.0.1:1/v1"], "model.executor.name: expected a name, got ''"),
        (["run.epochs=0"], "run.epochs: expected >= 1, got 0"),
        (["run.epochs=2.0"], "run.epochs: expected a whole number, got 2.0"),
        (["run.seed=1e300"], "run.seed: expected an integer of fewer digits, got 1e+300"),
        (['run.seed="99999999999"'], "run.seed: expected at most 2,147,483,647, got '99999999999'"),
        (["method.inner.max_steps=4.0"], "method.inner.max_steps: expected a whole number, got 4.0"),
        (["run.tasks=0"], "run.tasks: expected a number of tasks >= 1, or names of tasks, got 0 (--set run.tasks=0)"),
        (["run.tasks=201"], "run.tasks: expected at most 200, the size of split 'test', got 201 (--set run.tasks=201)"),
        (["run.tasks=beehive,beehive"], "run.tasks: expected each name once, got 'beehive' twice"),
        (["run.tasks=beehiv"], "got 'beehiv'"),
        (["run.split=tset"], "split: expected test or dev, got 'tset' (textcraft, --set run.split=tset)"),
        (["runtime.concurrency=0"], "runtime.concurrency: expected >= 1, got 0"),
        (["limits.model_seconds=0"], "limits.model_seconds: expected > 0, got 0"),
        (["method.name=adpt"], "method: expected 'adapt', got 'adpt' (--set method.name=adpt)"),
        (["environment.name=textcart"], "environment: expected 'textcraft', got 'textcart'"),
        (["environment.recipes=/nowhere"], "--set environment.recipes=/nowhere"),
        (
            ["environment.rest=1"],
            "environment.rest: expected one of environment.name, environment.recipes, got an unkno",
        ),
        (["environment.recipe=/nowhere"], "environment.recipe: expected 'environment.recipes', got an unknown key"),
    ],
)
def test_a_bad_setting_is_said_with_what_was_expected_and_where(assignments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        _resolve(*assignments)


@pytest.mark.parametrize(
    ("layer", "said"),
    [
        (
            from_environment({"QUINTET_MODEL__TEMPRATURE": "1"}),
            r"'model\.temperature', got an unknown key \(QUINTET_MODEL",
        ),
        (from_environment({"QUINTET_METHOD": "react"}), r"\(QUINTET_METHOD\); did you mean QUINTET_METHOD__NAME\?"),
        (from_table({"method": {"name": None}}, "a test"), r"method\.name: expected a name, got None"),
    ],
)
def test_a_bad_variable_or_table_is_named(layer: Settings, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        prepare([from_assignments(BASE), layer])


def test_a_bad_value_in_a_file_is_said_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "adapt.toml"
    file.write_text("[method]\nname = 'adapt'\n\nmax_depth = 0\n[environment]\nname = 'textcraft'\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"max_depth: expected >= 1, got 0 \(.*adapt\.toml, line 4\)$"):
        prepare([from_file(file)])
    with pytest.raises(UsageError, match=r"method\.name: expected a name .* in QUINTET_METHOD__NAME, got none"):
        prepare([from_assignments(BASE[1:])])


def test_a_resume_may_change_what_cannot_change_results() -> None:
    layer = from_assignments(["runtime.concurrency=2", "limits.model_seconds=5"])
    begun = _resolve("model.planner.name=sim-strong")
    assert resolve_changes(begun, from_assignments(["method.max_depth=4"]), Path("run")).config == begun  # as it has it
    config = resolve_changes(begun, layer, Path("run")).config
    assert config.runtime.concurrency == 2
    assert config.limits.model_seconds == 5
    assert config.model.of("planner").name == "sim-strong"


@pytest.mark.parametrize(
    "assignment", ["method.max_depth=2", "model.temperature=1", "run.seed=4", "run.tasks=5", "limits.episode_seconds=9"]
)
def test_a_resume_may_not_change_what_could(assignment: str) -> None:
    key, _, value = assignment.partition("=")
    with pytest.raises(
        UsageError, match=rf"{key}: expected .*, as the run was begun, got {value}(\.0)? \(--set {assignment}\)"
    ):
        resolve_changes(_resolve(), from_assignments([assignment]), Path("run"))


def test_a_path_without_a_working_directory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match=r"method\.prompts: expected an absolute path, since the working directory is"):
        _resolve("method.prompts=own")


def test_any_task_can_be_named_if_no_split_has_a_task(tmp_path: Path) -> None:
    recipe = {"type": "crafting_shapeless", "ingredients": [{"item": "log"}], "result": {"item": "plank"}}
    (tmp_path / "plank.json").write_text(json.dumps(recipe), encoding="utf-8")
    recipes = f"environment.recipes={tmp_path}"
    assert _resolve(recipes, "run.tasks=plank").run.tasks == ("plank",)
    with pytest.raises(UsageError, match=r"run\.split: expected one with tasks, got 'test', which has none; name some"):
        _resolve(recipes)
    with pytest.raises(
        UsageError, match=r"expected one with tasks, got 'dev', which has none; .* \(--set run\.split=dev"
    ):
        _resolve(recipes, "run.split=dev", "run.tasks=1")


class Unmakeable:
    """A plug-in that cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no key")


def test_a_plug_in_that_cannot_be_made_is_named_with_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "MODELS", {"plug": f"{__name__}:Unmakeable"})
    with pytest.raises(UsageError, match="model plug: expected an instance, got ValueError: no key"):
        _resolve("model.name=plug")


def test_an_environments_option_from_a_variable_is_recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def data(**environment: str) -> RunConfig:
        named = {"method": {"name": "random"}, "environment": {"name": "alfworld", **environment}}
        return prepare([from_table(named, "test")]).config

    (tmp_path / "game.tw-pddl").write_bytes(to_bytes(homes.game()))
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path / "gone"))
    with pytest.raises(UsageError, match="ALFWORLD_DATA"):
        data()
    assert data(data=str(tmp_path)).environment.options["data"] == str(tmp_path)
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    found = data()
    assert found.environment.options["data"] == str(tmp_path)
    monkeypatch.delenv("ALFWORLD_DATA")
    assert prepare([from_table(as_tables(found), "run.json")]).config.environment.options["data"] == str(tmp_path)
    assert data().environment.options["data"] is None


def test_what_ray_prepares_for_hosts_makes_a_run_one_on_ray() -> None:
    config = _resolve("runtime.env.pip=['a==1']", 'runtime.env.env_vars={WORD = "x"}')
    assert config.runtime.on_ray
    assert config.runtime.env is not None
    assert config.runtime.env.as_ray_takes_it() == {"pip": ["a==1"], "env_vars": {"WORD": "x"}}
    with pytest.raises(UsageError, match=r"runtime\.env\.conda: expected .*, got 'x'"):
        _resolve("runtime.env.conda=x")
    later = resolve_changes(_resolve(), from_assignments(["runtime.env.env_vars.WORD=y"]), Path("run")).config
    assert later.runtime.env is not None
