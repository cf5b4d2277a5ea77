"""Whole streams: in which order, with which versions, beside the same tasks without learning, and killed anywhere."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintet.api import evaluate
from quintet.errors import UsageError
from quintet.events import CallMade, Published
from quintet.runs.run_folder import RunFolder
from quintet.serving import latency
from quintet.serving.models import served_models
from quintet.testing.content import content_of
from quintet.testing.replay import left_by_kill, run_learner
from quintet.testing.stream import StreamCase, stream_cases
from tests.command import printed, refused
from tests.deploy.test_endpoint_run import kill_after, quintet
from tests.faulty.committed import committed
from tests.faulty.endpoint import serve_models

LEARNER = str(Path(__file__).parents[2] / "examples" / "insights.py") + ":Insights"
SHORT = ("--set", "method.inner.max_steps=3", "--set", "learning.window=1")
REACT = ("stream", "react", "textcraft", "--memory", LEARNER, *SHORT)


def _played(run: Path) -> list[tuple[str, int]]:
    """The tasks of a run's stream, in order, each with the version that it was played with."""
    (found,) = json.loads(printed("report", run, "--json"))["runs"]
    return [(each["task"], each["epoch"]) for each in found["episodes"]]


def test_every_task_is_played_once_with_what_was_learnt_from_those_before(tmp_path: Path) -> None:
    said = printed(*REACT, "--tasks", 5, "--out", tmp_path / "run")
    played = _played(tmp_path / "run")
    assert [version for _, version in played] == [0, 1, 2, 3, 4]
    assert [task for task, _ in played] == [task.name for task in RunFolder.open_to_read(tmp_path / "run").record.tasks]
    assert "textcraft, split test, 5 tasks, as a stream, seed 0" in said
    assert re.search(r"^insights, so far +\S+ \(.*\) +\S+ \(", said, re.MULTILINE)
    assert re.search(r"attempts were judged: \d of 5 verdicts say what the reward says", said)
    assert "side by side" not in said
    training, inference = json.loads(printed("report", tmp_path / "run", "--json"))["runs"][0]["learning"]["spent"], 5
    assert training["training"]["tasks"] == training["inference"]["tasks"] == inference
    assert training["training"]["calls"] == 2 * 5, "a verdict and a note for each task"
    assert training["measuring_other_versions"]["calls"] == 0
    (listed,) = json.loads(printed("ls", tmp_path, "--json"))
    assert listed["success"] == json.loads(printed("report", tmp_path / "run", "--json"))["runs"][0]["success"]["value"]


def test_a_window_plays_tasks_side_by_side_and_the_report_says_how_stale_they_are(tmp_path: Path) -> None:
    said = printed(*REACT, "--tasks", 5, "--window", 2, "--out", tmp_path / "run")
    assert [version for _, version in _played(tmp_path / "run")] == [0, 0, 1, 1, 2]
    assert "each lacked the lessons of 0.4 tasks before it, mean" in said


def test_an_order_is_drawn_by_its_seed_and_the_same_with_or_without_learning(tmp_path: Path) -> None:
    tasks: dict[str, list[str]] = {}
    for name, *more in (
        ("listed", "--memory", "none", "--set", "method.max_steps=3"),
        ("learns", "--memory", LEARNER, *SHORT, "--order", 1),
        ("none", "--memory", "none", "--set", "method.max_steps=3", "--order", 1),
        ("other", "--memory", "none", "--set", "method.max_steps=3", "--order", 2),
    ):
        printed("stream", "react", "textcraft", "--tasks", 6, *more, "--out", tmp_path / name)
        tasks[name] = [task for task, _ in _played(tmp_path / name)]
    assert tasks["learns"] == tasks["none"]
    assert len({tuple(each) for each in tasks.values()}) == 3
    assert {tuple(sorted(each)) for each in tasks.values()} == {tuple(sorted(tasks["listed"]))}
    said = printed("compare", tmp_path / "none", tmp_path / "learns", "--picture", tmp_path / "curve.png")
    assert re.search(r"^learns - none +6 +", said, re.MULTILINE), "paired by task"
    assert re.search(r"^none, so far +", said, re.MULTILINE)
    assert re.search(r"^learns +6 +2\.0 ", said, re.MULTILINE), "what learning cost, for each task"
    assert (tmp_path / "curve.png").stat().st_size > 0
    assert "streams are in other orders: run.order is 1 in none, 2 in other" in printed(
        "compare", tmp_path / "none", tmp_path / "other"
    )


def test_several_orders_are_a_study_whose_curve_is_pooled_by_place(tmp_path: Path) -> None:
    words = ("--tasks", 4, "--orders", 2, "--order", 5, "--out", tmp_path / "study")
    said = printed(*REACT, *words)
    assert re.search(r"^order, so far +2 ", said, re.MULTILINE)
    assert re.search(r"^order +8 +2\.0 ", said, re.MULTILINE), "what learning cost in both"
    assert (tmp_path / "study" / "stream.png").is_file()
    orders = [[task for task, _ in _played(tmp_path / "study" / "arms" / f"order-{seed}")] for seed in (5, 6)]
    assert orders[0] != orders[1]
    assert set(orders[0]) == set(orders[1])
    (content,) = json.loads(printed("report", tmp_path / "study", "--json"))["studies"].values()
    assert content["streams"]["order"]["orders"] == 2
    assert [each["tasks"] for each in content["streams"]["order"]["cumulative"]] == [1, 2, 3, 4]


def test_a_stream_begins_with_notes_that_are_there(tmp_path: Path) -> None:
    printed(*REACT, "--tasks", "beehive,cake", "--out", tmp_path / "first")
    source = f"memory.source={tmp_path / 'first'}@1"
    said = printed(*REACT, "--tasks", "stick", "--set", source, "--out", tmp_path / "second")
    assert f"begins with the notebook in {tmp_path / 'first' / 'memory.sqlite'}, version 1" in said
    assert re.search(r"^0 +1 note", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("react", "textcraft"),
            "got 'react'; --memory LEARNER learns around it (METHOD)",
        ),
        (("ldm2", "textcraft"), "which learns along a stream, got 'ldm2' (METHOD)"),
        (("--memory", LEARNER), "--memory: expected METHOD beside it, around which "),
        (
            ("react", "textcraft", "--memory", LEARNER, "--tasks", "3", "--window", "4"),
            "learning.window: expected at most 3",
        ),
        (
            ("autoplan", "textcraft", "--set", "learning.held_out=1"),
            "learning.held_out: expected 0 along a stream, whose own tasks are played once, got 1",
        ),
        (("autoplan", "textcraft", "--set", "learning.split=dev"), "learning.split: expected none along"),
        (("autoplan", "textcraft", "--set", "learning.select=best"), "learning.select: expected 'last' along"),
        (
            ("react", "textcraft", "--memory", LEARNER, "--set", "learning.rounds=2"),
            "learning.rounds: expected 1",
        ),
        (("autoplan", "textcraft", "--set", "learning.iterations=2"), "learning.iterations: expected none along"),
        (("autoplan", "textcraft", "--set", "run.epochs=2"), "run.epochs: expected 1 in a stream"),
        (("react", "textcraft", "--memory", "none", "--window", "2"), "learning.window: expected a run that learns"),
        (("react", "textcraft", "--memory", "none", "--orders", "0"), "--orders: expected 1 to 1,000, got 0"),
    ],
)
def test_what_does_not_go_along_a_stream_is_refused(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in refused("stream", *words, "--dry-run", "--out", tmp_path / "run")


def test_an_order_without_a_stream_is_refused() -> None:
    assert "run.order: expected a stream (quintet stream, or run.stream=true), got 2" in refused(
        "eval", "react", "textcraft", "--set", "run.order=2", "--dry-run"
    )


def test_a_dry_run_lists_the_tasks_in_their_order() -> None:
    said = printed(*REACT, "--tasks", "beehive,cake,stick", "--order", "0", "--dry-run")
    assert "run.stream = true" in said
    assert 'learning.feedback = "judged"' in said
    assert sorted(re.search(r"# 3 tasks, .*: (.*)", said)[1].split(", ")) == ["beehive", "cake", "stick"]  # type: ignore[index]
    assert "to learn from" not in said


def test_python_plays_a_stream_with_the_same_words(tmp_path: Path) -> None:
    settings = {"method.inner.max_steps": 2, "learning.window": 1, "learning.feedback": "reward"}
    ends = evaluate("react", "textcraft", tasks=3, stream=LEARNER, settings=settings, journal=tmp_path / "run")
    assert [end.path.rpartition("/")[0].rpartition("/")[2] for end in ends if not end.path.startswith("~")] == [*"012"]
    assert len(evaluate("react", "textcraft", tasks=2, stream="none", settings={"method.max_steps": 1})) == 2
    with pytest.raises(UsageError, match="which learns along a stream, got 'react'"):
        evaluate("react", "textcraft", stream=True)


@pytest.fixture
def insights() -> Iterator[StreamCase]:
    """The learner of the example along a stream, one step an episode."""
    (case,) = stream_cases(LEARNER, ("method.inner.max_steps=1", "learning.window=1"))
    with case.brought():
        yield case


def test_killed_after_any_event_it_resumes_to_the_same_notes_and_repeats_no_call(insights: StreamCase) -> None:
    scenario, whole = insights.scenario(), insights.whole
    expected = content_of(whole)
    assert sum(isinstance(event, Published) for event in expected.values()) == 5
    for place in range(1, len(whole)):
        resumed = run_learner(scenario, left_by_kill(whole, place))
        assert content_of(resumed) == expected, place
        calls = [record.event.path for record in resumed if isinstance(record.event, CallMade)]
        assert len(calls) == len(set(calls)), place


@pytest.mark.slow
@pytest.mark.real_time
async def test_a_killed_stream_resumes_to_the_notes_of_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    async with serve_models(served_models("sim"), latency=latency.parse_latency("10ms")) as served:
        words = [str(word) for word in (*REACT, "--tasks", 6, "--model-url", served.url)]
        assert (await quintet(*words, "--out", str(tmp_path / "whole")))[0] == 0
        asked = dict(served.counters.asked)
        done = served.counters.completions
        assert await kill_after(done + 14, served, *words, "--out", str(tmp_path / "run")) == -signal.SIGKILL
        before = committed(tmp_path / "run")
        assert 0 < len(before) < len(committed(tmp_path / "whole"))
        code, said = await quintet("resume", str(tmp_path / "run"))
        assert code == 0, said
        again = {request: times - asked.get(request, 0) for request, times in served.counters.asked.items()}
        after = committed(tmp_path / "run")
        repeated = {request for request, times in again.items() if times > after.count(request)}
        assert not repeated & set(before), "a completion that was in the journal was asked for again"
    assert _digests(tmp_path / "run") == _digests(tmp_path / "whole")


def _digests(run: Path) -> list[str]:
    return re.findall(r"[0-9a-f]{12}$", printed("memory", "show", run), re.MULTILINE)
