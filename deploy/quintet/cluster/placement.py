"""The layout: which hosts a run has on a cluster, what lives on each of them, and how they find each other. No Ray."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal, TypeAlias

from quintet.errors import UsageError
from quintet.ports.transport import HostName
from quintet.roles.registry import ROLES
from quintet.roles.subtask import SUBTASK_ROLE
from quintet.runtime.roles import Placement

Preset: TypeAlias = Literal["colocated", "per-role"]

SHARED: Final = "host"
"""What hosts are called that several roles share."""


@dataclass(frozen=True)
class Resources:
    """What one host reserves. By default nothing: hosts mostly wait for models."""

    cpus: float = 0
    gpus: float = 0
    memory: int = 0
    """Bytes."""
    custom: Mapping[str, float] = field(default_factory=dict[str, float])

    def by_name(self) -> dict[str, float]:
        """Everything that is asked for, as Ray names it."""
        named = {"CPU": self.cpus, "GPU": self.gpus, "memory": self.memory, **self.custom}
        return {name: amount for name, amount in named.items() if amount}


@dataclass(frozen=True)
class HostGroup:
    """What a configuration says about the hosts of one role, or about the shared ones."""

    hosts: int | None = None
    resources: Resources = Resources()


@dataclass(frozen=True)
class PlacementConfig:
    """What a configuration says about a run's hosts.

    Args:
        hosts: how many, under `per-role` for each role; None: about one for each core of the cluster.
        special: by role, or under `host` for the shared hosts. Under `colocated` a role that is named here moves to
            hosts of its own, one if it does not say how many.
    """

    preset: Preset = "colocated"
    hosts: int | None = None
    special: Mapping[str, HostGroup] = field(default_factory=dict[str, HostGroup])

    def __post_init__(self) -> None:
        roles = [role.name for role in ROLES]
        known = [*roles, SHARED] if self.preset == "colocated" else roles
        for name in self.special:
            if name not in known:
                raise UsageError(f"placement {self.preset}: expected one of {', '.join(known)}, got {name!r}")


@dataclass(frozen=True)
class HostPlan:
    """A host to be started."""

    name: HostName
    roles: tuple[str, ...]
    resources: Resources


@dataclass(frozen=True)
class Layout:
    """The hosts of a run, in groups by what lives on them."""

    groups: tuple[tuple[HostPlan, ...], ...]

    @property
    def hosts(self) -> list[HostPlan]:
        """All of them."""
        return list(chain.from_iterable(self.groups))

    @property
    def from_driver(self) -> Placement:
        """Where the driver finds each role."""
        return Placement({role: [host.name for host in group] for group in self.groups for role in group[0].roles})

    def seen_from(self, host: HostPlan) -> Placement:
        """Where a host finds each role: what shares its kind of host is asked on that host itself."""
        beside = host.roles if len(host.roles) > 1 else ()
        everywhere = self.from_driver.hosts
        return Placement({role: names for role, names in everywhere.items() if role not in beside})

    def slots(self, concurrency: int) -> dict[HostName, int]:
        """Shares `concurrency` episodes out among the hosts of subtasks, as evenly as it goes."""
        names = self.from_driver.hosts[SUBTASK_ROLE.name]
        share, rest = divmod(concurrency, len(names))
        return {name: share + (number < rest) for number, name in enumerate(names)}


def lay_out(wishes: PlacementConfig, roles: Sequence[str], *, cores: int, concurrency: int) -> Layout:
    """Decide on the hosts of a run.

    Args:
        roles: those that the run asks.
        cores: of the whole cluster.
        concurrency: episodes at a time; more shared hosts than that would stand idle, and start only if asked for.
    """
    apart = [role for role in roles if wishes.preset == "per-role" or role in wishes.special]
    shared = [role for role in roles if role not in apart]
    each = 1 if wishes.preset == "colocated" else wishes.hosts or max(1, cores // len(roles))
    groups = [_group(role, [role], wishes.special.get(role, HostGroup()), each) for role in apart]
    if shared:
        together = wishes.hosts or max(1, min(cores, concurrency))
        groups.append(_group(SHARED, shared, wishes.special.get(SHARED, HostGroup()), together))
    return Layout(tuple(groups))


def _group(name: str, roles: Sequence[str], wish: HostGroup, hosts: int) -> tuple[HostPlan, ...]:
    numbers = range(1, (wish.hosts or hosts) + 1)
    names = [HostName(name if number == 1 else f"{name}-{number}") for number in numbers]
    return tuple(HostPlan(name, tuple(roles), wish.resources) for name in names)
