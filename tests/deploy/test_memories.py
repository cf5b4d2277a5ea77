"""Runs that learn a memory: their processes are killed, and their memory is lost, between one start and the next."""

import asyncio
import signal
import subprocess
import sys
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest

from quintet.api import open_run
from quintet.errors import UsageError
from quintet.launch.evaluation import open_evaluation, run_left
from quintet.launch.writable_run import WritableRun
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.paths import attempt_of
from quintet.messages.prompts import Prompt
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Sampling
from quintet.runtime.counters import RunCounters
from quintet.testing.content import Content
from tests.command import command
from tests.deploy.launch.test_evaluation import KILLED, content
from tests.simulation.memories import MemoryContent, memory_of

LEARNING: dict[str, Any] = {"tasks": 6, "batch": 2, "goals": 2}


def arguments(folder: Path) -> list[str]:
    settings = [f"--set=learning.{name}={value}" for name, value in LEARNING.items()]
    model = ["--model", "sim-fallible", "--set=method.max_steps=8"]
    return ["optimize", "ldm2", "textcraft", "--tasks", "1", *model, *settings, "--out", str(folder)]


def learnt(folder: Path) -> tuple[Content, MemoryContent]:
    with closing(MemoryReader.open(folder / MEMORY_FILE)) as reader:
        return content(folder), memory_of(reader)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Content, MemoryContent]:
    """What a run has that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done = command(*arguments(folder))
    assert done.code == 0, done.err
    return learnt(folder)


@pytest.mark.slow
@pytest.mark.parametrize("loses", [False, True], ids=["killed", "killed and lost"])
@pytest.mark.parametrize("tenth", range(1, 10, 2))
def test_a_run_whose_process_is_killed_goes_on_to_the_same_memory(
    tenth: int, loses: bool, whole: tuple[Content, MemoryContent], tmp_path: Path
) -> None:
    folder = tmp_path / "killed"
    lives = tenth * len(whole[0]) // 10
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(lives), *arguments(folder)], capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    if loses:
        for file in folder.glob(f"{MEMORY_FILE}*"):
            file.unlink()
    resumed = command("resume", folder)
    assert resumed.code == 0, resumed.err
    assert learnt(folder) == whole


class Broken:
    """A model with a bug."""

    name = "broken"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise KeyError("no such key")


def test_an_episode_is_not_repeated_with_a_version_that_is_lost_and_not_built_again_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The executor's model has a bug, so episodes fault; forming asks another model."""
    monkeypatch.setattr(catalogue, "MODELS", {**catalogue.MODELS, "broken": f"{__name__}:Broken"})
    folder = tmp_path / "run"
    settings = {"run": {"learn": True}, "learning": LEARNING, "model": {"memory": {"name": "sim-strong"}}}

    async def learn() -> None:
        opening = open_run("ldm2", "textcraft", model="broken", tasks=1, settings=settings, journal=folder)
        async with opening as run, aclosing(run.run(run.left())) as ends:
            async for end in ends:
                if end.state == "faulted" and attempt_of(end.path).epoch == 1:
                    return

    asyncio.run(learn())
    (folder / MEMORY_FILE).unlink()

    async def repeat() -> None:
        with WritableRun.open(folder) as run:
            async with open_evaluation(run) as evaluation:
                with pytest.raises(
                    UsageError, match=r"expected version 1, .* got up to 0; resume the run without --faulted"
                ):
                    evaluation.left(retry_faulted=True)
            assert await run_left(run, RunCounters()) == "faulted"
            async with open_evaluation(run) as evaluation:
                assert len(evaluation.left(retry_faulted=True)) > 1

    asyncio.run(repeat())
