"""The tables of a comparison and its exact tests, against scipy and cases worked by hand."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from quintet.reports.text_tables import TextTable
from quintet.studies.comparison import paired_tests
from quintet.studies.definition import recorded_study
from quintet.studies.pictures import draw_picture
from tests.deploy.samples import Went
from tests.deploy.studies.compared import findings_of, hide_packages, went, write_comparison


def _cells(table: TextTable) -> list[tuple[str, ...]]:
    return [tuple(cell.strip() for cell in row) for row in table.rows]


def test_success_stands_beside_costs_with_the_front_and_what_was_cut_short(tmp_path: Path) -> None:
    cut = {**went(5, 5, 5, 5), "painting": Went("unsolved", 0.0, calls=5, cut_short=True)}
    write_comparison(tmp_path, {"react": [went(1, -1, -1, -1)], "standard": [cut], "try_again": [went(5, -5, -5, -5)]})
    study = findings_of(tmp_path).findings
    costs = study.tables[0]
    assert costs.title == (
        "Success in percent against costs per episode (at most 5 calls; 95 % intervals; * Pareto front)"
    )
    assert costs.columns == ("", "n", "success", "calls", "tokens", "spent its budget")
    assert [(row[0], row[3], row[5]) for row in _cells(costs)] == [
        ("react", "1.0 (1.0, 1.0) *", "0 of 4"),
        ("standard", "5.0 (5.0, 5.0) *", "1 of 4"),
        ("try_again", "5.0 (5.0, 5.0)", "0 of 4"),
    ]
    assert any(note.startswith("spent its budget: episodes that were cut short") for note in study.notes)
    (react, standard, _) = study.content["methods"]
    assert (react["budget"], react["spent_its_budget"], standard["spent_its_budget"]) == ("5 calls", 0, 1)
    assert react["costs"]["calls"] == {"mean": 1.0, "interval": (1.0, 1.0), "on_front": True}


def test_without_a_common_budget_the_table_and_a_note_say_so_and_groups_and_claims_are_as_ever(tmp_path: Path) -> None:
    write_comparison(tmp_path, {"react": [went(1, -1, 1, 1)], "standard": [went(1, 1, 1, 1)]}, budget=None)
    found = findings_of(tmp_path).findings
    assert "(no common budget; " in found.tables[0].title
    assert found.tables[0].columns[-1] == "tokens"
    assert any(note.startswith("no common budget: each method has its own settings") for note in found.notes)
    success, claims = found.tables[2:4]
    assert success.title == "Success in percent (95 % interval)"
    assert claims.title == "Success as claimed and as earned, in percent (95 % interval)"
    assert any(row[0] == "standard - react" for row in success.rows)


def test_a_world_that_methods_set_otherwise_is_named(tmp_path: Path) -> None:
    task = "salt-orchard-birthplace"
    solved: Mapping[str, Went] = {task: Went()}
    write_comparison(tmp_path, {"react": [solved], "adapt": [solved]}, world="hotpotqa", tasks=[task])
    warning = "warning: tasks or worlds differ: environment.max_steps is 7 in react, None in adapt"
    assert warning in findings_of(tmp_path).findings.notes


def test_the_tests_are_paired_and_corrected_for_the_number_of_methods(tmp_path: Path) -> None:
    write_comparison(
        tmp_path,
        {"react": [went(-1, -1, -1, -1)], "standard": [went(1, 1, 1, 1)], "try_again": [went(1, -1, -1, 0)]},
    )
    study = findings_of(tmp_path)
    tests = study.findings.tables[1]
    assert tests.columns == ("", "n", "difference", "only it", "only react", "p", "p, Holm over 2")
    # Four discordant pairs of one kind: 2 / 2 ** 4, and one of three that ended in both: 2 / 2 ** 1.
    assert [(*row[:2], *row[3:]) for row in tests.rows] == [
        ("standard - react", "4", "4", "0", "0.125", "0.250"),
        ("try_again - react", "3", "1", "0", "1.000", "1.000"),
    ]
    assert [each["p_holm"] for each in study.findings.content["tests"]] == [0.25, 1.0]
    assert "try_again - react: compares the 3 tasks that ended in both; 0 ended in try_again only, 1 in react only" in (
        study.findings.notes
    )
    assert any(note.startswith("p: McNemar's exact test, two-sided") for note in study.findings.notes)


def test_epochs_of_a_task_are_one_observation(tmp_path: Path) -> None:
    lost, won = went(-1, -1, 1, 1), went(1, 1, 1, 0)
    write_comparison(tmp_path, {"react": [lost] * 3, "standard": [won] * 3})
    study = findings_of(tmp_path)
    (test,) = paired_tests(study.part)
    assert (test.tasks, test.only_ours, test.only_theirs) == (3, 6, 0)
    assert test.p == 0.5, "two tasks of which each may have either sign: 2 / 2 ** 2, not 2 / 2 ** 6"
    assert any("flips the signs of tasks' differences" in note for note in study.findings.notes)


def test_a_method_that_has_not_begun_is_left_out_also_of_the_picture(tmp_path: Path) -> None:
    folder = write_comparison(tmp_path / "study", {"react": [], "standard": [went(1, 1, 1, 1)], "try_again": []})
    study = findings_of(tmp_path / "study")
    assert [row[0] for row in study.findings.tables[0].rows] == ["standard"]
    assert study.findings.content["tests"] == []
    assert list(study.part.missing) == ["react", "try_again"]
    pytest.importorskip("matplotlib")
    for name, shown in {"some": study.part, "none": replace(study.part, runs=())}.items():
        draw_picture(recorded_study(folder), shown, tmp_path / f"{name}.svg")
    drawn = (tmp_path / "some.svg").read_text()
    assert drawn.count("Success against") == 2, "calls and tokens; nothing has a price"


def test_without_scipy_costs_have_no_intervals_and_a_note_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_packages(monkeypatch, "reports.intervals", "studies.comparison")
    write_comparison(tmp_path, {"react": [went(1, 1, 1, -1)], "standard": [went(1, 1, 1, 1)]})
    found = findings_of(tmp_path).findings
    assert [row[3] for row in _cells(found.tables[0])] == ["1.0", "1.0 *"]
    assert any("pip install 'quintet-agents[plots]'" in note for note in found.notes)
