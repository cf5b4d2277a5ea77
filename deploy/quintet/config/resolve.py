"""From settings to a run's configuration: defaults of the method for its environment, then what was given."""

import os
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from quintet.config import plugins
from quintet.config.complaints import complaint, refuse_huge, refuse_misread, refuse_unknown, with_origin
from quintet.config.learning import learning_of, with_task_counts
from quintet.config.sections import (
    CHANGEABLE,
    MODEL_ROLES,
    EnvironmentSection,
    LearningSection,
    LimitsSection,
    MethodSection,
    ModelSettings,
    RunConfig,
    RunSection,
    RuntimeSection,
)
from quintet.config.settings import Setting, Settings, flatten, from_table, nest, with_files
from quintet.config.tasks import choose
from quintet.errors import UsageError
from quintet.methods.base.method import LearnerSpec, Method
from quintet.models.local.model import Local
from quintet.plugins import catalogue
from quintet.ports.model import Model

_SECTIONS: Mapping[str, type[BaseModel]] = {
    "method": MethodSection,
    "environment": EnvironmentSection,
    "model": ModelSettings,
    "run": RunSection,
    "learning": LearningSection,
    "runtime": RuntimeSection,
    "limits": LimitsSection,
}
_DEFAULT_MODEL: str = ModelSettings.model_fields["name"].default


def resolve(layers: Sequence[Settings]) -> RunConfig:
    """The configuration that layers of settings describe, later ones overriding earlier ones.

    Raises:
        UsageError: naming what was expected, what was got, and where it was set.
    """
    given = dict(chain.from_iterable(with_files(layer).items() for layer in layers))
    refuse_huge(given)
    method = _method(given)
    learning = learning_of(method, given)
    settings = {**_defaults(method, learning, given), **given}
    options = _options(method, learning, settings)
    refuse_unknown(settings, _known(options))
    settings = _with_inherited_models(settings)
    tables = nest(settings)
    for section, kind in options.items():
        _validate_options(section, kind, tables, settings)
    try:
        config = RunConfig.model_validate(tables)
    except ValidationError as error:
        raise complaint(error, settings) from error
    refuse_misread(settings, dict(flatten(config.model_dump(mode="json"))))
    _check_models(config, settings)
    _check_plan(config, settings)
    return _with_tasks(config, settings, given)


def _name(section: str, settings: Settings, default: str | None = None) -> str:
    setting = settings.get(f"{section}.name")
    name = default if setting is None else setting.value
    if not isinstance(name, str):
        where = "" if setting is None else f" ({setting.where})"
        raise UsageError(f"{section}.name: expected a name, got {name!r}{where}")
    return name


def _url(section: str, settings: Settings) -> str | None:
    setting = settings.get(f"{section}.url") or settings.get("model.url")
    return None if setting is None or not setting.value else str(setting.value)


def _method(settings: Settings) -> type[Method[Any]]:
    name = _name("method", settings)
    try:
        return catalogue.method(name)
    except UsageError as error:
        raise with_origin(error, settings, ["method.name"]) from error


def _defaults(method: type[Method[Any]], learning: type[LearnerSpec[Any]] | None, settings: Settings) -> Settings:
    environment = _name("environment", settings)
    try:
        plugins.world_options(environment)
        if not method.acts_in(environment):
            expected = catalogue.one_of(method.worlds, environment)
            raise UsageError(
                f"environment: expected {expected}, which {method.name} has prompts for, got {environment!r}"
            )
    except UsageError as error:
        raise with_origin(error, settings, ["environment.name"]) from error
    tables: dict[str, Mapping[str, Any]] = {
        "method": method.worlds.get(environment, {}),
        "environment": method.environments.get(environment, {}),
        "learning": {} if learning is None else learning.worlds.get(environment, {}),
    }
    return {**from_table(tables, f"{method.name}'s default on {environment}"), **_surroundings(environment)}


def _surroundings(environment: str) -> Settings:
    """The options that an environment takes from variables of its own, so that a run's record says what they were."""
    named = plugins.world_variables(environment)
    return {
        f"environment.{option}": Setting(os.environ[variable], f"${variable}")
        for option, variable in named.items()
        if os.environ.get(variable)
    }


def _options(
    method: type[Method[Any]], learning: type[LearnerSpec[Any]] | None, settings: Settings
) -> dict[str, type[BaseModel]]:
    """The options of every plug-in that is named, and of how it learns, by their section."""
    options = {"method": method.options, "environment": plugins.world_options(_name("environment", settings))}
    if learning is not None:
        options["learning"] = learning.options
    base = _name("model", settings, _DEFAULT_MODEL)
    for section in ("model", *(f"model.{role}" for role in MODEL_ROLES)):
        if section == "model" or any(key.startswith(f"{section}.") for key in settings):
            try:
                options[section] = plugins.model_options(_name(section, settings, base), _url(section, settings))
            except UsageError as error:
                raise with_origin(error, settings, [f"{section}.name", "model.name"]) from error
    return options


def _known(options: Mapping[str, type[BaseModel]]) -> set[str]:
    own = {f"{section}.{field}" for section, kind in _SECTIONS.items() for field in kind.model_fields}
    roles = {f"model.{role}.{field}" for role in MODEL_ROLES for field in ModelSettings.model_fields}
    return own | roles | {f"{section}.{field}" for section, kind in options.items() for field in kind.model_fields}


def _model(section: str, settings: Settings, name: str = _DEFAULT_MODEL, file: Any = None) -> tuple[str, Any]:
    """Which model a table names, in place of this one: by its name and, where it lies in a file, by that."""
    named = _name(section, settings, name)
    given = settings.get(f"{section}.file") if named == "local" else None
    return named, file if given is None else given.value


def _with_inherited_models(settings: Settings) -> dict[str, Setting]:
    """A role's table says only how it differs from `[model]`; another model's options and context are not its own."""
    tables = tuple(f"model.{role}." for role in MODEL_ROLES)
    base_model = _model("model", settings)
    base = {
        key.removeprefix("model."): setting
        for key, setting in settings.items()
        if key.startswith("model.") and not key.startswith(tables)
    }
    inherited: dict[str, Setting] = {}
    for table in tables:
        if any(key.startswith(table) for key in settings):
            same = _model(table.removesuffix("."), settings, *base_model) == base_model
            inherited |= {
                f"{table}{field}": setting
                for field, setting in base.items()
                if same or (field in ModelSettings.model_fields and field != "context")
            }
    return {**inherited, **settings}


def _validate_options(section: str, kind: type[BaseModel], tables: dict[str, Any], settings: Settings) -> None:
    """Replace a plug-in's options in `tables` by what they validate to, defaults included."""
    table: dict[str, Any] = tables
    for part in section.split("."):
        table = table.setdefault(part, {})
    given = {name: value for name, value in table.items() if name in kind.model_fields}
    try:
        table.update(plugins.stored(kind.model_validate(given)))
    except ValidationError as error:
        raise complaint(error, settings, f"{section}.") from error


def _with_tasks(config: RunConfig, settings: Settings, given: Settings) -> RunConfig:
    """The same with the environment's first split where none was named, once all its tasks are known to exist."""
    try:
        world = plugins.world(config)
    except UsageError as error:
        raise with_origin(error, settings, [f"environment.{name}" for name in config.environment.options]) from error
    run = config.run if config.run.split is not None else config.run.model_copy(update={"split": world.splits[0]})
    try:
        measured = choose(run, world)
    except UsageError as error:
        named = str(error).partition(":")[0]
        keys = [named, f"run.{named}", "run.tasks" if run.split in world.splits else "run.split"]
        raise with_origin(error, settings, keys) from error
    try:
        return with_task_counts(config.model_copy(update={"run": run}), world, measured, given)
    except UsageError as error:
        named = str(error).partition(":")[0]
        raise with_origin(error, settings, [named, f"learning.{named}", "learning.tasks", "run.learn"]) from error


def _check_models(config: RunConfig, settings: Settings) -> None:
    """Make every model once, and look at what it costs."""
    for section, model in (
        ("model", config.model),
        *((f"model.{role}", config.model.of(role)) for role in MODEL_ROLES),
    ):
        try:
            plugins.check_key(model)
        except UsageError as error:
            raise with_origin(error, settings, [f"{section}.key", "model.key"]) from error
    for role in plugins.roles(config):
        if role in MODEL_ROLES:
            try:
                _refuse_apart(plugins.model(config.model.of(role)), config)
            except UsageError as error:
                keys = [f"{section}.{key}" for key in ("file", "name") for section in (f"model.{role}", "model")]
                raise with_origin(error, settings, keys) from error
    try:
        plugins.prices(config)
    except UsageError as error:
        raise with_origin(error, settings, ["limits.budget_usd", "limits.episode_usd", "limits.prices"]) from error


def _refuse_apart(model: Model, config: RunConfig) -> None:
    if config.runtime.on_ray and isinstance(model, Local):
        raise UsageError(
            f"model: expected one behind an endpoint for a run on Ray, got {model.name}, which every host would load; "
            "serve the file to all of them with llama-server, and name its address by model.url"
        )


def _check_plan(config: RunConfig, settings: Settings) -> None:
    """Refuse a plan where nobody would read it."""
    if config.method.plan is not None and "executor" not in plugins.roles(config):
        error = UsageError(f"method.plan: expected a method that asks an executor, got {config.method.name!r}")
        raise with_origin(error, settings, ["method.plan"])


def stated(config: RunConfig) -> dict[str, Any]:
    """The configuration as tables of a file; what has no table of its own has none here either: a role, learning."""
    tables = config.model_dump(mode="json", exclude={"learning"} if config.learning is None else None)
    tables["model"] = {key: value for key, value in tables["model"].items() if key not in MODEL_ROLES or value}
    return tables


def _changeable(key: str) -> bool:
    return any(key == name or key.startswith(f"{name}.") for name in CHANGEABLE)


def changed(config: RunConfig, layer: Settings | None, run: Path) -> RunConfig:
    """The configuration of a run that is resumed with other settings, if any.

    Raises:
        UsageError: naming a setting that could change results.
    """
    if not layer:
        return config
    new = resolve([from_table(stated(config), str(run)), layer])
    before, after = (dict(flatten(stated(each))) for each in (config, new))
    for key in sorted(before.keys() | after.keys(), key=lambda key: (key not in layer, key)):
        if before.get(key) != after.get(key) and not _changeable(key):
            allowed = ", ".join(CHANGEABLE)
            where = f" ({layer[key].where})" if key in layer else ""
            raise UsageError(
                f"{key}: expected {before.get(key)!r}, as the run was begun, got {after.get(key)!r}{where}; "
                f"only what cannot change results may be set on resume: {allowed}"
            )
    return new
