"""From a run's record and configuration to what carries it out: assembly, quota, runtime."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from quintet.cluster.placement import HostGroup, PlacementConfig, Resources
from quintet.config import plugins
from quintet.config.sections import HostsSection, RunConfig
from quintet.errors import UsageError
from quintet.journal.writer import SqliteJournal
from quintet.models.local.model import Local
from quintet.ports.model import Model, Usage
from quintet.quota.budget import Allowance, Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.prices import NANODOLLARS, Price
from quintet.quota.quota import Quota, local_limiters
from quintet.runs.open_files import allow_connections
from quintet.runs.record import RunRecord, read_prompts
from quintet.runs.run_folder import RunFolder
from quintet.runtime.calls import RetryPolicy
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import Limits, RunSpec

_GIGABYTE = 10**9


def build_spec(config: RunConfig, prompts: Mapping[str, str]) -> RunSpec:
    """A run's parts, made from its configuration; the same on every node.

    Args:
        config: the run's.
        prompts: texts by name, as they were read where the run began.

    Raises:
        UsageError: a plug-in or an option is not to be had.
    """
    models = plugins.models(config)
    limits = config.limits
    return RunSpec(
        method=plugins.configured(config),
        world=plugins.world(config),
        models=dict[str, Model](models.items()),
        sampling={role: config.model.of(role).sampling(role) for role in models},
        prompts=prompts,
        seed=config.run.seed,
        limits=Limits(
            model=RetryPolicy(limits.model_seconds, limits.repeats, limits.patience_seconds),
            step=limits.step_seconds,
            episode=limits.episode_seconds,
        ),
        structured=frozenset(role for role in models if config.model.of(role).answers == "schema"),
        learner=None if config.learning is None else plugins.learner(config),
    )


class BuiltRun(NamedTuple):
    """What carries a run out."""

    spec: RunSpec
    quota: Quota
    runtime: Runtime
    """Still to be entered."""


def build(run: RunFolder | RunRecord, journal: SqliteJournal) -> BuiltRun:
    """Make what a run needs.

    Raises:
        UsageError: a plug-in, an option or a prompt is not to be had.
    """
    config = run.config if isinstance(run, RunFolder) else run.configuration
    texts = read_prompts(config, plugins.method(config)).texts
    spec = build_spec(config, texts)
    limits = config.limits
    rate_limits = RateLimits(limits.calls, limits.requests_per_minute, limits.tokens_per_minute)
    allow_connections()
    if not config.runtime.on_ray:
        if config.runtime.quota is not None:
            raise UsageError(f"runtime.quota: expected a run on Ray, got one in this process ({config.runtime.quota})")
        limiters = local_limiters(rate_limits, _at_once(spec.models.values()))
        quota = Quota(limiters, budget_of(config, run.prices, journal))
        local = LocalRuntime(spec, journal, concurrency=config.runtime.concurrency, quota=quota)
        return BuiltRun(spec, quota, local)
    from quintet.cluster.runtime import RayRuntime
    from quintet.cluster.shared_limiter import SharedLimiters

    shared = None if config.runtime.quota is None else SharedLimiters(config.runtime.quota, rate_limits)
    quota = Quota(
        local_limiters(rate_limits) if shared is None else shared.limiter, budget_of(config, run.prices, journal)
    )
    name, logs = (run.path.name, run.logs) if isinstance(run, RunFolder) else ("run", None)
    on_ray = RayRuntime(
        spec,
        partial(build_spec, config, texts),
        journal,
        concurrency=config.runtime.concurrency,
        placement=_placement(config),
        quota=quota,
        name=name,
        logs=logs,
        shared=shared,
        address=config.runtime.address,
    )
    return BuiltRun(spec, quota, on_ray)


def _at_once(models: Iterable[Model]) -> dict[str, int]:
    """How many completions a model that runs here draws at a time, by its name: more would wait past their deadline."""
    return {model.name: model.parallel for model in models if isinstance(model, Local)}


def budget_of(config: RunConfig, prices: Mapping[str, Price], journal: SqliteJournal) -> Budget | None:
    """What a run may spend; None where nothing limits it and nothing has a price, so that no books are kept."""
    limits = config.limits

    def cost(model: str, usage: Usage) -> int:
        return prices[model].cost(usage) if model in prices else 0

    def allowed(dollars: float | None, tokens: int | None) -> Allowance:
        return Allowance(None if dollars is None else round(dollars * NANODOLLARS), tokens)

    run = allowed(limits.budget_usd, limits.budget_tokens)
    episode = allowed(limits.episode_usd, limits.episode_tokens)
    return None if run.unlimited and episode.unlimited and not prices else Budget(run, episode, cost, journal.charges)


def _placement(config: RunConfig) -> PlacementConfig:
    def group(section: HostsSection) -> HostGroup:
        memory = int(section.memory_gb * _GIGABYTE)
        return HostGroup(section.hosts, Resources(section.cpus, section.gpus, memory, section.resources))

    runtime = config.runtime
    groups: dict[str, HostGroup] = {role: group(section) for role, section in runtime.roles.items()}
    return PlacementConfig(runtime.placement or "colocated", runtime.hosts, groups)
