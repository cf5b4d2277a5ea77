"""A world that needs something on its hosts says before the first episode whether it is there."""

import asyncio
from collections.abc import Collection

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.errors import ProcessLost, Suspension, UsageError
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Task
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solve
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.ports.async_world import AsyncWorld
from quintet.runtime.incarnation import Planned
from tests.actors.environments.adapters.stairs import LOW, AsyncClimb, AsyncStairs
from tests.simulation.scenes import ends_of, spec_of
from tests.simulation.virtual import run


class WetStairs(AsyncStairs):
    """Have to dry before anybody may climb them."""

    def __init__(self, *faults: Exception) -> None:
        super().__init__()
        self.said: list[str] = []
        self.faults = list(faults)

    async def get_ready(self, tasks: Collection[str]) -> None:
        await asyncio.sleep(1)
        self.said.append(f"ready for {', '.join(tasks)}")
        if self.faults:
            raise self.faults.pop(0)

    async def open(self, task: Task) -> AsyncClimb:
        self.said.append("open")
        return await super().open(task)


def states_of(world: AsyncWorld, journal: SqliteJournal, epochs: int = 2) -> list[str]:
    spec = spec_of(Expert(ExpertConfig()), {}, world=as_world(world))
    episodes = [
        Planned(episode_path(LOW.name, epoch, 0), Solve(task=spec.task(LOW.name, epoch))) for epoch in range(epochs)
    ]
    return [end.state for end in run(ends_of(spec, journal, episodes, concurrency=3))]


def test_it_gets_ready_once_for_the_tasks_to_be_played_before_the_first_session() -> None:
    world = WetStairs()
    assert states_of(world, SqliteJournal(":memory:")) == ["solved", "solved"]
    assert world.said == ["ready for low stairs", "open", "open"]


def test_a_refusal_ends_the_run_before_an_episode_has_begun_and_the_next_start_asks_again() -> None:
    world, journal = WetStairs(UsageError("stairs: expected dry ones, got wet ones")), SqliteJournal(":memory:")
    with pytest.raises(UsageError, match=r"^stairs: expected dry ones, got wet ones$"):
        states_of(world, journal)
    assert list(journal.reader.episodes()) == []
    assert states_of(world, journal) == ["solved", "solved"]


def test_a_process_that_ends_meanwhile_is_asked_for_again() -> None:
    world = WetStairs(ProcessLost("the broom broke"), ProcessLost("the broom broke"))
    assert states_of(world, SqliteJournal(":memory:")) == ["solved", "solved"]
    assert world.said == ["ready for low stairs"] * 3 + ["open"] * 2


def test_one_whose_process_always_ends_stops_the_run_with_its_words() -> None:
    world = WetStairs(*(ProcessLost("the broom broke") for _ in range(99)))
    with pytest.raises(Suspension, match="expected an answer, got none: the broom broke"):
        states_of(world, SqliteJournal(":memory:"))


def test_a_bug_in_it_stops_the_run() -> None:
    with pytest.raises(Suspension, match=r"environment stairs: get ready: .*ZeroDivisionError"):
        states_of(WetStairs(ZeroDivisionError()), SqliteJournal(":memory:"))


def test_nothing_is_asked_where_nothing_is_to_be_played() -> None:
    world = WetStairs()
    assert states_of(world, SqliteJournal(":memory:"), epochs=0) == []
    assert world.said == []
