"""A memory that is learnt on the hosts of a Ray cluster, of which one dies: the same memory as in one process."""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from quintet.cluster.placement import HostGroup, PlacementConfig
from quintet.cluster.runtime import RayRuntime
from quintet.events import CallMade, Record
from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.store import Store
from quintet.messages.message import Message
from quintet.messages.paths import Path as EventPath
from quintet.messages.store import Seal, StoreRequest
from quintet.ports.transport import HostName
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content
from tests.deploy.cluster.remote import on_hosts, process
from tests.simulation.content import content
from tests.simulation.memories import Diarist, MemoryContent, memory_of, memory_spec, with_memory
from tests.simulation.scenes import Slow

pytestmark = [pytest.mark.real_time, pytest.mark.ray, pytest.mark.xdist_group("ray")]

UNIT = 0.02
AT = 3
"""At which call of a phase the host dies that made it."""
COLOCATED = PlacementConfig("colocated", hosts=3)
PER_ROLE = PlacementConfig(
    "per-role", hosts=1, groups={"memory": HostGroup(2), "executor": HostGroup(2), "reflector": HostGroup(2)}
)


def spec(tally: Path | None) -> RunSpec:
    return memory_spec(Slow(Diarist(), unit=UNIT, tally=tally))


class Watch:
    """Kills the host that makes the n-th call of a phase, once that call is committed.

    Args:
        phase: of calls.
    """

    def __init__(self, phase: str) -> None:
        self._phase = phase
        self._left = AT
        self.processes: dict[HostName, int] = {}
        self.killed: list[HostName] = []

    def begun(self, episode: EventPath, incarnation: int) -> None: ...

    def committed(self, records: Sequence[Record]) -> None:
        for record in records:
            if isinstance(record.event, CallMade) and record.event.phase == self._phase:
                self._left -= 1
                if self._left == 0:
                    self.kill(HostName(record.host))

    def kill(self, host: HostName) -> None:
        os.kill(self.processes[host], signal.SIGKILL)
        self.killed.append(host)


class WatchedStore:
    """Calls for something once all tuples of version 2 are stored, and before the version is sealed."""

    def __init__(self, store: Store, call: Callable[[], None]) -> None:
        self._actor = MemoryStore(store)
        self._call = call

    async def receive(self, request: StoreRequest) -> Message:
        if request == Seal(version=2):
            self._call()
        return await self._actor.receive(request)


async def learn_memory(runtime: Runtime, kill: Callable[[], None] = lambda: None) -> tuple[Content, MemoryContent]:
    with closing(Store(":memory:", world="textcraft")) as store:
        async for _ in runtime.run(with_memory(spec(None), runtime, runtime.journal, WatchedStore(store, kill))):
            pass
        return content(runtime.journal), memory_of(store.reader)


@pytest.mark.usefixtures("local_cluster")
@pytest.mark.slow
@pytest.mark.parametrize("when", ["formation", "candidates", "enhancement", "published"])
@pytest.mark.parametrize("placement", [COLOCATED, PER_ROLE], ids=["colocated", "per-role"])
async def test_a_host_that_dies_changes_no_tuple_and_costs_no_committed_call(
    placement: PlacementConfig, when: str, tmp_path: Path
) -> None:
    """It dies while version 1 is formed, a goal is explored or a process is remembered; or when all is remembered, and
    version 2 is not published yet."""
    tally, watch = tmp_path / "calls", Watch(when)
    factory, journal = partial(spec, tally), SqliteJournal(":memory:", watch)
    memory_host = HostName("memory" if placement is PER_ROLE else "host-2")
    kill = partial(watch.kill, memory_host) if when == "published" else lambda: None
    async with RayRuntime(factory(), factory, journal, concurrency=4, placement=placement, name="test") as runtime:
        watch.processes = await on_hosts(runtime, process)
        learnt = await learn_memory(runtime, kill)
        assert runtime.host.lost == set(watch.killed)
    made = sum(isinstance(record.event, CallMade) for record in journal.reader.records())
    assert len(watch.killed) == 1
    async with LocalRuntime(spec(None), SqliteJournal(":memory:"), concurrency=4) as here:
        assert learnt == await learn_memory(here)
    # Of the calls, only those may be repeated that were in flight on the host.
    assert tally.stat().st_size - made < 40
