"""The Ray runtime keeps the runtime contract, in real time and under both presets."""

import asyncio
from collections.abc import Callable

import pytest

from quintet.cluster.placement import HostGroup, PlacementConfig
from quintet.cluster.runtime import RayRuntime
from quintet.journal.writer import SqliteJournal
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.contracts.runtime import HOSTILITIES, RuntimeContract
from tests.deploy.cluster.remote import is_idle, on_hosts, sessions
from tests.simulation.scenes import GOALS

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray"), pytest.mark.usefixtures("local_cluster")]


def factory_of(spec: RunSpec) -> Callable[[], RunSpec]:
    """A factory that carries the run spec."""
    return lambda: spec


@pytest.mark.slow
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
        for _ in range(1_200):
            idle = runtime.host.idle and all((await on_hosts(runtime, is_idle)).values())
            if idle and not any((await on_hosts(runtime, sessions)).values()):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(await on_hosts(runtime, sessions))


@pytest.mark.slow
class TestRayPerRole(TestRayColocated):
    placement = PlacementConfig("per-role", hosts=1, groups={"environment": HostGroup(2), "executor": HostGroup(2)})


# What Ray may break: how an episode is judged and replayed is the same code on every host, and the simulation tries it.
@pytest.mark.parametrize(
    "clause",
    [
        TestRayColocated.test_cancelling_a_run_reaches_every_descendant,
        TestRayColocated.test_a_hostile_model_ends_its_own_episode_and_no_other,
    ],
)
def test_one_host_on_ray(clause: Callable[[RuntimeContract], None]) -> None:
    clause(TestRayColocated())
