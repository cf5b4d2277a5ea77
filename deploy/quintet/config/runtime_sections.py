"""The sections `[runtime]` and `[limits]`: where a run's actors live, and what its calls and episodes may take."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from quintet.config.values import (
    AbsolutePath,
    Dollars,
    HostCount,
    Positive,
    RayAddress,
    Seconds,
    Section,
    Unsettable,
)
from quintet.ports.effects import Effect
from quintet.roles.registry import SHARED


class HostsSection(Section):
    """`[runtime.roles.ROLE]`: Ray hosts of one role alone, or of `host`, which the other roles share."""

    hosts: HostCount | None = None
    """How many; None: `runtime.hosts`, or one if only this role has hosts of its own."""
    cpus: Annotated[float, Field(ge=0)] | None = None
    """Cores that each of them reserves; None: `runtime.cpus`."""
    gpus: Annotated[float, Field(ge=0)] = 0.0
    """GPUs that each of them reserves."""
    memory_gb: Annotated[float, Field(ge=0)] = 0.0
    """Gigabytes of memory that each of them reserves."""
    resources: Annotated[Mapping[str, Annotated[float, Field(gt=0)]], Effect.NONE] = {}
    """More resources, by their names in the Ray cluster."""


class RayEnvSection(Section):
    """`[runtime.env]`: what Ray prepares on every node before a host starts there, its `runtime_env`."""

    pip: Annotated[tuple[str, ...], Effect.PREPARES] = ()
    """Packages to install, as pip takes them."""
    working_dir: Annotated[AbsolutePath | None, Effect.PREPARES] = None
    """A folder to copy to every node; hosts run in it."""
    env_vars: Annotated[Mapping[str, str], Effect.PREPARES] = {}
    """Environment variables. The run's record has them, so none may be a secret."""

    def as_ray_takes_it(self) -> dict[str, object]:
        """Only what is given."""
        given = {"pip": list(self.pip), "working_dir": self.working_dir and str(self.working_dir)}
        return {name: value for name, value in {**given, "env_vars": dict(self.env_vars)}.items() if value}


class RuntimeSection(Section):
    """`[runtime]`: drivers, and this process or Ray. All from `hosts` on are about Ray."""

    kind: Literal["local", "ray"] | None = None
    """None: `ray` if any setting about Ray is given, else `local`."""
    shards: Annotated[int, Field(ge=1, le=256)] = 1
    """Drivers that divide the tasks, each a process with a journal of its own; as the run began, for all its starts."""
    concurrency: Positive = 16
    """Episodes at a time; of a run over several drivers, in each of them."""
    workers: Positive = 16
    """Calls at a time, on each host, of an environment that blocks: threads or processes, as it declares."""
    synchronous: Literal["normal", "full"] = "normal"
    """How the journal is written: a loss of power may lose the last commits of `normal`, and none of `full`."""
    hosts: HostCount | None = None
    """Ray actors that share the roles, or of each role under `per-role`; None: about as many in all as cores."""
    placement: Literal["colocated", "per-role"] | None = None
    """`colocated` (None too): an episode's roles on one host. `per-role`: every role on hosts of its own."""
    roles: Mapping[str, HostsSection] = {}
    """Roles with hosts of their own, under either placement."""
    cpus: Annotated[float, Field(ge=0)] = 0.01
    """Cores that each host reserves: little, since hosts mostly wait for models. An autoscaler adds nodes by it."""
    exclude_driver: bool = False
    """Whether no host starts on the driver's node, which is else the last to get one."""
    autoscaling: bool = False
    """Whether the cluster adds nodes for hosts that wait for room: the run then starts when all of its hosts have."""
    replace: Annotated[int, Field(ge=0)] | None = None
    """How many hosts that die are replaced, for each start of the run; None: as many as it has hosts."""
    address: Annotated[RayAddress, Effect.CONTACTS] = None
    """Of a Ray cluster to join, `HOST:PORT` or `auto`; None: the one this process is in, or else a local one."""
    env: RayEnvSection | None = None
    """What the hosts find on their nodes beside what is installed there; None: nothing."""
    quota: Annotated[Unsettable, Effect.NONE] = None
    """Runs on one cluster that name the same quota share its rate limits."""

    @model_validator(mode="after")
    def _no_shared_hosts_where_there_are_none(self) -> "RuntimeSection":
        if self.placement == "per-role" and SHARED in self.roles:
            raise ValueError("expected no hosts that roles share under placement per-role")
        return self

    @property
    def on_ray(self) -> bool:
        """Whether it runs on Ray."""
        if self.kind is not None:
            return self.kind == "ray"
        where = (self.hosts, self.placement, self.roles, self.exclude_driver, self.autoscaling)
        return any((*where, self.env, self.address, self.quota))


class PaceSection(Section):
    """`[[limits.pace]]`: rate limits of one model, in place of those of all; None: as for all."""

    model: Annotated[str, Effect.NONE]
    """Its name, as reports show it."""
    calls: Positive | None = None
    """In flight."""
    requests_per_minute: Positive | None = None
    """Sent in any minute."""
    tokens_per_minute: Positive | None = None
    """Sent and received in any minute."""


def _each_model_once(paces: tuple[PaceSection, ...]) -> tuple[PaceSection, ...]:
    names = [pace.model for pace in paces]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"expected each model once, got {name} {names.count(name)} times")
    return paces


class LimitsSection(Section):
    """`[limits]`: deadlines, how often calls are repeated, rate limits and budgets."""

    model_seconds: Seconds = 120.0
    """Of one attempt at a model call, counted from its permit."""
    repeats: Annotated[int, Field(ge=0)] = 3
    """How often a call is repeated if its attempts may have been charged: no answer, or none in time."""
    patience_seconds: Annotated[float, Field(ge=0)] = 300.0
    """For how long a call is repeated if its endpoint refuses it for now or cannot be connected."""
    step_seconds: Seconds = 60.0
    """Of one environment step."""
    session_seconds: Seconds = 300.0
    """Of what may be many steps: opening, restoring or copying a session, and its expert's advice."""
    episode_seconds: Seconds | None = None
    """Working time of an episode; None for no limit."""
    calls: Positive | None = None
    """Calls of one model in flight; the limiter adapts below it."""
    start: Positive | None = None
    """Calls of one model in flight at first; None: as many as its endpoint sustained in an earlier run, or 16."""
    requests_per_minute: Positive | None = None
    """Of one model."""
    tokens_per_minute: Positive | None = None
    """Of one model; until it is answered, a call counts as the most it can use."""
    pace: Annotated[tuple[PaceSection, ...], AfterValidator(_each_model_once)] = ()
    """Rate limits of single models."""
    budget_usd: Dollars | None = None
    """The most USD that the run may spend, over all its starts."""
    budget_tokens: Positive | None = None
    """The most tokens that the run may spend, over all its starts."""
    episode_usd: Dollars | None = None
    """The most USD that each attempt at a task may spend."""
    episode_tokens: Positive | None = None
    """The most tokens that each attempt at a task may spend."""
    episode_calls: Positive | None = None
    """The most model calls of each attempt at a task; a repeated call counts once."""
    batch_window_seconds: Annotated[float, Field(ge=0)] = 5.0
    """Seconds from the first call of a batch until it is submitted (`model.batch`)."""
    batch_calls: Annotated[int, Field(ge=1, le=50_000)] = 10_000
    """The most calls of a batch; one that has so many is submitted at once."""
    batch_poll_seconds: Seconds = 30.0
    """Seconds between two looks at a batch."""
    prices: Annotated[AbsolutePath | None, Effect.NONE] = None
    """A TOML file of prices by model name; they replace the list prices of known providers."""

    @property
    def episode_budget(self) -> str:
        """What each attempt at a task may spend, in words; empty: no limit."""
        parts = (
            None if self.episode_calls is None else f"{self.episode_calls:,} calls",
            None if self.episode_tokens is None else f"{self.episode_tokens:,} tokens",
            None if self.episode_usd is None else f"{self.episode_usd:g} USD",
        )
        return ", ".join(part for part in parts if part is not None)
