"""`quintet study memories` on 200 tasks of ALFWorld: six learners, each shown to ReAct; no memory; and two controls."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Figure
from quintet.plugins.catalogue import world

_TASKS, _LEARNT_FROM = 200, 24
_STUDY = Path("actors/quintet/methods/reasoning_bank/studies/memories.toml")
_SPLIT, _LEARNING = 'run.split = "valid_unseen"', "learning = { tasks = 24, eval_every = 0 }"
_ARMS = 9


def _study() -> str:
    """The study with 200 tasks by name, of all splits, and others to learn from."""
    found = world("alfworld")
    *rest, learnt = ([*found.tasks(split)] for split in ("valid_unseen", "valid_seen", "train"))
    tasks = [*(name for each in rest for name in each), *learnt[_LEARNT_FROM:]][:_TASKS]
    text = _STUDY.read_text()
    assert _SPLIT in text, "a study with another split"
    assert _LEARNING in text, "a study that learns from others"
    learning = f"learning = {{ tasks = {learnt[:_LEARNT_FROM]!r}, eval_every = 0 }}"
    return text.replace(_SPLIT, f"run.tasks = {tasks!r}").replace(_LEARNING, learning)


def figures() -> Iterator[Figure]:
    """Wall time of the whole command, and its CPU."""
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "memories.toml"
        study.write_text(_study())
        main = "import sys; from quintet.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", main, "study", str(study), "--no-picture", "--out", f"{folder}/study"]
        began, cpu = time.perf_counter(), _cpu_of_commands()
        subprocess.run(command, check=True, capture_output=True, text=True)
        seconds, cpu = time.perf_counter() - began, _cpu_of_commands() - cpu
    title = f"{_ARMS} arms on {_TASKS} tasks, and what six learners learn"
    yield Figure(title, seconds, "s", f"one command, one process; {cpu:.1f} s of CPU; in minutes")


def _cpu_of_commands() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
