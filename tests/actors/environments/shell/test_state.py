"""A session at a command line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.shell.state import ShellState
from quintet.environments.shell.world import Shell
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.shell.sandboxes import NEEDS_SANDBOX
from tests.actors.environments.shell.test_task_folder import TASK, write_task

pytestmark = NEEDS_SANDBOX

_FILES = {
    **TASK,
    "environment/Dockerfile": "FROM debian\nWORKDIR /app\nCOPY in .\n",
    "tests/test.sh": "test -f c.txt && test -f d.txt\n",
    "solution/solve.sh": "cp a.txt c.txt\ncp a.txt d.txt\n",
}


def _open(folder: Path, files: Mapping[str, str] = _FILES, **options: Any) -> ShellState:
    write_task(folder / "one", files)
    return Shell(folder, **options).open(Task(name="one", seed=0))


def test_a_task_opens_with_its_files_and_its_instruction(tmp_path: Path) -> None:
    opening = _open(tmp_path).opening
    assert opening.setting == "You are at a command line, in the folder /app. Its files: a.txt, sub/b.txt."
    assert opening.observation == f"{opening.setting}\n\nGoal: Do it."
    assert opening.goal == "Do it"


def test_an_observation_is_the_output_and_how_the_command_ended(tmp_path: Path) -> None:
    state = _open(tmp_path)
    assert state.step("run[cd sub; cat b.txt]").observation == "b\n[exit code 0; in /app/sub]"
    assert state.step("run[false]").observation == "[exit code 1; in /app/sub]"
    too_much = state.step("run[echo a; yes]").observation
    assert too_much.startswith("a\ny\n")
    assert too_much.endswith("\n[killed: too much output; in /app/sub]")


def test_an_observation_says_that_time_ended_the_command(tmp_path: Path) -> None:
    assert _open(tmp_path, seconds=1).step("run[sleep 9]").observation == "[killed after 1 s; in /app]"


def test_the_agents_time_limit_is_the_tasks_if_that_is_less(tmp_path: Path) -> None:
    state = _open(tmp_path, {**_FILES, "task.toml": "[agent]\ntimeout_sec = 1.9\n"}, seconds=5)
    assert state.step("run[sleep 9]").observation == "[killed after 1 s; in /app]"


def test_times_do_not_depend_on_when_a_session_is_played(tmp_path: Path) -> None:
    def play() -> str:
        state = _open(tmp_path)
        for action in ("run[touch x; rm -f none]", "run[echo 1 > sub/y; touch -d @5 z]"):
            state.step(action)
        return state.step("run[ls -laR --full-time .]").observation

    first = play()
    assert first == play()
    assert "2025-01-01 00:00:00.000000000 +0000 a.txt" in first
    assert "2025-01-01 00:00:01.000000000 +0000 x" in first
    assert "2025-01-01 00:00:02.000000000 +0000 y" in first
    assert "1970-01-01 00:00:05.000000000 +0000 z" in first


def test_a_folder_that_nobody_may_read_is_kept_as_it_is(tmp_path: Path) -> None:
    state = _open(tmp_path)
    state.step("run[mkdir -p d/e; echo 1 > d/e/f; chmod 000 d/e d]")
    fork = state.fork()
    for each in (state, fork):
        assert each.step("run[ls d 2>&1 | grep -c denied]").observation == "1\n[exit code 0; in /app]"
        seen = each.step("run[chmod 755 d d/e; stat -c '%n %Y' d d/e d/e/f; cat d/e/f]").observation
        assert seen == "d 1735689601\nd/e 1735689601\nd/e/f 1735689601\n1\n[exit code 0; in /app]"


def test_a_folder_that_became_too_large_ends_the_task(tmp_path: Path) -> None:
    outcome = _open(tmp_path, folder_mb=1).step("run[for i in 1 2 3; do head -c 600K /dev/zero > $i; done]")
    assert outcome.done
    assert not outcome.rejected
    assert outcome.reward == 0
    said = "The folder holds more than 1 MB, 10,000 files and paths of 100 folders or 3,000 bytes: the task is over."
    assert outcome.observation.endswith(said)


def test_what_a_folder_holds_does_not_depend_on_its_forks(tmp_path: Path) -> None:
    state = _open(tmp_path, folder_mb=1)
    for _ in range(4):
        assert not state.step("run[rm -f x; head -c 600K /dev/zero > x]").done
        state.fork().close()
    assert not state.step("run[rm x; head -c 600K /dev/zero > y]").done
    assert state.step("run[head -c 600K /dev/zero > x]").done


def test_a_submission_is_checked_and_ends_the_task(tmp_path: Path) -> None:
    state = _open(tmp_path)
    state.step("run[touch c.txt]")
    fork = state.fork()
    state.step("run[touch d.txt]")
    for each, reward, said in ((state, 1.0, "passed"), (fork, 0.0, "did not pass")):
        outcome = each.step("submit")
        assert (outcome.reward, outcome.done, outcome.final_answer, outcome.tells_reward) == (reward, True, True, True)
        assert outcome.observation == f"Submitted. The check {said}."
        assert each.step("run[ls]").rejected


def test_figures_of_a_check_are_the_outcomes(tmp_path: Path) -> None:
    script = 'echo \'{"reward": 0.5, "style": 1}\' > /logs/verifier/reward.json\n'
    outcome = _open(tmp_path, {**_FILES, "tests/test.sh": script}).step("submit")
    assert (outcome.reward, dict(outcome.figures)) == (0.5, {"style": 1.0})


def test_the_expert_walks_on_and_begins_again_once_other_commands_have_changed_something(tmp_path: Path) -> None:
    state = _open(tmp_path)
    walk = ("run[cp a.txt c.txt]", "run[cp a.txt d.txt]", "submit")
    assert state.expert() == walk
    state.step(walk[0])
    state.step("run[ls]")
    state.step("not an action")
    assert state.expert() == walk[1:]
    state.step("run[rm c.txt; cd sub]")
    assert state.expert() == ("run[cd /app]", *walk)
    for action in state.expert() or ():
        state.step(action)
    assert (state.reward, state.expert()) == (1, ())


def test_a_walk_played_out_of_order_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    state = _open(tmp_path)
    state.step("run[cp a.txt d.txt]")
    assert state.expert() == ("run[cp a.txt c.txt]", "run[cp a.txt d.txt]", "submit")


def test_a_task_without_a_walk_has_no_expert(tmp_path: Path) -> None:
    assert _open(tmp_path, {**_FILES, "solution/solve.sh": ""}).expert() is None


def test_a_snapshot_that_is_none_is_a_fault(tmp_path: Path) -> None:
    write_task(tmp_path / "one", _FILES)
    with pytest.raises(WorldFault, match="snapshot: expected one of a shell, got "):
        Shell(tmp_path).restore(Task(name="one", seed=0), b"x")
