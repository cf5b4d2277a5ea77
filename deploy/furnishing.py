"""From a run's record and configuration to what carries it out: assembly, quota, runtime."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from actors.models.local.model import Local
from deploy.cluster.layout import Resources, Wish, Wishes
from deploy.config import plugins
from deploy.config.sections import HostsSection, RunConfig
from deploy.folders.record import RunRecord, read_prompts
from deploy.folders.run import RunFolder
from deploy.journal.writer import SqliteJournal
from deploy.open_files import allow_connections
from deploy.prices.table import NANODOLLARS, Price
from deploy.quota.budget import Allowed, Budget
from deploy.quota.pace import Ceilings
from deploy.quota.quota import Quota, own_pace
from deploy.runtime.assembly import Assembly, Limits, Taught
from deploy.runtime.local import LocalRuntime
from deploy.runtime.patience import Patience
from deploy.runtime.runtime import Runtime
from protocols.errors import UsageError
from protocols.models import Model, Usage

_GIGABYTE = 10**9


def assemble(config: RunConfig, prompts: Mapping[str, str]) -> Assembly:
    """A run's parts, made from its configuration; the same on every node.

    Args:
        config: the run's.
        prompts: texts by name, as they were read where the run began.

    Raises:
        UsageError: a plug-in or an option is not to be had.
    """
    models = plugins.models(config)
    limits = config.limits
    return Assembly(
        method=plugins.method(config),
        config=plugins.method_config(config),
        world=plugins.world(config),
        models=dict[str, Model](models.items()),
        sampling={role: config.model.of(role).sampling(role) for role in models},
        prompts=prompts,
        seed=config.run.seed,
        limits=Limits(
            model=Patience(limits.model_seconds, limits.repeats, limits.patience_seconds),
            step=limits.step_seconds,
            episode=limits.episode_seconds,
        ),
        structured=frozenset(role for role in models if config.model.of(role).answers == "schema"),
        learning=None if config.learning is None else Taught(plugins.learning(config), plugins.learning_config(config)),
    )


class Furnished(NamedTuple):
    """What carries a run out."""

    assembly: Assembly
    quota: Quota
    runtime: Runtime
    """Still to be entered."""


def furnished(run: RunFolder | RunRecord, journal: SqliteJournal) -> Furnished:
    """Make what a run needs.

    Raises:
        UsageError: a plug-in, an option or a prompt is not to be had.
    """
    config = run.config if isinstance(run, RunFolder) else run.configuration
    texts = read_prompts(config, plugins.method(config)).texts
    assembly = assemble(config, texts)
    limits = config.limits
    ceilings = Ceilings(limits.calls, limits.requests_per_minute, limits.tokens_per_minute)
    allow_connections()
    if not config.runtime.on_ray:
        if config.runtime.quota is not None:
            raise UsageError(f"runtime.quota: expected a run on Ray, got one in this process ({config.runtime.quota})")
        pace = own_pace(ceilings, _at_once(assembly.models.values()))
        quota = Quota(pace, budget_of(config, run.prices, journal))
        local = LocalRuntime(assembly, journal, concurrency=config.runtime.concurrency, quota=quota)
        return Furnished(assembly, quota, local)
    from deploy.cluster.runtime import RayRuntime
    from deploy.cluster.shared_pace import SharedGates

    shared = None if config.runtime.quota is None else SharedGates(config.runtime.quota, ceilings)
    quota = Quota(own_pace(ceilings) if shared is None else shared.gate, budget_of(config, run.prices, journal))
    name, logs = (run.path.name, run.logs) if isinstance(run, RunFolder) else ("run", None)
    on_ray = RayRuntime(
        assembly,
        partial(assemble, config, texts),
        journal,
        concurrency=config.runtime.concurrency,
        wishes=_wishes(config),
        quota=quota,
        name=name,
        logs=logs,
        shared=shared,
        address=config.runtime.address,
    )
    return Furnished(assembly, quota, on_ray)


def _at_once(models: Iterable[Model]) -> dict[str, int]:
    """How many completions a model that runs here draws at a time, by its name: more would wait past their deadline."""
    return {model.name: model.parallel for model in models if isinstance(model, Local)}


def budget_of(config: RunConfig, prices: Mapping[str, Price], journal: SqliteJournal) -> Budget | None:
    """What a run may spend; None where nothing limits it and nothing has a price, so that no books are kept."""
    limits = config.limits

    def cost(model: str, usage: Usage) -> int:
        return prices[model].cost(usage) if model in prices else 0

    def allowed(dollars: float | None, tokens: int | None) -> Allowed:
        return Allowed(None if dollars is None else round(dollars * NANODOLLARS), tokens)

    run = allowed(limits.budget_usd, limits.budget_tokens)
    episode = allowed(limits.episode_usd, limits.episode_tokens)
    return None if run.unlimited and episode.unlimited and not prices else Budget(run, episode, cost, journal.charges)


def _wishes(config: RunConfig) -> Wishes:
    def wish(section: HostsSection) -> Wish:
        memory = int(section.memory_gb * _GIGABYTE)
        return Wish(section.hosts, Resources(section.cpus, section.gpus, memory, section.resources))

    runtime = config.runtime
    special: dict[str, Wish] = {role: wish(section) for role, section in runtime.roles.items()}
    return Wishes(runtime.placement or "together", runtime.hosts, special)
