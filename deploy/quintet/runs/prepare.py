"""Prepares a run: looks up, checks and reads once everything it is made of, from settings or from a record."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.method_chain import ChainedMethod, method_chain
from quintet.config.resolve import Resolved, as_tables, resolve, resolve_changes
from quintet.config.sections import MODEL_ROLES, EmbedderSettings, ModelSettings, RunConfig
from quintet.config.settings import Settings, from_table
from quintet.config.tasks import TaskEntry, TrainingTasks, choose, choose_training, count_versions
from quintet.errors import UsageError
from quintet.learned.memory.given import count_trajectories, read_memory
from quintet.learned.plan.given import read_plan_file
from quintet.memory.store import GivenTrajectories
from quintet.methods.base.method import LearnerSpec, Method
from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.quota.prices import Price, list_price, price_of, read_prices
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.roles.registry import roles_of, with_models
from quintet.runs.prompts import hashes, read_prompts
from quintet.runs.record import GivenMemory, RunRecord, git_commit, package_versions, plug_in_versions
from quintet.runs.refusals import (
    model_files,
    model_keys,
    model_names,
    refuse_local_models,
    refuse_missing_demonstrations,
    refuse_other_versions,
    refuse_unknown_further_tasks,
    refuse_without_forks,
)
from quintet.runtime.calls import RetryPolicy
from quintet.runtime.method_spec import MethodSpec
from quintet.runtime.spec import EMBEDDER, Limits, RunSpec, role_of_actor


@dataclass(frozen=True)
class Prepared:
    """A run that can start: its folder, its runtime and Ray's hosts are made from it."""

    record: RunRecord
    """Written to `run.json`: the configuration it began with, its tasks, and the names and versions of its parts."""
    config: RunConfig
    """What it runs under: the record's configuration, with the changes of resumes."""
    spec: RunSpec
    """Method, learner, world, models and prompts, each made once."""
    prices: Mapping[str, Price]
    """By the name of a model; a model without a price is left out."""


def prepare(layers: Sequence[Settings]) -> Prepared:
    """Prepare a new run.

    Args:
        layers: settings; later layers override earlier ones.

    Raises:
        UsageError: a name, a setting, a prompt, a plan, a memory or a task is missing or wrong; says what was expected,
            what was got, and where it was set.
    """
    resolved = resolve(layers)
    spec, prompts, prices = _build(resolved, {})
    config, tasks, training = _choose_tasks(resolved, spec)
    trajectories = _trajectories(resolved, {entry.name for entry in (*tasks, *training.held_out)})
    refuse_missing_demonstrations(spec, (*tasks, *training.training, *training.held_out))
    refuse_unknown_further_tasks(spec)
    file = config.method.plan
    record = RunRecord(
        created=datetime.now(UTC),
        packages=package_versions() | plug_in_versions(config),
        git_commit=git_commit(),
        configuration=config,
        tasks=tasks,
        training=training.training,
        held_out=training.held_out,
        learnt="plan" if spec.learner is None else spec.learner.learns,
        plan="" if file is None else read_plan_file(file, config.model.of(EXECUTOR_ROLE.name)),
        memory=_memory(resolved),
        trajectories=trajectories,
        versions=_versions(resolved, spec, training, trajectories),
        planned=_most_episodes(spec, training, tasks),
        method_version=spec.method.version,
        world_version=spec.world.version,
        models=model_names(spec),
        files=model_files(spec),
        prompts=prompts,
        budget=spec.method.budget(),
        oracle=spec.method.oracle(),
        best_of=spec.method.best_of(),
        prices=prices,
    )
    return Prepared(record, config, spec, prices)


def prepare_config(config: RunConfig, where: str) -> Prepared:
    """Prepare a new run from a configuration that was prepared before.

    Args:
        config: of a study's arm, say.
        where: it is written, for errors.

    Raises:
        UsageError: see `prepare`.
    """
    return prepare([from_table(as_tables(config), where)])


def prepare_again(
    record: RunRecord, changes: Settings, run: Path, prices: Mapping[str, Price] | None = None
) -> Prepared:
    """Prepare a run that is resumed.

    Args:
        record: what it began as; its tasks and its plan are not looked up again.
        changes: settings of resumes; only what cannot change results.
        run: its folder.
        prices: by the name of a model, those that it has used so far; None: the record's.

    Raises:
        UsageError: as `prepare`; or a change could change results; or method, environment, model, model file or
            prompts are others than those the run began with.
    """
    resolved = resolve_changes(record.configuration, changes, run)
    spec, prompts, now = _build(resolved, record.prices if prices is None else prices)
    refuse_other_versions(record, spec, prompts, run)
    return Prepared(record, resolved.config, spec, now)


def build_spec(
    config: RunConfig, prompts: Mapping[str, Mapping[str, str]], settings: Settings | None = None
) -> RunSpec:
    """Make a run's parts from its configuration: the same in every process, once in each.

    Args:
        config: the run's.
        prompts: by the method's name in the run, texts by name, as they were read where the run began.
        settings: where values were set, for errors; None: unknown.

    Raises:
        UsageError: a plug-in cannot be found or made, or an option is wrong.
    """
    settings = settings or {}
    chain = method_chain(config)
    learner = _learner(config, chain[0].method)
    make_model = _ModelMaker(config, settings)
    with with_origin(settings, [f"environment.{name}" for name in config.environment.options]):
        world = plugins.make_world(config.environment)
    embedder = _embedder(config, settings)
    limits = config.limits
    return RunSpec(
        methods=_method_specs(chain, config, prompts, make_model),
        world=world,
        seed=config.run.seed,
        limits=Limits(
            model=RetryPolicy(limits.model_seconds, limits.repeats, limits.patience_seconds),
            step=limits.step_seconds,
            episode=limits.episode_seconds,
        ),
        learner=learner,
        embedder=embedder,
        recollection=None if config.memory is None else config.memory.recollection(),
    )


def _build(resolved: Resolved, recorded: Mapping[str, Price]) -> tuple[RunSpec, dict[str, str], dict[str, Price]]:
    config, settings, _ = resolved
    _check_keys(config, settings)
    prompts = read_prompts(config)
    spec = build_spec(config, {name: found.texts for name, found in prompts.items()}, settings)
    if config.runtime.on_ray:
        refuse_local_models(spec, settings)
    with with_origin(settings, ["environment.name", "method.name"]):
        refuse_without_forks(spec)
    with with_origin(settings, ["limits.budget_usd", "limits.episode_usd", "limits.prices"]):
        return spec, hashes(prompts), _prices(config, spec, recorded)


def _learner(config: RunConfig, method: type[Method[Any]]) -> LearnerSpec[Any] | None:
    if config.learning is None:
        return None
    if method.learner is None:
        raise UsageError(f"method {method.name}: expected one that learns across episodes, got one that does not")
    return method.learner(plugins.validate(method.learner.options, config.learning.options, "learning"))


def _method_specs(
    chain: Sequence[ChainedMethod],
    config: RunConfig,
    prompts: Mapping[str, Mapping[str, str]],
    make_model: Callable[[str], Model],
) -> tuple[MethodSpec, ...]:
    """The methods, configured: the innermost is made first."""
    inner: Method[Any] | None = None
    specs: list[MethodSpec] = []
    for number, each in reversed([*enumerate(chain)]):
        asked = each.method.asks(
            learning=number == 0 and config.learning is not None, recalling=number == 0 and config.memory is not None
        )
        roles = with_models(roles_of(asked))
        section = "method" + ".inner" * number
        inner = each.method(plugins.validate(each.method.options, each.options, section), inner)
        specs.append(
            MethodSpec(
                name=each.name,
                method=inner,
                models={role: make_model(role) for role in roles},
                sampling={role: config.model.of(role).sampling(role) for role in roles},
                prompts=prompts[each.name],
                structured=frozenset(role for role in roles if config.model.of(role).answers == "schema"),
            )
        )
    return tuple(reversed(specs))


class _ModelMaker:
    """Makes the models of roles: one instance where they share their settings."""

    def __init__(self, config: RunConfig, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._made: list[tuple[ModelSettings, Model]] = []

    def __call__(self, role: str) -> Model:
        wanted = self._config.model.of(role)
        for known, model in self._made:
            if known == wanted:
                return model
        with with_origin(self._settings, model_keys(role)):
            model = plugins.make_model(wanted)
        self._made.append((wanted, model))
        return model


def _embedder(config: RunConfig, settings: Settings) -> Embedder | None:
    wanted = None if config.memory is None else config.memory.embeds
    if wanted is None:
        return None
    with with_origin(settings, ["memory.embedder.name", "memory.retrieval"]):
        return plugins.make_embedder(wanted)


def _check_keys(config: RunConfig, settings: Settings) -> None:
    # Also of models that no role calls, since the record has them.
    sections = {"model": config.model, **{f"model.{role}": config.model.of(role) for role in MODEL_ROLES}}
    for section, model in sections.items():
        with with_origin(settings, [f"{section}.key", "model.key"]):
            plugins.check_key(model)
    if config.memory is not None and config.memory.embedder is not None:
        with with_origin(settings, ["memory.embedder.key"]):
            plugins.check_key(config.memory.embedder, "embedder")


def _prices(config: RunConfig, spec: RunSpec, recorded: Mapping[str, Price]) -> dict[str, Price]:
    """What each model costs: by the user's file, else as recorded, else by the provider's list.

    Args:
        config: of the run.
        spec: with the models.
        recorded: by the name of a model, the prices that a run to resume has used so far.

    Returns:
        By the name under which a model is shown and journaled; a model without a price is left out.

    Raises:
        UsageError: the user's file cannot be read, or a budget in USD is set for a model without a price.
    """
    own = {} if config.limits.prices is None else read_prices(config.limits.prices)
    limited = config.limits.budget_usd is not None or config.limits.episode_usd is not None
    found: dict[str, Price] = {}
    for actor, model in spec.models.items():
        embeds = actor == EMBEDDER and config.memory is not None and config.memory.embeds
        wanted = embeds or config.model.of(role_of_actor(actor))
        price = price_of(wanted.name, own) or recorded.get(model.name) or _list_price(wanted)
        if price is not None:
            found[model.name] = price
        elif limited:
            raise UsageError(
                f"limits.budget_usd: expected a model with a list price, got {wanted.name!r}; "
                "give its price in a TOML file named by limits.prices, or set a budget in tokens"
            )
    return found


def _list_price(settings: ModelSettings | EmbedderSettings) -> Price | None:
    embeds = isinstance(settings, EmbedderSettings)
    if plugins.is_here(settings.name, settings.url, "embedder" if embeds else "model"):
        return None
    from quintet.models.endpoint.address import resolve_url

    return list_price(settings.name, resolve_url(settings.url), embeds=embeds)


def _memory(resolved: Resolved) -> GivenMemory | None:
    config = resolved.config
    if config.memory is None or config.memory.source is None:
        return None
    with with_origin(resolved.settings, ["memory.source"]):
        found = read_memory(config.memory.source, config.environment.name)
    if config.learning is None and config.memory.batch > found.batches:
        with with_origin(resolved.settings, ["memory.batch"]):
            raise UsageError(
                f"memory.batch: expected at most {found.batches}, the batch memories of {config.memory.source}, got "
                f"{config.memory.batch}"
            )
    return found


def _trajectories(resolved: Resolved, measured: Collection[str]) -> GivenTrajectories | None:
    section, world = resolved.config.memory, resolved.config.environment.name
    if section is None or not section.forms:
        return None
    with with_origin(resolved.settings, ["memory.trajectories", "memory.from_runs"]):
        return count_trajectories(section, world, measured)


def _choose_tasks(resolved: Resolved, spec: RunSpec) -> tuple[RunConfig, tuple[TaskEntry, ...], TrainingTasks]:
    """The run's tasks, and its configuration with what depends on them."""
    config, settings, given = resolved
    split = config.run.split or spec.world.splits[0]
    run = config.run.model_copy(update={"split": split})
    config = config.model_copy(update={"run": run})
    with with_origin(settings, ["run.tasks" if split in spec.world.splits else "run.split"], section="run"):
        tasks = choose(run, spec.world)
    learner = spec.learner
    if learner is None or config.learning is None:
        return config, tasks, TrainingTasks()
    with with_origin(settings, ["learning.tasks", "run.learn"], section="learning"):
        learning, training = choose_training(run, config.learning, spec.world, tasks, given, learner)
    return config.model_copy(update={"learning": learning}), tasks, training


def _versions(
    resolved: Resolved, spec: RunSpec, training: TrainingTasks, trajectories: GivenTrajectories | None
) -> int:
    if spec.learner is None:
        return 0
    given = 0 if trajectories is None else trajectories.number
    files = ["memory.trajectories", "memory.from_runs"] if given else []
    with with_origin(resolved.settings, [*files, "learning.tasks", "run.learn"], section="learning"):
        return count_versions(spec.learner, len(training.training), given)


def _most_episodes(spec: RunSpec, training: TrainingTasks, test: Sequence[TaskEntry]) -> int:
    if spec.learner is None:
        return 0
    return spec.learner.episodes(len(training.training), len(training.held_out), len(test))
