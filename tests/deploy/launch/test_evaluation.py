"""Evaluations: what is left after any interruption, repeated faults, counters, logs and visits."""

import asyncio
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate, open_run
from quintet.errors import UsageError
from quintet.events import CallMade, EpisodeEnded
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import open_evaluation, run_left
from quintet.launch.prepare import prepare_again
from quintet.launch.writable_run import WritableRun
from quintet.messages.environment import Open, Task
from quintet.messages.planning import Decompose, Decomposed, PlanStep
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.testing.content import Content, content_of
from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went

pytestmark = pytest.mark.real_time

GOALS = ["beehive", "lantern", "lectern", "purple bed"]


def content(folder: Path) -> Content:
    reader = JournalReader.open(folder / "journal.sqlite")
    found = content_of(reader.records())
    reader.close()
    return found


async def whole_run(folder: Path, **options: Any) -> None:
    async with open_run("adapt", "textcraft", tasks=GOALS, journal=folder, **options) as run:
        async for _ in run.run(run.left()):
            pass


KILLED = """
import os, signal, sys
from quintet.cli import main
from quintet.journal.writer import SqliteJournal
written, note = 0, SqliteJournal._note_committed
def note_committed(journal, records):
    global written
    note(journal, records)
    written += len(records)
    if written >= int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
SqliteJournal._note_committed = note_committed
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Content:
    """What the journal of an uninterrupted run has."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    asyncio.run(whole_run(folder))
    return content(folder)


@pytest.mark.parametrize(
    "tenth", [moment if moment == 5 else pytest.param(moment, marks=pytest.mark.slow) for moment in range(10)]
)
def test_a_real_kill_at_any_moment_resumes_to_the_uninterrupted_runs_content(
    tenth: int, whole: Content, tmp_path: Path
) -> None:
    folder = tmp_path / "killed"
    lives = 1 + tenth * len(whole) // 10
    arguments = ["eval", "adapt", "textcraft", "--tasks", ",".join(GOALS), "--out", str(folder)]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(lives), *arguments], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert lives <= len(content(folder)) < len(whole)
    command("resume", folder, code=0)
    assert content(folder) == whole


_STOPPED = (
    KILLED.replace("SIGKILL", "{first}")
    .replace(">= int", "== int")
    .replace("written += len(records)", "written += 1")
    .replace("sys.exit(", "{more}\nsys.exit(")
)
_AGAIN = """
from quintet.cli import signals
from quintet.runtime.local import LocalRuntime
signals._MOMENT = 0.0
async def leave(*_):
    os.kill(os.getpid(), signal.{second})
LocalRuntime.__aexit__ = leave
"""


def _run_and_stop(folder: Path, script: str) -> "subprocess.CompletedProcess[str]":
    arguments = ["eval", "adapt", "textcraft", "--tasks", "12", "--out", str(folder)]
    called = [sys.executable, "-c", script, "20", *arguments]
    return subprocess.run(called, capture_output=True, text=True, check=False)


def _finish(folder: Path) -> None:
    with WritableRun.open(folder) as run:
        counters = RunCounters()
        assert asyncio.run(run_left(run, counters)) == "done"
        assert counters.done == counters.total == 12


@pytest.mark.parametrize("first", [pytest.param("SIGINT", marks=pytest.mark.slow), "SIGTERM"])
def test_a_signal_stops_cleanly_says_how_to_resume_and_exits_with_130(first: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = _run_and_stop(folder, _STOPPED.format(first=first, more=""))
    assert done.returncode == 130, done.stderr
    assert f"quintet resume {folder}" in done.stderr
    assert "Traceback" not in done.stderr
    _finish(folder)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SIGTERM", "SIGINT"),
        pytest.param("SIGINT", "SIGINT", marks=pytest.mark.slow),
        pytest.param("SIGTERM", "SIGTERM", marks=pytest.mark.slow),
    ],
)
def test_a_second_signal_ends_the_process_at_once_and_the_run_resumes(first: str, second: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = _run_and_stop(folder, _STOPPED.format(first=first, more=_AGAIN.format(second=second)))
    assert done.returncode == -signal.Signals[second]
    assert "Traceback" not in done.stderr
    _finish(folder)


def test_an_interrupted_notebook_cell_stops_its_evaluation(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    cell = _STOPPED.format(first="SIGINT", more="").replace(
        "sys.exit(main(sys.argv[2:]))",
        "from quintet.api import evaluate\nimport asyncio\n"
        "async def cell():\n    evaluate('adapt', 'textcraft', journal=sys.argv[2])\n"
        "asyncio.new_event_loop().run_until_complete(cell())",
    )
    called = [sys.executable, "-c", cell, "20", str(folder)]
    done = subprocess.run(called, capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt" in done.stderr
    assert len(content(folder)) > 0
    assert sum(isinstance(event, EpisodeEnded) for event in content(folder).values()) < 100


def script(folder: Path, *completions: str) -> dict[str, Any]:
    file = folder / "script.json"
    file.write_text(str(list(completions)).replace("'", '"'))
    return {"model": {"script": str(file)}}


def test_faulted_episodes_are_repeated_as_a_new_attempt_when_asked(tmp_path: Path) -> None:
    out = tmp_path / "run"
    asyncio.run(whole_run(out, model="scripted", settings=script(tmp_path, "Action: inventory")))
    with WritableRun.open(out) as run:
        counters = RunCounters()
        assert asyncio.run(run_left(run, counters)) == "faulted"
        made = counters.cost.calls  # in the first start
        script(tmp_path, *["Action: inventory"] * 2, "Action: task failed")

        async def again() -> list[str]:
            async with open_evaluation(run) as evaluation:
                assert evaluation.left() == []
                return [episode.path for episode in evaluation.left(retry_faulted=True)]

        assert asyncio.run(again()) == [f"{goal}/0/1" for goal in GOALS]
        asyncio.run(run_left(run, counters := RunCounters(), retry_faulted=True))
        assert counters.cost.calls > made
    ends = [event for event in content(out).values() if isinstance(event, EpisodeEnded)]
    assert {end.path.rpartition("/")[2] for end in ends} == {"0", "1"}


def test_an_interrupted_episode_is_left_as_its_next_attempt_and_is_not_done(tmp_path: Path) -> None:
    out = samples.write(tmp_path / "run", samples.record("react", ("beehive", "cake")), {"cake": Went("interrupted")})
    with WritableRun.open(out) as run:

        async def left() -> list[tuple[str, bool]]:
            async with open_evaluation(run, counters := RunCounters()) as evaluation:
                assert (counters.done, counters.solved) == (0, 0)
                return [(episode.path, episode.after_reset) for episode in evaluation.left()]

        assert asyncio.run(left()) == [("beehive/0/0", False), ("cake/0/1", True)]
    with closing(JournalReader.open(run.journal)) as reader:
        episodes, _ = reader.totals(0)
    assert (episodes.begun, episodes.ended, episodes.solved, episodes.faulted) == (1, 0, 0, 0)


async def test_after_the_end_nothing_is_left_the_counters_are_the_journals_and_the_log_has_no_line_of_an_episode(
    tmp_path: Path,
) -> None:
    out = tmp_path / "run"
    await whole_run(out)
    calls = [event for event in content(out).values() if isinstance(event, CallMade)]
    used = [call.completion.usage for call in calls]
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in used)
    with WritableRun.open(out) as run:
        counters = RunCounters()
        assert await run_left(run, counters) == "done"
        assert (counters.done, counters.cost.calls, counters.cost.tokens) == (len(GOALS), len(calls), tokens)
    prepared = prepare_again(RunFolder.open_to_read(out).record, {}, out)

    async with open_evaluation(prepared, counters := RunCounters()) as evaluation:
        async for _ in evaluation.run(evaluation.left()):
            pass
    assert (counters.done, counters.cost.calls, counters.cost.tokens) == (len(GOALS), len(calls), tokens)
    assert counters.running == {}
    log = (out / "logs" / "driver.log").read_text()
    assert [line.partition(": ")[2] for line in log.splitlines()] == ["starts; left to run: 0"]


async def test_a_visit_asks_single_roles_and_leaves_no_session() -> None:
    async with open_run("adapt", "textcraft", model="sim-strong", tasks=1) as run, run.visit() as roles:
        setting = "Crafting commands:\ncraft 4 stick using 2 bamboo"
        plan = await roles.ask(Decompose(setting=setting, goal="craft stick"))
    # The stand-in knows no way where there is no session.
    assert plan == Decomposed(plan=PlanStep(number=1, text="craft stick"))


async def test_the_synchronous_facade_works_where_a_loop_already_runs_into_a_folder_that_is_text(
    tmp_path: Path,
) -> None:
    ends = evaluate("react", "textcraft", model="sim-strong", tasks=2, journal=str(tmp_path / "run"))
    assert [end.reward for end in ends] == [1.0, 1.0]
    assert (tmp_path / "run" / "run.json").is_file()
    with pytest.raises(UsageError, match=r"settings: expected a mapping by section, got \[1\] \(open_run\)"):
        evaluate("react", "textcraft", settings=[1])  # type: ignore[arg-type]


def test_a_method_is_named_with_its_inner_ones_and_their_calls_are_counted_apart(tmp_path: Path) -> None:
    name = "adapt(plan_execute):max_depth=1,inner.inner.max_steps=6"
    (end,) = evaluate(name, "textcraft", tasks=["stick"], journal=tmp_path)
    assert end.state == "solved"
    folder = RunFolder.open_to_read(tmp_path)
    assert (folder.record.method, folder.record.budget) == ("adapt(plan_execute)", "1 x 6 a step")
    reader = folder.read_journal()
    assert reader is not None
    with closing(reader):
        phases = {event.event.phase for event in reader.records() if isinstance(event.event, CallMade)}
    assert phases == {"plan_execute/decompose", "react/execute"}


def test_an_evaluation_that_was_left_refuses_further_use() -> None:
    async def left() -> None:
        async with open_run("react", "textcraft", tasks=1) as run:
            pass
        run.left()

    with pytest.raises(UsageError, match="closed"):
        asyncio.run(left())


async def test_a_visit_to_a_run_that_learns_leaves_nothing_to_go_on_with() -> None:
    settings = {"run": {"learn": True}, "learning": {"tasks": 1, "batch": 1, "eval_every": 0}}
    settings["method"] = {"max_steps": 1}
    async with open_run("autoplan", "textcraft", tasks=1, settings=settings) as run:
        async for _ in run.run(run.left()):
            pass
        async with run.visit() as roles:
            await roles.ask(Open(task=Task(name="stick", seed=0)))
        assert [planned.path for planned in run.left(retry_faulted=True)] == []
