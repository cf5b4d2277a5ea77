"""The Ray runtime compared with the local one: the same content, resumable by either, and hosts that die."""

import asyncio
import os
import re
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.cluster import transport
from quintet.cluster.chunks import MAX_CALL_BYTES
from quintet.cluster.host_actor import RayHost, SpawnerFactory
from quintet.cluster.placement import HostGroup, PlacementConfig, Resources
from quintet.cluster.ray_api import ray
from quintet.cluster.runtime import RayRuntime
from quintet.errors import ModelFault, UsageError
from quintet.events import CallMade, EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling
from quintet.ports.transport import HostName
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.deploy.cluster.programs import until
from tests.simulation.content import content
from tests.simulation.learners import learning_spec, with_learner
from tests.simulation.scenes import Fetcher, Script, Slow, adapt, contest, planned

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.ray,
    pytest.mark.xdist_group("ray"),
    pytest.mark.usefixtures("local_cluster"),
]

GOALS = ("lantern", "beehive", "lectern", "comparator")
ONE_HOST, COLOCATED = PlacementConfig("colocated", hosts=1), PlacementConfig("colocated", hosts=2)
PER_ROLE = PlacementConfig("per-role", hosts=1)
UNIT = 0.05


def slow() -> RunSpec:
    return contest(model=Slow(Fetcher(), unit=UNIT))


def on_ray(
    journal: SqliteJournal,
    placement: PlacementConfig,
    factory: SpawnerFactory = slow,
    spec: RunSpec | None = None,
    *,
    concurrency: int = 4,
    replace: int | None = None,
) -> RayRuntime:
    return RayRuntime(
        spec or slow(), factory, journal, concurrency=concurrency, placement=placement, name="test", replace=replace
    )


def on_this_process(journal: SqliteJournal, *, concurrency: int = 4) -> LocalRuntime:
    return LocalRuntime(slow(), journal, concurrency=concurrency)


async def run(runtime: Runtime, journal: SqliteJournal, *, at_most: int = len(GOALS)) -> list[EpisodeEnded]:
    """Run the episodes that have not ended; leave after `at_most` ends."""
    done = {row.path for row in journal.reader.episodes() if row.state is not None}
    ended: list[EpisodeEnded] = []
    async with runtime:
        async for end in (ends := runtime.run([one for one in planned(slow(), GOALS) if one.path not in done])):
            ended.append(end)
            if len(ended) == at_most:
                await ends.aclose()
    return ended


def whole() -> SqliteJournal:
    journal = SqliteJournal(":memory:")
    assert len(asyncio.run(run(on_this_process(journal), journal))) == len(GOALS)
    return journal


def test_a_run_begun_on_either_runtime_is_resumed_by_the_other_to_the_same_content() -> None:
    expected = content(whole())
    for first, then in ((on_this_process, ONE_HOST), (partial(on_ray, placement=ONE_HOST), None)):
        journal = SqliteJournal(":memory:")
        asyncio.run(run(first(journal, concurrency=1), journal, at_most=1))  # or all may end at once
        left = len(GOALS) - sum(row.state is not None for row in journal.reader.episodes())
        assert 0 < left < len(GOALS)
        second = on_this_process(journal) if then is None else on_ray(journal, then)
        assert len(asyncio.run(run(second, journal))) == left
        assert content(journal) == expected


def has(runtime: RayRuntime, host: HostName) -> bool:
    return host in runtime.runner.hosts


async def pid(handle: Any) -> int:
    found: int = await handle.__ray_call__.remote(_pid)
    return found


def _pid(actor: RayHost) -> int:
    return os.getpid()


@pytest.mark.parametrize(
    ("placement", "victim", "follower"),
    [
        pytest.param(ONE_HOST, "host", "host-2", id="colocated"),
        pytest.param(PER_ROLE, "executor", "executor-2", id="per-role", marks=pytest.mark.slow),
    ],
)
def test_the_only_host_of_a_role_is_killed_twice_and_one_under_another_name_follows_each_time(
    placement: PlacementConfig, victim: HostName, follower: HostName
) -> None:
    journal = SqliteJournal(":memory:")

    async def scene() -> list[EpisodeEnded]:
        async with (runtime := on_ray(journal, placement, replace=2)):
            ended: list[EpisodeEnded] = []
            running = runtime.run(planned(slow(), GOALS))
            waiting = asyncio.ensure_future(anext(running))
            for name in (victim, follower):
                assert await until(partial(has, runtime, name), 60)
                os.kill(await pid(runtime.handles[name]), signal.SIGKILL)
            ended = [await waiting] + [end async for end in running]
            third = HostName(follower.replace("-2", "-3"))
            alive = [name for name, lives in runtime.runner.hosts.items() if lives]
            assert third in alive
            assert runtime.host.lost == {victim, follower}
        return ended

    assert len(asyncio.run(scene())) == len(GOALS)
    assert content(journal) == content(whole())


def slow_learning_spec() -> RunSpec:
    return learning_spec(Slow(Fetcher(), unit=UNIT))


@pytest.mark.slow
def test_a_learner_beside_the_driver_makes_the_same_plans_from_episodes_on_hosts_of_which_one_dies() -> None:
    async def scene(runtime: Runtime, journal: SqliteJournal, victim: HostName | None = None) -> None:
        async with runtime:
            if victim is not None:
                assert isinstance(runtime, RayRuntime)
                dying = await pid(runtime.handles[victim])
                asyncio.get_running_loop().call_later(6 * UNIT, os.kill, dying, signal.SIGKILL)
            async for _ in runtime.run(with_learner(slow_learning_spec(), runtime, journal)):
                pass

    here, there = SqliteJournal(":memory:"), SqliteJournal(":memory:")
    asyncio.run(scene(LocalRuntime(slow_learning_spec(), here, concurrency=4), here))
    asyncio.run(scene(on_ray(there, COLOCATED, slow_learning_spec, slow_learning_spec()), there, HostName("host-2")))
    assert len(there.reader.published()) == 3
    assert content(there) == content(here)


def test_a_host_that_acknowledges_nothing_is_killed_and_its_work_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "TICK", 0.2)
    monkeypatch.setattr(transport, "TICKS", 5)
    journal = SqliteJournal(":memory:")

    async def scene() -> list[EpisodeEnded]:
        async with (runtime := on_ray(journal, COLOCATED)):
            silent = await pid(runtime.handles[HostName("host-2")])
            os.kill(silent, signal.SIGSTOP)
            ended = [end async for end in runtime.run(planned(slow(), GOALS))]
            assert runtime.host.lost == {"host-2"}
        return ended

    assert len(asyncio.run(scene())) == len(GOALS)
    assert content(journal) == content(whole())


def test_envelopes_of_any_size_travel_between_hosts_and_to_and_from_the_driver() -> None:
    thought = "x" * (4 * MAX_CALL_BYTES)
    factory = partial(adapt, Script(f"Thought: {thought}\nAction: inventory", "Action: task failed"), max_depth=1)
    journal = SqliteJournal(":memory:")

    async def scene() -> list[EpisodeEnded]:
        spec = factory()
        placement = PlacementConfig("colocated", hosts=1, groups={"executor": HostGroup(1)})
        async with on_ray(journal, placement, factory, spec) as runtime:
            first = [end async for end in runtime.run(planned(spec, ("stick",)))]
            # Again: now the driver uses the records of the journal.
            return first + [end async for end in runtime.run(planned(spec, ("stick",)))]

    first, again = asyncio.run(scene())
    assert (first.state, first.fault) == (again.state, again.fault) == ("unsolved", None)
    calls = [record.event for record in journal.reader.records() if isinstance(record.event, CallMade)]
    assert thought in calls[0].completion.text
    assert len(calls) == len({call.path for call in calls})


def not_installed() -> RunSpec:
    raise UsageError("model 'absent': expected one of sim, got none of that name")


def refusal(placement: PlacementConfig, factory: SpawnerFactory = slow) -> str:
    async def scene() -> None:
        async with on_ray(SqliteJournal(":memory:"), placement, factory):
            raise AssertionError("it opened")

    with pytest.raises(UsageError) as refused:
        asyncio.run(scene())
    assert not any(actor["namespace"].startswith("quintet-test") for actor in _named())
    return str(refused.value)


def _named() -> list[dict[str, str]]:
    named: list[dict[str, str]] = ray.util.list_named_actors(all_namespaces=True)
    return named


def test_a_package_that_a_node_lacks_is_reported_before_the_first_episode_and_nothing_is_left() -> None:
    assert re.match(r"host host: model 'absent': expected one of sim", refusal(ONE_HOST, not_installed))


def test_resources_that_no_node_has_are_refused_at_once() -> None:
    placement = PlacementConfig(groups={"host": HostGroup(resources=Resources(gpus=3))})
    assert re.match(r"host host asks for 3 GPU, which no node has: node [\d.]+ \(", refusal(placement))


class Stuck:
    """A model that answers only a greeting."""

    name = "stuck"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if prompt.messages()[-1].content == "Hello.":
            return Completion(text="Hello.")
        raise ModelFault("out of order")


async def test_hosts_are_named_by_their_roles_in_a_namespace_of_the_run_and_write_logs(tmp_path: Path) -> None:
    failing = partial(contest, 0, Stuck())
    placement = PlacementConfig("per-role", hosts=1, groups={"executor": HostGroup(2)})
    hosts = ["environment", "executor", "executor-2", "subtask"]

    def named(runtime: RayRuntime) -> list[str]:
        return sorted(actor["name"] for actor in _named() if actor["namespace"] == runtime.namespace)

    journal = SqliteJournal(":memory:")
    runtime = RayRuntime(failing(), failing, journal, concurrency=1, placement=placement, logs=tmp_path)
    async with runtime:
        assert named(runtime) == hosts
        async for end in runtime.run(planned(failing(), ("lantern",))):
            assert end.state == "faulted"
    assert named(runtime) == []
    logs = [tmp_path / f"{host}.log" for host in hosts if host.startswith("executor")]
    assert any("lantern/0/0" in log.read_text() for log in logs if log.exists())
