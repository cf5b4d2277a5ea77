"""The axes of a grid, and the cells that they make."""

from pathlib import Path
from typing import Any

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.studies.arms import prepare_arms
from quintet.studies.axes import has_own_tasks
from tests.command import printed
from tests.deploy.studies.grids import grid

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_every_combination_of_levels_is_an_arm_with_the_settings_of_all_but_those_left_out() -> None:
    study = grid(
        grid={
            "method": {"react": {"method": {"name": "react"}}, "deep": {"method": {"name": "adapt", "max_depth": 2}}},
            "model": ["sim-weak", "sim-strong"],
            "memory": ["none"],
        },
        leave_out=[{"method": "deep", "model": "sim-weak"}],
        seeds=[3, 7],
    )
    assert {name: cell.levels for name, cell in study.cells.items()} == {
        "react+sim-weak": {"method": "react", "model": "sim-weak", "memory": "none"},
        "react+sim-strong": {"method": "react", "model": "sim-strong", "memory": "none"},
        "deep+sim-strong": {"method": "deep", "model": "sim-strong", "memory": "none"},
    }
    arms = {name: arm.config for name, arm in prepare_arms(study, []).items()}
    assert list(arms) == [f"{cell}-seed-{seed}" for seed in (3, 7) for cell in study.cells]
    deep = arms["deep+sim-strong-seed-7"]
    assert (deep.method.name, deep.method.options["max_depth"], deep.model.name) == ("adapt", 2, "sim-strong")
    assert (deep.run.seed, deep.environment.name, deep.memory) == (7, "textcraft", None)


def test_names_of_methods_have_options_and_objects_as_everywhere() -> None:
    study = grid(grid={"method": ["react:max_steps=5", "adapt(standard)"]}, seeds=0)
    arms = prepare_arms(study, [])
    assert list(arms) == ["react:max_steps=5", "adapt(standard)"]
    assert arms["react:max_steps=5"].config.method.options["max_steps"] == 5


def test_a_memory_or_none_is_a_level(tmp_path: Path) -> None:
    file = tmp_path / "kitchens.sqlite"
    printed("memory", "import", str(EXAMPLES / "kitchens.jsonl"), "--out", str(file))
    axes = {"method": ["react", "ldm2"], "memory": {"none": {}, "kitchens": {"memory.source": str(file)}}}
    arms = prepare_arms(grid(grid=axes, common={"environment.name": "alfworld", "run.tasks": 1}, seeds=0), [])
    sources = {name: arm.config.memory and arm.config.memory.source for name, arm in arms.items()}
    assert sources["react+none"] is None
    assert sources["react+kitchens"] == sources["ldm2+kitchens"] == str(file)


@pytest.mark.parametrize(
    ("axis", "own"),
    [
        (["textcraft", "webshop"], True),
        ({"easy": {"environment.depth": 2}, "hard": {"run": {"split": "dev"}}}, True),
        ({"cool": {"model.temperature": 0}}, False),
    ],
)
def test_an_axis_of_worlds_or_splits_has_tasks_of_its_own(axis: Any, own: bool) -> None:
    assert has_own_tasks("environment", axis) is own


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"grid": {}}, "expected arms or a grid, got neither"),
    ({"arms": {"react": {}}}, "expected arms or a grid, got both"),
    ({"grid": {"method": []}}, r"grid\.method: expected at least one level, got none"),
    ({"grid": {"method": ["react", "react"]}}, r"grid\.method: expected each level once, got react, react"),
    ({"grid": {"depth": ["one"]}}, r"grid\.depth: expected a table with the settings of each level, got a list"),
    ({"grid": {"model": ["a/b"]}}, r"got 'a/b'; a table names it: \[grid\.model\] NAME = \{ model\.name = "),
    ({"grid": {"model": ["a+b"]}}, r"expected no '\+', which joins the levels of a cell, got 'a\+b'"),
    (
        {"grid": {"method": ["react"], "own": {"one": {"method.name": "adapt"}}}},
        r"grid: expected method\.name to be set by one axis, got method and own",
    ),
    ({"leave_out": [{"model": "gpt"}]}, r"leave_out: expected one of 'sim-weak', 'sim-strong', got model = 'gpt'"),
    ({"leave_out": [{"world": "x"}]}, r"leave_out: expected one of 'method', 'model', got world = 'x'"),
    ({"leave_out": [{}]}, "leave_out: expected a level on some axis, got none"),
    (
        {"leave_out": [{"method": "react"}, {"method": "standard"}]},
        "leave_out: expected some cells of the grid to be left, got none",
    ),
    ({"reference": "react"}, "reference: expected none beside a grid"),
    ({"grid": {f"a{n}": {str(k): {} for k in range(101)} for n in range(2)}}, "at most 10,000 cells, got 10,201"),
]


@pytest.mark.parametrize(("fields", "said"), REFUSED)
def test_a_grid_without_clear_cells_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        grid(**fields)


def test_a_setting_of_an_axis_is_not_a_users_to_change() -> None:
    with pytest.raises(UsageError, match=r"model\.name: expected what study g sets for each arm, got 'gpt'"):
        prepare_arms(grid(), [from_assignments(["model.name=gpt"])])
