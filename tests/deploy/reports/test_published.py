"""The papers' figures: whole and as printed, and beside runs of the same only."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from deploy.config.tasks import TASK_TYPE
from deploy.reports.gathering import Report, gather
from deploy.reports.printing import print_tables
from deploy.reports.published import PUBLISHED, TASK_TYPES, UNSEEN, published
from deploy.reports.tables import notes, report_tables, title
from deploy.studies.catalogue import study
from deploy.studies.running import create
from tests.deploy.reports.households import compared, generated, half_solved, official

ALFWORLD = [each for (_, world), found in PUBLISHED.items() for each in found if world == "alfworld"]
WIDTH = 120


def sources(method: str, **options: Any) -> list[str]:
    return [each.source for each in published(official(method, method=options))]


def test_every_table_of_alfworld_has_the_six_types_of_task() -> None:
    assert {tuple(each.groups[TASK_TYPE]) for each in ALFWORLD} == {TASK_TYPES}
    assert {(each.split, each.tasks) for each in ALFWORLD} == {("valid_unseen", sum(UNSEEN.values()))}


@pytest.mark.parametrize("found", ALFWORLD, ids=lambda found: found.source)
def test_a_figure_of_a_type_is_a_share_of_its_tasks_so_that_no_column_was_exchanged(found: Any) -> None:
    # The papers round differently, and 96 % of 21 is printed.
    for kind, group in found.groups[TASK_TYPE].items():
        possible = [100 * solved / UNSEEN[kind] for solved in range(UNSEEN[kind] + 1)]
        assert min(abs(group.success - each) for each in possible) <= 1.0


def test_figures_are_those_of_the_demonstrations_that_were_shown() -> None:
    assert sources("react", demonstrations="hybrid") == ["ADaPT, table 2"]
    assert sources("react", demonstrations="task") == ["ADaPT, table 8", "LDM2, table 2"]
    assert sources("react", demonstrations="atomic") == []
    assert sources("adapt") == sources("adapt", demonstrations="hybrid") == ["ADaPT, table 2"]
    assert sources("adapt", demonstrations="task") == ["ADaPT, table 8"]
    assert sources("adapt", max_depth=2) == []
    assert sources("random") == sources("expert") == []


def test_autoplans_figures_are_those_of_runs_that_are_told_causes() -> None:
    told = {"environment": {"name": "alfworld", "causes": True}}
    found = {
        shots: [each.source for each in published(official("react", method={"demonstrations": shots}, **told))]
        for shots in ("none", "hybrid", "task")
    }
    assert found == {
        "none": ["AutoPlan, table 3 (0 shots)"],
        "hybrid": [],
        "task": ["AutoPlan, table 3 (2 shots)"],
    }


def test_a_published_total_is_as_printed_or_missing() -> None:
    totals = {each.source: each.success for each in PUBLISHED["react", "alfworld"]}
    assert totals == {
        "ADaPT, table 2": 43.3,
        "ADaPT, table 8": 56.7,
        "AutoPlan, table 3 (2 shots)": None,
        "AutoPlan, table 3 (0 shots)": None,
        "LDM2, table 2": 60,
    }


def test_other_tasks_than_the_papers_have_no_figures_beside_them() -> None:
    others = {
        "generated": generated(),
        "seen": official(run={"split": "valid_seen"}),
        "some of a type": official(run={"task_type": "heat", "tasks": 22}),
        "generated type": generated(run={"task_type": "heat"}),
        "first": official(run={"tasks": 133}),
        "causes": official(environment={"name": "alfworld", "causes": True}),
    }
    assert {name: published(record) for name, record in others.items()} == dict.fromkeys(others, ())
    assert len(generated().tasks) == 134


def test_a_run_of_one_type_stands_beside_the_figures_of_that_type() -> None:
    (found,) = published(official(run={"task_type": "pick two"}))
    assert (found.source, found.tasks, found.success) == ("ADaPT, table 2", 17, None)
    assert {kind: group.success for kind, group in found.groups[TASK_TYPE].items()} == {"pick two": 11.8}


def learnt(**sections: Any) -> list[str]:
    run = {"task_type": "heat", "learn": True, **sections.pop("run", {})}
    return [each.source for each in published(official("autoplan", run=run, **sections))]


def test_autoplans_own_figures_are_those_of_a_plan_for_one_type_learnt_as_in_the_paper() -> None:
    assert learnt() == ["AutoPlan, table 3"]
    (found,) = published(official("autoplan", run={"task_type": "cool", "learn": True}))
    assert found.groups == {TASK_TYPE: {"cool": (90, None)}}
    others = {
        "all types at once": learnt(run={"task_type": None}),
        "batch": learnt(learning={"batch": 2}),
        "reflection": learnt(learning={"reflection": "summary"}),
        "select": learnt(learning={"select": "best"}),
        "causes": learnt(environment={"name": "alfworld", "causes": False}),
        "not learnt": learnt(run={"learn": False}),
    }
    assert {name: found for name, found in others.items() if found} == {}


def test_no_paper_was_given_a_plan(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_text("Look around.", encoding="utf-8")
    assert learnt(method={"plan": str(file)}) == []
    assert sources("react", demonstrations="task", plan=str(file)) == []


def test_types_stand_in_the_papers_order_and_every_paper_in_a_row_of_its_own(tmp_path: Path) -> None:
    report = half_solved(tmp_path / "run", official(method={"demonstrations": "task"}))
    success, effort = report_tables(report)
    assert [column.partition("\n")[0] for column in success.columns] == ["", "n", "all", *TASK_TYPES]
    assert [row[0] for row in success.rows] == ["react", "  ADaPT", "  LDM2"]
    assert success.rows[1][2:] == ("56.7", "66.7", "41.9", "47.8", "80.9", "83.3", "23.5")
    assert success.rows[2][2:] == ("60", "63", "48", "74", "71", "67", "35")
    assert effort.title == "Per episode, mean"
    assert notes(report)[-2:] == [
        "paper: ADaPT, table 8, with text-davinci-003",
        "paper: LDM2, table 2, with gpt-3.5-turbo",
    ]


def test_levels_of_recursion_have_no_row_of_a_paper_that_prints_none(tmp_path: Path) -> None:
    report = half_solved(tmp_path / "run", official("adapt"))
    assert [row[0] for row in report_tables(report)[0].rows] == ["adapt", "  paper"]


def test_the_title_says_of_which_type_the_tasks_are(tmp_path: Path) -> None:
    report = half_solved(tmp_path / "run", generated("random", run={"task_type": "pick two"}))
    assert title(report) == "alfworld, split valid_unseen, task type pick two, 17 tasks, seed 0, no model"


def test_a_method_that_asks_no_model_names_none(tmp_path: Path) -> None:
    report = half_solved(tmp_path / "run", generated("expert", run={"tasks": 2}))
    assert notes(report) == ["expert: expert, no model, max_steps 50"]


def test_an_arm_without_a_model_stands_beside_the_one_model_of_the_others(tmp_path: Path) -> None:
    arms = {"random": generated("random", run={"tasks": 2}), "react": generated("react", run={"tasks": 2})}
    with create(study("demo"), {arm: record.configuration for arm, record in arms.items()}, tmp_path) as folder:
        for arm, record in arms.items():
            half_solved(folder.arm_path(arm), record)
    report = gather([tmp_path])
    assert title(report).endswith("model sim-weak (simulated)")
    assert [row[0] for row in report_tables(report)[0].rows[:2]] == ["random", "react"]


def printed(report: Report, width: int) -> list[str]:
    out = io.StringIO()
    print_tables(report_tables(report), Console(file=out, width=width, force_terminal=True, color_system=None))
    return out.getvalue().splitlines()


def test_its_tables_fit_a_terminal_of_120_columns(tmp_path: Path) -> None:
    lines = printed(half_solved(tmp_path / "run", official(method={"demonstrations": "task"})), WIDTH)
    assert max(map(len, lines)) <= WIDTH
    (heading,) = (line for line in lines if "pick two" in line)
    assert heading.split() == ["all", *TASK_TYPES[:-1], "pick", "two"]
    (own,) = (line for line in lines if line.strip().startswith("react ") and "(" in line)
    assert own.count("(") == own.count(")") == 1 + len(TASK_TYPES)


def test_a_table_that_would_not_fit_has_less_space_between_its_columns(tmp_path: Path) -> None:
    report = compared(tmp_path)
    loose = max(map(len, printed(report, 2 * WIDTH)))
    lines = printed(report, loose - 1)
    assert max(map(len, lines)) < loose - 1
    assert [line.count("(") for line in lines if line.startswith("adapt - react")] == [1 + len(TASK_TYPES)]


def test_so_do_two_arms_with_their_differences(tmp_path: Path) -> None:
    lines = printed(compared(tmp_path), WIDTH)
    assert max(map(len, lines)) <= WIDTH
    (difference,) = (line for line in lines if line.strip().startswith("adapt - react"))
    assert difference.count("(") == difference.count(")") == 1 + len(TASK_TYPES)
