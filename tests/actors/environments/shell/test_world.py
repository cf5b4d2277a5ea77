"""The shell as a world, and its ten tasks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.shell import host
from quintet.environments.shell.world import Shell
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.shell.sandboxes import NEEDS_SANDBOX
from tests.actors.environments.shell.test_task_folder import TASK, write_task

_TASKS = Shell().tasks("test")

_WRONG = {
    "clashing-ports": "sed -i 's/^port = 8081/port = 8084/' conf/jobs.conf; grep -h '^port' conf/* | sort > ports.txt",
    "count-errors": "grep -c ERROR logs/*.log | sed 's|logs/||; s|.log:| |' | sort -k2nr > report.txt",
    "damaged-files": "cp -r backup/1/* data; cp -r backup/2/* data; printf 'b.txt\\ndeep/c.txt\\n' > damaged.txt",
    "fill-letters": "mkdir letters; for n in Ida Jon Meg; do sed s/{name}/$n/ letter.txt > letters/$n.txt; done",
    "fix-total": "echo 'echo 964' > total.sh",
    "merge-contacts": "sort -u old.txt new.txt > contacts.txt",
    "order-totals": "printf 'customer,total\\nada,16100\\nkim,2859\\n' > totals.csv",
    "permissions": "chmod -R 755 site",
    "release-tarball": "tar -czf release.tar.gz app",
    "rename-photos": "mkdir unknown; mv photos/IMG_9.JPG unknown",
}


def _with(options: Mapping[str, Any]) -> Shell:
    return Shell(**options)


def _play(name: str, *actions: str) -> float:
    state = Shell().open(Task(name=name, seed=0))
    reward = [state.step(action) for action in actions][-1].reward
    state.close()
    return reward


def _walk(name: str) -> tuple[str, ...]:
    state = Shell().open(Task(name=name, seed=0))
    found = state.expert()
    state.close()
    assert found
    return found


def test_there_are_ten_tasks_that_need_no_more_than_a_folder() -> None:
    assert len(_TASKS) == 10
    world = Shell()
    assert {world.refusal(name, judged=False) for name in _TASKS} == {""}
    assert len({world.metadata(name)["category"] for name in _TASKS}) > 4


@NEEDS_SANDBOX
@pytest.mark.parametrize("name", _TASKS)
def test_a_tasks_walk_solves_it_and_a_wrong_end_does_not(name: str) -> None:
    walk = _walk(name)
    assert _play(name, *walk) == 1
    assert _play(name, f"run[{_WRONG[name]}]", "submit") == 0
    assert _play(name, "submit") == 0


@NEEDS_SANDBOX
@pytest.mark.parametrize("name", _TASKS)
def test_a_walk_solves_its_task_after_one_of_its_commands_was_taken_too_early(name: str) -> None:
    walk = _walk(name)
    middle = len(walk) // 2 - 1
    assert _play(name, *walk[:middle], walk[middle + 1], *walk) == 1


@pytest.mark.parametrize("name", _TASKS)
def test_a_walks_commands_differ_in_words_and_survive_a_line_of_their_own(name: str) -> None:
    commands = [line for line in _solution(name).splitlines()[2:] if line]
    assert len({" ".join(command.split()) for command in commands}) == len(commands)
    assert all(command == " ".join(command.split()) for command in commands)
    assert all(command.count("[") == command.count("]") for command in commands)


def _solution(name: str) -> str:
    return (Path(host.__file__).parent / "shipped" / name / "solution" / "solve.sh").read_text(encoding="utf-8")


def test_a_refused_task_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    write_task(tmp_path / "fine", TASK)
    write_task(tmp_path / "image", {**TASK, "environment/Dockerfile": "FROM a\nRUN b\n"})
    world = Shell(tmp_path)
    assert world.tasks("test") == ("fine", "image")
    assert world.refusal("fine", judged=False) == ""
    assert "line 2" in world.refusal("image", judged=False)
    with pytest.raises(UsageError, match="task 'image': environment/Dockerfile, line 2"):
        world.open(Task(name="image", seed=0))


@pytest.mark.parametrize("option", ["seconds", "memory_mb", "processes", "files", "shown"])
def test_a_limit_of_nothing_is_an_error(option: str) -> None:
    with pytest.raises(UsageError, match=rf"{option}: expected >= 1, got 0 \(shell\)"):
        _with({option: 0})


def test_the_version_follows_the_tasks_and_the_limits(tmp_path: Path) -> None:
    write_task(tmp_path / "one", TASK)
    assert len({Shell().version, Shell(tmp_path).version, Shell(seconds=9).version}) == 3
    assert Shell().version == Shell().version
    assert Shell().content("test") != Shell(tmp_path).content("test")


def test_a_machine_that_lacks_bubblewrap_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "apt install bubblewrap" in Shell().lacking()
