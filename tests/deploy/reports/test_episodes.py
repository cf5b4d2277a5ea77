"""One row per task and epoch."""

import csv
import io
import json
from pathlib import Path

import pytest

from quintet.cli.show import show_command
from quintet.launch.writable_run import WritableRun
from quintet.quota.cost import NOTHING, Cost
from quintet.reports.episodes import RunResults, results
from quintet.reports.exports import as_csv, as_json
from quintet.reports.load import load_report
from quintet.reports.notes import notes
from quintet.reports.rows import Repeats
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went


def _results(path: Path, went: dict[str, Went], *tasks: str, epochs: int = 1) -> RunResults:
    record = samples.record("react", tasks or tuple(went), run={"epochs": epochs})
    return results(RunFolder.open_to_read(samples.write(path, record, went)))


def test_an_ended_episode_has_all_fields_in_its_row_and_success_is_by_reward(tmp_path: Path) -> None:
    went = {"beehive": Went(depth=2, calls=3), "cake": Went(reward=0.0, claimed=True), "stick": Went("faulted")}
    row, claimed, faulted = _results(tmp_path, went).rows
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
    found = _results(tmp_path / "begun", {"beehive": Went(None)}, "beehive", "stick", epochs=2)
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
