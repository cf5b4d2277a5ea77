"""Checks a session's folder: the task's tests/test.sh, in a sandbox of its own, over a copy of the folder."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.shell.host import ShellHost
from quintet.environments.shell.layers import Folder, Layer
from quintet.environments.shell.limits import CommandLimits
from quintet.environments.shell.sandbox import SandboxCommand, run_command
from quintet.environments.shell.task_folder import TaskFolder
from quintet.errors import WorldFault
from quintet.plugins.files import read_regular

_TESTS: Final = "/tests"
_VERDICT: Final = "/logs/verifier"
_LARGEST: Final = 2**16
_REWARD: Final = "reward"


class CheckResult(Struct, frozen=True):
    """What a check says of a folder."""

    reward: float
    figures: Mapping[str, float] = {}
    """Its further numbers that are shares."""


def check_folder(host: ShellHost, task: TaskFolder, tests: Layer, folder: Folder, limits: CommandLimits) -> CheckResult:
    """Check a folder, which stays as it is.

    Args:
        tests: a layer of the files of its check.

    The script's `reward.json` or `reward.txt` in /logs/verifier counts, as in Harbor; without one, its exit code does.

    Raises:
        WorldFault: the script wrote something that is no reward.
    """
    verdict = Layer(host)
    command = SandboxCommand(
        text=f"bash {_TESTS}/test.sh",
        home=task.home,
        directory=task.home,
        shown=((tests.top, _TESTS),),
        writable=((verdict.top, _VERDICT),),
    )
    seconds = limits.seconds if task.check_seconds is None else max(1, math.ceil(task.check_seconds))
    ran = run_command(host, folder.fork(), command, replace(limits, seconds=seconds))
    said = _said(verdict.top, task)
    if said is None:
        return CheckResult(float(ran.code == 0))
    figures = {name: value for name, value in said.items() if name != _REWARD and 0 <= value <= 1}
    reward = said.get(_REWARD, min(said.values(), default=0.0))
    return CheckResult(min(1.0, max(0.0, reward)), figures)


def _said(verdict: Path, task: TaskFolder) -> Mapping[str, float] | None:
    """The numbers that the script wrote; None: it wrote none."""
    for name, read in (("reward.json", json.loads), ("reward.txt", float)):
        try:
            text = read_regular(verdict / name, _LARGEST)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise WorldFault(f"shell: {task.name}: {name}: expected a reward, got {error}") from error
        try:
            numbers = _numbers(read(text.decode()))
        except ValueError as error:
            raise WorldFault(f"shell: {task.name}: {name}: expected a reward, got {text[:80]!r}") from error
        return numbers
    return None


def _numbers(value: Any) -> Mapping[str, float]:
    said = cast("dict[str, Any]", value) if isinstance(value, dict) else {_REWARD: value}
    if not all(isinstance(each, int | float) and math.isfinite(each) for each in said.values()):
        raise ValueError
    return {name: float(each) for name, each in said.items()}
