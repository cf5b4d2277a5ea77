"""Success along a stream: its blocks, its curve, how stale windows are, and what is said of verdicts."""

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.config.tasks import TaskEntry
from quintet.events import Event, Exchanged, Record
from quintet.learned.iterations import PlanIteration, read_iterations
from quintet.messages.message import Unanswered
from quintet.messages.paths import LEARNER, child
from quintet.messages.reflection import AttemptJudged
from quintet.reports.exports import as_json
from quintet.reports.intervals import rate
from quintet.reports.learning.lessons import failures
from quintet.reports.learning.tables import version_table
from quintet.reports.load import Report, load_report
from quintet.reports.notes import notes, title
from quintet.reports.rows import TaskResult
from quintet.reports.stream import blocks, cumulative, stale_tasks, stream_tables, success_at
from tests.deploy import learning_runs
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went


def _stream(*went: bool | None, names: Sequence[str] = "abcdefgh") -> list[TaskResult]:
    """Tasks of a stream, by whether each succeeded; None: it has not ended."""
    return [
        TaskResult(TaskEntry(name=name, metadata={}), {} if success is None else {0: float(success)})
        for name, success in zip(names, went, strict=False)
    ]


@given(st.integers(1, 2_000))
def test_blocks_are_the_whole_stream_in_at_most_eight_columns(tasks: int) -> None:
    found = list(blocks(tasks))
    assert [place for each in found for place in each] == list(range(tasks))
    assert len(found) <= 8
    assert {len(each) for each in found[:-1]} <= {max(4, -(-tasks // 8))}


def test_success_at_places_is_of_the_tasks_that_ended_there() -> None:
    stream = [_stream(True, False, None, True)]
    assert success_at(stream, range(2))[:3] == rate([1.0, 0.0])[:3]  # type: ignore[index]
    assert success_at(stream, range(2, 3)) is None
    assert success_at(stream, range(4))[:3] == rate([1.0, 0.0, 1.0])[:3]  # type: ignore[index]


def test_a_curve_ends_where_the_last_task_ended_and_has_at_most_a_hundred_points() -> None:
    assert list(cumulative([_stream(True, None, False, None)])) == [1, 2, 3]
    long = [_stream(*[True] * 1_000, names=[str(number) for number in range(1_000)])]
    found = cumulative(long)
    assert (len(found), max(found)) == (100, 1_000)


def test_a_task_that_several_orders_have_counts_once() -> None:
    orders = [_stream(True, False), _stream(False, True, names="ba")]
    assert success_at(orders, range(1))[:3] == rate([1.0, 0.0])[:3]  # type: ignore[index]
    assert success_at(orders, range(2))[:3] == rate([1.0, 0.0])[:3]  # type: ignore[index]
    (table,) = stream_tables({"both": orders, "one": [_stream(True, None)], "none": []})
    assert table.columns == ("", "orders", "tasks 1-2")
    assert [row[:2] for row in table.rows] == [("both", "2"), ("both, so far", "2"), ("one", "1"), ("one, so far", "1")]
    assert table.rows[2][2].endswith(" of 1"), "not all tasks of a block have ended"
    assert stream_tables({"none": []}) == []


def _run(path: Path, *batches: dict[str, Went], chosen: int | None = None) -> Report:
    record = learning_runs.record((), run={"stream": True}, learning={"batch": 1})
    steps = [Step(batch, "A plan." * number) for number, batch in enumerate(batches, 1)]
    return load_report([learning_runs.write(path, record, steps, chosen=chosen)])


def test_a_stream_is_judged_by_its_tasks_with_whichever_version_each_was_played(tmp_path: Path) -> None:
    report = _run(tmp_path, {"beehive": LOST}, {"cake": Went()}, chosen=2)
    (run,) = report.runs
    assert [(row.task, row.epoch, row.success) for row in run.results.rows] == [
        ("beehive", 0, False),
        ("cake", 1, True),
    ]
    assert run.summary.overall.success == rate([0.0, 1.0])
    assert run.results.ended == "done"
    learning = run.results.learning
    assert learning is not None
    assert learning.judging_version is None
    assert (learning.instances, learning.measuring.calls) == (2, 0)
    assert learning.inference.calls > 0
    assert version_table(learning).columns == ("version", "plan", "batch solved")
    assert "2 named tasks, as a stream, seed 0" in title(report)
    assert stale_tasks(learning) == 0
    assert json.loads(as_json(report))["runs"][0]["stream"]["blocks"][0]["last"] == 2


def test_a_stream_that_goes_on_shows_what_has_ended(tmp_path: Path) -> None:
    (run,) = _run(tmp_path, {"beehive": Went()}).runs
    assert [row.state for row in run.results.rows] == ["solved", "not begun"]
    assert run.results.ended == "interrupted"


def test_tasks_side_by_side_lack_what_the_others_teach(tmp_path: Path) -> None:
    report = _run(tmp_path, {"beehive": Went(), "cake": Went()}, chosen=1)
    assert any("each lacked the lessons of 0.5 tasks before it" in note for note in notes(report))


@pytest.mark.parametrize("kind", ["plan", "notebook"])
def test_verdicts_are_counted_and_an_attempt_without_one_is_named(kind: str, tmp_path: Path) -> None:
    replies = {"beehive": AttemptJudged(succeeded=True), "cake": Unanswered(reason="neither yes nor no")}
    events: list[Event] = [
        Exchanged(
            path=child(LEARNER, place), request="judge_attempt", subject=task, reply=msgspec.json.encode(reply).decode()
        )
        for place, (task, reply) in enumerate(replies.items(), 1)
    ]
    records = [Record(event=event, incarnation=1, seconds=0.0) for event in events]  # type: ignore[arg-type]
    found = read_iterations(kind, records, tmp_path)[0]  # type: ignore[arg-type]
    assert isinstance(found, PlanIteration) == (kind == "plan")
    assert (found.verdicts, found.unjudged) == ({"beehive": True}, {"cake": "neither yes nor no"})
    assert list(failures(found)) == ["no verdict on cake, not learnt from: neither yes nor no"]
