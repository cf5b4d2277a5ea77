"""What is written down before a run begins: what was asked for, and by which versions it was begun."""

import importlib.metadata
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from pydantic import model_validator

from quintet.config import plugins
from quintet.config.learning import TrainingTasks, lessons, versions
from quintet.config.sections import MODEL_ROLES, RunConfig
from quintet.config.tasks import MOST_EPISODES, TaskEntry, choose
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import Prompts, new_name
from quintet.models.local.gguf import ModelFile
from quintet.models.local.model import Local
from quintet.plugins import catalogue
from quintet.plugins.catalogue import one_of
from quintet.plugins.entry_points import Kind
from quintet.quota.prices import Price
from quintet.roles.registry import prompts_of
from quintet.runs.plan_file import read_plan
from quintet.runs.written import Written

_PACKAGES = ("quintet-agents", "msgspec", "pydantic", "openai", "gymnasium", "ray")


TaskUse: TypeAlias = Literal["training", "held out", "test"]
"""What a run has a task for: to learn from, to choose a version by, or to be measured by. A task has only one."""


class RunRecord(Written):
    """The content of `run.json`."""

    quintet: Literal["run"] = "run"
    configuration: RunConfig
    tasks: tuple[TaskEntry, ...]
    """Those that it is measured by, in the order of the run."""
    training: tuple[TaskEntry, ...] = ()
    """Those that it learns from; none where it does not learn."""
    held_out: tuple[TaskEntry, ...] = ()
    """Those that a version is chosen by."""
    plan: str = ""
    """What `method.plan` held as the run began; empty: none. A resume reads this, and no file."""
    versions: int = 0
    """How many versions of what is learnt it will publish, after version 0."""
    planned: int = 0
    """How many episodes a run that learns will have at most; 0: unknown."""
    method_version: str
    world_version: str
    models: Mapping[str, str]
    """By role, the model's name as it is shown beside every figure."""
    files: Mapping[str, ModelFile] = {}
    """By role, the file of a model that runs in this process."""
    prompts: Mapping[str, str]
    """SHA-256 of every prompt, by name."""
    budget: str = ""
    """Of model calls, as the method counts them."""
    prices: Mapping[str, Price] = {}
    """By the name of a model, of those that have one."""

    @model_validator(mode="after")
    def _tasks_that_a_run_can_have(self) -> "RunRecord":
        names = [task.name for task in (*self.tasks, *self.training, *self.held_out)]
        if len(set(names)) < len(names):
            raise ValueError("expected each task once")
        episodes = len(self.tasks) * self.configuration.run.epochs
        if episodes > MOST_EPISODES:
            raise ValueError(f"expected at most {MOST_EPISODES:,} episodes, got {episodes:,}")
        return self

    @property
    def model(self) -> str:
        """The model's name for tables; see `shown`."""
        return shown(self.models)

    @property
    def learns(self) -> bool:
        """Whether something is learnt across its episodes."""
        return self.configuration.learning is not None

    @property
    def episodes(self) -> int:
        """How many episodes the run has; where it learns, at most."""
        return self.planned if self.learns else len(self.tasks) * self.configuration.run.epochs

    def repeated(self) -> Iterator[tuple[int, TaskEntry]]:
        """Every epoch with every task, in the order of the run. None where it learns: its learner asks for episodes."""
        return product(range(0 if self.learns else self.configuration.run.epochs), self.tasks)

    def purpose(self, task: str) -> TaskUse:
        """What the run has a task for, by its name."""
        if any(entry.name == task for entry in self.training):
            return "training"
        return "held out" if any(entry.name == task for entry in self.held_out) else "test"


NO_MODEL = "no model"
"""What stands for the model's name where a method asks none."""


def shown(models: Mapping[str, str]) -> str:
    """Models by role as one name: of two, both with their roles; `no model` where there is none."""
    if not models:
        return NO_MODEL
    if len(set(models.values())) == 1:
        return next(iter(models.values()))
    return " + ".join(f"{role} {name}" for role, name in models.items())


def begin(config: RunConfig) -> RunRecord:
    """The record of a run that begins now.

    Raises:
        UsageError: a task, a prompt, a plan or an option of a plug-in is missing or wrong.
    """
    world = plugins.world(config)
    method = plugins.method(config)
    names = _model_names(config)
    tasks, prompts = choose(config.run, world), read_prompts(config, method)
    found = lessons(config, world, tasks)
    training, held_out = found or TrainingTasks((), ())
    _refuse_unshown(config, (*tasks, *training, *held_out), prompts)
    file = config.method.plan
    return RunRecord(
        created=datetime.now(UTC),
        packages=package_versions() | plug_in_versions(config),
        git_commit=git_commit(),
        configuration=config,
        tasks=tasks,
        training=training,
        held_out=held_out,
        plan="" if file is None else read_plan(file, config.model.of("executor")),
        versions=versions(config, found),
        planned=_planned(config, len(training), len(held_out), len(tasks)),
        method_version=method.version,
        world_version=world.version,
        models=names,
        files=_model_files(config),
        prompts=prompts.hashes,
        budget=plugins.configured(config).budget(),
        prices=prices_by_model(config, names),
    )


def _planned(config: RunConfig, training: int, held_out: int, test: int) -> int:
    if config.learning is None:
        return 0
    return plugins.learner(config).episodes(training, held_out, test)


def prices_by_model(
    config: RunConfig, names: Mapping[str, str], recorded: Mapping[str, Price] = MappingProxyType({})
) -> dict[str, Price]:
    """Prices by the name under which a model is shown and journaled.

    Args:
        config: of the run.
        names: by role, as models call themselves.
        recorded: by the same name, the prices that a run to resume has used so far.

    Raises:
        UsageError: see `plugins.prices`.
    """
    known = {role: recorded[name] for role, name in names.items() if name in recorded}
    return {names[role]: price for role, price in plugins.prices(config, known).items() if role in names}


def refuse_other_versions(record: RunRecord, config: RunConfig, run: Path) -> None:
    """Make sure that a run can go on under what is installed now.

    Args:
        record: what it was begun as.
        config: what it is to go on with; an endpoint may have another address or key by now.
        run: its folder.

    Raises:
        UsageError: its method, environment, models, their files or prompts are others, with both named.
    """
    method = plugins.method(config)
    _same(f"method {method.name}", "version", record.method_version, method.version, run)
    world = plugins.world(config)
    _same(f"environment {world.name}", "version", record.world_version, world.version, run)
    for what, kind, begun, now in (
        ("model file of", "SHA-256", _digests(record.files), _digests(_model_files(config))),
        ("model of", "name", record.models, _model_names(config)),
        ("prompt", "SHA-256", record.prompts, read_prompts(config, method).hashes),
    ):
        for name in sorted(begun.keys() | now.keys()):
            _same(f"{what} {name}", kind, begun.get(name, "none"), now.get(name, "none"), run)


def _same(what: str, kind: str, begun: str, now: str, run: Path) -> None:
    if begun != now:
        raise UsageError(f"{what}: expected {kind} {begun}, under which the run was begun, got {now} ({run})")


def _model_names(config: RunConfig) -> dict[str, str]:
    return {role: model.name for role, model in plugins.models(config).items()}


def _model_files(config: RunConfig) -> dict[str, ModelFile]:
    return {role: model.file for role, model in plugins.models(config).items() if isinstance(model, Local)}


def _digests(files: Mapping[str, ModelFile]) -> dict[str, str]:
    return {role: f"{file.sha256} ({file.name}, {file.size:,} bytes)" for role, file in files.items()}


def read_prompts(config: RunConfig, method: type[Method[Any]]) -> Prompts:
    """Every prompt that the method has for the run's environment, read, the user's own in place of its own.

    Raises:
        UsageError: the user's folder has no prompt for the environment, or one that the method does not know; or what
            a request of the run needs one that is missing.
    """
    environment, own = config.environment.name, config.method.prompts
    names = Prompts(method.prompt_folders, environment).names
    if own is not None:
        found = Prompts([own], environment).names
        if not found:
            raise UsageError(f"method.prompts: expected text files in {own / environment}, found none")
        for name in found:
            if name not in names:
                new = new_name(name, names)
                if new is not None:
                    raise UsageError(
                        f"method.prompts: expected {new}.txt, the new name of {name}.txt, got {name}.txt "
                        f"({own / environment})"
                    )
                expected = one_of(names, name)
                raise UsageError(f"method.prompts: expected {expected}, got {name!r} ({own / environment})")
    prompts = plugins.prompts(config)
    for name in (*names, *prompts_of(plugins.requests(config))):
        prompts.text(name)
    return prompts


def _refuse_unshown(config: RunConfig, tasks: Sequence[TaskEntry], prompts: Prompts) -> None:
    """Make sure that whatever demonstrations the method will ask for are among its prompts."""
    method = plugins.configured(config)
    asked = {name for task in tasks for name in method.demonstrations(task.metadata) or ()}
    for name in sorted(asked.difference(prompts.names)):
        has = f"demonstrations that {method.name} has for {config.environment.name}"
        raise UsageError(f"method.demonstrations: expected {has}, got a set that needs the prompt {name!r}")


def package_versions() -> dict[str, str]:
    """Versions of what a run's results may depend on."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions


def plug_in_versions(config: RunConfig) -> dict[str, str]:
    """Versions of the distributions that bring what a run names, where they are not this one."""
    models = (config.model.of(role) for role in MODEL_ROLES)
    named: list[tuple[Kind, str]] = [
        ("method", config.method.name),
        ("environment", config.environment.name),
        *(("model", model.name) for model in models if model.url is None),
    ]
    found = (catalogue.origin(kind, name) for kind, name in named)
    return {plug_in.distribution: plug_in.version for plug_in in found if plug_in is not None}


def git_commit() -> str | None:
    """The commit of the checkout that this code is run from."""
    checkout = Path(__file__).parents[3]
    if not (checkout / ".git").exists():
        return None
    commit = _git(checkout, "rev-parse", "HEAD")
    return commit and commit + ("+changes" if _git(checkout, "status", "--porcelain", "--untracked-files=no") else "")


def _git(checkout: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=checkout, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
