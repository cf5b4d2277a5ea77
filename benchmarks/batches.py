"""A batch of AutoPlan's experience at an endpoint of 200 ms latency, compared with the latency alone."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from benchmarks.measuring import Figure
from benchmarks.serving import scripted_server
from quintet.journal.writer import SqliteJournal
from quintet.messages.learning import Learn, Learned
from quintet.messages.parts import PromptPart
from quintet.messages.paths import LEARNER
from quintet.messages.prompts import Prompt, user
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec
from quintet.models.endpoint.model import Endpoint
from quintet.plugins.catalogue import method, world
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from quintet.roles.registry import prompts_of, roles_of, with_models
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

_TURNS = 20
_CALLS = 3 * _TURNS
"""Of an episode: a turn is a thought, an action and its formal version."""
_LATENCY = 0.2


class _Nothing(BaseModel):
    """No options."""


class _Collector(LearnerSpec[_Nothing]):
    """Collects one batch of all training tasks."""

    worlds = {}

    async def learn(self, run: LearnerContext) -> Learned:
        await run.publish(0, run.start)
        await run.experience(run.training, 0)
        return Learned(version=0)

    def parts(self, content: str) -> tuple[PromptPart, ...]:
        return ()

    def versions(self, training: int, trajectories: int = 0) -> int:
        return 0


def _collecting_spec(url: str) -> RunSpec:
    """AutoPlan's episodes under a learner that only collects."""
    autoplan = method("autoplan")
    asked = autoplan.asks(learning="reward")
    roles, names = with_models(roles_of(asked)), ("execute.thought", "execute.formalizer", *prompts_of(asked))
    prompts, model = find_prompts(autoplan, "textcraft"), Endpoint("scripted", url=url)
    return RunSpec(
        methods=(
            MethodSpec(
                name=autoplan.name,
                method=autoplan(autoplan.options.model_validate({"max_steps": _TURNS})),
                models=dict.fromkeys(roles, model),
                sampling=dict.fromkeys(roles, Sampling()),
                prompts={name: prompts.text(name) for name in names},
            ),
        ),
        world=world("textcraft"),
        seed=0,
        learner=_Collector(_Nothing()),
    )


async def _run(url: str, folder: Path, batch: int) -> float:
    spec = _collecting_spec(url)
    assert spec.learner is not None
    await spec.models["executor"].complete(Prompt(user("Are you there?")), Sampling())  # connects, and imports
    learn = Learn(training=spec.world.tasks("dev")[:batch], held_out=(), test=())
    journal = SqliteJournal(folder / f"{batch}.sqlite")
    async with LocalRuntime(spec, journal, concurrency=batch) as runtime:
        solve_request = EpisodeRequests(spec, learn=learn, version=journal.reader.version)
        spawn_learner(spec.learner, runtime, journal.reader, solve_request, seed=0)
        started = time.perf_counter()
        async for end in runtime.run([Planned(LEARNER, learn)]):
            assert end.state != "faulted", end.reason
        seconds = time.perf_counter() - started
    calls = sum(use.calls for _, used in journal.reader.attempts() for use in used)
    assert calls == batch * _CALLS, f"expected {batch * _CALLS} calls, got {calls}"
    journal.close()
    return seconds


def figures() -> Iterator[Figure]:
    """Seconds, and the share of them that is calls x latency / concurrency."""
    said = ["Thought: I look first.\nAction: get 2 diamond"] * (2 * _TURNS)
    bound = _CALLS * _LATENCY
    with tempfile.TemporaryDirectory() as name, scripted_server(said, Path(name), _LATENCY) as url:
        for batch in (4, 8, 16):
            seconds = asyncio.run(_run(url, Path(name), batch))
            title = f"AutoPlan batch of {batch}, {_CALLS} calls each at 200 ms"
            yield Figure(title, seconds, "s", f"{bound / seconds:.2f} of its bound, calls x latency / concurrency")
