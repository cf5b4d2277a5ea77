"""Summaries of a run: its intervals, one row per task and epoch, and the trials that count."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from quintet.cli.show import show_command
from quintet.journal.episode_rows import TrialRow
from quintet.launch.writable_run import WritableRun
from quintet.quota.cost import NOTHING, Cost
from quintet.reports.episodes import RunResults, results
from quintet.reports.exports import as_csv, as_json
from quintet.reports.intervals import chance_of_all, difference, mean, rate
from quintet.reports.load import load_report
from quintet.reports.notes import notes
from quintet.reports.rows import Repeats
from quintet.reports.summary import Claims, differences, summarise
from quintet.reports.trials import RunTrials, TrialMeans, TrialTally
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


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_rates_interval_is_wilsons(case: tuple[int, int]) -> None:
    successes, of = case
    theirs = binomtest(successes, of).proportion_ci(method="wilson")
    ours = rate([1.0] * successes + [0.0] * (of - successes))
    assert ours[:3] == pytest.approx((successes / of, float(theirs.low), float(theirs.high)), abs=1e-12)


@pytest.mark.parametrize(
    ("both", "only_ours", "only_theirs", "neither", "low", "high"),
    [(36, 12, 2, 0, 0.0569, 0.3404), (36, 14, 0, 0, 0.1528, 0.4167)],
)
def test_a_difference_has_newcombes_interval(
    both: int, only_ours: int, only_theirs: int, neither: int, low: float, high: float
) -> None:
    pairs = [(True, True)] * both + [(True, False)] * only_ours + [(False, True)] * only_theirs
    pairs += [(False, False)] * neither
    found = difference([[pair] for pair in pairs])
    assert found.value == pytest.approx((only_ours - only_theirs) / len(pairs))
    assert difference([[pair] * 3 for pair in pairs]) == pytest.approx(found), "a task's epochs are one observation"
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=4), min_size=1, max_size=30))
def test_a_difference_lies_in_its_interval_and_turns_around_with_its_arms(pairs: list[list[tuple[bool, bool]]]) -> None:
    there, back = difference(pairs), difference([[(its, mine) for mine, its in found] for found in pairs])
    assert -1 - 1e-9 <= there.low <= there.value <= there.high <= 1 + 1e-9
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low), abs=1e-9)


def test_arms_that_agree_on_few_tasks_are_not_certain_to_be_equal() -> None:
    found = difference([[(False, False)]] * 11)
    assert found.low < -0.2
    assert found.high > 0.2
    with pytest.raises(ValueError, match="expected at least one pair of each task"):
        difference([[(True, True)], []])


def test_arms_that_agree_in_every_epoch_differ_less_than_those_that_agree_by_chance() -> None:
    agree = difference([[(True, True), (False, False)]] * 20)
    chance = difference([[(True, True), (False, False), (True, False), (False, True)]] * 20)
    assert agree.value == chance.value == 0
    assert agree.high - agree.low < (chance.high - chance.low) / 2


@pytest.mark.parametrize("of", [rate, mean])
def test_a_rate_or_a_mean_without_tasks_is_an_error(of: Callable[[list[float]], object]) -> None:
    with pytest.raises(ValueError, match="expected at least one task"):
        of([])


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=40))
def test_a_means_interval_is_students(values: list[float]) -> None:
    found = mean(values)
    low, high = t.interval(0.95, len(values) - 1, fmean(values), stdev(values) / len(values) ** 0.5 or 1e-300)
    assert found.interval == pytest.approx((max(0.0, float(low)), float(high)), rel=1e-6, abs=1e-6)


def test_a_mean_of_one_task_or_without_scipy_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        return None

    assert mean([3.0]) == (3.0, None)
    monkeypatch.setattr("quintet.reports.intervals.find_spec", nothing)
    assert mean([1.0, 3.0]) == (2.0, None)


def _rows(path: Path, went: dict[str, Went], *tasks: str, epochs: int = 1) -> RunResults:
    record = samples.record("react", tasks or tuple(went), run={"epochs": epochs})
    return results(RunFolder.open_to_read(samples.write(path, record, went)))


def test_an_ended_episode_has_all_fields_in_its_row_and_success_is_by_reward(tmp_path: Path) -> None:
    went = {"beehive": Went(depth=2, calls=3), "cake": Went(reward=0.0, claimed=True), "stick": Went("faulted")}
    row, claimed, faulted = _rows(tmp_path, went).rows
    assert (row.path, row.state, row.success, row.claimed, row.depth) == ("beehive/0/0", "solved", True, True, 2)
    assert (row.cost, row.seconds, row.metadata) == (Cost(3, 300, 30, None), 1.5, {"recipe depth": "2"})
    assert (claimed.state, claimed.success) == ("solved", False)
    assert (faulted.state, faulted.reason, faulted.ended, faulted.success) == (
        "faulted",
        "WorldFault: it broke",
        False,
        False,
    )


def test_what_has_not_ended_or_begun_has_a_row_in_every_epoch(tmp_path: Path) -> None:
    found = _rows(tmp_path / "begun", {"beehive": Went(None)}, "beehive", "stick", epochs=2)
    states = [(row.epoch, row.task, row.state, row.seconds) for row in found.rows]
    waiting = [(epoch, task, "not begun", None) for epoch in (0, 1) for task in ("beehive", "stick")]
    assert states == [(0, "beehive", "unfinished", None), *waiting[1:]]
    assert not found.finished
    with WritableRun.create(tmp_path / "new", samples.record()) as folder:
        new = results(folder)
    assert ([row.state for row in new.rows], new.cost) == (["not begun"], NOTHING)


def test_the_last_attempt_counts_and_the_spending_of_all_stays(tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.record(), {"beehive": Went("faulted", calls=2)})
    folder = RunFolder.open_to_read(path)
    samples.journal(folder, {"beehive": Went(calls=1)}, attempt=1)
    found = results(folder)
    assert [(row.path, row.state, row.cost.calls) for row in found.rows] == [("beehive/0/1", "solved", 1)]
    assert found.cost.calls == 3
    assert found.finished


def test_an_attempt_that_was_interrupted_has_no_result_and_is_counted_apart(tmp_path: Path) -> None:
    record = samples.record("react", ("beehive", "cake"))
    path = samples.write(tmp_path / "run", record, {"beehive": Went("interrupted", calls=2), "cake": Went()})
    folder = RunFolder.open_to_read(path)
    before = results(folder)
    assert (before.finished, before.count("interrupted"), before.interrupted) == (False, 1, 1)
    (beehive, _) = before.rows
    assert (beehive.state, beehive.ended, beehive.success) == ("interrupted", False, False)
    samples.journal(folder, {"beehive": Went(calls=1)}, attempt=1)
    after = results(folder)
    assert (after.finished, after.count("interrupted"), after.interrupted) == (True, 0, 1)
    assert (after.cost.calls, after.counted.calls) == (4, 2)
    assert after.repeats.times == 0
    found = load_report([path])
    said = "react: 1 interrupted attempt, not counted; each episode began again, since the environment does not answer"
    assert any(note.startswith(said) for note in notes(found))
    content = json.loads(as_json(found))["runs"][0]
    assert (content["interrupted"], content["ended"], content["unfinished"]) == (1, 2, 0)


def test_repeats_by_hand_are_counted_and_the_results_that_they_discarded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = samples.write(
        tmp_path / "run", samples.record("react", ("beehive", "cake")), {"beehive": Went(), "cake": Went()}
    )
    folder = RunFolder.open_to_read(path)
    samples.requeue(folder, "beehive/0/1")
    samples.journal(folder, {"beehive": Went("faulted")}, attempt=1)
    samples.requeue(folder, "beehive/0/2")
    samples.journal(folder, {"beehive": Went("unsolved", 0.0)}, attempt=2)
    samples.journal(folder, {"beehive": Went()}, attempt=3)  # after a fault, without an operator
    beehive, cake = results(folder).rows
    assert (beehive.attempt, beehive.repeats, cake.repeats) == (3, Repeats(times=2, discarded=1), Repeats())
    found = load_report([path])
    assert (
        "react: 2 repeats by hand (quintet ctl requeue): beehive/0/1, beehive/0/2, 1 result discarded; "
        "the newest attempt counts"
    ) in notes(found)
    [row, _] = json.loads(as_json(found))["runs"][0]["episodes"]
    assert (row["repeats_by_hand"], row["discarded_results"]) == (2, 1)
    line = next(csv.DictReader(io.StringIO(as_csv(found))))
    assert (line["repeats_by_hand"], line["discarded_results"]) == ("2", "1")
    capsys.readouterr()
    show_command(path)
    (listed,) = (each for each in capsys.readouterr().out.splitlines() if "beehive/0/3" in each)
    assert "solved (repeated by hand 2 times)" in listed


WON = {"actions": 9, "reward": 1.0, "steps": 4, "revised": True}
NEVER_ENDED = {"actions": 20, "reward": 0.5, "steps": 6}


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
        "beehive": Went(trials=(NEVER_ENDED, WON)),
        "cake": Went(trials=(WON,)),
        "stick": Went("unsolved", 0.5, trials=(NEVER_ENDED, NEVER_ENDED, NEVER_ENDED)),
        "torch": Went("unsolved", 0.0),  # cut short in its first trial
    }
    found = _read(_write(tmp_path / "run", went))
    assert _shares(found) == [0.25, 0.5, 0.5]
    assert _trials(found).means == TrialMeans(
        trials=2.0, actions=(4 * 20 + 2 * 9) / 6, first_actions=49 / 3, last_actions=38 / 3, revisions=2 / 3
    )
    assert _trials(found).plan_steps == {6: 4, 4: 2}


def test_trials_of_episodes_without_a_result_and_of_older_attempts_do_not_count(tmp_path: Path) -> None:
    went = {
        "beehive": Went("faulted", trials=(NEVER_ENDED, WON)),
        "cake": Went(None, trials=(NEVER_ENDED,)),
        "stick": Went(),
    }
    path = _write(tmp_path / "run", went)
    found = _read(path)
    assert (found.trials, found.success_by_trial) == (None, [])
    samples.journal(RunFolder.open_to_read(path), {"beehive": Went(trials=(NEVER_ENDED, WON))}, attempt=1)
    found = _read(path)
    assert _shares(found) == [0.0, 0.5]


def test_a_tasks_epochs_are_one_share(tmp_path: Path) -> None:
    path = _write(tmp_path / "run", {"beehive": Went(trials=(WON,)), "cake": Went(trials=(WON,))}, epochs=2)
    again = {"beehive": Went("unsolved", 0.5, trials=(NEVER_ENDED,)), "cake": Went(trials=(NEVER_ENDED, WON))}
    samples.journal(RunFolder.open_to_read(path), again, epoch=1)
    assert _shares(_read(path)) == [0.5, 0.75]


@pytest.mark.parametrize(
    ("succeeded", "trials", "k", "chance"),
    [(4, 4, 4, 1.0), (3, 4, 1, 3 / 4), (3, 4, 2, 1 / 2), (3, 4, 3, 1 / 4), (3, 4, 4, 0.0), (5, 8, 3, 10 / 56)],
)
def test_the_chance_that_all_succeed_is_the_share_of_the_choices_that_did(
    succeeded: int, trials: int, k: int, chance: float
) -> None:
    assert chance_of_all(succeeded, trials, k) == pytest.approx(chance)


@pytest.mark.parametrize("k", [0, 5])
def test_more_trials_than_there_were_have_no_estimate(k: int) -> None:
    with pytest.raises(ValueError, match=f"k: expected within 1 and 4, got {k}"):
        chance_of_all(3, 4, k)


def test_a_run_with_several_epochs_says_how_often_all_of_k_succeed(tmp_path: Path) -> None:
    path = _write(tmp_path / "run", {"beehive": Went(), "cake": Went(), "stick": Went()}, epochs=3)
    for epoch, went in enumerate(({"beehive": Went(), "cake": LOST}, {"beehive": Went(), "cake": Went()}), 1):
        samples.journal(RunFolder.open_to_read(path), went, epoch=epoch)
    found = summarise(_read(path)).all_of
    assert {k: tasks for k, (_, tasks) in found.items()} == {1: 3, 2: 2, 3: 2}
    chances = {k: mean.value for k, (mean, _) in found.items() if mean is not None}
    assert chances == pytest.approx({1: (1 + 2 / 3 + 1) / 3, 2: (1 + 1 / 3) / 2, 3: (1 + 0) / 2})
    (run,) = json.loads(as_json(load_report([path])))["runs"]
    assert run["all_of"]["3"]["mean"]["value"] == 0.5
    assert summarise(_read(_write(tmp_path / "once", {"cake": Went()}))).all_of == {}


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
    _write(tmp_path / "run", {"beehive": Went(trials=(NEVER_ENDED, WON))})
    _write(tmp_path / "none", {"beehive": Went()})
    run, other = json.loads(as_json(load_report([tmp_path / "run", tmp_path / "none"])))["runs"]
    success = run["trials"].pop("success_by_trial")
    assert [share["value"] for share in success] == [0.0, 1.0]
    actions = {"actions_per_trial": 14.5, "actions_in_first_trial": 20.0, "actions_in_last_trial": 9.0}
    plans = {"plan_revisions_per_episode": 1.0, "steps_per_plan": {"4": 1, "6": 1}}
    assert run["trials"] == {"method": None, "episodes": 1, "trials": 2, **actions, **plans}
    assert other["trials"] is None
