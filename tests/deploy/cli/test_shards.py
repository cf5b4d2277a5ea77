"""Commands on a run over several drivers: one shard, all of them, and one whose driver died."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from quintet.cli import shards
from quintet.cli.commands import COMMAND_LINE
from quintet.config.settings import Setting
from quintet.launch.shards import open_shard
from quintet.runs.ends import HowEnded, RunStop, write_end
from quintet.runs.folder import write_change
from quintet.runs.run_folder import RunFolder
from tests.command import command, refused
from tests.deploy.launch.sharded_runs import GOALS, begin, content, run_one_driver, run_shard

pytestmark = pytest.mark.real_time


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The run of one driver."""
    return run_one_driver(tmp_path_factory.mktemp("one") / "run")


def test_the_same_command_goes_on_with_its_shard(tmp_path: Path) -> None:
    words = ["react", "textcraft", "--tasks", "2", "--out", tmp_path / "run", "--shard", "1/2"]
    first, second = (command("eval", *words, code=0) for _ in range(2))
    assert first.out == second.out
    assert "expected a shard that is running, of none, got all" in refused("ctl", tmp_path / "run", "status")


def test_a_resume_keeps_the_division(tmp_path: Path) -> None:
    sharded = begin(tmp_path / "run")
    assert "expected I/4, as the run was begun, got 0/2" in refused("resume", sharded.path, "--shard", "0/2")
    assert "runtime.shards: expected 4, as the run was begun, got 2" in refused(
        "resume", sharded.path, "--shard", "0/4", "--set", "runtime.shards=2"
    )


def test_a_journal_is_begun_anew_in_the_folder_of_its_shard(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", 2)
    expected = "--anew: expected the folder of one shard, got a run over several drivers"
    assert expected in refused("resume", run.path, "--anew")
    assert expected in refused("resume", run.path, "--anew", "--shard", "0/2")


@pytest.mark.parametrize("shard", ["4/4", "0/1", "1", "a/2", "-1/2"])
def test_a_shard_is_a_number_below_that_of_all(shard: str, tmp_path: Path) -> None:
    words = ["eval", "react", "textcraft", "--tasks", "4", "--out", tmp_path / "run", f"--shard={shard}"]
    assert f"expected I/N with N of at least 2 and I from 0 to N - 1, got '{shard}'" in refused(*words)
    assert not (tmp_path / "run").exists()


def test_a_shard_needs_the_folder_that_all_share() -> None:
    assert "--shard: expected --out RUN" in refused("eval", "react", "textcraft", "--tasks", "4", "--shard", "0/4")


@pytest.mark.slow
def test_one_command_starts_all_drivers_and_another_goes_on_with_those_that_were_killed(
    one: RunFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    words = ["react", "textcraft", "--tasks", ",".join(GOALS), "--out", folder, "--set", "runtime.shards=4"]
    said = command("eval", *words, "--set", "run.seed=0", code=0)
    assert "4 drivers" in said.err
    assert content(RunFolder.open_to_read(folder)) == content(one)
    (folder / "shards" / "2" / "journal.sqlite").unlink()
    run = RunFolder.open_to_read(folder)
    assert "expected journal.sqlite" in command("resume", folder, code=2).err
    command("resume", run.shard_path(2), "--anew", code=0)
    assert content(run) == content(one)
    assert "0 drivers" in command("resume", folder, code=0).err


def test_why_drivers_ended_is_said_with_their_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(tmp_path / "run", 3)
    run_shard(run, 0)
    programs = ["import sys; print('eval: no'); sys.exit(2)", "import os; os.kill(os.getpid(), 9)"]

    def start(_words: object, output: IO[bytes]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-c", programs.pop(0)], stdout=output)

    monkeypatch.setattr(shards, "start_again", start)
    token = COMMAND_LINE.set(["resume", str(run.path)])
    drivers = shards.start_shards(run, repeats=False)
    COMMAND_LINE.reset(token)
    assert [*drivers] == [1, 2]
    stop = shards.wait_for_shards(run, drivers)
    assert stop == RunStop("interrupted", "shard 1: eval: no; shard 2: killed by signal 9")


class _Unwaited(subprocess.Popen[bytes]):
    """A driver without a terminal, as a shell starts one in its background; Ctrl-C comes while it is waited for."""

    interrupts = 1

    def __init__(self, output: IO[bytes]) -> None:
        program = "import signal as s; s.signal(s.SIGINT, s.SIG_IGN); s.alarm(60); s.pause()"
        super().__init__([sys.executable, "-c", program], stdout=output)

    def wait(self, timeout: float | None = None) -> int:
        if self.interrupts:
            self.interrupts = 0
            raise KeyboardInterrupt
        return super().wait(timeout)


def test_a_signal_stops_drivers_that_ignore_ctrl_c(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", 2)
    with (tmp_path / "said").open("wb") as output:
        stop = shards.wait_for_shards(run, {1: _Unwaited(output)})
    assert stop == RunStop("interrupted", "shard 1: killed by signal 15")


def test_a_signal_between_the_starts_of_drivers_stops_those_that_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[_Unwaited] = []

    def start(_words: object, output: IO[bytes]) -> "subprocess.Popen[bytes]":
        if started:
            raise KeyboardInterrupt
        started.append(_Unwaited(output))
        return started[0]

    monkeypatch.setattr(shards, "start_again", start)
    token = COMMAND_LINE.set(["resume"])
    with pytest.raises(KeyboardInterrupt):
        shards.start_shards(begin(tmp_path / "run", 2), repeats=False)
    COMMAND_LINE.reset(token)
    started[0].interrupts = 0
    assert started[0].wait() == -15


def test_a_driver_that_has_ended_goes_on_with_a_shard_whose_driver_died(one: RunFolder, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    open_shard(run, 3).close()  # as a kill leaves it
    for shard in (0, 1, 2):
        said = command("resume", run.path, "--shard", f"{shard}/4", code=0)
        assert ("shard 3: its driver died; going on with it here" in said.err) is (shard == 0)
    assert content(run) == content(one)


def test_a_shard_that_stopped_for_a_reason_or_is_running_is_left_alone(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", 3)
    open_shard(run, 0).close()
    write_end(run.shard_path(0), "interrupted", "by hand")
    with open_shard(run, 1):
        assert [*shards.abandoned_shards(run)] == []
    assert [*shards.abandoned_shards(run)] == [1]


def test_a_shard_that_another_driver_took_over_first_is_left_to_it(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", 2)

    def go_on(shard: int) -> RunStop:
        assert shards.take_over(run, shard, go_on) is None, "as another driver would"
        return RunStop("done")

    open_shard(run, 0).close()
    assert shards.take_over(run, 0, go_on) == RunStop("done")
    assert not (run.shard_path(0) / shards.TAKEN_OVER).exists()


@pytest.mark.parametrize(
    ("ends", "worst"),
    [
        (["faulted", "done", "done"], (0, "faulted")),
        (["done", "faulted", "done"], (1, "faulted")),
        (["done", "interrupted"], (1, "interrupted")),
        (["spent"], (0, "spent")),
    ],
)
def test_what_a_driver_takes_over_makes_its_own_end_no_better(
    tmp_path: Path, ends: Sequence[HowEnded], worst: tuple[int, HowEnded]
) -> None:
    run = begin(tmp_path / "run", 3)
    for shard in (1, 2):
        open_shard(run, shard).close()
    left: list[HowEnded] = [*ends]
    number, stop = shards.run_shards(run, 0, lambda _: RunStop(left.pop(0)))
    assert (number, stop.ended) == worst
    assert not left


def test_an_abandoned_shard_that_cannot_go_on_leaves_the_end_of_the_driver_as_it_is(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", 3)
    open_shard(run, 1).close()
    (run.shard_path(1) / "journal.sqlite").unlink()
    open_shard(run, 2).close()
    said = command("resume", run.path, "--shard", "0/3", code=0)
    assert "shard 1: journal: expected journal.sqlite" in said.err
    assert "shard 2: its driver died" in said.err


def test_a_shard_that_kills_its_drivers_is_taken_over_once(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", 2)
    open_shard(run, 1).close()
    assert [*shards.abandoned_shards(run)] == [1]
    (run.shard_path(1) / shards.TAKEN_OVER).touch()  # as a kill leaves it
    assert [*shards.abandoned_shards(run)] == []
    command("resume", run.shard_path(1), code=0)


@pytest.mark.parametrize("by_run", [True, False])
def test_a_shard_that_another_driver_goes_on_with_is_waited_for(
    by_run: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(tmp_path / "run", 2)
    taken = open_shard(run, 1)
    words = [run.path, "--shard", "1/2"] if by_run else [run.shard_path(1)]
    assert "expected no other writer" in refused("resume", *words)
    (run.shard_path(1) / shards.TAKEN_OVER).touch()

    def sleep(_seconds: float) -> None:
        taken.close()

    monkeypatch.setattr(shards, "sleep", sleep)
    assert "shard 1: waiting for process" in command("resume", *words, code=0).err


def test_what_a_shard_of_somebody_else_would_do_is_asked_about_before_any_goes_on(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    open_shard(run, 0).close()
    write_change(run.shard_path(0), {"runtime.address": Setting("10.9.8.7:6379", "a stranger")})
    assert "10.9.8.7:6379" in refused("resume", run.path, "--shard", "1/4")
