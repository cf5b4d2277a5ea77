"""The Ray runtime compared with the local one: the same content, resumable by either, and hosts that die."""

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from quintet.cluster import transport
from quintet.cluster.chunks import MAX_CALL_BYTES
from quintet.cluster.placement import HostGroup, PlacementConfig, Resources
from quintet.cluster.ray_api import ray
from quintet.cluster.runtime import RayRuntime
from quintet.errors import ModelFault, UsageError
from quintet.events import CallMade
from quintet.journal.writer import SqliteJournal
from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling
from quintet.ports.transport import HostName
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from quintet.testing.content import Content
from tests.deploy.cluster.programs import until
from tests.deploy.cluster.remote import on_hosts, process
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
    placement: PlacementConfig = ONE_HOST,
    factory: Callable[[], RunSpec] = slow,
    *,
    concurrency: int = 4,
    replace: int | None = None,
    logs: Path | None = None,
) -> RayRuntime:
    return RayRuntime(
        factory(),
        factory,
        journal,
        concurrency=concurrency,
        placement=placement,
        name="test",
        replace=replace,
        logs=logs,
    )


def on_this_process(journal: SqliteJournal, *, concurrency: int = 4) -> LocalRuntime:
    return LocalRuntime(slow(), journal, concurrency=concurrency)


async def run(runtime: Runtime, *, at_most: int = len(GOALS)) -> int:
    """Run the episodes that have not ended, and leave after `at_most` ends; how many ended."""
    done = {row.path for row in runtime.journal.reader.episodes() if row.state is not None}
    ended = 0
    async with runtime:
        async for _ in (ends := runtime.run([one for one in planned(slow(), GOALS) if one.path not in done])):
            ended += 1
            if ended == at_most:
                await ends.aclose()
    return ended


async def whole() -> Content:
    """The content of a run that nothing happens to."""
    journal = SqliteJournal(":memory:")
    assert await run(on_this_process(journal)) == len(GOALS)
    return content(journal)


@pytest.mark.parametrize(
    ("first", "then"),
    [(on_this_process, on_ray), pytest.param(on_ray, on_this_process, marks=pytest.mark.slow)],
)
async def test_a_run_begun_on_either_runtime_is_resumed_by_the_other_to_the_same_content(
    first: Callable[..., Runtime], then: Callable[..., Runtime]
) -> None:
    journal = SqliteJournal(":memory:")
    await run(first(journal, concurrency=1), at_most=1)  # or all may end at once
    left = len(GOALS) - sum(row.state is not None for row in journal.reader.episodes())
    assert 0 < left < len(GOALS)
    assert await run(then(journal)) == left
    assert content(journal) == await whole()


@pytest.mark.parametrize(
    ("placement", "victims"),
    [
        pytest.param(ONE_HOST, ["host"], id="colocated"),
        pytest.param(PER_ROLE, ["executor", "executor-2"], id="per-role", marks=pytest.mark.slow),
    ],
)
async def test_the_only_host_of_a_role_is_killed_and_one_under_another_name_follows_each_time(
    placement: PlacementConfig, victims: list[HostName]
) -> None:
    journal = SqliteJournal(":memory:")
    async with on_ray(journal, placement, replace=len(victims)) as runtime:
        running = runtime.run(planned(slow(), GOALS))
        waiting = asyncio.ensure_future(anext(running))
        for name in victims:
            assert await until(lambda name=name: name in runtime.runner.hosts, 60)  # type: ignore[misc]
            os.kill((await on_hosts(runtime, process))[name], signal.SIGKILL)
        assert len([await waiting] + [end async for end in running]) == len(GOALS)
        assert runtime.runner.hosts[HostName(f"{victims[0]}-{len(victims) + 1}")]
        assert runtime.host.lost == set(victims)
    assert content(journal) == await whole()


def slow_learning_spec() -> RunSpec:
    return learning_spec(Slow(Fetcher(), unit=UNIT))


@pytest.mark.slow
async def test_hosts_of_every_role_are_given_back_while_calls_are_in_flight_and_no_episode_begins_again() -> None:
    journal = SqliteJournal(":memory:")
    runtime = on_ray(journal, PlacementConfig("per-role", hosts=2))

    async def play() -> int:
        return len([end async for end in runtime.run(planned(slow(), GOALS))])

    async with runtime:
        running = asyncio.create_task(play())
        assert await until(lambda: any(isinstance(record.event, CallMade) for record in journal.reader.records()))
        assert runtime.runner.resize is not None
        runtime.runner.resize(1)
        assert await running == len(GOALS)
        assert await until(lambda: set(runtime.runner.hosts) == {"executor", "environment", "subtask"})
    assert [row.incarnation for row in journal.reader.episodes()] == [1] * len(GOALS)
    assert content(journal) == await whole()


@pytest.mark.slow
async def test_a_learner_beside_the_driver_makes_the_same_plans_from_episodes_on_hosts_of_which_one_dies() -> None:
    here, there = SqliteJournal(":memory:"), SqliteJournal(":memory:")
    for runtime in (
        LocalRuntime(slow_learning_spec(), here, concurrency=4),
        on_ray(there, COLOCATED, slow_learning_spec),
    ):
        async with runtime:
            if isinstance(runtime, RayRuntime):
                dying = (await on_hosts(runtime, process))[HostName("host-2")]
                asyncio.get_running_loop().call_later(6 * UNIT, os.kill, dying, signal.SIGKILL)
            async for _ in runtime.run(with_learner(slow_learning_spec(), runtime, runtime.journal)):
                pass
    assert len(there.reader.published()) == 3
    assert content(there) == content(here)


@pytest.mark.slow
async def test_a_host_that_acknowledges_nothing_is_killed_and_its_work_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "TICK", 0.2)
    journal = SqliteJournal(":memory:")
    async with on_ray(journal, COLOCATED, replace=0) as runtime:
        os.kill((await on_hosts(runtime, process))[HostName("host-2")], signal.SIGSTOP)
        assert len([end async for end in runtime.run(planned(slow(), GOALS))]) == len(GOALS)
        assert runtime.host.lost == {"host-2"}
    assert content(journal) == await whole()


async def test_envelopes_of_any_size_travel_between_hosts_and_to_and_from_the_driver() -> None:
    thought = "x" * (4 * MAX_CALL_BYTES)
    factory = partial(adapt, Script(f"Thought: {thought}\nAction: inventory", "Action: task failed"), max_depth=1)
    journal = SqliteJournal(":memory:")
    placement = PlacementConfig("colocated", hosts=1, groups={"executor": HostGroup(1)})
    async with on_ray(journal, placement, factory) as runtime:
        # The second time, the driver uses the records of the journal.
        first, again = [[end async for end in runtime.run(planned(factory(), ("stick",)))] for _ in range(2)]
    assert [(end.state, end.fault) for end in first + again] == [("unsolved", None)] * 2
    calls = [record.event for record in journal.reader.records() if isinstance(record.event, CallMade)]
    assert thought in calls[0].completion.text
    assert len(calls) == len({call.path for call in calls})


def named(namespace: str) -> list[str]:
    """The actors of runs in namespaces that begin so."""
    found: list[dict[str, str]] = ray.util.list_named_actors(all_namespaces=True)
    return sorted(actor["name"] for actor in found if actor["namespace"].startswith(namespace))


def not_installed() -> RunSpec:
    raise UsageError("model 'absent': expected one of sim, got none of that name")


@pytest.mark.parametrize(
    ("placement", "factory", "said"),
    [
        pytest.param(ONE_HOST, not_installed, r"host host: model 'absent': expected one of sim", id="package"),
        pytest.param(
            PlacementConfig(groups={"host": HostGroup(resources=Resources(gpus=3))}),
            slow,
            r"host host asks for 3 GPU, which no node has: node [\d.]+ \(",
            id="resources",
        ),
    ],
)
async def test_what_a_node_lacks_is_reported_before_the_first_episode_and_nothing_is_left(
    placement: PlacementConfig, factory: Callable[[], RunSpec], said: str
) -> None:
    runtime = RayRuntime(slow(), factory, SqliteJournal(":memory:"), concurrency=4, placement=placement, name="test")
    with pytest.raises(UsageError, match=f"^{said}"):
        await runtime.__aenter__()
    assert not named("quintet-test")


def logged(folder: Path, pattern: str) -> str:
    return "".join(log.read_text() for log in folder.glob(pattern))


class Stuck:
    """A model that answers only a greeting."""

    name = "stuck"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if prompt.messages()[-1].content == "Hello.":
            return Completion(text="Hello.")
        raise ModelFault("out of order")


async def test_hosts_are_named_by_their_roles_in_a_namespace_of_the_run_and_write_logs(tmp_path: Path) -> None:
    failing = partial(contest, 0, Stuck())
    placement = PlacementConfig("colocated", hosts=1, groups={"executor": HostGroup(2)})
    async with on_ray(SqliteJournal(":memory:"), placement, failing, concurrency=1, logs=tmp_path) as runtime:
        assert named(runtime.namespace) == ["executor", "executor-2", "host"]
        assert [end.state async for end in runtime.run(planned(failing(), ("lantern",)))] == ["faulted"]
    assert named(runtime.namespace) == []
    assert "lantern/0/0" in logged(tmp_path, "executor*.log")
