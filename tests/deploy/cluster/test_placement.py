"""The layout: hosts by preset, how they find each other, and how episodes are divided."""

from collections.abc import Collection, Sequence
from random import Random

import pytest

from quintet.cluster.placement import HostGroup, Layout, PlacementConfig, Resources, lay_out
from quintet.errors import UsageError
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, child, episode_path
from quintet.plugins.catalogue import model
from quintet.ports.transport import DRIVER, HostName
from quintet.quota.quota import QUOTA, unlimited
from quintet.runtime.driver import Driver
from quintet.runtime.host import Host
from quintet.runtime.local import LocalRuntime
from quintet.runtime.remote_journal import JOURNAL_ROLE, JournalWriter
from quintet.runtime.roles import Placement
from quintet.testing.content import Content
from tests.simulation.content import content
from tests.simulation.network import Network
from tests.simulation.scenes import GOALS, Script, adapt, contest, planned
from tests.simulation.virtual import run

ROLES = ("executor", "planner", "environment", "subtask")


def names(placement: PlacementConfig, *, cores: int = 2, concurrency: int = 16) -> list[str]:
    return [plan.name for plan in lay_out(placement, ROLES, cores=cores, concurrency=concurrency).hosts]


def test_only_roles_that_the_run_needs_are_placed() -> None:
    assert [role.name for role in contest().roles] == ["executor", "environment", "subtask"]
    assert [role.name for role in adapt(Script("")).roles] == list(ROLES)


def test_there_is_one_shared_host_a_core_and_idle_ones_are_started_only_if_configured() -> None:
    assert names(PlacementConfig()) == ["host", "host-2"]
    assert names(PlacementConfig(), cores=64, concurrency=3) == ["host", "host-2", "host-3"]
    assert len(names(PlacementConfig(hosts=8), concurrency=3)) == 8


def test_per_role_the_cores_are_shared_by_the_roles_and_a_number_counts_for_each_or_for_one() -> None:
    assert names(PlacementConfig("per-role")) == list(ROLES)
    assert names(PlacementConfig("per-role"), cores=8)[:3] == ["executor", "executor-2", "planner"]
    assert len(names(PlacementConfig("per-role", hosts=3))) == 12
    three = PlacementConfig("per-role", hosts=1, groups={"executor": HostGroup(hosts=3)})
    assert names(three) == ["executor", "executor-2", "executor-3", *ROLES[1:]]


def test_a_role_of_its_own_leaves_the_others_colocated() -> None:
    gpu = Resources(gpus=1)
    placement = PlacementConfig(
        hosts=2, groups={"executor": HostGroup(resources=gpu), "host": HostGroup(resources=Resources(cpus=0.5))}
    )
    layout = lay_out(placement, ROLES, cores=2, concurrency=4)
    assert [(plan.name, plan.roles) for plan in layout.hosts] == [
        ("executor", ("executor",)),
        ("host", ("planner", "environment", "subtask")),
        ("host-2", ("planner", "environment", "subtask")),
    ]
    assert [plan.resources.by_name() for plan in layout.hosts] == [{"GPU": 1}, {"CPU": 0.5}, {"CPU": 0.5}]


def test_a_host_whose_group_is_not_named_reserves_what_all_do() -> None:
    config = PlacementConfig(groups={"executor": HostGroup()}, resources=Resources(cpus=0.5))
    layout = lay_out(config, ROLES, cores=1, concurrency=1)
    assert [plan.resources.by_name() for plan in layout.hosts] == [{}, {"CPU": 0.5}]


def test_a_host_asks_itself_for_what_it_shares_and_the_driver_finds_everything() -> None:
    layout = lay_out(PlacementConfig(hosts=2, groups={"executor": HostGroup()}), ROLES, cores=2, concurrency=4)
    executor, host, _ = layout.hosts
    everywhere = {role: ["host", "host-2"] for role in ("planner", "environment", "subtask")}
    assert layout.from_driver.hosts == {"executor": ["executor"], **everywhere}
    asked = {role: chosen(layout.seen_from(host), role, asker=host.name) for role in ROLES}
    assert asked == {"executor": {"executor"}} | {role: {"host"} for role in everywhere}
    assert layout.seen_from(executor) == layout.from_driver


def chosen(
    placement: Placement, role: str, *, asker: str = "host", branch: Path | None = None, lost: Collection[str] = ()
) -> set[HostName]:
    """The hosts that requests to a role go to, over many paths."""
    host = Host(HostName(asker), Network(Random(0)).transport(HostName(asker)), SqliteJournal(":memory:"))
    for name in lost:
        host.host_lost(HostName(name))
    paths = [child(episode_path("beehive", 0, 0), number) for number in range(1, 9)]
    return {placement.host_for(role, path, host, branch=branch) for path in paths}


def joined(homes: Sequence[set[HostName]]) -> set[HostName]:
    return {name for home in homes for name in home}


def branch_paths(count: int) -> list[Path]:
    group = child(episode_path("beehive", 0, 0), 3)
    return [child(group, number) for number in range(1, count + 1)]


def test_a_spread_branch_is_asked_on_one_host_like_its_own_and_siblings_take_the_hosts_in_turn() -> None:
    layout = lay_out(PlacementConfig(hosts=4), ROLES, cores=2, concurrency=1)
    seen = layout.seen_from(layout.hosts[1])
    homes = [chosen(seen, "executor", branch=branch) for branch in branch_paths(8)]
    assert all(len(home) == 1 for home in homes)
    assert joined(homes[:4]) == {"host", "host-2", "host-3", "host-4"}
    assert homes[4:] == homes[:4]
    assert homes[:4] == [chosen(seen, "environment", branch=branch) for branch in branch_paths(4)]


def test_a_spread_branch_passes_over_dead_hosts() -> None:
    layout = lay_out(PlacementConfig(hosts=3), ROLES, cores=2, concurrency=1)
    seen = layout.seen_from(layout.hosts[0])
    lost = ["host-2"]
    homes = [chosen(seen, "environment", branch=branch, lost=lost) for branch in branch_paths(4)]
    assert joined(homes) == {"host", "host-3"}


def test_per_role_every_host_finds_every_role_alike_and_a_spread_branch_keeps_to_one_host_of_each() -> None:
    layout = lay_out(PlacementConfig("per-role", hosts=2), ROLES, cores=2, concurrency=1)
    assert all(layout.seen_from(host) == layout.from_driver for host in layout.hosts)
    seen = layout.seen_from(layout.hosts[0])
    assert chosen(seen, "environment") == {"environment", "environment-2"}
    homes = [chosen(seen, "environment", branch=branch) for branch in branch_paths(4)]
    assert all(len(home) == 1 for home in homes)
    assert joined(homes) == {"environment", "environment-2"}


def content_on(layout: Layout | None) -> Content:
    """What the journal holds of ADaPT on the hosts of a layout, without faults; None: on a local runtime."""
    spec = adapt(model("sim-weak"), max_depth=2, max_steps=6)
    journal = SqliteJournal(":memory:")

    async def scene() -> None:
        if layout is None:
            runner = LocalRuntime(spec, journal, concurrency=2).runner
        else:
            network = Network(Random(0))
            driver = Host(DRIVER, network.transport(DRIVER), journal)
            driver.listen(JOURNAL_ROLE, JournalWriter(journal, driver))
            driver.spawn(QUOTA, unlimited())
            for plan in layout.hosts:
                spec.spawn_roles(Host(plan.name, network.transport(plan.name)), layout.seen_from(plan))
            names, homes = [plan.name for plan in layout.hosts], layout.from_driver.hosts["environment"]
            runner = Driver(driver, journal, slots=layout.slots(2), hosts=names, world=spec.world, homes=homes)
        assert len([end async for end in runner.run(planned(spec, GOALS[:3]))]) == 3

    run(scene())
    return content(journal)


@pytest.mark.parametrize("apart", [("planner",), ("executor",), ("environment",), ("subtask",), ("planner", "subtask")])
def test_hosts_of_their_own_for_roles_do_not_change_the_run(apart: Sequence[str]) -> None:
    placement = PlacementConfig(hosts=2, groups={role: HostGroup(hosts=2) for role in apart})
    assert content_on(lay_out(placement, ROLES, cores=2, concurrency=2)) == content_on(None)


@pytest.mark.parametrize(("concurrency", "shares"), [(7, [3, 2, 2]), (3, [1, 1, 1]), (2, [1, 1, 0])])
def test_episodes_are_divided_exactly(concurrency: int, shares: list[int]) -> None:
    slots = lay_out(PlacementConfig(hosts=3), ROLES, cores=2, concurrency=concurrency).slots(concurrency)
    assert list(slots.values()) == shares


def test_a_host_joins_the_group_of_another_and_leaves_it() -> None:
    before = lay_out(PlacementConfig("per-role", hosts=1), ROLES, cores=2, concurrency=1)
    layout, plan = before.add(HostName("planner-2"), HostName("planner"))
    assert plan.roles == ("planner",)
    assert layout.from_driver.hosts["planner"] == ["planner", "planner-2"]
    assert layout.sizes == {"executor": 1, "planner": 2, "environment": 1, "subtask": 1}
    assert layout.remove(plan.name) == before


@pytest.mark.parametrize(("preset", "name"), [("colocated", "critic"), ("per-role", "host")])
def test_an_unknown_role_is_refused(preset: str, name: str) -> None:
    with pytest.raises(UsageError, match=f"expected one of executor, .*, got '{name}'"):
        names(PlacementConfig(preset, groups={name: HostGroup()}))  # type: ignore[arg-type]
