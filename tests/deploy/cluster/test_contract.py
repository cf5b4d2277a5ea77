"""The Ray runtime keeps the runtime contract, in real time and under both presets."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from quintet.cluster.host_actor import RayHost
from quintet.cluster.placement import PlacementConfig
from quintet.cluster.runtime import RayRuntime
from quintet.journal.writer import SqliteJournal
from quintet.roles.environment import Environment
from quintet.runtime.host import Host
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.contracts.runtime import HOSTILITIES, RuntimeContract
from tests.simulation.scenes import GOALS

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray"), pytest.mark.usefixtures("local_cluster")]


def factory_of(spec: RunSpec) -> Callable[[], RunSpec]:
    """A factory that carries the run spec."""
    return lambda: spec


def left(host: Host) -> list[str]:
    """The unfinished work of a host."""
    sessions = sum(actor.sessions for actor in host.actors.values() if isinstance(actor, Environment))
    return ["something is under way"] * (not host.idle) + [f"{sessions} sessions"] * bool(sessions)


def left_in_actor(actor: RayHost) -> list[str]:
    return left(actor.host)


class TestRayColocated(RuntimeContract):
    goals = ("lantern", "beehive", "lectern")
    unit = 0.05
    slots = 4
    ends_at_once = 2
    breaks = (2.6,)
    hostilities = (dict(zip((*GOALS[1:], "stick", "cake"), HOSTILITIES, strict=True)),)
    placement = PlacementConfig("colocated", hosts=1)

    run = staticmethod(asyncio.run)

    def open(self, spec: RunSpec, journal: SqliteJournal) -> Runtime:
        return RayRuntime(spec, factory_of(spec), journal, concurrency=self.slots, placement=self.placement)

    async def assert_nothing_is_left(self, runtime: Runtime) -> None:
        """Soon no process asks, answers or holds a session."""
        assert isinstance(runtime, RayRuntime)
        remains: list[str] = []
        for _ in range(200):
            remains = left(runtime.host)
            for handle in runtime.handles.values():
                remains += await cast("Any", handle).__ray_call__.remote(left_in_actor)
            if not remains:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(remains)

    # How an episode is judged and replayed is the same code on every host; the simulation tries it on many.
    @pytest.mark.slow
    def test_a_changed_world_is_a_replay_mismatch_that_names_the_line(self) -> None:
        super().test_a_changed_world_is_a_replay_mismatch_that_names_the_line()

    @pytest.mark.slow
    def test_a_reward_outside_its_range_is_the_worlds_fault(self) -> None:
        super().test_a_reward_outside_its_range_is_the_worlds_fault()

    @pytest.mark.slow
    def test_an_episode_out_of_time_keeps_the_reward_it_earned(self) -> None:
        super().test_an_episode_out_of_time_keeps_the_reward_it_earned()

    @pytest.mark.slow
    def test_an_episode_out_of_time_ends_unsolved_and_its_replay_too(self) -> None:
        super().test_an_episode_out_of_time_ends_unsolved_and_its_replay_too()

    @pytest.mark.slow
    def test_the_same_seed_gives_the_same_content_and_another_seed_another(self) -> None:
        super().test_the_same_seed_gives_the_same_content_and_another_seed_another()


@pytest.mark.slow
class TestRayPerRole(TestRayColocated):
    placement = PlacementConfig("per-role", hosts=1)
