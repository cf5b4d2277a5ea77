"""What a grid comes to: tests within each world and model, the effect of each axis, and what is not compared."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from scipy.stats import binomtest

from quintet.config.settings import from_assignments
from quintet.config.tasks import TaskEntry
from quintet.launch.prepare import prepare_config
from quintet.reports.intervals import difference, rate
from quintet.reports.load import load_report
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms, take_study_objects
from quintet.studies.cells import study_matrix
from quintet.studies.definition import recorded_study
from quintet.studies.grid import Grid
from quintet.studies.run import create
from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS, findings_of, went
from tests.deploy.studies.grids import grid, write_grid

WORLDS = {
    "method": ["react", "standard"],
    "environment": {
        "craft": {"environment.name": "textcraft", "run.tasks": list(TASKS)},
        "shop": {"environment.name": "webshop", "run.tasks": 2},
    },
}


def _grid(folder: StudyFolder) -> Grid:
    return Grid(recorded_study(folder), study_matrix(folder, load_report([folder.path]).runs))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    """Two methods by two models, each with one seed, in which four of eight pairs differ."""
    arms = {
        "react+sim-weak": went(1, -1, -1, -1),
        "react+sim-strong": went(1, 1, -1, -1),
        "standard+sim-weak": went(1, 1, 1, -1),
        "standard+sim-strong": went(1, 1, 1, 1),
    }
    return write_grid(tmp_path_factory.mktemp("grid") / "study", grid(seeds=0), arms)


def test_methods_are_tested_within_each_model_as_scipy_and_the_intervals_of_a_comparison_have_it(
    models: StudyFolder,
) -> None:
    tests = _grid(models).tests
    assert [(each.ours.name, each.theirs.name, each.paired.tasks) for each in tests] == [
        ("standard+sim-weak", "react+sim-weak", 4),
        ("standard+sim-strong", "react+sim-strong", 4),
    ]
    both, only_ours, neither = [(True, True)], [(True, False)], [(False, False)]
    pairs = ([both, only_ours, only_ours, neither], [both, both, only_ours, only_ours])
    for each, episodes in zip(tests, pairs, strict=True):
        assert each.paired.points == difference(episodes)
        assert each.paired.p == pytest.approx(binomtest(each.paired.only_theirs, 2).pvalue)
        assert (each.paired.only_ours, each.paired.only_theirs) == (2, 0)
        assert each.corrected == pytest.approx(min(1.0, 2 * each.paired.p)), "Holm over the two tests of the grid"


def test_the_effect_of_an_axis_pairs_tasks_over_the_cells_of_the_others(models: StudyFolder) -> None:
    effects = {(each.axis, each.level): each for each in _grid(models).effects}
    react, standard = effects["method", "react"], effects["method", "standard"]
    assert (react.success, react.paired) == (rate([1, 0.5, 0, 0]), None)
    assert (standard.success, standard.tasks) == (rate([1, 1, 1, 0.5]), 4)
    assert standard.paired is not None
    both, only_ours, neither = (True, True), (True, False), (False, False)
    pairs = [[both, both], [only_ours, both], [only_ours, only_ours], [neither, only_ours]]
    assert standard.paired.points == difference(pairs)
    assert (standard.paired.only_ours, standard.paired.only_theirs) == (4, 0)
    assert standard.paired.p == pytest.approx(0.25), "signs of 1, 2 and 1: 2 of 8 ways are as far from 0 as 4"
    strong = effects["model", "sim-strong"].paired
    assert strong is not None
    assert (strong.tasks, strong.only_ours, strong.only_theirs) == (4, 2, 0)


def test_worlds_have_other_tasks_so_methods_are_paired_within_each_and_worlds_are_not(tmp_path: Path) -> None:
    study = grid(grid=WORLDS, common={}, seeds=0)
    with_goals = write_grid(tmp_path / "first", study, {})
    goals = [task.name for task in _tasks(with_goals, "react+shop")]
    arms = {f"{method}+craft": went(1, 1, -1, -1) for method in ("react", "standard")}
    arms |= {
        "react+shop": {goals[0]: Went("unsolved", 0.5), goals[1]: Went()},
        "standard+shop": {goals[0]: Went(), goals[1]: Went()},
    }
    found = _grid(write_grid(tmp_path / "study", study, arms))
    assert (found.worlds, found.compared) == (("environment",), "method")
    effects = {(each.axis, each.level): each for each in found.effects}
    assert effects["environment", "shop"].paired is None
    standard = effects["method", "standard"]
    assert standard.paired is not None
    assert (standard.tasks, standard.paired.tasks, standard.paired.only_ours) == (6, 6, 1)
    said = findings_of(tmp_path / "study")
    assert "environment: other tasks at each level, so no difference is paired" in said.findings.notes
    assert not [note for note in said.findings.notes if "not compared" in note]
    cells = said.findings.tables[0]
    assert cells.columns[:7] == ("method", "environment", "n", "episodes", "score", "success", "calls")
    assert cells.rows[1][4].startswith("75.0 ")


def test_an_option_of_the_world_is_paired_as_any_axis_unless_it_makes_other_tasks(tmp_path: Path) -> None:
    axes = {
        "method": ["react"],
        "clicks": {"line": {"environment.clicks": "line"}, "page": {"environment.clicks": "page"}},
        "goals": {"human": {"environment.goals": "human"}, "made": {"environment.goals": "synthetic"}},
    }
    study = grid(grid=axes, common={"environment.name": "webshop", "run.tasks": 2}, seeds=0)
    begun = write_grid(tmp_path / "first", study, {})
    arms = {arm: [task.name for task in _tasks(begun, arm)] for arm in ("line+human", "page+human", "line+made")}
    lost = Went("unsolved", 0.0)
    went = {arm: {one: Went(), two: Went() if arm == "page+human" else lost} for arm, (one, two) in arms.items()}
    found = _grid(write_grid(tmp_path / "study", study, went))
    assert (found.worlds, found.compared) == ((), "clicks")
    (test,) = found.tests
    assert (test.ours.name, test.paired.tasks, test.paired.only_ours) == ("page+human", 2, 1)
    effects = {each.level: each.paired for each in found.effects}
    assert effects["page"] == test.paired
    assert effects["made"] is None
    ((key, first, _, _, cells),) = found.conditions.incomparable(found.records)
    assert (key, first, cells) == ("goals", "line+human", ("line+made",))


@pytest.mark.parametrize(
    ("axis", "ended", "only_ours"),
    [
        ({"a": {"run.seed": 0}, "b": {"run.seed": 1}}, 4, 8),
        ({"a": {"run.tasks": list(TASKS)}, "b": {"run.tasks": list(TASKS)[:2]}}, 2, 6),
    ],
)
def test_a_task_counts_once_at_whatever_seeds_and_in_whatever_part_of_the_tasks(
    axis: Mapping[str, Mapping[str, object]], ended: int, only_ours: int, tmp_path: Path
) -> None:
    study = grid(grid={"method": ["react", "standard"], "part": axis}, seeds=0)
    of_method = {"react": Went("unsolved", 0.0), "standard": Went()}
    parts: dict[str, list[str]] = {"a": [*TASKS], "b": [*TASKS[:ended]]}
    arms = {
        f"{method}+{part}": dict.fromkeys(tasks, each)
        for method, each in of_method.items()
        for part, tasks in parts.items()
    }
    found = _grid(write_grid(tmp_path, study, arms))
    assert found.compared == "method"
    standard = next(each for each in found.effects if each.level == "standard")
    assert standard.paired is not None
    assert (standard.tasks, standard.success) == (4, rate([1, 1, 1, 1]))
    assert (standard.paired.tasks, standard.paired.only_ours) == (4, only_ours)
    assert standard.paired.p == pytest.approx(binomtest(0, 4).pvalue), "four tasks, not an observation for each cell"


def test_tasks_of_two_environments_are_no_pair_although_they_have_the_same_names(tmp_path: Path) -> None:
    file = tmp_path / "worlds.py"
    file.write_text("""
from quintet.environments.tool_world.world import ToolWorld
def world(name):
    return ToolWorld(name, {"1": 1, "2": 2}, question=str, tools=lambda _: {}, rubric={"right": lambda *_: 1.0})
SUMS, MAPS = world("sums"), world("maps")
""")
    worlds = {name: {"environment.name": f"{file}:{name.upper()}"} for name in ("sums", "maps")}
    study = grid(grid={"method": ["react"], "world": worlds}, common={}, seeds=0)
    endpoint = from_assignments(["model.name=own", "model.url=http://127.0.0.1:9/v1"])
    study, layers, objects = take_study_objects(study, [endpoint])
    with create(study, prepare_arms(study, layers, objects=objects), tmp_path / "study", objects) as folder:
        for arm in worlds:
            with folder.create_arm(arm) as run:
                samples.journal(run, {"1": Went(), "2": Went()})
    found = _grid(folder)
    assert all(cell.success is not None for cell in found.cells)
    assert [each.paired for each in found.effects] == [None, None]


def _tasks(folder: StudyFolder, arm: str) -> tuple[TaskEntry, ...]:
    return prepare_config(folder.record.arms[arm], arm).record.tasks


def test_seeds_are_paired_with_equal_seeds_and_only_what_ended_in_both_counts(tmp_path: Path) -> None:
    arms = {
        "react-seed-0": went(1, 1, -1, -1),
        "react-seed-1": went(-1, -1, -1, -1),
        "standard-seed-1": went(1, 0, -1, 1),
    }
    found = _grid(write_grid(tmp_path, grid(grid={"method": ["react", "standard"]}), arms))
    (test,) = found.tests
    assert test.paired.tasks == 3, "the one that faulted is in no pair"
    assert (test.paired.only_ours, test.paired.only_theirs) == (2, 0), "those of seed 0 have no partner"
    assert test.paired.points == difference([[(True, False)], [(False, False)], [(True, False)]])
    tables = findings_of(tmp_path).findings.tables
    assert [table.columns[0] for table in tables] == ["method", "method"], "the effect of the only axis is its test"


def test_cells_that_are_missing_or_incomparable_are_named_in_one_line_each(tmp_path: Path) -> None:
    path = tmp_path / "study"
    axes = {"method": ["react", "standard", "adapt"], "model": ["sim-weak", "sim-strong"]}
    arms = {
        "react+sim-weak-seed-0": went(1, 1, 1, 1),
        "react+sim-weak-seed-1": went(1, 0, 1, 1),
        "standard+sim-weak-seed-0": went(1, 1, 0, 0),
        "standard+sim-weak-seed-1": {"beehive": Went(), "cake": Went(None)},
        "react+sim-strong-seed-0": {"beehive": Went()},
        "adapt+sim-weak-seed-0": went(1, 1, 1, 1),
        "adapt+sim-weak-seed-1": went(1, 1, 1, 1),
        "adapt+sim-strong-seed-0": went(1, 1, 1, 1),
        "adapt+sim-strong-seed-1": went(1, 1, 1, 1),
    }
    folder = write_grid(path, grid(grid=axes), arms)
    for arm in arms:
        if arm.startswith("adapt"):
            record = folder.arm_path(arm) / "run.json"
            content = json.loads(record.read_text())
            content["configuration"]["environment"]["commands"] = 3
            record.write_text(json.dumps(content))
    resume = f"quintet resume {path}"
    lines = command("report", path).out.splitlines()
    assert [line for line in lines if "resume" in line or "not compared" in line] == [
        "not compared: environment.commands is none in react+sim-weak, 3 in adapt; "
        "--set environment.commands=... gives all the same",
        "faulted, not counted: react+sim-weak (1 of 8 episodes), standard+sim-weak (2 of 8 episodes); "
        f"{resume} --faulted",
        f"unfinished: react+sim-strong (1 of 4 episodes), standard+sim-weak (5 of 8 episodes); {resume}",
        f"react+sim-strong (1 of 2 seeds), standard+sim-strong: not begun; {resume}",
    ]
    assert len([line for line in lines if line.startswith("warning")]) == 0
    ours = {each.ours.name for each in _grid(folder).tests}
    assert ours == {"standard+sim-weak"}, "adapt met another world, and standard+sim-strong has not begun"


def test_programs_get_the_cells_the_tests_and_the_effects(models: StudyFolder) -> None:
    content = json.loads(command("report", models.path, "--json").out)["studies"][str(models.path)]
    cell = content["cells"][3]
    assert {key: cell[key] for key in ("method", "model", "state", "tasks", "ended", "success", "simulated")} == {
        "method": "standard",
        "model": "sim-strong",
        "state": "done",
        "tasks": 4,
        "ended": 4,
        "success": 1.0,
        "simulated": True,
    }
    assert cell["runs"] == {"0": str(models.path / "arms" / "standard+sim-strong")}
    assert [(test["cell"], test["only_cell"]) for test in content["tests"]] == [
        ("standard+sim-weak", 2),
        ("standard+sim-strong", 2),
    ]
    assert [effect["level"] for effect in content["effects"]] == ["react", "standard", "sim-weak", "sim-strong"]
