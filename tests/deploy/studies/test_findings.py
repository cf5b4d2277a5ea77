"""AutoPlan's ablations, and its tables 3 and 4."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from quintet.cli import main
from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.reports.load import load_report
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import CurveFindings, find_study
from quintet.studies.findings import Findings, part_report
from quintet.studies.pictures import draw_picture, require_matplotlib
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.learning_runs import LOST
from tests.deploy.reports.households import TASK_TYPES, asked, rename_officially
from tests.deploy.samples import Went
from tests.deploy.studies import heat

BATCHES = {
    "batch-2-seed-0": (0, 2, 4),
    "batch-2-seed-1": (1, 3, 4),
    "batch-4-seed-0": (2, 3, 4),
    "batch-4-seed-1": (3, 3, 4),
    "batch-8-seed-0": (4, 4, 4),
}


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of batch sizes, of which some arms have not begun."""
    return heat.write(tmp_path_factory.mktemp("batches") / "study", "autoplan-figure3", BATCHES)


def _p_values() -> Mapping[str, Sequence[float]]:
    """The paper's, by pair of batch sizes."""
    found = find_study("autoplan-figure3").findings
    assert isinstance(found, CurveFindings)
    assert found.t_tests is not None
    return found.t_tests.p_values


def _findings(path: Path) -> Findings:
    (found,) = part_report(load_report([path]))[1].values()
    return found.findings


def test_batch_sizes_are_compared(batches: Path) -> None:
    curves, tests = _findings(batches).tables
    assert [row[:2] for row in curves.rows][:3] == [
        ("batch 2, 2 runs", "12.5 ± 17.7"),
        ("batch 4, 2 runs", "62.5 ± 17.7"),
        ("batch 8, 1 run", "100.0"),
    ]
    assert tests.rows == (
        ("batch 2 and 4", "2 and 2", "0.106", "0.423", "no variance, equal"),
        ("batch 2 and 8", "2 and 1", *["fewer than 2 runs"] * 3),
    )


OFFICIAL = [f"batch-{batch}-seed-{seed}" for batch in (2, 4, 8) for seed in range(5)]
"""The arms of the paper's t-tests."""


def _official(path: Path, missing: int = 0, model: str = "gpt", **settings: str) -> Path:
    """A study like the paper's ablation, on official heat games, without the arms that are missing."""
    given = from_assignments([f"{key}={value}" for key, value in settings.items()])
    study = find_study("autoplan-figure3")
    arms = prepare_arms(study, [given])
    with create(study, arms, path) as folder:
        for arm in OFFICIAL[missing:]:
            record = asked(rename_officially(arms[arm].record), model)
            heat.write_learning_run(folder.arm_path(arm), record, (1, 2, 3))
    return path


def test_the_papers_p_values_stand_in_a_block_of_their_own_with_their_model_and_what_differs(tmp_path: Path) -> None:
    found = _findings(_official(tmp_path / "study"))
    *ours, block = found.tables
    assert [table.title.partition(" ")[0] for table in ours] == ["Success", "P-values"]
    assert block.title == "Published: p-values of t-tests between batch sizes"
    assert block.rows == (
        ("AutoPlan, table 5", "AutoPlan, batch 2 and 4", "gpt-4-0314", "35", "0.44", "0.35", "0.013"),
        ("AutoPlan, table 5", "AutoPlan, batch 2 and 8", "gpt-4-0314", "35", "0.007", "0.11", "0.005"),
    )
    (paper,) = found.content["papers"]
    assert (paper["source"], paper["model"], paper["budget"]) == ("AutoPlan, table 5", "gpt-4-0314", "35")
    assert paper["p_values"] == _p_values()
    assert paper["differs"] == []


def test_no_published_p_values_stand_beside_a_simulated_model(tmp_path: Path) -> None:
    found = _findings(_official(tmp_path / "study", model="sim-weak (simulated)"))
    assert [table.title.partition(" ")[0] for table in found.tables] == ["Success", "P-values"]
    assert "papers" not in found.content


@pytest.mark.parametrize(
    ("others", "differs"),
    [
        ({"missing": 1}, "4 of 5 runs of batch-2"),
        ({"method.max_steps": "20", "missing": 14}, "a budget of 20, not 35"),
        ({"run.tasks": "22", "missing": 14}, "22 tasks, not 23"),
    ],
)
def test_another_experiments_differences_are_named(others: dict[str, Any], differs: str, tmp_path: Path) -> None:
    (paper,) = _findings(_official(tmp_path / "study", **others)).content["papers"]
    assert differs in paper["differs"]


def test_the_papers_p_values_are_of_its_three_iterations() -> None:
    assert {len(printed) for printed in _p_values().values()} == {3}
    arms = prepare_arms(find_study("autoplan-figure3"), [])
    assert len(arms) == 5 * 5
    assert {(arm.config.run.task_type, arm.record.learns) for arm in arms.values()} == {("heat", True)}
    records = [arms[f"batch-{batch}-seed-0"].record for batch in (2, 4, 8)]
    assert {(record.versions, len(record.tasks), len(record.training)) for record in records} == {(3, 23, 24)}
    assert [record.planned for record in records] == [23 * 4 + 3 * batch for batch in (2, 4, 8)]


def test_reflections_are_compared_with_that_of_batches_of_four(tmp_path: Path) -> None:
    solved = {"batch-4-seed-0": (2, 3, 4), "summary-seed-0": (1, 0, 1), "none-seed-0": (0, 0, 0)}
    curves, *_ = _findings(heat.write(tmp_path / "study", "autoplan-figure3", solved, seeds=1)).tables
    assert [row[0] for row in curves.rows if "1 run" in row[0]] == [
        "batch 4, 1 run",
        "summary only, 1 run",
        "no reflection (ours), 1 run",
    ]


def test_its_pictures_are_drawn_while_arms_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    report = load_report([heat.write(tmp_path / "study", "autoplan-figure3", {"batch-2-seed-0": (1, 2, 3)})])
    draw_picture(find_study("autoplan-figure3"), report, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_without_scipy_there_is_all_but_the_t_tests_and_the_extra_is_named(
    batches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(_name: str) -> None:
        return None

    monkeypatch.setattr("quintet.studies.t_tests.find_spec", nothing)
    found = _findings(batches)
    curves, tests = found.tables
    assert curves.rows[0][1] == "12.5 ± 17.7"
    assert tests.rows[0] == ("batch 2 and 4", "2 and 2", *["no scipy"] * 3)
    assert "install it with pip install 'quintet-agents[plots]'" in found.notes[-1]


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_name: str) -> None:
        return None

    monkeypatch.setattr("quintet.studies.pictures.find_spec", nothing)
    with pytest.raises(UsageError, match=r"expected matplotlib, found none; .*pip install 'quintet-agents\[plots\]'"):
        require_matplotlib()


def test_a_report_prints_groups_and_no_arms(batches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(batches)]) == 0
    printed = capsys.readouterr().out
    assert "alfworld, split valid_unseen, task type heat, 4 tasks, 24 training tasks of split train, model" in printed
    assert "batch 8, 1 run " in printed
    assert f"5 arms not begun; quintet resume {batches}\n" in printed
    assert "batch-2-seed-0" not in printed
    assert "Per episode, mean" not in printed


def test_its_arms_are_shown_without_all_their_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = heat.write(tmp_path / "study", "autoplan-figure3", {"batch-2-seed-0": (0, 2, 4)})
    assert main(["show", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if "not begun" in line]) == 9
    assert not [line for line in lines if "max_steps" in line]


def test_the_command_takes_the_number_of_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "autoplan-figure3", "--seeds", "1", "--seed", "3", "--tasks", "2", "--dry-run"]) == 0
    found = [line for line in capsys.readouterr().out.splitlines() if line.startswith("# arm")]
    assert found == [f"# arm {name}-seed-3" for name in ("batch-2", "batch-4", "batch-8", "summary", "none")]


def test_json_has_the_arms_and_the_findings(batches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(batches), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert len(said["runs"]) == len(BATCHES)
    found = said["studies"][str(batches)]
    assert found["curves"][0]["iterations"][0]["successes"] == [0.0, 0.25]
    first, *_, last = found["t_tests"]
    assert (first["groups"], first["p"]) == (["batch 2", "batch 4"], pytest.approx(0.106, abs=1e-3))
    assert (last["p"], last["why_none"]) == (None, "fewer than 2 runs")


def test_studies_and_runs_are_reported_together(
    batches: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = samples.write(tmp_path / "react", samples.record(), {"beehive": Went()})
    assert main(["report", str(batches), str(other)]) == 0
    printed = capsys.readouterr().out
    assert "react: react, sim-weak (simulated)" in printed
    assert printed.index("Per episode, mean") < printed.index("batch 8, 1 run ")
    assert "5 arms not begun" in printed
    assert "batch-8-seed-1: not begun" not in printed


def _tables_3_and_4(path: Path, *, official: bool = False) -> Path:
    """The study on two games of each type, or on all of the paper's."""
    definition = find_study("autoplan-table3")
    arms = prepare_arms(definition, [from_assignments([] if official else ["run.tasks=2"])])
    with create(definition, arms, path) as folder:
        for arm, prepared in arms.items():
            record = rename_officially(prepared.record) if official else prepared.record
            if record.learns:
                heat.write_learning_run(folder.arm_path(arm), record, (1,))
            else:
                went = {task.name: Went() if arm == "react-2" else LOST for task in record.tasks}
                samples.write(folder.arm_path(arm), record, went)
    return path


def test_autoplans_react_is_its_executor_with_examples_in_place_of_the_plan() -> None:
    arms = prepare_arms(find_study("autoplan-table3"), [])
    react = {name: arm.config.method for name, arm in arms.items() if name.startswith("react")}
    assert {name: (method.name, method.options["demonstrations"]) for name, method in react.items()} == {
        "react-0": ("autoplan", "none"),
        "react-2": ("autoplan", "task"),
    }
    learns = arms["autoplan-heat"].config.method.options
    assert react["react-0"].options == learns, "version 0"
    assert react["react-2"].options == {**learns, "demonstrations": "task"}


def test_six_types_make_one_row(tmp_path: Path) -> None:
    success, costs = _findings(_tables_3_and_4(tmp_path / "study")).tables
    assert [row[0] for row in success.rows] == ["ReAct, 0 shots", "ReAct, 2 shots", "AutoPlan"]
    assert [column.partition("\n")[0] for column in success.columns] == ["", "n", "all", *TASK_TYPES]
    assert success.rows[2][1:3] == ("12", "50.0 (25, 75)"), "of twelve tasks, two of each type"
    assert [cell.partition(" ")[0] for cell in success.rows[2][3:]] == ["50.0"] * 6
    assert [row[0] for row in costs.rows] == ["ReAct, 0 shots", "ReAct, 2 shots", "AutoPlan"]
    # A learner makes one call and each of its training tasks one, in every arm.
    assert costs.rows[2][1:] == ("6", "2.0", "1,210", "-", "12", "1.0", "110", "-")


def test_its_json_has_a_row_for_each_method(tmp_path: Path) -> None:
    rows = _findings(_tables_3_and_4(tmp_path / "study")).content["rows"]
    assert [row["row"] for row in rows] == ["ReAct, 0 shots", "ReAct, 2 shots", "AutoPlan"]
    assert rows[2]["success"]["heat"]["value"] == 0.5
    assert (rows[2]["training"]["tasks"], rows[2]["inference"]["tasks"]) == (6, 12)


def test_a_study_without_a_begun_arm_has_no_findings(tmp_path: Path) -> None:
    path = heat.write(tmp_path / "study", "autoplan-figure3", {}, seeds=1)
    rest, found = part_report(load_report([path]))
    assert found == {}
    assert len(rest.missing) == 5
