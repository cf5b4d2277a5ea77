"""The summary of a run."""

from pathlib import Path

import pytest

from quintet.reports.episodes import RunResults, results
from quintet.reports.intervals import rate
from quintet.reports.summary import Claims, differences, summarise
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went

LOST = Went("unsolved", 0.0, claimed=False)


def _results(path: Path, went: dict[str, Went], method: str = "react") -> RunResults:
    return results(RunFolder.open_to_read(samples.write(path, samples.record(method, tuple(went)), went)))


def test_success_is_counted_over_all_tasks_that_ended_and_by_metadata(tmp_path: Path) -> None:
    lost = Went("unsolved", 0.0, claimed=False, depth=4)
    went = {"beehive": Went(depth=2), "cake": lost, "stick": Went(), "torch": Went("faulted"), "ladder": Went(None)}
    summary = summarise(_results(tmp_path, went))
    assert summary.overall.success == rate([1.0, 0.0, 1.0])
    assert (summary.overall.tasks, summary.ended, summary.faulted, summary.unfinished) == (3, 3, 1, 1)
    depths = summary.groups["recipe depth"]
    assert list(depths) == ["1", "2"]
    assert (depths["2"].tasks, depths["2"].depth) == (2, 2.0), "the depth is that of successes only"
    assert summarise(_results(tmp_path / "none", {"cake": lost})).overall.depth is None


def test_claimed_and_earned_success_are_two_rates_and_episodes_without_a_claim_are_counted(tmp_path: Path) -> None:
    went = {
        "beehive": Went(claimed=True),
        "cake": Went("solved", 0.0, claimed=True),
        "chest": Went("faulted", claimed=None),
        "ladder": Went("unsolved", 0.5, claimed=True),
        "stick": LOST,
        "torch": Went(claimed=None),
    }
    claims = summarise(_results(tmp_path / "claimed", went)).claims
    assert claims == Claims(rate([1.0] * 3 + [0.0] * 2), rate([1.0] * 2 + [0.0] * 3), unclaimed=1, ended=5)
    silent = {"beehive": Went(claimed=None), "cake": Went(claimed=None)}
    assert summarise(_results(tmp_path / "silent", silent)).claims == Claims(None, rate([1.0, 1.0]), 2, 2)
    nothing = summarise(_results(tmp_path / "nothing", {"beehive": Went("faulted")})).claims
    assert nothing == Claims(None, None, unclaimed=0, ended=0)


def test_a_difference_is_over_the_tasks_that_ended_in_both(tmp_path: Path) -> None:
    ours = _results(tmp_path / "ours", {"beehive": Went(), "cake": Went(), "stick": Went()})
    theirs = _results(tmp_path / "theirs", {"beehive": Went(), "cake": LOST, "stick": Went("faulted")})
    found = differences(ours, theirs)
    assert found["", ""].tasks == 2
    assert found["", ""].points.value == pytest.approx(0.5)
    assert found["recipe depth", "2"].points.value == pytest.approx(0.5)
    assert ("recipe depth", "1") not in found
