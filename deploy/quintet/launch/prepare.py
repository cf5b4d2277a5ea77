"""Prepares a run: looks up, checks and reads once everything it is made of, from settings or from a record."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.methods import MethodConfig, make_methods, whole_name
from quintet.config.objects import take_objects
from quintet.config.resolve import Resolved, as_tables, resolve, resolve_changes
from quintet.config.sections import RunConfig
from quintet.config.settings import Settings, from_table
from quintet.config.tasks import (
    ChosenTasks,
    TaskEntry,
    TaskRefusals,
    TrainingTasks,
    choose,
    choose_training,
    count_versions,
)
from quintet.errors import UsageError
from quintet.launch.given_memory import find_given_memory, find_trajectories
from quintet.launch.models import ModelMaker, check_keys, find_prices
from quintet.launch.prompts import hashes, own_prompts, read_prompts
from quintet.launch.refusals import (
    refuse_budget_below_one_call,
    refuse_local_models,
    refuse_missing_demonstrations,
    refuse_shards,
    refuse_unknown_further_tasks,
    refuse_without_answers,
    refuse_without_forks,
    refuse_wrong_judge,
    refuse_wrong_mechanisms,
    refuse_wrong_user,
)
from quintet.launch.versions import (
    catalogue_names,
    find_recorded,
    git_commit,
    method_versions,
    model_assumptions,
    model_files,
    model_names,
    package_versions,
    plug_in_versions,
    record_code,
    refuse_other_versions,
)
from quintet.learned.plans import read_plan_file
from quintet.methods.base.method import LearnerSpec, Method
from quintet.plugins.brought import BroughtObject, bringing
from quintet.plugins.extras import require_extra
from quintet.ports.embedder import Embedder
from quintet.quota.prices import Price
from quintet.quota.sustained import SustainedConcurrency
from quintet.reports.learning.cost import learning_runs
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.record import RunRecord
from quintet.runtime.retries import RetryPolicy
from quintet.runtime.spec import Limits, MethodSpec, RunSpec


@dataclass(frozen=True)
class Prepared:
    """A run that can start: its folder, its runtime and Ray's hosts are made from it."""

    record: RunRecord
    """Written to `run.json`: the configuration it began with, its tasks, and the names and versions of its parts."""
    resolved: Resolved
    """What it runs under: the record's configuration, with the changes of resumes."""
    spec: RunSpec
    """Method, learner, world, models and prompts, each made once."""
    prices: Mapping[str, Price]
    """By the name of a model; a model without a price is left out."""
    objects: tuple[BroughtObject, ...] = ()
    """What it was brought in place of names."""

    @property
    def config(self) -> RunConfig:
        """The configuration that it runs under."""
        return self.resolved.config


def prepare(layers: Sequence[Settings]) -> Prepared:
    """Prepare a new run.

    Args:
        layers: settings; later layers override earlier ones. In place of a name there may be an object.

    Raises:
        UsageError: something is missing or wrong; says what was expected, what was got, and where it was set.
    """
    return prepare_named(*take_objects(layers))


def prepare_named(
    layers: Sequence[Settings], objects: Sequence[BroughtObject] = (), *, empty_memory: bool = False
) -> Prepared:
    """Prepare a new run from settings without objects, which are given by themselves; it keeps those that it names.

    Args:
        empty_memory: whether the memory that it is given may be empty, as a learner's first version is.
    """
    with bringing(objects):
        return _prepare(resolve(layers), objects, empty_memory=empty_memory)


def _prepare(resolved: Resolved, brought: Sequence[BroughtObject], *, empty_memory: bool) -> Prepared:
    resolved, memory = find_given_memory(resolved, empty=empty_memory)
    named = catalogue_names(resolved)
    objects = tuple(each for each in brought if (each.kind, each.name) in named)
    spec, prompts, prices = _build(resolved, {}, objects)
    resolved, (tasks, left_out), training = _choose_tasks(resolved, spec)
    config = resolved.config
    with with_origin(resolved.settings, ["runtime.shards"]):
        refuse_shards(config, tasks)
    trajectories = find_trajectories(resolved, {entry.name for entry in (*tasks, *training.held_out)})
    given = 0 if trajectories is None else trajectories.number
    learnt_from = tasks if config.run.stream else training.training
    refuse_missing_demonstrations(spec, (*tasks, *training.training, *training.held_out))
    refuse_unknown_further_tasks(spec)
    refuse_without_answers(spec, tasks)
    refuse_wrong_mechanisms(spec)
    plan = _plan(resolved)
    record = RunRecord(
        created=datetime.now(UTC),
        packages=package_versions() | plug_in_versions(resolved),
        git_commit=git_commit(),
        configuration=config,
        tasks=tasks,
        training=training.training,
        held_out=training.held_out,
        left_out=left_out,
        training_left_out=training.left_out,
        learnt="plan" if spec.learner is None else spec.learner.learns,
        plan=plan,
        memory=memory,
        learnt_by=learning_runs(config.method.plan, plan, memory, tasks),
        trajectories=trajectories,
        versions=0 if spec.learner is None else _versions(resolved, spec.learner, learnt_from, given),
        planned=0 if spec.learner is None else _most_episodes(spec.learner, training, tasks, given),
        method=whole_name([each.method for each in resolved.methods]),
        method_versions=method_versions(spec),
        world_version=spec.world.version,
        content=spec.world.content(config.run.split or spec.world.splits[0]),
        models=model_names(spec),
        assumptions=model_assumptions(spec),
        sustained=_sustained(config, spec),
        files=model_files(spec),
        prompts=prompts,
        own_prompts=own_prompts(resolved),
        budget=spec.method.describe().budget,
        oracle=_declared(spec, lambda method: method.describe().oracle),
        best_of=_declared(spec, lambda method: method.describe().best_of),
        undo=_declared(spec, _undo),
        mechanisms={name: text for each in spec.methods for name, text in each.method.mechanisms.items()},
        prices=prices,
        code=record_code(objects),
    )
    return Prepared(record, resolved, spec, prices, objects)


def prepare_config(
    config: RunConfig, where: str, objects: Sequence[BroughtObject] = (), *, empty_memory: bool = False
) -> Prepared:
    """Prepare a new run from a configuration that was prepared before, such as a study's arm, written at `where`."""
    return prepare_named([from_table(as_tables(config), where)], objects, empty_memory=empty_memory)


def prepare_again(
    record: RunRecord,
    changes: Settings,
    run: Path,
    prices: Mapping[str, Price] | None = None,
    objects: Sequence[object] = (),
) -> Prepared:
    """Prepare a run that is resumed.

    Args:
        record: what it began as; its tasks and its plan are not looked up again.
        changes: settings of resumes; only what cannot change results.
        prices: by the name of a model, those that it has used so far; None: the record's.
        objects: those that the run was given from Python.

    Raises:
        UsageError: as `prepare`; or a part or the user's code is another than it began with, or an object is missing.
    """
    brought = find_recorded(record.code, objects, run)
    with bringing(brought):
        resolved = resolve_changes(record.configuration, changes, run)
        spec, prompts, now = _build(resolved, record.prices if prices is None else prices, brought)
    refuse_other_versions(record, spec, prompts, run)
    return Prepared(record, resolved, spec, now, brought)


def refuse_changes(record: RunRecord, changes: Settings, run: Path) -> None:
    """Refuse settings that a resume of the run may not change."""
    if changes:
        with bringing(find_recorded(record.code, (), run)):
            resolve_changes(record.configuration, changes, run)


def build_spec(
    run: Resolved, prompts: Mapping[str, Mapping[str, str]], objects: Sequence[BroughtObject] = ()
) -> RunSpec:
    """Make a run's parts from its configuration: the same in every process, once in each.

    Args:
        prompts: by the method's name in the run, texts by name, as they were read where the run began.
        objects: that the configuration names; they are in place.
    """
    config, methods, settings, _ = run
    learner = make_learner(config, methods[0].method)
    maker = ModelMaker(settings)
    with with_origin(settings, [f"environment.{name}" for name in config.environment.options], section="environment"):
        world = plugins.make_world(config.environment)
    embedder = _embedder(config, settings)
    limits = config.limits
    return RunSpec(
        methods=tuple(_method_specs(methods, prompts, maker)),
        world=world,
        seed=config.run.seed,
        sampling_seed=config.run.sampling_seed,
        group=config.run.group,
        world_options=config.environment.options,
        limits=Limits(
            model=RetryPolicy(limits.model_seconds, limits.repeats, limits.patience_seconds),
            step=limits.step_seconds,
            session=limits.session_seconds,
            episode=limits.episode_seconds,
        ),
        learner=learner,
        feedback="reward" if config.learning is None else config.learning.feedback,
        embedder=embedder,
        recollection=None if config.memory is None else config.memory.recollection(config.run.seed),
        workers=config.runtime.workers,
        given=tuple(each.value for each in objects if each.is_given),
    )


def _build(
    resolved: Resolved, recorded: Mapping[str, Price], objects: Sequence[BroughtObject]
) -> tuple[RunSpec, dict[str, str], dict[str, Price]]:
    config, methods, settings, _ = resolved
    if config.runtime.on_ray:
        require_extra("ray", "ray", "runtime")
    check_keys(resolved)
    prompts = read_prompts(resolved)
    spec = build_spec(resolved, {name: found.texts for name, found in prompts.items()}, objects)
    if config.runtime.on_ray:
        refuse_local_models(spec, methods, settings)
    with with_origin(settings, ["environment.name", "method.name"]):
        refuse_without_forks(spec)
    with with_origin(settings, [*(key for key in settings if key.startswith("model.judge.")), "environment.name"]):
        refuse_wrong_judge(spec)
        refuse_wrong_user(spec)
    with with_origin(settings, ["limits.budget_usd", "limits.episode_usd", "limits.prices"]):
        prices = find_prices(resolved, spec, recorded)
    refuse_budget_below_one_call(spec, config.limits, prices, settings)
    return spec, hashes(prompts), prices


def make_learner(config: RunConfig, method: type[Method[Any]]) -> LearnerSpec[Any] | None:
    """The learner of a run's method, configured; None: the run does not learn."""
    if config.learning is None:
        return None
    if method.learner is None:
        raise UsageError(f"method {method.name}: expected one that learns across episodes, got one that does not")
    options = plugins.validate(method.learner.options, config.learning.options, "learning")
    return method.learner(options, stream=config.run.stream)


def _method_specs(
    configs: Sequence[MethodConfig],
    prompts: Mapping[str, Mapping[str, str]],
    maker: ModelMaker,
) -> Iterator[MethodSpec]:
    for each, method in zip(configs, make_methods(configs), strict=True):
        roles = [role for role in each.roles if role.completion_tokens is not None]
        yield MethodSpec(
            name=each.name,
            method=method,
            models={role.name: maker.make(each, role.name) for role in roles},
            sampling={role.name: each.model.of(role.name).sampling(role) for role in roles},
            prompts=prompts[each.name],
            answers={role.name: each.model.of(role.name).answers for role in roles},
            with_example_turns=frozenset(role.name for role in roles if each.model.of(role.name).examples == "turns"),
        )


def _declared(spec: RunSpec, of: Callable[[Method[Any]], str]) -> str:
    texts = ((each, of(each.method)) for each in spec.methods)
    return "; ".join(text if each is spec.methods[0] else f"{each.name}: {text}" for each, text in texts if text)


def _undo(method: Method[Any]) -> str:
    """How a method undoes its actions without a step, in words; empty: not at all."""
    if method.needs_forks():
        return "it acts in copies of the world, and leaves those that failed"
    return "it goes back to where it was before" if method.needs_snapshots() else ""


def _embedder(config: RunConfig, settings: Settings) -> Embedder | None:
    wanted = None if config.memory is None else config.memory.embeds
    if wanted is None:
        return None
    with with_origin(settings, ["memory.embedder.name", "memory.retrieval"]):
        return plugins.make_embedder(wanted)


def _plan(run: Resolved) -> str:
    file = run.config.method.plan
    readers = [each.model.of(EXECUTOR_ROLE.name) for each in run.methods]
    return "" if file is None else read_plan_file(file, run.config.environment.name, readers)


def _sustained(config: RunConfig, spec: RunSpec) -> Mapping[str, int]:
    is_set = config.limits.start is not None or config.runtime.quota is not None
    return {} if is_set else SustainedConcurrency(spec.models.values()).calls


def _choose_tasks(resolved: Resolved, spec: RunSpec) -> tuple[Resolved, ChosenTasks, TrainingTasks]:
    config, _, settings, given = resolved
    split = config.run.split or spec.world.splits[0]
    run = config.run.model_copy(update={"split": split})
    config = config.model_copy(update={"run": run})
    refusals = TaskRefusals(spec.world, judged=spec.judged)
    with with_origin(settings, ["run.tasks" if split in spec.world.splits else "run.split"], section="run"):
        chosen = choose(run, spec.world, refusals)
    learner = spec.learner
    if learner is None or config.learning is None or run.stream:
        return resolved._replace(config=config), chosen, TrainingTasks()
    plays, chooses = learner.plays(), learner.chooses()
    with with_origin(settings, ["learning.tasks", "run.learn"], section="learning"):
        learning, training = choose_training(
            run, config.learning, spec.world, chosen.tasks, given, refusals, plays=plays, chooses=chooses
        )
    config = config.model_copy(update={"learning": learning})
    return resolved._replace(config=config), chosen, training


def _versions(
    resolved: Resolved,
    learner: LearnerSpec[Any],
    learnt_from: Sequence[TaskEntry],
    given: int,
) -> int:
    files = ["memory.trajectories", "memory.from_runs"] if given else []
    with with_origin(resolved.settings, [*files, "learning.tasks", "run.learn"], section="learning"):
        return count_versions(learner, len(learnt_from), given)


def _most_episodes(learner: LearnerSpec[Any], training: TrainingTasks, test: Sequence[TaskEntry], given: int) -> int:
    if learner.stream:
        return len(test)
    return learner.episodes(len(training.training), len(training.held_out), len(test), given)
