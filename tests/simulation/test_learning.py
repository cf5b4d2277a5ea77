"""A learner under crashes and faults: the same plans, the same episodes, nothing left behind."""

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path as FilePath
from random import Random

import pytest

from quintet.errors import HostLost, LearnerFaulted, ModelFault
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Published, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, attempt_of, episode_of, episode_path, is_within
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import Placement
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster, Faults
from tests.simulation.content import content
from tests.simulation.learners import LEARN, learning_spec, with_learner
from tests.simulation.network import Network
from tests.simulation.replays import Mute
from tests.simulation.scenes import Fetcher, Refusing, Slow
from tests.simulation.test_crashes import POSITIONS, killed
from tests.simulation.test_faults import faults
from tests.simulation.virtual import run

SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 20))]


async def run_learning(spec: RunSpec, journal: SqliteJournal, *, concurrency: int = 3) -> list[EpisodeEnded]:
    async with LocalRuntime(spec, journal, concurrency=concurrency) as runtime:
        return [end async for end in runtime.run(with_learner(spec, runtime, journal))]


@cache
def whole() -> Content:
    journal = SqliteJournal(":memory:")
    run(run_learning(learning_spec(), journal))
    return content(journal)


@POSITIONS
def test_a_learner_that_is_killed_at_a_position_makes_the_same_plans(apart: int, tmp_path: FilePath) -> None:
    spec = learning_spec(turns=1, eval_every=2, select="last")
    journal = SqliteJournal(":memory:")
    run(run_learning(spec, journal))
    expected = content(journal)
    assert sum(isinstance(event, Published) for event in expected.values()) == 3
    assert len(expected) > 70
    for where, resumed in killed(tmp_path, range(1, len(expected), apart), partial(run_learning, spec)):
        run(run_learning(spec, resumed))
        assert content(resumed) == expected, where


def test_whatever_the_concurrency_the_plans_are_the_same() -> None:
    for concurrency in (1, 8):
        journal = SqliteJournal(":memory:")
        run(run_learning(learning_spec(), journal, concurrency=concurrency))
        assert content(journal) == whole()


async def outcome(placement: Placement, random: Random, faults: Faults, journal: SqliteJournal) -> None:
    network = Network(random, delay=faults.delay, loss=faults.loss)
    cluster = Cluster(learning_spec(), journal, network, placement, slots=2)
    cluster.inject(faults)
    await cluster.finish(with_learner(learning_spec(), cluster, journal))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_learner_makes_the_same_plans_under_any_faults(seed: int) -> None:
    random = Random(seed)
    placement = random.choice([COLOCATED, PER_ROLE])
    journal = SqliteJournal(":memory:")
    run(outcome(placement, random, faults(random, placement), journal))
    assert content(journal) == whole()


def test_a_replay_of_the_whole_journal_calls_no_model() -> None:
    journal = SqliteJournal(":memory:")
    run(run_learning(learning_spec(), journal))
    before = content(journal)
    run(run_learning(learning_spec(Mute()), journal))
    assert content(journal) == before


def test_measuring_a_plan_overlaps_with_collecting_for_the_next() -> None:
    journal = SqliteJournal(":memory:")
    run(run_learning(learning_spec(Slow(Fetcher())), journal, concurrency=8))
    at = {record.event.path: record.at for record in journal.reader.records() if isinstance(record.event, CallMade)}
    assert at
    order = [attempt_of(episode_of(path)) for path in sorted(at, key=lambda path: at[path]) if not path.startswith("~")]
    measured = [place for place, attempt in enumerate(order) if (attempt.task, attempt.epoch) == ("purple bed", 0)]
    collected = [place for place, attempt in enumerate(order) if attempt.task in LEARN.training and attempt.epoch == 0]
    assert min(measured) < max(collected)
    assert min(collected) < max(measured)


def refusing(said: str, error: Exception | None = None) -> RunSpec:
    return learning_spec(Refusing(Fetcher(), said, error or ModelFault("no answer to that")))


def test_a_fault_of_the_learner_itself_suspends_and_goes_on_where_it_stood() -> None:
    journal = SqliteJournal(":memory:")
    with pytest.raises(LearnerFaulted, match=r"learner: ActorCrashed: .*no such key"):
        run(run_learning(refusing("Mind the revise_plan.", KeyError("no such key")), journal))
    reflected = [event for event in content(journal).values() if isinstance(event, Exchanged)]
    assert any(event.request == "reflect" for event in reflected)
    run(run_learning(learning_spec(), journal))
    assert content(journal) == whole()


@pytest.mark.parametrize("said", ["Mind the revise_plan.", "Mind the reflect.flaw."])
def test_a_prompt_that_the_model_refuses_for_good_costs_the_learner_its_answer_only(said: str) -> None:
    journal = SqliteJournal(":memory:")
    run(run_learning(refusing(said), journal))
    assert set(journal.reader.published().values()) == {""}
    before = content(journal)
    run(run_learning(learning_spec(), journal))
    assert content(journal) == before


class Order:
    """Everything in the order in which it was committed."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def begun(self, episode: Path, incarnation: int) -> None: ...

    def committed(self, records: Sequence[Record]) -> None:
        self.events += [record.event for record in records]


async def repeated(faulted: Path, spec: RunSpec, journal: SqliteJournal) -> EpisodeEnded:
    """Go on with the learner, and with one more attempt at an episode beside it; how that attempt ended."""
    task, version, attempt = attempt_of(faulted)
    again = episode_path(task, version, attempt + 1)
    async with LocalRuntime(spec, journal, concurrency=3) as runtime:
        solve_request = EpisodeRequests(spec, learn=LEARN, version=journal.reader.version)
        planned = [*with_learner(spec, runtime, journal), Planned(again, solve_request(task, version))]
        ends = [end async for end in runtime.run(planned)]
    return next(end for end in ends if end.path == again)


def test_an_episode_that_faulted_is_left_out_of_its_batch_and_stays_out_when_it_is_repeated(tmp_path: FilePath) -> None:
    order = Order()
    lacking, journal = refusing("Goal: craft lantern."), SqliteJournal(":memory:", order)
    (faulted,) = (end.path for end in run(run_learning(lacking, journal)) if end.state == "faulted")
    expected = content(journal)
    assert faulted.startswith("lantern/")
    reflected = [event.subject for event in expected.values() if isinstance(event, Exchanged)]
    assert {"beehive", "lectern", "comparator"} <= set(reflected)
    assert "lantern" not in reflected
    version = attempt_of(faulted).epoch + 1
    plans = {event.version: place for place, event in enumerate(order.events, 1) if isinstance(event, Published)}
    positions = plans[version], len(expected) - 1
    for _, resumed in killed(tmp_path, positions, partial(run_learning, lacking)):
        again = run(repeated(faulted, learning_spec(), resumed))
        assert again.fault is None
        assert {
            at: event for at, event in content(resumed).items() if not is_within(event.path, again.path)
        } == expected


async def test_when_every_host_died_the_run_stops_though_the_learner_lives() -> None:
    journal = SqliteJournal(":memory:")
    cluster = Cluster(learning_spec(), journal, Network(Random(0)), COLOCATED, slots=2)
    cluster.inject(Faults(kills=[(1.0, name) for name in cluster.hosts]))
    with pytest.raises(HostLost, match="every host with slots died"):
        [end async for end in cluster.run(with_learner(learning_spec(), cluster, journal))]


def test_the_learner_takes_no_episodes_place() -> None:
    journal = SqliteJournal(":memory:")
    assert len(run(run_learning(learning_spec(), journal, concurrency=1))) == 2 * 2 + 3 * 2
