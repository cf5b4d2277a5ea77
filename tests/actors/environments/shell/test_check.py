"""What a check says of a folder."""

from pathlib import Path

import pytest

from quintet.environments.shell.check import CheckResult, check_folder
from quintet.environments.shell.given import given_layers
from quintet.environments.shell.host import shell_host
from quintet.environments.shell.task_folder import TaskFolder
from quintet.errors import WorldFault
from tests.actors.environments.shell.sandboxes import LIMITS, NEEDS_SANDBOX, Commands
from tests.actors.environments.shell.test_task_folder import TASK, write_task

pytestmark = NEEDS_SANDBOX

_JSON = 'echo \'{"reward": 0.25, "style": 0.5, "lines": 70}\' > /logs/verifier/reward.json'
_SLEEPS = "sleep 100"


def _check(folder: Path, script: str, **files: str) -> CheckResult:
    toml = f"[verifier]\ntimeout_sec = {1 if _SLEEPS in script else 60}\n"
    task = TaskFolder(write_task(folder / "one", {**TASK, "task.toml": toml, "tests/test.sh": script, **files}))
    shell = Commands(shell_host(), {"made": "by the agent\n"})
    return check_folder(shell.host, task, given_layers(shell.host, task).tests, shell.folder, LIMITS)


@pytest.mark.parametrize(
    ("script", "result"),
    [
        ("test -f made", CheckResult(1.0)),
        ("test -f missing", CheckResult(0.0)),
        ("echo 0.5 > /logs/verifier/reward.txt; exit 1", CheckResult(0.5)),
        ("echo 1 > /logs/verifier/reward.txt; exit 1", CheckResult(1.0)),
        ("echo 7 > /logs/verifier/reward.txt", CheckResult(1.0)),
        (f"{_JSON}; exit 1", CheckResult(0.25, {"style": 0.5})),
        ("echo 1 > /logs/verifier/reward.json; echo 0 > /logs/verifier/reward.txt", CheckResult(1.0)),
        (_SLEEPS, CheckResult(0.0)),
        (f"echo 1 > /logs/verifier/reward.txt; {_SLEEPS}", CheckResult(0.0)),
        ("bash -c 'echo 1 > /logs/verifier/reward.txt; kill -9 $PPID'", CheckResult(0.0)),
        ("while head -c 9M /dev/zero > /logs/verifier/a$i; do i+=a; sleep 0.1; done", CheckResult(0.0)),
    ],
)
def test_the_reward_is_what_the_script_wrote_or_else_whether_it_succeeded(
    tmp_path: Path, script: str, result: CheckResult
) -> None:
    assert _check(tmp_path, f"{script}\n") == result


@pytest.mark.parametrize(
    "script",
    [
        "echo much > /logs/verifier/reward.txt",
        "echo nan > /logs/verifier/reward.txt",
        "echo {} [ > /logs/verifier/reward.json",
        "mkdir /logs/verifier/reward.txt",
        "mkfifo /logs/verifier/reward.json",
        "ln -s /proc/sys/kernel/ostype /logs/verifier/reward.txt",
        "printf '[%.0s' {1..60000} > /logs/verifier/reward.json",
        "(printf 1; printf '0%.0s' {1..400}) > /logs/verifier/reward.json",
    ],
)
def test_a_reward_that_is_none_is_a_fault(tmp_path: Path, script: str) -> None:
    with pytest.raises(WorldFault, match=r"one: reward\.(txt|json): expected a reward, got "):
        _check(tmp_path, f"{script}\n")


def test_a_check_sees_its_tests_and_leaves_the_folder_as_it_is(tmp_path: Path) -> None:
    shell = Commands(shell_host(), {"made": "x\n"})
    files = {**TASK, "environment/Dockerfile": "", "tests/test.sh": "rm made\ntouch new /tests/x\ntest -f /tests/key\n"}
    task = TaskFolder(write_task(tmp_path / "one", {**files, "tests/key": "k"}))
    tests = given_layers(shell.host, task).tests
    assert check_folder(shell.host, task, tests, shell.folder, LIMITS).reward == 1
    assert shell.output("ls; ls /tests") == "made\nls: cannot access '/tests': No such file or directory\n"
    assert sorted(each.name for each in tests.top.iterdir()) == ["key", "test.sh"]
