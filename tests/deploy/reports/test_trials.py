"""The trials of a run: which count, and their figures."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.journal.episode_rows import TrialRow
from quintet.reports.episodes import RunResults, results
from quintet.reports.exports import as_json
from quintet.reports.load import load_report
from quintet.reports.trials import RunTrials, TrialMeans, TrialTally
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went

WON = {"actions": 9, "reward": 1.0, "steps": 4, "revised": True}
LOST = {"actions": 20, "reward": 0.5, "steps": 6}


def _write(path: Path, went: dict[str, Went], epochs: int = 1) -> Path:
    return samples.write(path, samples.record("reflexion", tuple(went), run={"epochs": epochs}), went)


def _read(path: Path) -> RunResults:
    return results(RunFolder.open_to_read(path))


def _trials(found: RunResults) -> RunTrials:
    assert found.trials is not None
    return found.trials


def _shares(found: RunResults) -> list[float]:
    return [share.value for share in found.success_by_trial]


def test_success_by_trial_is_a_share_of_the_tasks_that_ended(tmp_path: Path) -> None:
    went = {
        "beehive": Went(trials=(LOST, WON)),
        "cake": Went(trials=(WON,)),
        "stick": Went("unsolved", 0.5, trials=(LOST, LOST, LOST)),
        "torch": Went("unsolved", 0.0),  # cut short in its first trial
    }
    found = _read(_write(tmp_path / "run", went))
    assert _shares(found) == [0.25, 0.5, 0.5]
    assert _trials(found).means == TrialMeans(
        trials=2.0, actions=(4 * 20 + 2 * 9) / 6, first_actions=49 / 3, last_actions=38 / 3, revisions=2 / 3
    )
    assert _trials(found).plan_steps == {6: 4, 4: 2}


def test_trials_of_episodes_without_a_result_and_of_older_attempts_do_not_count(tmp_path: Path) -> None:
    went = {"beehive": Went("faulted", trials=(LOST, WON)), "cake": Went(None, trials=(LOST,)), "stick": Went()}
    path = _write(tmp_path / "run", went)
    found = _read(path)
    assert (found.trials, found.success_by_trial) == (None, [])
    samples.journal(RunFolder.open_to_read(path), {"beehive": Went(trials=(LOST, WON))}, attempt=1)
    found = _read(path)
    assert _shares(found) == [0.0, 0.5]


def test_a_tasks_epochs_are_one_share(tmp_path: Path) -> None:
    path = _write(tmp_path / "run", {"beehive": Went(trials=(WON,)), "cake": Went(trials=(WON,))}, epochs=2)
    again = {"beehive": Went("unsolved", 0.5, trials=(LOST,)), "cake": Went(trials=(LOST, WON))}
    samples.journal(RunFolder.open_to_read(path), again, epoch=1)
    assert _shares(_read(path)) == [0.5, 0.75]


def test_only_trials_of_the_outermost_method_that_makes_any_count(tmp_path: Path) -> None:
    inner = {"solve": "beehive/0/0/2/1", "method": "inner", "reward": 1.0, "actions": 3}
    middle = {"solve": "beehive/0/0/2", "method": "middle", "actions": 8}
    found = _read(_write(tmp_path / "run", {"beehive": Went(trials=({**inner, "number": 1}, {**middle, "number": 1}))}))
    assert (_trials(found).method, _trials(found).level, _trials(found).means.actions) == ("middle", 1, 8.0)
    assert _shares(found) == [0.0]


def test_a_method_that_is_asked_several_times_has_a_first_and_a_last_trial_each_time() -> None:
    tally = TrialTally()
    tally.add("cake", [_row("2", 1, 10), _row("2", 2, 4, 1.0), _row("5", 1, 6)])
    trials = tally.counted()
    assert trials is not None
    assert (trials.episodes, trials.requests, trials.trials) == (1, 2, 3)
    assert trials.means == TrialMeans(trials=3.0, actions=20 / 3, first_actions=8.0, last_actions=5.0, revisions=None)


def _row(solve: str, number: int, actions: int, reward: float = 0.0) -> TrialRow:
    return TrialRow(1, solve, "", number, actions, reward, 0, 0)


@given(st.dictionaries(st.sampled_from("abcd"), st.lists(st.lists(st.booleans(), min_size=1, max_size=5), max_size=3)))
def test_success_never_falls_from_trial_to_trial(episodes: dict[str, list[list[bool]]]) -> None:
    tally = TrialTally()
    for task, each in episodes.items():
        for trials in each:
            tally.add(task, [_row("", number, 1, float(won)) for number, won in enumerate(trials, start=1)])
    found = tally.counted()
    success = [] if found is None else found.success({task: len(each) for task, each in episodes.items()})
    shares = [share.value for share in success]
    assert shares == sorted(shares)
    assert len(shares) == max((len(trials) for each in episodes.values() for trials in each), default=0)
    if shares:
        begun = [each for each in episodes.values() if each]
        solved = sum(sum(map(any, each)) / len(each) for each in begun) / len(begun)
        assert shares[-1] == pytest.approx(solved)


def test_trials_are_written_for_programs(tmp_path: Path) -> None:
    _write(tmp_path / "run", {"beehive": Went(trials=(LOST, WON))})
    _write(tmp_path / "none", {"beehive": Went()})
    run, other = json.loads(as_json(load_report([tmp_path / "run", tmp_path / "none"])))["runs"]
    success = run["trials"].pop("success_by_trial")
    assert [share["value"] for share in success] == [0.0, 1.0]
    actions = {"actions_per_trial": 14.5, "actions_in_first_trial": 20.0, "actions_in_last_trial": 9.0}
    plans = {"plan_revisions_per_episode": 1.0, "steps_per_plan": {"4": 1, "6": 1}}
    assert run["trials"] == {"method": None, "episodes": 1, "trials": 2, **actions, **plans}
    assert other["trials"] is None
