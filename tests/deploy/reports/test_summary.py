"""The summary of a run."""

import json
from pathlib import Path

import pytest

from quintet.reports.episodes import RunResults, results
from quintet.reports.summary import differences, summarise
from quintet.runs.run_folder import RunFolder
from quintet.studies.papers import published_figures
from tests.deploy import samples
from tests.deploy.samples import Went

LOST = Went("unsolved", 0.0, claimed=False)


def _results(path: Path, went: dict[str, Went], method: str = "react") -> RunResults:
    return results(RunFolder.open_to_read(samples.write(path, samples.record(method, tuple(went)), went)))


def test_success_is_counted_over_all_tasks_and_by_metadata(tmp_path: Path) -> None:
    summary = summarise(_results(tmp_path, {"beehive": Went(depth=2), "cake": LOST, "stick": Went()}))
    assert summary.overall.success is not None
    assert summary.overall.success.value == pytest.approx(2 / 3)
    depths = summary.groups["recipe depth"]
    assert list(depths) == ["1", "2"]
    assert depths["2"].tasks == 2
    assert depths["2"].depth == 2.0


def test_depth_is_that_of_successes_only(tmp_path: Path) -> None:
    lost = Went("unsolved", 0.0, claimed=False, depth=4)
    assert summarise(_results(tmp_path, {"beehive": Went(depth=2), "cake": lost})).overall.depth == 2.0
    assert summarise(_results(tmp_path / "none", {"cake": lost})).overall.depth is None


def test_faulted_and_unfinished_episodes_are_counted_apart(tmp_path: Path) -> None:
    summary = summarise(_results(tmp_path, {"beehive": Went(), "cake": Went("faulted"), "stick": Went(None)}))
    assert (summary.ended, summary.faulted, summary.unfinished) == (1, 1, 1)
    assert summary.overall.tasks == 1


def test_claimed_and_earned_success_are_two_rates_and_episodes_without_a_claim_are_counted(tmp_path: Path) -> None:
    went = {
        "beehive": Went(claimed=True),
        "cake": Went("solved", 0.0, claimed=True),
        "chest": Went("faulted", claimed=None),
        "ladder": Went("unsolved", 0.5, claimed=True),
        "stick": LOST,
        "torch": Went(claimed=None),
    }
    claims = summarise(_results(tmp_path, went)).claims
    assert claims.claimed is not None
    assert claims.earned is not None
    assert [claims.claimed.value, claims.earned.value] == pytest.approx([3 / 5, 2 / 5])
    assert (claims.unclaimed, claims.ended) == (1, 5)


def test_where_no_episode_made_a_claim_no_rate_is_claimed(tmp_path: Path) -> None:
    silent = summarise(
        _results(tmp_path / "silent", {"beehive": Went(claimed=None), "cake": Went(claimed=None)})
    ).claims
    assert (silent.claimed, silent.unclaimed, silent.ended) == (None, 2, 2)
    assert silent.earned is not None
    assert silent.earned.value == 1.0
    nothing = summarise(_results(tmp_path / "nothing", {"beehive": Went("faulted")})).claims
    assert (nothing.claimed, nothing.earned, nothing.unclaimed, nothing.ended) == (None, None, 0, 0)


def test_published_figures_are_shown_only_with_the_whole_split_and_the_papers_settings(tmp_path: Path) -> None:
    overall, by_depth = published_figures(samples.record("adapt", None))
    assert overall.success == 52.0
    assert by_depth.depths["recipe depth"]["3"] == 2.8
    recipe = {"type": "crafting_shapeless", "ingredients": [{"item": "log"}], "result": {"item": "plank"}}
    (tmp_path / "plank.json").write_text(json.dumps(recipe), encoding="utf-8")
    others = {
        "shallow": samples.record("adapt", None, method={"max_depth": 2}),
        "dev": samples.record("adapt", None, run={"split": "dev"}),
        "named": samples.record("adapt", ["beehive"]),
        "first": samples.record("adapt", None, run={"tasks": 199}),
        "recipes": samples.record("adapt", ["plank"], environment={"recipes": str(tmp_path)}),
    }
    assert {name: published_figures(record) for name, record in others.items()} == dict.fromkeys(others, ())


def test_a_difference_is_over_the_tasks_that_ended_in_both(tmp_path: Path) -> None:
    ours = _results(tmp_path / "ours", {"beehive": Went(), "cake": Went(), "stick": Went()})
    theirs = _results(tmp_path / "theirs", {"beehive": Went(), "cake": LOST, "stick": Went("faulted")})
    found = differences(ours, theirs)
    assert found["", ""].tasks == 2
    assert found["", ""].points.value == pytest.approx(0.5)
    assert found["recipe depth", "2"].points.value == pytest.approx(0.5)
    assert ("recipe depth", "1") not in found
