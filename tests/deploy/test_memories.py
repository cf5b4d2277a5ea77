"""Runs that learn a memory: their processes are killed, and their memory is lost, between one start and the next."""

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from quintet.api import open_run
from quintet.errors import UsageError
from quintet.launch.evaluation import open_evaluation, run_left
from quintet.launch.writable_run import WritableRun
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.paths import attempt_of
from quintet.messages.prompts import Prompt
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Sampling
from quintet.runtime.counters import RunCounters

LEARNING: dict[str, Any] = {"tasks": 6, "batch": 2, "goals": 2}


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
