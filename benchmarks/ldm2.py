"""LDM2's learner at 200 ms a call beside its bounds: a memory formed from 1,000 trajectories, and a round of trees."""

import asyncio
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Figure
from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.store import Store
from quintet.messages.learning import Learn
from quintet.messages.memory import MemoryTuple, ObservedAction, Trajectory
from quintet.messages.parts import Recollection
from quintet.messages.paths import LEARNER
from quintet.messages.prompts import Prompt
from quintet.messages.store import NamedType, StoreTuples
from quintet.methods.ldm2.config import Ldm2Learning
from quintet.methods.ldm2.learning import Ldm2Learner
from quintet.plugins.catalogue import method, world
from quintet.ports.model import Completion, Sampling
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from quintet.roles.registry import prompts_of, roles_of, with_models
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import STORE
from quintet.runtime.spec import MethodSpec, RunSpec

_LATENCY = 0.2
_CALLS = 32
"""In flight at most."""

_TRAJECTORIES, _STEPS, _BATCH = 1_000, 3, 50
"""Trajectories, steps of each, and trajectories of a batch memory."""

_GOALS, _MEMORIES, _LEVELS = 10, 4, 5
"""Goals of a round, batch memories, and levels of each tree until its goal is reached."""
_TASKS = (
    "honeycomb block",
    "bucket",
    "compass",
    "bread",
    "shears",
    "clock",
    "glowstone",
    "slime block",
    "packed ice",
    "beacon",
)
"""Goals that take one to three kinds of things, and are made in one step."""
_CHAIN = 1 + 3 * _LEVELS + 1 + 2
"""The longest chain of dependent calls of a round: the type of the goal; at every level the situation, the type of what
is seen and the candidates; the comparison; and for the tuples the type of the goal and of what was seen."""


class _Scripted:
    """Reaches the goal at the last level of a tree, and never in a process alone.

    A summary says how many actions there were, so what is decided next can tell how far it is.
    """

    name = "scripted"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await asyncio.sleep(_LATENCY)
        return Completion(text=self._answer([message.content for message in prompt.messages()], prompt))

    def _answer(self, messages: list[str], prompt: Prompt) -> str:
        asked = re.search(r"Mind the ([\w.]+)\.", messages[0])
        assert asked is not None, messages[0]
        number = 1 + int.from_bytes(blake2b(prompt.node.address.encode(), digest_size=2).digest()) % 1_000
        match asked[1]:
            case "summarize":
                return f"Summary: {len(messages) // 2 - 1} actions were carried out."
            case "summarize.evaluation":
                return "subgoal 1: the goal - incomplete"
            case "form" | "form.observations":
                numbers = re.findall(r"^(\d+)\. ", messages[1], re.MULTILINE)
                halves = (", ".join(numbers[start::2]) for start in range(2))
                return "\n".join(f"High-level Type{at}: kind {at} [{half}]" for at, half in enumerate(halves, 1))
            case "classify" | "recall":
                return "[1]: it is alike."
            case "compare":
                return "1: it begins with another action."
            case _ if "Mind the decide.candidates." not in messages[-1]:
                return f"Action: get {number} diamond"
            case _:
                done = re.findall(r"^Summary: (\d+) actions", messages[-1], re.MULTILINE)
                return "\n".join(self._candidates(messages[1], int(done[-1]) if done else 0, number))

    def _candidates(self, setting: str, done: int, number: int) -> Iterator[str]:
        """What leads to the goal, and four fetches."""
        goal = re.findall(r"Goal: craft (.*)\.", setting)[-1]
        recipe = re.search(rf"(craft \d+ {re.escape(goal)} using (.*))", setting)
        assert recipe is not None, setting
        needed = recipe[2].split(", ")
        fetch = [f"get {each}" for each in needed] + ["inventory"] * (_LEVELS - 1 - len(needed))
        yield f"Action: {(*fetch, recipe[1])[done]} (confidence 0.6)"
        for each in range(4):
            yield f"Action: get {number + each} diamond (confidence 0.{4 - each})"


def _spec(**learning: object) -> RunSpec:
    chosen = method("ldm2")
    requests = chosen.asks(learning="reward", recalling=["memory"])
    roles = with_models(roles_of(requests))
    names = ("decide.candidates", *prompts_of(requests))
    return RunSpec(
        methods=(
            MethodSpec(
                name=chosen.name,
                method=chosen(chosen.options.model_validate({"max_steps": _LEVELS})),
                models=dict.fromkeys(roles, _Scripted()),
                sampling=dict.fromkeys(roles, Sampling()),
                prompts={name: f"Mind the {name}. {'{n}' if name == 'decide.candidates' else ''}" for name in names},
            ),
        ),
        world=world("textcraft"),
        seed=0,
        learner=Ldm2Learner(Ldm2Learning.model_validate({"eval_every": 0, **learning})),
        recollection=Recollection(version=0, batches=0),
    )


class _Taken(NamedTuple):
    """What learning took."""

    seconds: float
    cpu: float
    calls: int

    def beside(self, bound: float, words: str) -> str:
        """Compared with a bound in seconds."""
        share = f"{bound / self.seconds:.2f} of its bound, {words}"
        return f"{share}; {self.calls:,} calls, {_CALLS} at once, {self.cpu:.1f} s of CPU"


async def _learn(spec: RunSpec, learn: Learn, store: Store, file: Path, calls: int) -> _Taken:
    """Learn to the end, with so many calls in flight at most."""
    assert spec.learner is not None
    quota = Quota(LocalLimiters(RateLimits(calls=calls)).limiter)
    with closing(SqliteJournal(file)) as journal:
        async with LocalRuntime(spec, journal, concurrency=_GOALS, quota=quota) as runtime:
            runtime.host.spawn(STORE, MemoryStore(store))
            solve_request = EpisodeRequests(spec, learn=learn, version=journal.reader.version)
            spawn_learner(spec.learner, runtime, journal.reader, solve_request, seed=spec.seed)
            began, cpu = time.perf_counter(), time.process_time()
            async for end in runtime.run([Planned(LEARNER, learn)]):
                assert end.fault is None, end.why
            seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        return _Taken(seconds, cpu, sum(use.calls for _, used in journal.reader.attempts() for use in used))


def _form(folder: Path) -> Figure:
    numbers = count(1)
    steps = [
        tuple(ObservedAction(observation=f"Got {next(numbers)} diamond", action="inventory") for _ in range(_STEPS))
        for _ in range(_TRAJECTORIES)
    ]
    trajectories = [Trajectory(goal=f"craft {at} things", steps=each, reward=1.0) for at, each in enumerate(steps)]
    spec = _spec(source="given", batch=_BATCH, rounds=0)
    learn = Learn(training=(), held_out=(), test=(), trajectories=_TRAJECTORIES)
    with closing(Store(folder / "formed.sqlite", world="textcraft")) as store:
        store.give_trajectories(trajectories)
        taken = asyncio.run(_learn(spec, learn, store, folder / "formation.sqlite", _CALLS))
        tuples = store.reader.versions()[1].tuples
    assert tuples == _TRAJECTORIES * _STEPS, tuples
    beside = taken.beside(taken.calls * _LATENCY / _CALLS, "calls x latency / concurrency")
    return Figure(f"memory formed from {_TRAJECTORIES:,} trajectories at 200 ms", taken.seconds, "s", beside)


def _fill(store: Store, memories: int) -> None:
    """Begin with batch memories of two types of goals, and of two types of observations in each."""
    both = (1, 2)
    types = [NamedType(number=number, name=f"kind {number}", goal_type=of) for of in (None, *both) for number in both]
    tuples = [
        MemoryTuple(
            goal=f"goal {goal_type}",
            evaluation="",
            summary="",
            observation=f"seen {observation_type}",
            action=action,
            goal_type=goal_type,
            observation_type=observation_type,
        )
        for goal_type in both
        for observation_type in both
        for action in ("inventory", "get 1 moon")
    ]
    for batch in range(1, memories + 1):
        store.add(StoreTuples(version=0, batch=batch, place=batch, processes=(tuple(tuples),), types=tuple(types)))
    store.seal(0)


def _explore(folder: Path, goals: int, memories: int, at_once: int) -> _Taken:
    """A round, with so many calls in flight at most."""
    name = f"{goals}-{memories}-{at_once}.sqlite"
    learn = Learn(training=_TASKS[:goals], held_out=(), test=())
    with closing(Store(folder / f"memory-{name}", world="textcraft")) as store:
        _fill(store, memories)
        spec = _spec(source="none", rounds=1, goals=goals)
        taken = asyncio.run(_learn(spec, learn, store, folder / name, at_once))
        added = store.reader.versions()[1].added
    expected = goals * memories * _LEVELS
    assert added == expected, f"expected {expected} tuples of {goals} goals and {memories} memories, got {added}"
    return taken


def figures() -> Iterator[Figure]:
    """Seconds beside their bounds, and a round beside one whose calls are made one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield _form(folder)
        many = _explore(folder, _GOALS, _MEMORIES, _CALLS)
        bound = max(_CHAIN, many.calls / _CALLS) * _LATENCY
        beside = many.beside(bound, "the longest chain of calls, or calls x latency / concurrency")
        yield Figure(f"a round of {_GOALS} goals x {_MEMORIES} memories at 200 ms", many.seconds, "s", beside)
        one = _explore(folder, 1, 1, 1)
        faster = one.seconds / one.calls / (many.seconds / many.calls)
        yield Figure("a round, seconds a call, one call after the other over at once", faster, "x")
