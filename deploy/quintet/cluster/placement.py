"""The layout: which hosts a run has on a cluster, which roles live on each, and how they find each other. No Ray."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, TypeAlias

from quintet.errors import UsageError
from quintet.ports.transport import HostName
from quintet.roles.registry import ROLES, SHARED
from quintet.roles.subtask import SUBTASK_ROLE
from quintet.runtime.roles import Placement

Preset: TypeAlias = Literal["colocated", "per-role"]


@dataclass(frozen=True)
class Resources:
    """What one host reserves."""

    cpus: float = 0
    gpus: float = 0
    memory: int = 0
    """Bytes."""
    custom: Mapping[str, float] = field(default_factory=dict[str, float])

    def by_name(self) -> dict[str, float]:
        """All of it, as Ray names it."""
        named = {"CPU": self.cpus, "GPU": self.gpus, "memory": self.memory, **self.custom}
        return {name: amount for name, amount in named.items() if amount}


@dataclass(frozen=True)
class HostGroup:
    """The hosts of one role, or the shared ones, as configured."""

    hosts: int | None = None
    resources: Resources = Resources()


@dataclass(frozen=True)
class PlacementConfig:
    """A run's hosts, as configured.

    Args:
        preset: `colocated`: all roles on each host; `per-role`: hosts of its own for each role.
        hosts: how many, under `per-role` for each role; None: about one for each core of the cluster.
        groups: by role, or under `host` for the shared hosts. Under `colocated` a role that is named here moves to
            hosts of its own, one by default.
        resources: what a host reserves whose group is not named.
        exclude_driver: no host starts on the driver's node.
        autoscaling: the cluster adds nodes for hosts that wait for room, so more may be asked for than there is.
    """

    preset: Preset = "colocated"
    hosts: int | None = None
    groups: Mapping[str, HostGroup] = field(default_factory=dict[str, HostGroup])
    resources: Resources = Resources()
    exclude_driver: bool = False
    autoscaling: bool = False


@dataclass(frozen=True)
class HostPlan:
    """A host to start."""

    name: HostName
    roles: tuple[str, ...]
    resources: Resources


@dataclass(frozen=True)
class Layout:
    """The hosts of a run, grouped by the roles that live on them."""

    groups: tuple[tuple[HostPlan, ...], ...]

    @property
    def hosts(self) -> list[HostPlan]:
        """All of them."""
        return list(chain.from_iterable(self.groups))

    def replace(self, name: HostName, by: HostName) -> "tuple[Layout, HostPlan]":
        """The layout with a host under another name, and that host."""
        [plan] = [replace(host, name=by) for host in self.hosts if host.name == name]
        groups = (tuple(plan if host.name == name else host for host in group) for group in self.groups)
        return Layout(tuple(groups)), plan

    def add(self, name: HostName, like: HostName) -> "tuple[Layout, HostPlan]":
        """The layout with one host more, in the group of another, and that host."""
        [plan] = [replace(host, name=name) for host in self.hosts if host.name == like]
        groups = ((*group, plan) if like in {host.name for host in group} else group for group in self.groups)
        return Layout(tuple(groups)), plan

    def remove(self, name: HostName) -> "Layout":
        """The layout without a host."""
        return Layout(tuple(tuple(host for host in group if host.name != name) for group in self.groups))

    @property
    def sizes(self) -> dict[HostName, int]:
        """How many hosts each group has, by the name of its first."""
        return {group[0].name: len(group) for group in self.groups}

    @property
    def from_driver(self) -> Placement:
        """Where the driver finds each role."""
        return Placement({role: [host.name for host in group] for group in self.groups for role in group[0].roles})

    def seen_from(self, host: HostPlan) -> Placement:
        """Where a host finds each role: a role that shares its kind of host is asked on that host itself."""
        return Placement(self.from_driver.hosts, own=host.roles if len(host.roles) > 1 else ())

    def slots(self, concurrency: int) -> dict[HostName, int]:
        """Divide `concurrency` episodes evenly among the hosts of subtasks."""
        names = self.from_driver.hosts[SUBTASK_ROLE.name]
        share, rest = divmod(concurrency, len(names))
        return {name: share + (number < rest) for number, name in enumerate(names)}


def lay_out(config: PlacementConfig, roles: Sequence[str], *, cores: int, concurrency: int) -> Layout:
    """Decide which hosts a run has.

    Args:
        cores: of the whole cluster.
        concurrency: episodes at a time; more shared hosts would be idle, and start only if configured.

    Raises:
        UsageError: a group is named neither by one of our roles nor by one of the run's.
    """
    shares = [SHARED] if config.preset == "colocated" else []
    known = [*dict.fromkeys((*(role.name for role in ROLES), *roles)), *shares]
    for name in config.groups:
        if name not in known:
            raise UsageError(f"placement {config.preset}: expected one of {', '.join(known)}, got {name!r}")
    own_hosts = [role for role in roles if config.preset == "per-role" or role in config.groups]
    shared = [role for role in roles if role not in own_hosts]
    each = 1 if config.preset == "colocated" else config.hosts or max(1, cores // len(roles))
    default = HostGroup(resources=config.resources)
    groups = [_group(role, [role], config.groups.get(role, default), each) for role in own_hosts]
    if shared:
        count = config.hosts or max(1, min(cores, concurrency))
        groups.append(_group(SHARED, shared, config.groups.get(SHARED, default), count))
    return Layout(tuple(groups))


def _group(name: str, roles: Sequence[str], group: HostGroup, hosts: int) -> tuple[HostPlan, ...]:
    numbers = range(1, (group.hosts or hosts) + 1)
    names = [HostName(name if number == 1 else f"{name}-{number}") for number in numbers]
    return tuple(HostPlan(name, tuple(roles), group.resources) for name in names)
