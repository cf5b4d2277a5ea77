"""A batch of AutoPlan's experience at an endpoint of 200 ms latency, beside what the latency alone would take."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel

from actors.catalogue import method, world
from actors.learning_run import LearningRun
from actors.methods.learning import Learning
from actors.models.endpoint.model import Endpoint
from actors.prompts import Prompts
from benchmarks.measuring import Figure
from benchmarks.serving import scripted_server
from deploy.journal.writer import SqliteJournal
from deploy.runtime.assembly import Assembly, Taught
from deploy.runtime.learning import seat_learner
from deploy.runtime.local import LocalRuntime
from deploy.runtime.planned import Planned
from deploy.runtime.posing import Posing
from protocols.learning import Learn, Learned
from protocols.models import Sampling
from protocols.paths import LEARNER
from protocols.prompts import Prompt, user

_TURNS = 20
_CALLS = 3 * _TURNS
"""Of an episode: a turn is a thought, an action and its formal version."""
_LATENCY = 0.2


class _Nothing(BaseModel):
    """Nothing to set."""


def _as_configured(_config: _Nothing) -> None:
    """No further variation."""


async def _collect(run: LearningRun[_Nothing]) -> Learned:
    """One batch of everything there is to learn from."""
    await run.publish(0, run.start)
    await run.experience(run.training, 0)
    return Learned(version=0)


def _assembly(url: str) -> Assembly:
    """AutoPlan's episodes under a learner that does nothing but collect."""
    autoplan = method("autoplan")
    learning = autoplan.learning
    assert learning is not None
    collecting: Learning = replace(learning, learn=_collect, roles=(), exploration=_as_configured)
    prompts = Prompts(autoplan.prompt_folders, "textcraft")
    return Assembly(
        method=replace(autoplan, learning=collecting),
        config=autoplan.config(max_steps=_TURNS),
        world=world("textcraft"),
        models={"executor": Endpoint("scripted", url=url)},
        sampling={"executor": Sampling()},
        prompts={name: prompts.text(name) for name in ("executor", "thought", "formalizer")},
        seed=0,
        learning=Taught(collecting, _Nothing()),
    )


async def _run(url: str, folder: Path, batch: int) -> float:
    assembly = _assembly(url)
    assert assembly.learning is not None
    await assembly.models["executor"].complete(Prompt(user("Are you there?")), Sampling())  # connects, and imports
    learn = Learn(training=assembly.world.tasks("dev")[:batch], held_out=(), test=())
    journal = SqliteJournal(folder / f"{batch}.sqlite")
    async with LocalRuntime(assembly, journal, concurrency=batch) as runtime:
        pose = Posing(assembly, learn=learn, version=journal.reader.version)
        seat_learner(assembly.learning, runtime, journal.reader, pose, seed=0)
        started = time.perf_counter()
        async for end in runtime.run([Planned(LEARNER, learn)]):
            assert end.state != "faulted", end.reason
        seconds = time.perf_counter() - started
    calls = sum(use.calls for use in journal.reader.used())
    assert calls == batch * _CALLS, f"expected {batch * _CALLS} calls, got {calls}"
    journal.close()
    return seconds


def figures() -> Iterator[Figure]:
    """Seconds, and which part of them calls x latency / concurrency is."""
    said = ["Thought: I look first.\nAction: get 2 diamond"] * (2 * _TURNS)
    bound = _CALLS * _LATENCY
    with tempfile.TemporaryDirectory() as name, scripted_server(said, Path(name), _LATENCY) as url:
        for batch in (4, 8, 16):
            seconds = asyncio.run(_run(url, Path(name), batch))
            title = f"AutoPlan batch of {batch}, {_CALLS} calls each at 200 ms"
            yield Figure(title, seconds, "s", f"{bound / seconds:.2f} of its bound, calls x latency / concurrency")
