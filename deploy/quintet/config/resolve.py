"""Resolves settings to a run's configuration: the method's defaults for its environment, then what was given."""

import os
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from quintet.config import plugins
from quintet.config.complaints import complaint, refuse_huge, refuse_misread, refuse_unknown, with_origin
from quintet.config.sections import (
    CHANGEABLE,
    MODEL_ROLES,
    EmbedderSettings,
    EnvironmentSection,
    LearningSection,
    LimitsSection,
    MemorySection,
    MethodSection,
    ModelSettings,
    RunConfig,
    RunSection,
    RuntimeSection,
)
from quintet.config.settings import Setting, Settings, flatten, from_table, nest, with_files
from quintet.errors import UsageError
from quintet.messages.learning import LearntKind
from quintet.methods.base.method import LearnerSpec, Method
from quintet.plugins import catalogue
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.roles.registry import roles_of

_SECTIONS: Mapping[str, type[BaseModel]] = {
    "method": MethodSection,
    "environment": EnvironmentSection,
    "model": ModelSettings,
    "run": RunSection,
    "learning": LearningSection,
    "memory": MemorySection,
    "runtime": RuntimeSection,
    "limits": LimitsSection,
}
_EMBEDDER = "memory.embedder"
_DEFAULT_MODEL: str = ModelSettings.model_fields["name"].default


class Resolved(NamedTuple):
    """A configuration, and where its values were set."""

    config: RunConfig
    """Validated, except for the tasks, which only the environment knows."""
    settings: Settings
    """All, with defaults of the method."""
    given: Settings
    """Without defaults."""


def resolve(layers: Sequence[Settings]) -> Resolved:
    """The configuration that layers of settings describe; later layers override earlier ones.

    Raises:
        UsageError: says what was expected, what was got, and where it was set.
    """
    given = dict(chain.from_iterable(with_files(layer).items() for layer in layers))
    refuse_huge(given)
    with with_origin(given, ["method.name"]):
        method = catalogue.method(_name("method", given))
    learner = _learner(method, given)
    settings = {**_defaults(method, learner, given), **given}
    options = _options(method, learner, settings)
    refuse_unknown(settings, _known_keys(options))
    settings = _with_inherited_models(settings)
    tables = nest(settings)
    if _has_memory(learner, settings):
        tables.setdefault("memory", {})
    for section, kind in options.items():
        _validate_options(section, kind, tables, settings)
    try:
        config = RunConfig.model_validate(tables)
    except ValidationError as error:
        raise complaint(error, settings) from error
    refuse_misread(settings, dict(flatten(config.model_dump(mode="json"))))
    _refuse_unread(config, method, learner, settings)
    return Resolved(config, settings, given)


def _has_memory(learner: type[LearnerSpec[Any]] | None, settings: Settings) -> bool:
    """Whether the run has a memory: one that it is given, or one that it learns.

    Raises:
        UsageError: it has none, but something about memories is set.
    """
    given = settings.get("memory.source")
    if (learner is not None and learner.learns == "memory") or (given is not None and given.value is not None):
        return True
    for key, setting in settings.items():
        if key == "memory" or key.startswith("memory."):
            raise UsageError(
                f"{key}: expected a run with a memory (--memory, or a method that learns one), got one without "
                f"({setting.where})"
            )
    return False


def _refuse_unread(
    config: RunConfig, method: type[Method[Any]], learner: type[LearnerSpec[Any]] | None, settings: Settings
) -> None:
    """Refuse content that no executor of the run would see, or that its learner cannot begin with."""
    memory = config.memory or MemorySection()
    given: tuple[tuple[str, LearntKind, object], ...] = (
        ("method.plan", "plan", config.method.plan),
        ("memory.source", "memory", memory.source),
    )
    for key, kind, value in given:
        if value is None:
            continue
        with with_origin(settings, [key]):
            if EXECUTOR_ROLE not in roles_of(method.requests):
                raise UsageError(f"{key}: expected a method that asks an executor, got {method.name!r}")
            if learner is not None and learner.learns != kind:
                learns = f"{method.name!r}, which learns a {learner.learns}"
                raise UsageError(f"{key}: expected a method that learns a {kind}, got {learns}")
    if memory.forms and learner is None:
        keys = ["memory.trajectories", "memory.from_runs"]
        with with_origin(settings, keys):
            raise UsageError(
                f"{', '.join(keys)}: expected a run that learns (quintet optimize, or run.learn=true), got one that "
                "does not"
            )


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


def _learner(method: type[Method[Any]], settings: Settings) -> type[LearnerSpec[Any]] | None:
    """How the run learns; None if its settings do not ask for it."""
    asked = settings.get("run.learn")
    if asked is not None and asked.value is True:
        if method.learner is None:
            learners = [name for name in catalogue.names("method") if _learns(name)]
            expected = catalogue.one_of(learners, method.name) if learners else "a method"
            with with_origin(settings, ["method.name"]):
                raise UsageError(f"method: expected {expected}, which learns across episodes, got {method.name!r}")
        return method.learner
    for key, setting in settings.items():
        if key == "learning" or key.startswith("learning."):
            raise UsageError(
                f"{key}: expected a run that learns (quintet optimize, or run.learn=true), got one that does not "
                f"({setting.where})"
            )
    return None


def _learns(name: str) -> bool:
    try:
        return catalogue.method(name).learner is not None
    except UsageError:
        return False


def _defaults(method: type[Method[Any]], learner: type[LearnerSpec[Any]] | None, settings: Settings) -> Settings:
    environment = _name("environment", settings)
    with with_origin(settings, ["environment.name"]):
        plugins.world_options(environment)
        if not method.acts_in(environment):
            expected = catalogue.one_of(method.worlds, environment)
            raise UsageError(
                f"environment: expected {expected}, which {method.name} has prompts for, got {environment!r}"
            )
    tables: dict[str, Mapping[str, Any]] = {
        "method": {name: value for name, value in method.worlds.get(environment, {}).items() if name != "inner"},
        "environment": method.environments.get(environment, {}),
        "learning": {} if learner is None else learner.worlds.get(environment, {}),
    }
    return {**from_table(tables, f"{method.name}'s default on {environment}"), **_from_variables(environment)}


def _from_variables(environment: str) -> Settings:
    """The options that an environment reads from variables of its own, so that the record keeps their values."""
    named = plugins.world_variables(environment)
    return {
        f"environment.{option}": Setting(os.environ[variable], f"${variable}")
        for option, variable in named.items()
        if os.environ.get(variable)
    }


def _options(
    method: type[Method[Any]], learner: type[LearnerSpec[Any]] | None, settings: Settings
) -> dict[str, type[BaseModel]]:
    """The options of every plug-in that is named, and of the learner, by section."""
    options = {"method": method.options, "environment": plugins.world_options(_name("environment", settings))}
    if learner is not None:
        options["learning"] = learner.options
    base = _name("model", settings, _DEFAULT_MODEL)
    for section in ("model", *(f"model.{role}" for role in MODEL_ROLES)):
        if section == "model" or any(key.startswith(f"{section}.") for key in settings):
            with with_origin(settings, [f"{section}.name", "model.name"]):
                options[section] = plugins.model_options(_name(section, settings, base), _url(section, settings))
    if any(key.startswith(f"{_EMBEDDER}.") for key in settings):
        with with_origin(settings, [f"{_EMBEDDER}.name"]):
            name = _name(_EMBEDDER, settings, EmbedderSettings.model_fields["name"].default)
            url = settings.get(f"{_EMBEDDER}.url")
            address = None if url is None or not url.value else str(url.value)
            options[_EMBEDDER] = plugins.embedder_options(name, address)
    return options


def _known_keys(options: Mapping[str, type[BaseModel]]) -> set[str]:
    own = {f"{section}.{field}" for section, kind in _SECTIONS.items() for field in kind.model_fields}
    roles = {f"model.{role}.{field}" for role in MODEL_ROLES for field in ModelSettings.model_fields}
    embedder = {f"{_EMBEDDER}.{field}" for field in EmbedderSettings.model_fields}
    given = {f"{section}.{name}" for section, kind in options.items() for name in plugins.option_names(kind)}
    return own - {_EMBEDDER} | roles | embedder | given


def _model(section: str, settings: Settings, name: str = _DEFAULT_MODEL, file: Any = None) -> tuple[str, Any]:
    """The name and the file of the model in a table; by default these."""
    named = _name(section, settings, name)
    given = settings.get(f"{section}.file") if named == "local" else None
    return named, file if given is None else given.value


def _with_inherited_models(settings: Settings) -> dict[str, Setting]:
    """Fill roles' tables from `[model]`; the options and the context only if both name the same model."""
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
    given = {name: value for name, value in table.items() if name in plugins.option_names(kind)}
    try:
        table.update(kind.model_validate(given).model_dump(mode="json", by_alias=True))
    except ValidationError as error:
        raise complaint(error, settings, f"{section}.") from error


def as_tables(config: RunConfig) -> dict[str, Any]:
    """The configuration as tables of a TOML file; a role, learner or memory without a table has none here either."""
    absent = {name for name in ("learning", "memory") if getattr(config, name) is None}
    tables = config.model_dump(mode="json", exclude=absent)
    tables["model"] = {key: value for key, value in tables["model"].items() if key not in MODEL_ROLES or value}
    if config.memory is not None and config.memory.embedder is None:
        del tables["memory"]["embedder"]
    return tables


def resolve_changes(config: RunConfig, changes: Settings, run: Path) -> Resolved:
    """The configuration of a run that continues with other settings.

    Args:
        config: with which it began.
        changes: only what cannot change results; may be empty.
        run: its folder.

    Raises:
        UsageError: a change could change results.
    """
    if not changes:
        return Resolved(config, {}, {})
    resolved = resolve([from_table(as_tables(config), str(run)), changes])
    before, after = (dict(flatten(as_tables(each))) for each in (config, resolved.config))
    for key in sorted(before.keys() | after.keys(), key=lambda key: (key not in changes, key)):
        if before.get(key) != after.get(key) and not _changeable(key):
            allowed = ", ".join(CHANGEABLE)
            where = f" ({changes[key].where})" if key in changes else ""
            raise UsageError(
                f"{key}: expected {before.get(key)!r}, as the run was begun, got {after.get(key)!r}{where}; "
                f"only what cannot change results may be set on resume: {allowed}"
            )
    return resolved


def _changeable(key: str) -> bool:
    return any(key == name or key.startswith(f"{name}.") for name in CHANGEABLE)
