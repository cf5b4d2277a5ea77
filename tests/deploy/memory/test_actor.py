"""The store as hosts ask it: over messages, from any host."""

import asyncio
from functools import partial
from random import Random

import pytest

from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.store import Store
from quintet.messages.memory import Trajectory
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.store import FetchTuples, FindTuples, ListTypes, ReadTrajectories, Seal, StoreTuples
from quintet.ports.transport import DRIVER, HostName
from quintet.roles.context import RequestContext, running
from quintet.runtime.host import Host
from quintet.runtime.roles import STORE, HostRoles, Placement
from tests.deploy.memory.samples import COOL, HEAT, a_store, a_tuple, request
from tests.simulation.network import Network
from tests.simulation.virtual import run

_EPISODE = episode_path("task", 0, 0)


class StoreOfAnotherHost:
    """A store on the driver's host, asked from another host."""

    def __init__(self, store: Store) -> None:
        network = Network(Random(5), delay=3.0)
        journal = SqliteJournal(":memory:")
        journal.begin(_EPISODE)
        driver = Host(DRIVER, network.transport(DRIVER), journal)
        driver.spawn(STORE, MemoryStore(store))
        self._asker = Host(HostName("other"), network.transport(HostName("other")), journal)
        self.roles = HostRoles(self._asker, Placement({}), step_deadline=None)

    def within(self, path: Path) -> RequestContext:
        commit = partial(self._asker.recorder.commit, incarnation=1)
        note = partial(self._asker.recorder.note, incarnation=1)
        return RequestContext(path, 1, Recording(path), commit, note)


async def test_every_request_of_the_store_is_answered_from_another_host() -> None:
    store = a_store()
    store.give_trajectories([Trajectory(goal="heat an egg", steps=())])
    hosts = StoreOfAnotherHost(store)
    with running(hosts.within(_EPISODE)):
        ask = hosts.roles.ask
        assert (await ask(request(HEAT, COOL))).tuples == 5
        assert (await ask(Seal(version=1))).added == 5
        listed = await ask(ListTypes(version=1, batch=1, text="cool an apple"))
        assert ([each.name for each in listed.types], listed.known) == (["heat things", "cool things"], 2)
        found = await ask(FindTuples(version=1, batch=1, goal_type=1, observation_type=2, budget=1_000))
        assert [each.tuple for each in found.tuples] == list(HEAT[1:])
        assert await ask(FetchTuples(ids=tuple(each.id for each in found.tuples))) == found
        assert (await ask(ReadTrajectories(first=0, count=2))).trajectories[0].goal == "heat an egg"


@pytest.mark.parametrize("seed", range(5))
def test_what_is_asked_again_or_in_another_order_is_stored_once_and_reads_the_same(seed: int) -> None:
    requests = [request((a_tuple(action=f"step {place}"),) * 2, place=place) for place in range(20)]

    async def scene(asked: list[StoreTuples]) -> str:
        store = a_store()
        hosts = StoreOfAnotherHost(store)

        async def add(number: int, each: StoreTuples) -> int:
            await asyncio.sleep(number)  # virtual: each in a batch of its own, which others overtake
            with running(hosts.within(child(_EPISODE, number))):
                return (await hosts.roles.ask(each)).tuples

        assert {*await asyncio.gather(*map(add, range(1, len(asked) + 1), asked))} == {2}
        return store.seal(1).digest

    twice = [*requests, *requests]
    Random(seed).shuffle(twice)
    assert run(scene(requests)) == run(scene(twice))
