"""The shell: time of a step beyond its command's own, and of forks and snapshots of a large folder."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measuring import Figure
from quintet.environments.shell.host import shell_host
from quintet.environments.shell.state import ShellState
from quintet.environments.shell.world import Shell
from quintet.messages.environment import Task

_FILES = 1_000
_BYTES = 100_000
_STEPS = 200
_FORKS = 20
_LIMITS = {"folder_mb": 1_000}


def figures() -> Iterator[Figure]:
    """On one core; where overlays cannot be mounted, a fork is a copy."""
    with TemporaryDirectory(prefix="quintet-bench-") as folder:
        _write_task(Path(folder) / "large")
        state = Shell(folder, **_LIMITS).open(Task(name="large", seed=0))  # type: ignore[arg-type]
        yield from _steps(state)
        way = "an overlay" if shell_host().overlays else "a copy"
        what = f"{_FILES:,} files, {_FILES * _BYTES // 1_000_000} MB"
        yield Figure(f"shell fork, {what}", 1e3 * median(_fork(state) for _ in range(_FORKS)), "ms", way)
        yield Figure(f"shell snapshot, {what}", 1e3 * _seconds(state.snapshot), "ms")
        state.close()


def _write_task(folder: Path) -> None:
    (folder / "environment").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "instruction.md").write_text("Do nothing", encoding="utf-8")
    (folder / "tests" / "test.sh").write_text("true\n", encoding="utf-8")
    for number in range(_FILES):
        (folder / "environment" / f"file-{number}").write_bytes(bytes([number % 256]) * _BYTES)


def _steps(state: ShellState) -> Iterator[Figure]:
    """Steps and bare commands, one after the other by turns, so that both meet the same machine."""
    alone, stepped = list[float](), list[float]()
    for _ in range(_STEPS):
        alone.append(_seconds(lambda: subprocess.run(["/bin/bash", "-c", "true"], check=True)))
        stepped.append(_seconds(lambda: state.step("run[true]")))
    for what, of in (("median", median), ("least", min)):
        beyond = f"{1e3 * of(stepped):.1f} ms; bash alone {1e3 * of(alone):.1f} ms"
        yield Figure(f"shell step beyond its command's own time, {what}", 1e3 * (of(stepped) - of(alone)), "ms", beyond)


def _fork(state: ShellState) -> float:
    """Seconds of a fork after a command that has written something."""
    state.step("run[echo x >> file-0]")
    forks = list[ShellState]()
    seconds = _seconds(lambda: forks.append(state.fork()))
    forks[0].close()
    return seconds


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    for figure in figures():
        print(figure)
