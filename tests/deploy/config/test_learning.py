"""Runs that learn: their settings, and the tasks they learn from."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from quintet.config.resolve import as_tables, resolve_changes
from quintet.config.sections import LearningSection, RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.config.tasks import TaskEntry
from quintet.environments.alfworld.games.game import to_bytes
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare
from quintet.roles.registry import prompts_of
from tests.actors.environments.alfworld import homes
from tests.deploy.pupil import Pupil, PupilConfig, enroll

TEXTCRAFT = ["method.name=pupil", "environment.name=textcraft", "run.learn=true"]
HEAT = ["method.name=pupil", "environment.name=alfworld", "run.learn=true", "run.task_type=heat"]
CHESTS = [
    "method.name=pupil",
    "environment.name=chests",
    "model.url=http://127.0.0.1:9/v1",
    "run.learn=true",
    "run.tasks=open box",
    "learning.batch=1",
]


@pytest.fixture(autouse=True)
def _enrolled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    enroll(monkeypatch)
    (tmp_path / "prompts" / "chests").mkdir(parents=True)
    for name in prompts_of(Pupil.asks(learning="reward")):
        (tmp_path / "prompts" / "chests" / f"{name}.txt").write_text("Find it.", encoding="utf-8")
    monkeypatch.setattr(Pupil, "prompt_folders", (*Pupil.prompt_folders, tmp_path / "prompts"))


def _prepare(*assignments: str) -> Prepared:
    return prepare([from_assignments(assignments)])


def _config(*assignments: str) -> RunConfig:
    return _prepare(*assignments).config


def _learning(config: RunConfig) -> LearningSection:
    assert config.learning is not None
    return config.learning


def _names(tasks: Sequence[TaskEntry]) -> list[str]:
    return [task.name for task in tasks]


def test_a_run_learns_only_if_its_settings_ask_for_it() -> None:
    assert _config(*TEXTCRAFT[:2]).learning is None
    learning = _learning(_config(*TEXTCRAFT))
    assert (learning.split, learning.tasks, learning.held_out) == ("dev", 24, 0)
    assert learning.options == {"batch": 4, "select": "last", "passes": 1}


def test_a_learning_run_has_options_of_its_own_and_more_roles() -> None:
    spec = _prepare(*TEXTCRAFT, "learning.batch=2", "model.reflector.name=sim-strong").spec
    assert spec.learner is not None
    assert spec.learner.config == PupilConfig(batch=2)
    assert tuple(spec.models) == ("executor", "planner", "reflector")
    assert {role: model.name.split()[0] for role, model in spec.models.items()} == {
        "executor": "sim-weak",
        "planner": "sim-weak",
        "reflector": "sim-strong",
    }
    assert list(_prepare(*TEXTCRAFT[:2]).spec.models) == ["executor"]


def test_its_configuration_reloads_to_the_same_and_resolves_to_the_same_again() -> None:
    for config in (_config(*TEXTCRAFT, "learning.select=best"), _config(*HEAT), _config(*TEXTCRAFT[:2])):
        assert RunConfig.model_validate_json(config.model_dump_json()) == config
        assert prepare([from_table(as_tables(config), "run.json")]).config == config


def test_a_method_asks_for_options_of_its_environment_which_may_be_overridden() -> None:
    assert _config(*HEAT).environment.options["causes"] is True
    assert _config(*HEAT, "environment.causes=false").environment.options["causes"] is False


def test_tasks_to_learn_from_are_drawn_by_the_seed_of_the_type_and_more_of_them_include_fewer() -> None:
    def drawn(*assignments: str) -> list[str]:
        return _names(_prepare(*TEXTCRAFT, *assignments).record.training)

    found = drawn()
    assert len(set(found)) == 24
    assert found == drawn()
    assert found != drawn("run.seed=1")
    assert set(drawn("learning.tasks=8")) < set(drawn("learning.tasks=16"))
    assert {task.metadata["task type"] for task in _prepare(*HEAT).record.training} == {"heat"}
    record = _prepare(*TEXTCRAFT, "learning.held_out=5").record
    assert (len(record.training), len(record.held_out)) == (19, 5)
    assert set(_names(record.training) + _names(record.held_out)) == set(found)


def test_tasks_to_learn_from_can_be_named_whatever_their_split() -> None:
    found = _prepare(*CHESTS, "learning.tasks=find cup, open jar")
    assert _learning(found.config).split is None
    assert _names(found.record.training) == ["find cup", "open jar"]
    assert len(_prepare(*CHESTS, "learning.tasks=find cup, open jar", "learning.held_out=1").record.held_out) == 1


@pytest.mark.parametrize(
    ("more", "held_out"),
    [((), 6), (("learning.tasks=8",), 2), (("learning.held_out=3",), 3), (("learning.tasks=2", "learning.batch=1"), 1)],
)
def test_choosing_a_version_holds_out_a_quarter_and_at_least_one(more: Sequence[str], held_out: int) -> None:
    assert _learning(_config(*TEXTCRAFT, "learning.select=best", *more)).held_out == held_out


def test_a_split_smaller_than_the_default_is_taken_whole_and_its_size_recorded() -> None:
    found = _prepare(*HEAT, "learning.split=valid_seen")
    assert _learning(found.config).tasks == 10
    assert len(found.record.training) == 10
    changes = from_assignments(["runtime.concurrency=2"])
    assert resolve_changes(found.config, changes, Path("run")).config.learning == found.config.learning


@pytest.mark.parametrize(
    ("assignments", "said"),
    [
        (
            ["method.name=react", *TEXTCRAFT[1:]],
            "method: expected 'pupil', which learns across episodes, got 'react' (--set method.name=react)",
        ),
        (
            [*TEXTCRAFT[:2], "learning.batch=2"],
            "learning.batch: expected a run that learns (quintet optimize, or run.learn=true), got one that does not "
            "(--set learning.batch=2)",
        ),
        (
            [*TEXTCRAFT, "run.epochs=2"],
            "run.epochs: expected 1 in a run that learns, got 2 (--set run.epochs=2)",
        ),
        ([*TEXTCRAFT, "learning.batch=0"], "learning.batch: expected >= 1, got 0 (--set learning.batch=0)"),
        ([*TEXTCRAFT, "learning.tasks=0"], "learning.tasks: expected a number of tasks >= 1, or names of tasks, got 0"),
        (
            [*TEXTCRAFT, "learning.batch=25"],
            "learning.batch: expected at most 24, the training tasks, got 25 (--set learning.batch=25)",
        ),
        (
            [*TEXTCRAFT, "learning.passes=2000000"],
            "run.learn: expected options for at most 10,000 versions, got 12,000,000 (--set run.learn=true)",
        ),
        (
            [*TEXTCRAFT, "learning.split=train"],
            "split: expected test or dev, got 'train' (textcraft, --set learning.split=train)",
        ),
        (
            [*HEAT, "learning.tasks=25"],
            "learning.tasks: expected at most 24, the size of task type 'heat' in split 'train', got 25",
        ),
        (
            [*TEXTCRAFT, "learning.tasks=6", "learning.held_out=6"],
            "learning.held_out: expected fewer than the 6 tasks to learn from, got 6 (--set learning.held_out=6)",
        ),
        (
            [*TEXTCRAFT, "learning.select=best", "learning.held_out=0"],
            "learning.held_out: expected >= 1, since a version is chosen by them, got 0 (--set learning.held_out=0)",
        ),
        (
            [*TEXTCRAFT, "run.tasks=beehive", "learning.tasks=cake,beehive", "learning.batch=1"],
            "learning.tasks: expected tasks other than those that the run is measured by, got 'beehive' among both (",
        ),
        ([*TEXTCRAFT, "learning.tasks=cake,cake"], "learning.tasks: expected each name once, got 'cake' twice"),
        (CHESTS, "learning.split: expected one of 'all', 'none', got none; name one with --train-split, or tasks with"),
        (
            [*CHESTS, "learning.split=none"],
            "learning.split: expected one with tasks, got 'none', which has none; name some with --train-tasks "
            "(--set learning.split=none)",
        ),
        (
            ["method.name=random", "environment.name=textcraft", "method.plan=plan.md"],
            "method.plan: expected a method that asks an executor, or for programs, got 'random' (--set",
        ),
        (
            [*CHESTS, "run.task_type=open", "learning.tasks=find pin"],
            "learning.tasks: expected tasks of type 'open', got 'find pin' of type 'find'",
        ),
    ],
)
def test_a_bad_learning_setting_is_refused_with_what_was_expected_and_where(assignments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        _config(*assignments)


def test_a_missing_default_split_is_refused_with_its_origin(tmp_path: Path) -> None:
    (tmp_path / "game.tw-pddl").write_bytes(to_bytes(homes.game()))
    with pytest.raises(UsageError, match=r"got 'train' \(.*pupil's default on alfworld\)"):
        _config(*HEAT[:3], f"environment.data={tmp_path}")


def test_if_no_method_learns_the_error_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.config.resolve.catalogue.METHODS", {"react": "quintet.methods.react.react:React"})
    with pytest.raises(UsageError, match="method: expected a method, which learns across episodes, got 'react'"):
        _config("method.name=react", *TEXTCRAFT[1:])


@pytest.mark.parametrize("change", ["batch=2", "split=test", "tasks=8", "held_out=2", "select=best"])
def test_a_resume_may_not_change_the_training_tasks(change: str) -> None:
    changes = from_assignments([f"learning.{change}"])
    with pytest.raises(UsageError, match=r"learning\..*: expected"):
        resolve_changes(_config(*TEXTCRAFT, "run.tasks=3"), changes, Path("run"))


def test_a_run_that_does_not_learn_does_not_begin_to_on_a_resume() -> None:
    with pytest.raises(UsageError, match=r"run\.learn: expected False, as the run was begun, got True"):
        resolve_changes(_config(*TEXTCRAFT[:2]), from_assignments(["run.learn=true"]), Path("run"))


def test_a_models_context_is_its_own() -> None:
    same, other = (
        _config(*TEXTCRAFT, "model.context=4096", f"model.planner.{more}").model.of("planner")
        for more in ("temperature=1", "name=sim-strong")
    )
    assert (same.context, other.context) == (4096, None)
