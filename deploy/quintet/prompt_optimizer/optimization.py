"""Optimises the prompts of a method: begins a folder, and goes on with one to its end."""

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import gepa
from gepa.utils.stop_condition import MaxCandidateProposalsStopper
from pydantic import ValidationError

from quintet.config.complaints import complaint
from quintet.config.objects import bring, take_objects
from quintet.config.resolve import as_tables
from quintet.config.sections import METHOD_MODEL_ROLES, LearningSection, RunConfig
from quintet.config.settings import Setting, Settings, from_table
from quintet.config.tasks import TaskEntry, TaskRefusals, TrainingTasks, choose_training
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare_named
from quintet.launch.refusals import refuse_sharded
from quintet.plugins.brought import BroughtObject, bringing
from quintet.prompt_optimizer.adapter import Adapter
from quintet.prompt_optimizer.arms import TEST, Arms, Halted
from quintet.prompt_optimizer.optimized import OptimizedPrompts
from quintet.prompt_optimizer.prompt_files import read_texts
from quintet.prompt_optimizer.writing import WRITER, PromptDesk, PromptWriting
from quintet.roles.question_roles import WORLD_ROLE_NAMES
from quintet.runs.ends import RunStop
from quintet.runs.study_folder import PromptOptimization
from quintet.studies.definition import Study
from quintet.studies.run import RunArm, WritableStudy, create

_log = logging.getLogger("quintet.prompts")


class Choices(NamedTuple):
    """What a person says of an optimisation itself."""

    prompts: Sequence[str]
    """Their names."""
    train_split: str | None = None
    train_tasks: int | Sequence[str] | None = None
    """So many of them, drawn by the seed, or these; None: `TRAINING`, or as many as there are."""
    held_out: int | None = None
    """How many of them candidates are compared by; None: a quarter."""
    batch: int = 3
    """Training tasks of a reflection."""
    iterations: int = 10
    """How many reflections there are at most."""


TRAINING: Final = 40
"""Tasks to learn from, held-out ones included, where nothing is said."""


_FLAGS: Final = {"split": "train-split", "tasks": "train-tasks", "held_out": "held-out"}
_REFLECTS: Final = re.compile(r"model\.|limits\.(?!episode_)|runtime\.(?!roles\.)|run\.(seed|keep_going)$")
"""Settings of the runs that hold for reflections too."""


class Plan(NamedTuple):
    """An optimisation that can begin."""

    prepared: Prepared
    """The method on the test tasks, under its own prompts."""
    optimization: PromptOptimization
    objects: Sequence[BroughtObject]

    @property
    def most_episodes(self) -> int:
        """The most that it plays: its start, parents and candidates on batches and held-out tasks, and the test."""
        about = self.optimization
        of_each = 2 * about.batch + len(about.held_out)
        return len(about.held_out) + about.iterations * of_each + 2 * len(about.test)


def plan(layers: Sequence[Settings], choices: Choices) -> Plan:
    """Check all that an optimisation is made of, before any call.

    Args:
        layers: settings of the runs, later ones overriding earlier ones; `model.prompt_writer` is the reflections' own.

    Raises:
        UsageError: something is missing or wrong; says what was expected, got, and where.
    """
    for name, value in (("batch", choices.batch), ("iterations", choices.iterations)):
        if value < 1:
            raise UsageError(f"--{name}: expected at least 1, got {value}")
    layers, objects = take_objects(layers)
    of_writer = f"model.{WRITER.name}."
    others = [{key: each for key, each in layer.items() if not key.startswith(of_writer)} for layer in layers]
    prepared = prepare_named(others, objects)
    refuse_sharded(prepared.record)
    if prepared.record.learns:
        raise UsageError("run.learn: expected a method that plays, got one that learns; give it what it learnt")
    with bringing(objects):
        texts = read_texts(prepared.resolved.methods, prepared.config.environment.name, choices.prompts)
    tasks = _training(prepared, choices)
    reflecting, everything = _reflecting(layers, objects, prepared)
    return Plan(
        prepared,
        PromptOptimization(
            package=version("gepa"),
            prompts=texts,
            played=prepared.config,
            reflecting=reflecting,
            training=_names(tasks.training),
            held_out=_names(tasks.held_out),
            test=_names(prepared.record.tasks),
            batch=choices.batch,
            iterations=choices.iterations,
        ),
        everything,
    )


def begin(plan: Plan, path: Path) -> WritableStudy:
    """Record it in a new or empty folder; a `UsageError` if that cannot be."""
    study = Study(name="prompts", summary="Candidates and reflections of an optimisation of prompts", arms={"c0-1": {}})
    return create(study, {}, path, plan.objects, plan.optimization)


def go_on(folder: WritableStudy, run_arm: RunArm) -> OptimizedPrompts:
    """Optimise, and measure the start and the best, as far as it comes; what the folder has is not done again.

    Raises:
        UsageError: the folder was begun with another version of the package, or an arm cannot begin or go on.
    """
    about = folder.record.optimization
    assert about is not None
    if (now := version("gepa")) != about.package:
        expected = f"expected version {about.package}, whose choices are repeated, got {now}"
        raise UsageError(f"gepa: {expected}; install that version to go on ({folder.path})")
    # First, so that what this machine lacks is no candidate's fault.
    prepare_named([from_table(as_tables(about.played), str(folder.path))], folder.objects)
    adapter = Adapter(Arms(folder, run_arm))
    try:
        _optimize(adapter, about)
        for candidate in dict.fromkeys((adapter.candidates.start, adapter.candidates.best(about.held_out))):
            adapter.play(candidate, about.test, TEST)
    except Halted as halted:
        if isinstance(halted.cause, Exception):
            raise halted.cause from None
        stop = halted.cause
    else:
        stop = RunStop("done")
        folder.end_growth()
    return OptimizedPrompts(folder, adapter.candidates, adapter.written, stop)


def _optimize(adapter: Adapter, about: PromptOptimization) -> None:
    gepa.optimize(
        seed_candidate=dict(about.prompts),
        trainset=list(about.training),
        valset=list(about.held_out),
        adapter=adapter,
        reflection_minibatch_size=about.batch,
        stop_callbacks=[MaxCandidateProposalsStopper(about.iterations)],
        seed=about.played.run.seed,
        logger=_Log(),
    )


class _Log:
    """The package's log, for those who want it."""

    def log(self, message: str) -> None:
        _log.debug("%s", message)


def _training(prepared: Prepared, choices: Choices) -> TrainingTasks:
    named = {"split": choices.train_split, "tasks": choices.train_tasks, "held_out": choices.held_out}
    given = {key: value for key, value in named.items() if value is not None}
    settings = {f"learning.{key}": Setting(value, f"--{_FLAGS[key]}") for key, value in given.items()}
    try:
        section = LearningSection.model_validate({"tasks": TRAINING, **given})
    except ValidationError as error:
        raise complaint(error, settings, "learning.") from error
    spec = prepared.spec
    refusals = TaskRefusals(spec.world, judged=spec.judged)
    run, test = prepared.config.run, prepared.record.tasks
    _, found = choose_training(run, section, spec.world, test, settings, refusals, chooses=True)
    if choices.batch > len(found.training):
        expected = f"expected at most {len(found.training)}, the tasks to learn from that are not held out"
        raise UsageError(f"--batch: {expected}, got {choices.batch}")
    return found


def _reflecting(
    layers: Sequence[Settings], brought: Sequence[BroughtObject], played: Prepared
) -> tuple[RunConfig, list[BroughtObject]]:
    """What a reflection runs under: the models, limits and hosts of the runs, without what is only an episode's."""
    roles = {
        *METHOD_MODEL_ROLES,
        *WORLD_ROLE_NAMES,
        *(role for each in played.resolved.methods for role in each.model_roles),
    }
    others = tuple(f"model.{role}." for role in sorted(roles))
    below = [
        {key: setting for key, setting in layer.items() if _REFLECTS.match(key) and not key.startswith(others)}
        for layer in layers
    ]
    own: Mapping[str, Any] = {
        "method": {"name": PromptWriting, "prompt": "", "text": "", "examples": []},
        "environment": {"name": PromptDesk, "before": ""},
    }
    (named,), ours = take_objects([from_table(own, "a reflection")])
    objects = [*brought]
    bring(ours, objects)
    return prepare_named([*below, named], objects).config, objects


def _names(tasks: Iterable[TaskEntry]) -> tuple[str, ...]:
    return tuple(task.name for task in tasks)
