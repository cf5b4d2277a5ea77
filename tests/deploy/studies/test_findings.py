"""AutoPlan's ablations, and its tables 3 and 4."""

import json
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.reports.load import load_report
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import find_study
from quintet.studies.findings import paper_findings, part_report
from quintet.studies.pictures import require_matplotlib
from quintet.studies.run import create
from tests.command import printed
from tests.deploy import samples
from tests.deploy.learning_runs import LOST
from tests.deploy.reports.households import TASK_TYPES, asked
from tests.deploy.samples import Went
from tests.deploy.studies import heat
from tests.deploy.studies.compared import findings_of, hide_packages

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


def test_batch_sizes_are_compared(batches: Path) -> None:
    curves, tests = findings_of(batches).findings.tables
    assert [row[:2] for row in curves.rows][:3] == [
        ("batch 2, 2 runs", "12.5 ± 17.7"),
        ("batch 4, 2 runs", "62.5 ± 17.7"),
        ("batch 8, 1 run", "100.0"),
    ]
    assert tests.rows == (
        ("batch 2 and 4", "2 and 2", "0.106", "0.423", "no variance, equal"),
        ("batch 2 and 8", "2 and 1", *["fewer than 2 runs"] * 3),
    )


def test_the_papers_p_values_stand_in_a_table_of_their_own_with_the_reason(tmp_path: Path) -> None:
    study = find_study("autoplan-figure3")
    arms = prepare_arms(study, [])
    for name, model in (("study", "gpt"), ("simulated", "sim-weak (simulated)")):
        with create(study, arms, tmp_path / name) as folder:
            record = asked(arms["batch-2-seed-0"].record, model)
            heat.write_learning_run(folder.arm_path("batch-2-seed-0"), record, (1, 2, 3))
    (found,) = paper_findings(load_report([tmp_path / "study"])).values()
    (block,) = found.tables
    assert block.title == "AutoPlan, table 5: p-values of t-tests, published"
    assert block.columns[-3:] == ("iteration 1", "iteration 2", "iteration 3")
    assert block.rows == (
        ("batch 2 and 4", "gpt-4-0314", "-", "0.44", "0.35", "0.013"),
        ("batch 2 and 8", "gpt-4-0314", "-", "0.007", "0.11", "0.005"),
    )
    assert "are sampled and not named" in found.notes[-2]
    assert found.content["reproduces"][1]["rows"][0]["published"]["p_values"] == (0.44, 0.35, 0.013)
    (simulated,) = paper_findings(load_report([tmp_path / "simulated"])).values()
    assert (simulated.tables, simulated.content) == ([], {})


def test_the_papers_batch_sizes_are_compared_over_its_three_iterations() -> None:
    arms = prepare_arms(find_study("autoplan-figure3"), [])
    assert len(arms) == 5 * 5
    assert {(arm.config.run.task_type, arm.record.learns) for arm in arms.values()} == {("heat", True)}
    records = [arms[f"batch-{batch}-seed-0"].record for batch in (2, 4, 8)]
    assert {(record.versions, len(record.tasks), len(record.training)) for record in records} == {(3, 23, 24)}
    assert [record.planned for record in records] == [23 * 4 + 3 * batch for batch in (2, 4, 8)]


def test_without_scipy_there_is_all_but_the_t_tests_and_the_extra_is_named(
    batches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_packages(monkeypatch, "studies.learning_curves")
    found = findings_of(batches).findings
    curves, tests = found.tables
    assert curves.rows[0][1] == "12.5 ± 17.7"
    assert tests.rows[0] == ("batch 2 and 4", "2 and 2", *["no scipy"] * 3)
    assert "install it with pip install 'quintet-agents[plots]'" in found.notes[-1]


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_packages(monkeypatch, "studies.pictures")
    with pytest.raises(UsageError, match=r"expected matplotlib, found none; .*pip install 'quintet-agents\[plots\]'"):
        require_matplotlib()


def test_a_report_prints_other_runs_and_groups_and_no_arms(batches: Path, tmp_path: Path) -> None:
    other = samples.write(tmp_path / "react", samples.record(), {"beehive": Went()})
    said = printed("report", batches, other)
    assert "alfworld, split valid_unseen, task type heat, 4 tasks, 24 training tasks of split train, model" in said
    assert "react: react, sim-weak (simulated)" in said
    assert said.index("Per episode, mean") < said.index("batch 8, 1 run ")
    waiting = "study/batch-8 (1 of 2 seeds), study/summary, study/none"
    assert f"{waiting}: not begun; quintet resume {batches}\n" in said
    assert "batch-2-seed-0" not in said
    assert "batch-8-seed-1: not begun" not in said
    assert "Per episode, mean" not in printed("report", batches)


def test_its_arms_are_shown_without_all_their_settings(batches: Path) -> None:
    lines = printed("show", batches).splitlines()
    assert len([line for line in lines if "not begun" in line]) == 5
    assert not [line for line in lines if "max_steps" in line]


def test_json_has_the_arms_and_the_findings(batches: Path) -> None:
    said = json.loads(printed("report", batches, "--json"))
    assert len(said["runs"]) == len(BATCHES)
    found = said["studies"][str(batches)]
    assert found["curves"][0]["iterations"][0]["successes"] == [0.0, 0.25]
    first, *_, last = found["t_tests"]
    assert (first["groups"], first["p"]) == (["batch 2", "batch 4"], pytest.approx(0.106, abs=1e-3))
    assert (last["p"], last["why_none"]) == (None, "fewer than 2 runs")


def _table_3(path: Path) -> Path:
    """The study on two games of each type."""
    definition = find_study("autoplan-table3")
    arms = prepare_arms(definition, [from_assignments(["run.tasks=2"])])
    with create(definition, arms, path) as folder:
        for arm, prepared in arms.items():
            if prepared.record.learns:
                heat.write_learning_run(folder.arm_path(arm), prepared.record, (1,))
            else:
                result = Went() if arm == "react-2" else LOST
                went = {task.name: result for task in prepared.record.tasks}
                samples.write(folder.arm_path(arm), prepared.record, went)
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
    found = findings_of(_table_3(tmp_path / "study")).findings
    success, costs = found.tables
    names = ["ReAct, 0 shots", "ReAct, 2 shots", "AutoPlan"]
    assert [row[0] for row in success.rows] == [row[0] for row in costs.rows] == names
    assert [column.partition("\n")[0] for column in success.columns] == ["", "n", "all", *TASK_TYPES]
    assert success.rows[2][1:3] == ("12", "50.0 (25, 75)"), "of twelve tasks, two of each type"
    assert [cell.partition(" ")[0] for cell in success.rows[2][3:]] == ["50.0"] * 6
    # A learner makes one call and each of its training tasks one, in every arm.
    assert costs.rows[2][1:] == ("6", "2.0", "1,210", "-", "12", "1.0", "110", "-")
    content = found.content["rows"]
    assert [row["row"] for row in content] == names
    assert content[2]["success"]["heat"]["value"] == 0.5
    assert (content[2]["training"]["tasks"], content[2]["inference"]["tasks"]) == (6, 12)


def test_a_study_without_a_begun_arm_has_no_findings(tmp_path: Path) -> None:
    path = heat.write(tmp_path / "study", "autoplan-figure3", {}, seeds=1)
    rest, found = part_report(load_report([path]))
    assert found == {}
    assert len(rest.missing) == 5
