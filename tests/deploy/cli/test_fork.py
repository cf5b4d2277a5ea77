"""The command `fork`, and what other commands make of a fork."""

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.testing.content import Content, content_of
from tests.command import command, printed, refused
from tests.deploy.forks.forked import calls, copied, records
from tests.deploy.launch.test_evaluation import KILLED

pytestmark = pytest.mark.real_time

TASKS = "beehive,torch,lantern"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "run"
    command("eval", "react", "textcraft", "--tasks", TASKS, "--out", folder, code=0)
    return folder


@pytest.fixture(scope="module")
def fork(run: Path) -> Path:
    """Two continuations of each episode that was not solved."""
    folder = run.parent / "fork"
    changed = ("--act", "inventory", "--times", 2, "--where", "unsolved")
    command("fork", run, "--at", "step:3", *changed, "--out", folder, code=0)
    return folder


def content(folder: Path) -> Content:
    reader = RunFolder.open_to_read(folder).read_journal()
    assert reader is not None
    with closing(reader):
        return content_of(reader.records())


def unsolved(run: Path) -> list[str]:
    with closing(sqlite3.connect(run / "journal.sqlite")) as journal:
        found = journal.execute("SELECT path FROM episodes WHERE success = 0 ORDER BY id").fetchall()
    return [path for (path,) in found]


def test_the_report_says_where_it_comes_from_and_how_each_recorded_episode_went(run: Path, fork: Path) -> None:
    first, *lines = printed("report", fork).splitlines()
    assert first == f"goes on from {run} at step:3: act 'inventory', other draws"
    number = len(unsolved(run))
    assert number > 1
    assert f"{2 * number} continuations" in lines[0]
    for path in unsolved(run):
        (line,) = (line for line in lines if line.startswith(path))
        assert line.removeprefix(path).split()[1:3] == ["0.0", "2"]
    assert f"{number} places" in "\n".join(lines)
    assert f"{3 * 2 * number} calls before the places came from the recorded run" in "\n".join(lines)


def test_the_report_counts_live_calls_alone(fork: Path) -> None:
    (found,) = json.loads(printed("report", fork, "--json"))["runs"]
    reader = RunFolder.open_to_read(fork)
    made = [records(reader, EpisodePath(path)) for path in _episodes(fork)]
    assert found["calls"] == sum(len(calls(each)) - len(calls(copied(each))) for each in made)
    assert found["fork"]["calls_copied"] == sum(len(calls(copied(each))) for each in made)
    assert [place["continuations"] for place in found["fork"]["places"]] == [2] * (len(made) // 2)


def _episodes(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal:
        return [path for (path,) in journal.execute("SELECT path FROM episodes")]


def test_a_conversation_is_marked_where_it_goes_on_live(run: Path, fork: Path) -> None:
    task = unsolved(run)[0].split("/")[0]
    shown = printed("show", fork, f"{task}/1/0").splitlines()
    assert shown[0].endswith(f"goes on from {task}/0/0 of {run}")
    stripped = [line.strip() for line in shown]
    before, after = stripped.index("--- copied from the recorded episode:"), stripped.index("--- live from here:")
    assert [line[:3] for line in stripped[before:after] if line.startswith("[")] == ["[1]", "[2]", "[3]"]
    assert stripped[after - 1] == "Action: inventory"
    assert not any(line.startswith("---") for line in printed("show", run, task).splitlines())


def test_a_fork_is_compared_with_its_origin_episode_by_episode(run: Path, fork: Path) -> None:
    said = printed("compare", run, fork)
    assert said.startswith(f"fork goes on from {run} at step:3: act 'inventory', other draws")
    paired = [line.split()[3] for line in said.splitlines() if line.startswith("fork - run  ")]
    assert {*paired} == {str(len(unsolved(run)))}
    (both,) = json.loads(printed("compare", run, fork, "--json"))["differences"][:1]
    assert both["tasks"] == len(unsolved(run))


def test_two_forks_are_compared_continuation_by_continuation_and_others_refused(run: Path, fork: Path) -> None:
    control, other = run.parent / "control", run.parent / "other"
    which = ("--times", 2, "--where", "unsolved", "--out")
    command("fork", run, "--at", "step:3", *which, control, code=0)
    assert f"\nfork - control  {len(unsolved(run))} " in printed("compare", control, fork)
    command("eval", "react", "textcraft", "--tasks", TASKS, "--seed", 1, "--out", other, code=0)
    assert f"fork: expected a run of its own, as in {other}, got {run}" in refused("compare", other, fork)
    again = run.parent / "again"
    command("fork", fork, "--at", "start", "--out", again, code=0)
    assert f"got {fork}" in refused("compare", run, again)


def test_other_commands_take_a_fork(run: Path, fork: Path, tmp_path: Path) -> None:
    number = 2 * len(unsolved(run))
    assert f"{number}/{number}" in printed("ls", fork.parent)
    assert f"{number} of {number} done" in printed("show", fork)
    printed("export", fork, "--parquet", tmp_path / "parquet", "--inspect", tmp_path / "logs")
    printed("view", fork, "--static", tmp_path / "page.html")
    assert f"nothing to resume: all {number} episodes ended" in command("resume", fork, code=0).err
    assert len(printed("report", fork, "--csv").splitlines()) == 1 + number


def test_episodes_with_fewer_continuations_than_others_are_listed_once_each(run: Path, tmp_path: Path) -> None:
    command("fork", run, "beehive", "--at", "step:2", "--times", 2, "--out", tmp_path / "one", code=0)
    again = ("fork", tmp_path / "one", "--at", "step:3", "--out", tmp_path / "two")
    command(*again, code=0)
    (found,) = json.loads(printed("report", tmp_path / "two", "--json"))["runs"]
    assert [(each["task"], each["epoch"]) for each in found["episodes"]] == [("beehive", 0), ("beehive", 1)]
    assert [place["episode"] for place in found["fork"]["places"]] == ["beehive/0/0", "beehive/1/0"]


@pytest.mark.parametrize("lives", [30, pytest.param(60, marks=pytest.mark.slow)])
def test_a_killed_fork_goes_on_asks_nothing_twice_and_ends_as_undisturbed(
    run: Path, tmp_path: Path, lives: int
) -> None:
    arguments = ["fork", run, "--at", "step:3", "--times", 2, "--out"]
    command(*arguments, tmp_path / "whole", code=0)
    script = [sys.executable, "-c", KILLED, str(lives), *map(str, arguments), str(tmp_path / "killed")]
    killed = subprocess.run(script, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    whole = content(tmp_path / "whole")
    left = content(tmp_path / "killed")
    assert len(left) < len(whole)
    command("resume", tmp_path / "killed", code=0)
    assert content(tmp_path / "killed") == whole
    with closing(sqlite3.connect(tmp_path / "killed" / "journal.sqlite")) as journal:
        (made,) = journal.execute("SELECT count(*) FROM calls").fetchone()
        (counted,) = journal.execute("SELECT sum(calls) FROM episodes").fetchone()
        (live,) = journal.execute("SELECT count(*) FROM calls WHERE incarnation > 0").fetchone()
    assert (made, counted) == (sum(kind == "call_made" for _, kind in whole), live)


def test_a_dry_run_shows_what_would_go_on_and_makes_nothing(run: Path, tmp_path: Path) -> None:
    said = printed("fork", run, "--at", "step:2", "--model", "sim-strong", "--out", tmp_path / "fork", "--dry-run")
    assert f"# goes on from {run} at step:2: model.name = sim-strong" in said
    assert 'model.name = "sim-strong"' in said
    assert not (tmp_path / "fork").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "step:2", "--seed", "3"], "Unknown option: --seed"),
        (["--at", "step:2", "--set", "run.seed=3"], "run.seed: expected the recorded run's"),
        (["--at", "nowhere"], "--at: expected step:N"),
        ([], "--at"),
    ],
)
def test_what_a_fork_cannot_take_is_refused(run: Path, words: list[str], said: str) -> None:
    assert said in refused("fork", run, *words)


def test_a_study_is_refused_with_its_arms(tmp_path: Path) -> None:
    command("compare", "react", "standard", "textcraft", "--tasks", 1, "--no-picture", "--out", tmp_path / "s", code=0)
    assert "expected a run folder, such as that of an arm, got a study" in refused(
        "fork", tmp_path / "s", "--at", "start"
    )
