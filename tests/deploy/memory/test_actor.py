"""The store as hosts ask it: what is looked up, and every request over messages from another host."""

import asyncio
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.store import Store
from quintet.memory.tuple_search import find_tuples
from quintet.messages.memory import MemoryTuple, StoredTuple, Trajectory
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.store import FetchTuples, FindTuples, ListTypes, ReadTrajectories, Seal, StoreTuples
from quintet.ports.transport import DRIVER, HostName
from quintet.roles.context import RequestContext, running
from quintet.runtime.host import Host
from quintet.runtime.roles import STORE, HostRoles, Placement
from tests.deploy.memory.samples import COOL, HEAT, TYPES, a_memory, a_store, a_tuple, request
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


def _find(store: Store, **fields: object) -> list[StoredTuple]:
    where = {"version": 1, "batch": 1, "goal_type": 1, "observation_type": 1, "budget": 10_000, **fields}
    return list(find_tuples(store.reader, FindTuples(**where)))  # type: ignore[arg-type]


def _size(each: MemoryTuple) -> int:
    return sum(len(text.encode()) for text in (each.observation, each.evaluation, each.summary, each.action))


def _one_type(tuples: list[MemoryTuple]) -> Store:
    return a_store(None, request(tuple(tuples)))


def test_all_tuples_of_a_type_come_in_the_order_of_their_entry() -> None:
    store = a_memory()
    assert [each.tuple for each in _find(store, observation_type=2)] == list(HEAT[1:])
    assert _find(store, observation_type=9) == []
    assert _find(store, observation_type=9, retrieval="lexical", query="fridge") == []
    assert _find(store, batch=2) == []


@pytest.mark.parametrize("retrieval", ["type", "best", "lexical"])
def test_a_version_has_what_came_in_with_it_or_before(retrieval: str) -> None:
    store = a_memory()
    before, after = (_find(store, version=version, retrieval=retrieval, query="fridge") for version in (1, 2))
    assert [each.tuple.action for each in before] == ["open fridge 1"]
    assert sorted(each.tuple.action for each in after) == ["look", "open fridge 1"]


@pytest.mark.parametrize("version", [-1, 3])
def test_a_version_that_is_not_sealed_is_not_searched(version: int) -> None:
    with pytest.raises(ValueError, match=rf"expected a sealed version \(0 to 2\), got {version}"):
        _find(a_memory(), version=version)


@given(st.lists(st.integers(1, 50), max_size=12), st.integers(0, 2_000))
def test_the_newest_that_fit_the_budget_are_found(lengths: list[int], budget: int) -> None:
    tuples = [a_tuple(observation="é" * 10 * length) for length in lengths]
    found = [each.tuple for each in _find(_one_type(tuples), budget=budget)]
    fitting = [each for each in tuples if _size(each) <= budget]
    assert found == fitting[len(fitting) - len(found) :]
    assert sum(map(_size, found)) <= budget
    if len(found) < len(fitting):
        assert sum(map(_size, found)) + _size(fitting[-len(found) - 1]) > budget


def test_the_best_by_reward_comes_first_and_of_equals_the_newest() -> None:
    rewards = [0.5, 1.0, 0.0, 1.0, 0.75]
    store = _one_type([a_tuple(action=f"do {number}", reward=reward) for number, reward in enumerate(rewards)])
    assert [each.tuple.action for each in _find(store, retrieval="best")] == ["do 3", "do 1", "do 4", "do 0", "do 2"]
    size = _size(_find(store)[0].tuple)
    assert [each.tuple.action for each in _find(store, retrieval="best", budget=2 * size)] == ["do 3", "do 1"]


def test_the_best_by_words_comes_first_within_the_budget() -> None:
    kinds = ["an egg", "a mug", "a lamp", "a pan", "a book"]
    store = _one_type([a_tuple(observation=f"On the table you see {kind}.") for kind in kinds])
    found = _find(store, retrieval="lexical", query="A LAMP, that is what I look for; or is it a book?")
    assert [each.tuple.observation[21:-1] for each in found] == ["a book", "a lamp", "a pan", "a mug", "an egg"]
    store = _one_type([a_tuple(observation=f"{kind} " * 3) for kind in ("egg", "mug", "lamp", "pan")])
    (best,) = _find(store, retrieval="lexical", query="mug", budget=120)
    assert best.tuple.observation == "mug mug mug "


def test_a_search_by_words_needs_types() -> None:
    with pytest.raises(UsageError, match="retrieval 'lexical': expected a goal type and an observation type, got none"):
        _find(a_memory(), retrieval="lexical", goal_type=None)


def test_shuffled_tuples_are_of_other_goals_of_the_batch_memory_and_the_same_every_time() -> None:
    goals = [tuple(a_tuple(f"goal {number}", action=f"do {number} {step}") for step in range(4)) for number in range(9)]
    store = a_store(None, request(*goals))
    found = _find(store, budget=1_500)
    shuffled = _find(store, budget=1_500, shuffled=True)
    assert 4 < len(found) == len(shuffled) == len({each.id for each in shuffled})
    assert all(one.tuple.goal != other.tuple.goal for one, other in zip(found, shuffled, strict=True))
    assert shuffled == _find(store, budget=1_500, shuffled=True)
    store.add(request(HEAT, version=2, place=5, types=()))
    store.seal(2)
    assert shuffled == _find(store, budget=1_500, shuffled=True)
    assert _find(_one_type(list(HEAT[:1])), shuffled=True) == [], "there is no other goal"
    apart = a_store(None, request(HEAT), request(COOL, batch=2, place=1, types=TYPES))
    assert _find(apart, shuffled=True) == []
