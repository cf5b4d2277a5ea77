"""Ray hosts: messages between two of them beside one plain Ray call per message, and the calls that a driver bears."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path as FilePath
from typing import Any, cast

from benchmarks.crowd import Unlimited
from benchmarks.measuring import ROUNDS, Figure
from quintet.cluster.cluster import ray_cluster
from quintet.cluster.head import Head
from quintet.cluster.hosts import RunHosts
from quintet.cluster.long_polls import LongPolls
from quintet.cluster.placement import HostPlan, Layout, Resources
from quintet.cluster.ray_api import ray
from quintet.events import StepTaken
from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Closed, Session
from quintet.messages.message import Message, Request
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt, assistant, user
from quintet.models.scripted import Scripted
from quintet.ports.model import Sampling
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.quota.quota import QUOTA, Quota
from quintet.roles.context import RequestContext, running
from quintet.runtime.calls import JournaledModel, Permits
from quintet.runtime.garbage import collecting_rarely
from quintet.runtime.host import Host
from quintet.runtime.remote_journal import JOURNAL_ROLE, JournalWriter
from quintet.runtime.retries import RetryPolicy
from quintet.runtime.roles import Placement

_ASKER, _ANSWERER = HostName("asker"), HostName("answerer")
_EPISODE = episode_path("task", 0, 0)
_REQUEST = Close(session=Session(id="task/0/0/1", host="here"))
_IN_FLIGHT, _EACH = 500, 40
_PLAIN_EACH = 4
_LONE = 300
_CALLERS, _CALLS = 256, 16
"""Episodes at once on each of two hosts, and model calls of each."""
_WORDS = 3_900
"""Of 5,000 tokens, as tokenizers count: 20 KB."""


class Measured(Message, frozen=True, kw_only=True, tag="bench_measured"):
    seconds: float


class Measure(Request[Measured], frozen=True, kw_only=True, tag="bench_measure"):
    """Ask the other host so often, from so many callers at once."""

    callers: int
    each: int


class MakeCalls(Request[Measured], frozen=True, kw_only=True, tag="bench_make_calls"):
    """Play episodes of a model call and a step in turn, all at once."""

    first: int
    """The epoch of the first one."""
    grown: bool
    """Whether each prompt continues the one before, by 100 tokens; else it is new from its first word."""


class _Caller:
    """Plays episodes as an executor does: permit, call, commit, settlement, and a step that is not waited for."""

    def __init__(self, host: Host) -> None:
        self._host = host
        answers = ["Thought: I look at what is there.\nAction: get 2 diamond"] * _CALLS
        policy = RetryPolicy()
        self._model = JournaledModel(Scripted(answers), host.recorder, Permits(host), seed=0, policy=policy)

    async def receive(self, request: MakeCalls) -> Measured:
        epochs = range(request.first, request.first + _CALLERS)
        began = time.perf_counter()
        await asyncio.gather(*(self._play(episode_path("task", epoch, 0), request.grown) for epoch in epochs))
        return Measured(seconds=time.perf_counter() - began)

    async def _play(self, episode: Path, grown: bool) -> None:
        recorder = self._host.recorder
        commit, note = partial(recorder.commit, incarnation=1), partial(recorder.note, incarnation=1)
        context = RequestContext(episode, 1, Recording(episode), commit, note, phase="execute")
        long = "word " * _WORDS
        prompt = Prompt(user(long))
        with running(context):
            for number in range(_CALLS):
                if not grown:
                    prompt = Prompt(user(f"{episode} {number}: {long}"))
                completion = await self._model.complete(prompt, Sampling())
                seen = f"Turn {number} of {episode}: " + "what a world shows after an action. " * 8
                with context.turn() as (path, _):
                    note(_step(episode, path, seen))
                prompt = prompt.extend(assistant(completion.text), user(seen))
        await recorder.settle(episode, 1)


def _step(episode: Path, path: Path, seen: str) -> StepTaken:
    return StepTaken(
        path=path,
        session=f"{episode}/1",
        action="get 2 diamond",
        observation=seen,
        reward=0.0,
        done=False,
        rejected=False,
    )


class _Answerer:
    async def receive(self, request: Close) -> Closed:
        return Closed()


class _Asker:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def receive(self, request: Measure) -> Measured:
        address = Address(host=_ANSWERER, role="answerer")

        async def ask(path: Path) -> None:
            await self._host.ask(address, _REQUEST, path=path, incarnation=1)

        return Measured(seconds=await _time(ask, request.callers, request.each))


async def _time(ask: Callable[[Path], Awaitable[object]], callers: int, each: int) -> float:
    async def call(caller: int) -> None:
        path = child(_EPISODE, caller)
        for _ in range(each):
            await ask(path)

    began = time.perf_counter()
    await asyncio.gather(*(call(caller) for caller in range(callers)))
    return time.perf_counter() - began


class Furniture:
    """The roles of every host here."""

    def spawn_roles(self, host: Host, placement: Placement) -> None:
        host.spawn("asker", _Asker(host))
        host.spawn("answerer", _Answerer())
        host.spawn("caller", _Caller(host))


class _Plain:
    """A plain Ray actor without a host: every message is a Ray call of its own."""

    async def answer(self, message: bytes) -> bytes:
        return message

    async def ask(self, other: Any, callers: int, each: int) -> float:
        return await _time(lambda path: other.answer.remote(path.encode()), callers, each)


async def _measure() -> tuple[float, float, float, float]:
    """Messages per second and the seconds of a lone ask: of hosts, then of plain calls."""
    groups = tuple((HostPlan(name, (name,), Resources()),) for name in (_ASKER, _ANSWERER))
    layout = Layout(groups)
    polls = LongPolls(Head())
    driver = Host(DRIVER, polls.transport, SqliteJournal(":memory:"))
    hosts = RunHosts(layout, "benchmark", Furniture, polls)
    async with ray_cluster(None, dashboard=False) as cluster, hosts.started(cluster.nodes):
        polls.open(hosts.handles)
        asker = Address(host=_ASKER, role="asker")

        async def of_hosts(callers: int, each: int) -> float:
            measured = await driver.ask(asker, Measure(callers=callers, each=each), path=_EPISODE, incarnation=1)
            return measured.seconds

        actor = ray.remote(num_cpus=0)(_Plain)
        first, second = actor.remote(), actor.remote()

        async def of_calls(callers: int, each: int) -> float:
            return cast("float", await first.ask.remote(second, callers, each))

        await of_hosts(_IN_FLIGHT, 2)
        await of_calls(_IN_FLIGHT, 1)
        # An ask is two messages: it and its answer.
        by_hosts = max([2 * _IN_FLIGHT * _EACH / await of_hosts(_IN_FLIGHT, _EACH) for _ in range(ROUNDS)])
        by_calls = max([2 * _IN_FLIGHT * _PLAIN_EACH / await of_calls(_IN_FLIGHT, _PLAIN_EACH) for _ in range(ROUNDS)])
        lone_host = statistics.median([await of_hosts(1, 1) for _ in range(_LONE)])
        lone_call = statistics.median([await of_calls(1, 1) for _ in range(_LONE)])
        await hosts.stop()
        await driver.close()
        await polls.close()
    return by_hosts, by_calls, lone_host, lone_call


async def _borne(folder: FilePath, *, grown: bool) -> tuple[float, float]:
    """Calls a second of the driver's CPU, and of wall time."""
    names = [_ASKER, _ANSWERER]
    layout = Layout(tuple((HostPlan(name, (name,), Resources()),) for name in names))
    polls = LongPolls(Head())
    journal = SqliteJournal(folder / "journal.sqlite")
    driver = Host(DRIVER, polls.transport, journal)
    driver.spawn(QUOTA, Quota(lambda _: Unlimited()))
    driver.listen(JOURNAL_ROLE, JournalWriter(journal, driver))
    for epoch in range(len(names) * _CALLERS):
        journal.begin(episode_path("task", epoch, 0))
    hosts = RunHosts(layout, "benchmark-calls", Furniture, polls)
    async with ray_cluster(None, dashboard=False) as cluster, hosts.started(cluster.nodes):
        polls.open(hosts.handles)

        async def play(name: HostName, first: int) -> None:
            address, request = Address(host=name, role="caller"), MakeCalls(first=first, grown=grown)
            await driver.ask(address, request, path=episode_path("measure", first, 0), incarnation=1)

        with collecting_rarely():
            cpu, wall = time.process_time(), time.perf_counter()
            await asyncio.gather(*(play(name, number * _CALLERS) for number, name in enumerate(names)))
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        await hosts.stop()
        await driver.close()
        await polls.close()
    journal.close()
    calls = len(names) * _CALLERS * _CALLS
    return calls / cpu, calls / wall


def _borne_figures() -> Iterator[Figure]:
    for title, grown in (("grown by 100", True), ("all new", False)):
        with tempfile.TemporaryDirectory() as folder:
            by_cpu, by_wall = asyncio.run(_borne(FilePath(folder), grown=grown))
        each = f"{1e6 / by_cpu:.0f} us each; {by_wall:,.0f} /s by the clock, with the hosts on the same cores"
        yield Figure(f"calls a driver bears from Ray hosts, 5,000 tokens, {title}, CPU", by_cpu, "/s", each)


def figures() -> Iterator[Figure]:
    """Messages per second with many asks in flight, how long a lone one takes, and the calls that a driver bears."""
    hosts, calls, lone_host, lone_call = asyncio.run(_measure())
    beside = f"{hosts / calls:.0f} x one Ray call per message, {calls:,.0f} /s"
    yield Figure(f"messages between two Ray hosts, {_IN_FLIGHT} asks in flight", hosts, "/s", beside)
    yield Figure(
        "a lone ask between two Ray hosts, p50", lone_host * 1e3, "ms", f"plain Ray call {lone_call * 1e3:.1f} ms"
    )
    yield from _borne_figures()
