"""The tables of a comparison and its exact tests, against scipy and cases worked by hand."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from quintet.reports.intervals import Estimate, Mean
from quintet.reports.load import load_report
from quintet.reports.text_tables import TextTable
from quintet.studies.comparison import MethodPoint, holm, method_points, paired_tests, pareto_front, sign_flip_test
from quintet.studies.definition import recorded_study
from quintet.studies.panels import CostKind
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


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 20))
@example(5_100, 4_900, 0)
def test_with_one_epoch_it_is_mcnemars_exact_test(only_ours: int, only_theirs: int, alike: int) -> None:
    found = sign_flip_test([1] * only_ours + [-1] * only_theirs + [0] * alike)
    discordant = only_ours + only_theirs
    theirs = binomtest(only_ours, discordant).pvalue if discordant else 1.0
    assert found == pytest.approx(float(theirs), rel=1e-9)


@given(st.lists(st.integers(-3, 3), max_size=8))
def test_it_counts_all_ways_to_flip_the_signs(differences: list[int]) -> None:
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    share = sum(abs(each) >= abs(sum(differences)) for each in sums) / len(sums)
    assert sign_flip_test(differences) == pytest.approx(share)


@given(
    st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), min_size=1, max_size=12),
    st.one_of(st.floats(0, 1, exclude_max=True), st.sampled_from([0.01, 0.05])),
)
def test_holms_correction_rejects_what_his_step_down_procedure_rejects(p_values: list[float], level: float) -> None:
    left = set(range(len(p_values)))
    while left:
        smallest = min(left, key=p_values.__getitem__)
        if len(left) * p_values[smallest] > level:
            break
        left.remove(smallest)
    assert {place for place, p in enumerate(holm(p_values)) if p > level} == left


def test_costs_are_means_over_tasks_of_the_episodes_that_ended(tmp_path: Path) -> None:
    # By task 1 and 3, 2 and 2, 5; the last one faulted in both epochs.
    write_comparison(tmp_path, {"react": [went(1, 2, 5, 0), went(3, -2, 0, 0)], "standard": []})
    (found,) = method_points(load_report([tmp_path]).runs)
    assert found.success.value == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert found.costs["calls"].value == pytest.approx((2 + 2 + 5) / 3)
    assert found.costs["tokens"].value == pytest.approx(110 * 3)
    expected = pytest.approx((0.0, 3 + 4.303), abs=1e-3)
    assert found.costs["calls"].interval == expected, "Student's, with 2 degrees of freedom, from 0 on"
    assert "USD" not in found.costs, "the model has no price"


def _front(*points: tuple[float, float], by: CostKind = "calls") -> list[tuple[float, float]]:
    found = [
        MethodPoint(cast("Any", number), Estimate(success, 0, 1), {"calls": Mean(cost, None)})
        for number, (success, cost) in enumerate(points)
    ]
    return [(each.success.value, each.costs["calls"].value) for each in pareto_front(found, by)]


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(1, 5)), max_size=8))
def test_a_method_is_on_the_front_if_no_other_is_at_least_as_good_in_both_and_better_in_one(
    points: list[tuple[float, int]],
) -> None:
    expected = [
        point
        for point in points
        if not any(other[0] >= point[0] and other[1] <= point[1] and other != point for other in points)
    ]
    front = _front(*points)
    assert sorted(front) == sorted(expected)
    assert [cost for _, cost in front] == sorted(cost for _, cost in front), "cheapest first"
    assert _front(*points, by="USD") == [], "nothing has a price"
