"""Builds the quota and the runtime of a prepared run, in this process or on Ray."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from quintet.cluster.placement import HostGroup, PlacementConfig, Resources
from quintet.config.resolve import resolved
from quintet.config.runtime_sections import HostsSection
from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from quintet.journal.feed import Feed
from quintet.journal.writer import SqliteJournal
from quintet.launch.prepare import Prepared, build_spec
from quintet.models.local.model import Local
from quintet.plugins.brought import bringing
from quintet.ports.model import Usage
from quintet.quota.budget import Budget
from quintet.quota.other_spending import OtherSpending, SettledSpending
from quintet.quota.prices import Price
from quintet.quota.quota import Limiter, LocalLimiters, Quota, allowance, rates_of
from quintet.quota.sustained import SustainedConcurrency
from quintet.runs.files import allow_connections
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec

if TYPE_CHECKING:
    from quintet.cluster.packed_objects import PackedObjects

_GIGABYTE = 10**9

FindOtherSpending: TypeAlias = Callable[[], OtherSpending]
"""Finds what else is spent of the run's budget."""


class BuiltRun(NamedTuple):
    """The quota and the runtime of a run."""

    quota: Quota
    limiters: LocalLimiters | None
    """Those of the quota; None: other runs share them."""
    runtime: Runtime
    """Not opened yet."""
    sustained: SustainedConcurrency


def build(
    run: Prepared,
    journal: SqliteJournal,
    feed: Feed,
    *,
    name: str,
    logs: Path | None,
    others: FindOtherSpending = SettledSpending,
    limiters: LocalLimiters | None = None,
) -> BuiltRun:
    """Build a run's quota and runtime.

    Args:
        feed: of what that journal commits, for Ray's metrics.
        name: of the run, in a Ray cluster.
        logs: the folder that Ray hosts write their logs to; None: nowhere.
        others: what else is spent of its budget, asked once if the run has a budget.
        limiters: of the runs before it, which have ended: it goes on at their pace; None: it has its own.
    """
    config, spec = run.config, run.spec
    budget = budget_of(config, run.prices, journal, others)
    shard = run.record.shard if config.runtime.quota is None else None  # runs that share a quota have all of it
    shards = 1 if shard is None else config.runtime.shards
    rate_limits, pace = rates_of(config.limits, shard, shards)
    sustained = SustainedConcurrency(spec.models.values(), shards)
    start = config.limits.start
    starts = sustained.calls if start is None else {each.name: max(1, start // shards) for each in spec.models.values()}
    allow_connections()
    if not config.runtime.on_ray:
        if config.runtime.quota is not None:
            raise UsageError(f"runtime.quota: expected a run on Ray, got one in this process ({config.runtime.quota})")
        # A model in this process draws so many completions at a time; more would wait past their deadline.
        at_once = {model.name: model.parallel for model in spec.models.values() if isinstance(model, Local)}
        limiters = limiters or LocalLimiters()
        limiters.begin(rate_limits, pace, at_once, starts)
        quota = Quota(limiters.limiter, budget)
        local = LocalRuntime(spec, journal, concurrency=config.runtime.concurrency, quota=quota)
        return BuiltRun(quota, limiters, local, sustained)
    from quintet.cluster.packed_objects import pack_objects
    from quintet.cluster.runtime import RayRuntime
    from quintet.cluster.shared_limiter import SharedLimiters

    own = shared = None
    if config.runtime.quota is None:
        own = limiters or LocalLimiters()
        own.begin(rate_limits, pace, starts=starts)
        limiter: Callable[[str], Limiter] = own.limiter
    elif pace:
        raise UsageError(f"limits.pace: expected a run without a shared quota, got {config.runtime.quota}")
    else:
        shared = SharedLimiters(config.runtime.quota, rate_limits)
        limiter = shared.limiter
    quota = Quota(limiter, budget)
    on_ray = RayRuntime(
        spec,
        partial(build_spec_on_host, config, spec.prompts, spec.world.version, pack_objects(run.objects)),
        journal,
        concurrency=config.runtime.concurrency,
        placement=_placement(config),
        quota=quota,
        name=name,
        logs=logs,
        shared=shared,
        address=config.runtime.address,
        feed=feed,
        replace=config.runtime.replace,
        env=None if config.runtime.env is None else config.runtime.env.as_ray_takes_it(),
    )
    return BuiltRun(quota, own, on_ray, sustained)


def build_spec_on_host(
    config: RunConfig, prompts: Mapping[str, Mapping[str, str]], world_version: str, packed: "PackedObjects"
) -> RunSpec:
    """The same specification as the driver's, of this node's files; refused if its world's data are others."""
    objects = packed.unpack()
    with bringing(objects):
        spec = build_spec(resolved(config), prompts, objects)
    if spec.world.version != world_version:
        expected, got = f"version {world_version} as where the run is driven", f"{spec.world.version} on this node"
        raise UsageError(f"environment {spec.world.name}: expected {expected}, got {got}: its data differ")
    return spec


def budget_of(
    config: RunConfig, prices: Mapping[str, Price], journal: SqliteJournal, others: FindOtherSpending
) -> Budget | None:
    """The budget of a run; None if nothing limits it and no model has a price."""
    limits = config.limits

    def cost(model: str, usage: Usage) -> int:
        return prices[model].cost(usage) if model in prices else 0

    run = allowance(limits.budget_usd, limits.budget_tokens)
    episode = allowance(limits.episode_usd, limits.episode_tokens)
    if run.unlimited and episode.unlimited and limits.episode_calls is None and not prices:
        return None
    return Budget(run, episode, cost, journal.charges, episode_calls=limits.episode_calls, others=others())


def _placement(config: RunConfig) -> PlacementConfig:
    runtime = config.runtime

    def group(section: HostsSection) -> HostGroup:
        cpus, memory = runtime.cpus if section.cpus is None else section.cpus, int(section.memory_gb * _GIGABYTE)
        return HostGroup(section.hosts, Resources(cpus, section.gpus, memory, section.resources))

    return PlacementConfig(
        runtime.placement or "colocated",
        runtime.hosts,
        {role: group(section) for role, section in runtime.roles.items()},
        resources=Resources(runtime.cpus),
        exclude_driver=runtime.exclude_driver,
        autoscaling=runtime.autoscaling,
    )
