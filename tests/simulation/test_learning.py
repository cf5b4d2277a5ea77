"""A learner under crashes and in bad weather: the same plans, the same episodes, nothing left behind."""

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path as FilePath
from random import Random

import pytest

from quintet.errors import HostLost, LearnerFaulted, ModelFault
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Published, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, attempt_of, episode_of, episode_path, is_within
from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import Placement
from quintet.runtime.spec import RunSpec
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster, Weather
from tests.simulation.content import Content, content
from tests.simulation.learners import LEARN, apprentice, seated
from tests.simulation.network import Network
from tests.simulation.scenes import Fetcher, Slow
from tests.simulation.test_crashes import crashed
from tests.simulation.test_faults import Mute, faults
from tests.simulation.virtual import run

SEEDS = range(20)


async def learnt(spec: RunSpec, journal: SqliteJournal, *, concurrency: int = 3) -> list[EpisodeEnded]:
    async with LocalRuntime(spec, journal, concurrency=concurrency) as runtime:
        return [end async for end in runtime.run(seated(spec, runtime, journal))]


@cache
def whole() -> Content:
    journal = SqliteJournal(":memory:")
    run(learnt(apprentice(), journal))
    return content(journal)


def test_a_learner_is_killed_at_every_position_and_makes_the_same_plans(tmp_path: FilePath) -> None:
    spec = apprentice(turns=1, eval_every=2, select="last")
    journal = SqliteJournal(":memory:")
    run(learnt(spec, journal))
    expected = content(journal)
    assert sum(isinstance(event, Published) for event in expected.values()) == 3
    assert len(expected) > 70
    for lives in range(1, len(expected)):
        file = tmp_path / f"{lives}.sqlite"
        run(crashed(file, lives, partial(learnt, spec)))
        resumed = SqliteJournal(file)
        run(learnt(spec, resumed))
        assert content(resumed) == expected, f"after a crash at event {lives}"
        resumed.close()


def test_whatever_the_concurrency_the_plans_are_the_same() -> None:
    for concurrency in (1, 8):
        journal = SqliteJournal(":memory:")
        run(learnt(apprentice(), journal, concurrency=concurrency))
        assert content(journal) == whole()


async def outcome(placement: Placement, random: Random, faults: Weather, journal: SqliteJournal) -> None:
    """Learn; afterwards nothing that lives may hold anything."""
    network = Network(random, delay=faults.delay, loss=faults.loss)
    cluster = Cluster.build(apprentice(), journal, network, placement, slots=2)
    cluster.inject(faults)
    async for _ in cluster.run(seated(apprentice(), cluster, journal)):
        pass
    await cluster.settle()
    for host in cluster.survivors():
        assert host.idle, f"{host.name} is not idle"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_learner_makes_the_same_plans_in_any_weather(seed: int) -> None:
    random = Random(seed)
    placement = random.choice([COLOCATED, PER_ROLE])
    journal = SqliteJournal(":memory:")
    run(outcome(placement, random, faults(random, placement), journal))
    assert content(journal) == whole()


def test_a_replay_of_the_whole_journal_calls_no_model() -> None:
    journal = SqliteJournal(":memory:")
    run(learnt(apprentice(), journal))
    before = content(journal)
    run(learnt(apprentice(Mute()), journal))
    assert content(journal) == before


def test_measuring_a_plan_overlaps_with_collecting_for_the_next() -> None:
    journal = SqliteJournal(":memory:")
    run(learnt(apprentice(Slow(Fetcher())), journal, concurrency=8))
    at = {record.event.path: record.at for record in journal.reader.records() if isinstance(record.event, CallMade)}
    assert at
    order = [attempt_of(episode_of(path)) for path in sorted(at, key=lambda path: at[path]) if not path.startswith("~")]
    measured = [place for place, attempt in enumerate(order) if (attempt.task, attempt.epoch) == ("purple bed", 0)]
    collected = [place for place, attempt in enumerate(order) if attempt.task in LEARN.training and attempt.epoch == 0]
    assert min(measured) < max(collected)
    assert min(collected) < max(measured)


class Refusing:
    """A model that faults at the prompts that say something."""

    name = "fetcher"

    def __init__(self, said: str, error: Exception | None = None) -> None:
        self._said = said
        self._error = error or ModelFault("no answer to that")

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if any(self._said in message.content for message in prompt.messages()):
            raise self._error
        return await Fetcher().complete(prompt, sampling)


def test_a_fault_of_the_learner_itself_suspends_and_goes_on_where_it_stood() -> None:
    journal = SqliteJournal(":memory:")
    with pytest.raises(LearnerFaulted, match=r"learner: ActorCrashed: .*no such key"):
        run(learnt(apprentice(Refusing("Mind the revise_plan.", KeyError("no such key"))), journal))
    reflected = [event for event in content(journal).values() if isinstance(event, Exchanged)]
    assert any(event.request == "reflect" for event in reflected)
    run(learnt(apprentice(), journal))
    assert content(journal) == whole()


@pytest.mark.parametrize("said", ["Mind the revise_plan.", "Mind the reflect.flaw."])
def test_a_prompt_that_the_model_refuses_for_good_costs_the_learner_its_answer_only(said: str) -> None:
    journal = SqliteJournal(":memory:")
    run(learnt(apprentice(Refusing(said)), journal))
    assert set(journal.reader.published().values()) == {""}
    before = content(journal)
    run(learnt(apprentice(), journal))
    assert content(journal) == before


class Order:
    """Everything in the order in which it was committed."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def begun(self, episode: Path) -> None: ...

    def committed(self, records: Sequence[Record]) -> None:
        self.events += [record.event for record in records]


async def repeated(faulted: Path, spec: RunSpec, journal: SqliteJournal) -> EpisodeEnded:
    """Go on with the learner, and with one more attempt at an episode beside it; how that attempt ended."""
    task, version, attempt = attempt_of(faulted)
    again = episode_path(task, version, attempt + 1)
    async with LocalRuntime(spec, journal, concurrency=3) as runtime:
        solve_request = EpisodeRequests(spec, learn=LEARN, version=journal.reader.version)
        planned = [*seated(spec, runtime, journal), Planned(again, solve_request(task, version))]
        ends = [end async for end in runtime.run(planned)]
    return next(end for end in ends if end.path == again)


def test_an_episode_that_faulted_is_left_out_of_its_batch_and_stays_out_when_it_is_repeated(tmp_path: FilePath) -> None:
    order = Order()
    refusing, journal = apprentice(Refusing("Goal: craft lantern.")), SqliteJournal(":memory:", order)
    (faulted,) = (end.path for end in run(learnt(refusing, journal)) if end.state == "faulted")
    expected = content(journal)
    assert faulted.startswith("lantern/")
    reflected = [event.subject for event in expected.values() if isinstance(event, Exchanged)]
    assert {"beehive", "lectern", "comparator"} <= set(reflected)
    assert "lantern" not in reflected
    version = attempt_of(faulted).epoch + 1
    plans = {event.version: place for place, event in enumerate(order.events, 1) if isinstance(event, Published)}
    for lives in (plans[version], len(expected) - 1):
        file = tmp_path / f"{lives}.sqlite"
        run(crashed(file, lives, partial(learnt, refusing)))
        resumed = SqliteJournal(file)
        again = run(repeated(faulted, apprentice(), resumed))
        assert again.fault is None
        assert {
            at: event for at, event in content(resumed).items() if not is_within(event.path, again.path)
        } == expected
        resumed.close()


def test_when_every_host_died_the_run_stops_though_the_learner_lives() -> None:
    async def scene() -> None:
        journal = SqliteJournal(":memory:")
        cluster = Cluster.build(apprentice(), journal, Network(Random(0)), COLOCATED, slots=2)
        cluster.inject(Weather(kills=[(1.0, name) for name in cluster.hosts]))
        with pytest.raises(HostLost, match="every host with slots died"):
            [end async for end in cluster.run(seated(apprentice(), cluster, journal))]

    run(scene())


def test_the_learner_takes_no_episodes_place() -> None:
    journal = SqliteJournal(":memory:")
    assert len(run(learnt(apprentice(), journal, concurrency=1))) == 2 * 2 + 3 * 2
