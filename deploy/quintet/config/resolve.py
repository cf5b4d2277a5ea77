"""Resolves settings to a run's configuration: the methods' defaults for its environment, then what was given."""

import os
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ValidationError

from quintet.config import plugins
from quintet.config.complaints import complaint, refuse_huge, refuse_misread, refuse_unknown, with_origin
from quintet.config.memory_section import EmbedderSettings, MemorySection
from quintet.config.method_names import with_method_names
from quintet.config.methods import MethodConfig, find_methods, method_configs, method_defaults, whole_name
from quintet.config.model_tables import ModelTables
from quintet.config.runtime_sections import LimitsSection, RuntimeSection
from quintet.config.sections import (
    CHANGEABLE,
    EnvironmentSection,
    InnerMethodSection,
    LearningSection,
    MethodSection,
    ModelSettings,
    RunConfig,
    RunSection,
)
from quintet.config.settings import (
    Setting,
    Settings,
    first_below,
    flatten,
    from_table,
    nest,
    plug_in_name,
    with_split_names,
)
from quintet.config.stream import is_stream, learning_defaults, refuse_beside_stream
from quintet.errors import UsageError
from quintet.messages.learning import LearntKind, MemoryKind
from quintet.messages.programs import WriteProgram
from quintet.methods.base.method import LearnerSpec, Method
from quintet.plugins import catalogue
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.roles.registry import ROLES, SHARED, roles_of

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
_LEARNS = "a run that learns (quintet optimize, or run.learn=true)"


class Resolved(NamedTuple):
    """A configuration, its methods, and where its values were set."""

    config: RunConfig
    """Validated, except for the tasks, which only the environment knows."""
    methods: tuple[MethodConfig, ...]
    """Outermost first."""
    settings: Settings
    """All, with defaults of the method; empty: unknown."""
    given: Settings
    """Without defaults."""


def resolved(config: RunConfig) -> Resolved:
    """A configuration that was resolved before, such as a recorded one."""
    return Resolved(config, method_configs(config), {}, {})


def resolve(layers: Sequence[Settings]) -> Resolved:
    """The configuration that layers of settings describe; later layers override earlier ones."""
    given = combine_layers(layers)
    refuse_huge(given)
    methods = find_methods(given)
    learner = _learner(methods["method"], given)
    settings = {**_defaults(methods, learner, given), **given}
    with with_origin(settings, ["method.name"]):
        models = ModelTables(["model", *(f"{section}.model" for section in [*methods][1:])], methods.values())
    options = {**_options(methods, learner, settings), **models.options(settings)}
    refuse_unknown(settings, _known_keys(methods, options) | models.keys)
    settings = models.with_inherited(settings)
    tables = nest(settings)
    if _has_memory(learner, settings):
        tables.setdefault("memory", {})
    for section, kind in options.items():
        _validate_options(section, kind, tables, settings)
    models.gather_roles(tables)
    try:
        config = RunConfig.model_validate(tables)
    except ValidationError as error:
        raise complaint(error, settings) from error
    refuse_misread(settings, dict(flatten(as_tables(config))))
    _refuse_unread(config, methods, learner, settings)
    refuse_beside_stream(config.run, given)
    _refuse_hosts_of_no_role(config, methods, settings)
    _refuse_limits_below_shards(config, settings)
    return Resolved(config, method_configs(config), settings, given)


def combine_layers(layers: Sequence[Settings]) -> Settings:
    """One layer of several; later layers override earlier ones."""
    return dict(chain.from_iterable(with_split_names(with_method_names(layer)).items() for layer in layers))


def _has_memory(learner: type[LearnerSpec[Any]] | None, settings: Settings) -> bool:
    """Whether the run has a memory, given or learnt; if not, refuse settings about one."""
    given = settings.get("memory.source")
    if (learner is not None and learner.learns != "plan") or (given is not None and given.value is not None):
        return True
    if found := first_below("memory", settings):
        expected = "a run with a memory (--memory, or a method that learns one)"
        raise UsageError(f"{found[0]}: expected {expected}, got one without ({found[1].where})")
    return False


def _refuse_unread(
    config: RunConfig,
    methods: Mapping[str, type[Method[Any]]],
    learner: type[LearnerSpec[Any]] | None,
    settings: Settings,
) -> None:
    """Refuse content that no role of the run would see, or that its learner cannot begin with."""
    name = methods["method"].name
    asked = [role for method in methods.values() for role in roles_of(method.requests, method.roles)]
    memory = config.memory or MemorySection()
    given: tuple[tuple[str, tuple[LearntKind, ...], object], ...] = (
        ("method.plan", ("plan",), config.method.plan),
        ("memory.source", get_args(MemoryKind), memory.source),
    )
    for key, kinds, value in given:
        if value is None:
            continue
        with with_origin(settings, [key]):
            if EXECUTOR_ROLE not in asked and not any(WriteProgram in method.requests for method in methods.values()):
                raise UsageError(f"{key}: expected a method that asks an executor, or for programs, got {name!r}")
            if learner is not None and learner.learns not in kinds:
                learns = f"{name!r}, which learns a {learner.learns}"
                raise UsageError(f"{key}: expected a method that learns a {' or a '.join(kinds)}, got {learns}")
    if memory.control != "none" and learner is not None:
        with with_origin(settings, ["memory.control"]):
            raise UsageError(
                "memory.control: expected 'none' in a run that learns, since it is a control of what was learnt before "
                f"(--memory RUN@VERSION), got {memory.control!r}"
            )
    if memory.forms and learner is None:
        keys = ["memory.trajectories", "memory.from_runs"]
        with with_origin(settings, keys):
            raise UsageError(f"{', '.join(keys)}: expected {_LEARNS}, got one that does not")


def _refuse_hosts_of_no_role(config: RunConfig, methods: Mapping[str, type[Method[Any]]], settings: Settings) -> None:
    """Refuse hosts for a role that is neither ours nor brought by one of the methods."""
    brought = (role for method in methods.values() for role in method.roles)
    known = [*dict.fromkeys(role.name for role in (*ROLES, *brought)), SHARED]
    for name in config.runtime.roles:
        if name not in known:
            keys = [key for key in settings if key.startswith(f"runtime.roles.{name}.")]
            with with_origin(settings, keys):
                raise UsageError(f"runtime.roles.{name}: expected one of {', '.join(map(repr, known))}, got {name!r}")


def _refuse_limits_below_shards(config: RunConfig, settings: Settings) -> None:
    """Refuse a limit of which some shards would have no part; those with a shared quota have all of it."""
    shards = config.runtime.shards if config.runtime.quota is None else 1
    for limits in (config.limits, *config.limits.pace):
        for name in ("calls", "requests_per_minute", "tokens_per_minute"):
            value = getattr(limits, name)
            if value is not None and value < shards:
                key = f"limits.{name}" if limits is config.limits else "limits.pace"
                with with_origin(settings, [key]):
                    got = f"{value}" if limits is config.limits else f"{name} {value}"
                    raise UsageError(f"{key}: expected at least one for each of {shards} shards, got {got}")


def _learner(method: type[Method[Any]], settings: Settings) -> type[LearnerSpec[Any]] | None:
    asked = settings.get("run.learn")
    if asked is not None and asked.value is True:
        stream = is_stream(settings)
        if method.learner is None or (stream and not method.learner.follows_streams):
            learners = [name for name in catalogue.names("method") if plugins.learns(name, stream=stream)]
            expected = catalogue.one_of(learners, method.name) if learners else "a method"
            what = "learns along a stream" if stream else "learns across episodes"
            around = "; --memory LEARNER learns around it" if stream and method.learner is None else ""
            with with_origin(settings, ["method.name"]):
                raise UsageError(f"method: expected {expected}, which {what}, got {method.name!r}{around}")
        return method.learner
    if found := first_below("learning", settings):
        raise UsageError(f"{found[0]}: expected {_LEARNS}, got one that does not ({found[1].where})")
    return None


def _defaults(
    methods: Mapping[str, type[Method[Any]]], learner: type[LearnerSpec[Any]] | None, settings: Settings
) -> Settings:
    environment = plug_in_name("environment", settings)
    with with_origin(settings, ["environment.name"]):
        plugins.world_options(environment)
    tables: dict[str, Mapping[str, Any]] = {
        "method": method_defaults([*methods.values()], environment),
        "environment": dict(ChainMap(*(dict(method.environments.get(environment, {})) for method in methods.values()))),
        "learning": {} if learner is None else learning_defaults(learner, environment, settings),
        "memory": {} if learner is None else learner.memory,
    }
    return {
        **from_table(tables, f"{whole_name([*methods.values()])}'s default on {environment}"),
        **_from_variables(environment),
    }


def _from_variables(environment: str) -> Settings:
    """The options that an environment reads from variables of its own, so that the record keeps their values."""
    named = plugins.world_variables(environment)
    return {
        f"environment.{option}": Setting(os.environ[variable], f"${variable}")
        for option, variable in named.items()
        if os.environ.get(variable)
    }


def _options(
    methods: Mapping[str, type[Method[Any]]], learner: type[LearnerSpec[Any]] | None, settings: Settings
) -> dict[str, type[BaseModel]]:
    """The options of every method, of the environment, the learner and the embedder, by section."""
    options = {section: method.options for section, method in methods.items()}
    options["environment"] = plugins.world_options(plug_in_name("environment", settings))
    if learner is not None:
        options["learning"] = learner.options
    if any(key.startswith(f"{_EMBEDDER}.") for key in settings):
        with with_origin(settings, [f"{_EMBEDDER}.name"]):
            name = plug_in_name(_EMBEDDER, settings, EmbedderSettings.model_fields["name"].default)
            url = settings.get(f"{_EMBEDDER}.url")
            address = None if url is None or not url.value else str(url.value)
            options[_EMBEDDER] = plugins.embedder_options(name, address)
    return options


def _known_keys(methods: Mapping[str, type[Method[Any]]], options: Mapping[str, type[BaseModel]]) -> set[str]:
    inner = dict.fromkeys([*methods][1:], InnerMethodSection)
    sections: dict[str, type[BaseModel]] = {**_SECTIONS, _EMBEDDER: EmbedderSettings, **inner}
    own = {f"{section}.{field}" for section, kind in sections.items() for field in kind.model_fields}
    given = {f"{section}.{name}" for section, kind in options.items() for name in plugins.option_names(kind)}
    tables = {_EMBEDDER, *(f"{section}.{table}" for section in methods for table in ("inner", "model"))}
    return own - tables | given


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
    """The configuration as tables of a TOML file; what has no table, such as a memory, has none here."""
    absent = {name for name in ("learning", "memory") if getattr(config, name) is None}
    tables = config.model_dump(mode="json", exclude=absent)
    if config.memory is not None:
        _drop_absent(tables["memory"], "embedder")
    _drop_absent(tables["runtime"], "env")
    for section in (tables, *_inner_tables(tables["method"])):
        _drop_absent(section, "inner", "model")
        if "model" in section:
            section["model"] |= section["model"].pop("roles")
        if "inner" in section:
            section["inner"] = section.pop("inner")  # a method's own options stand before its inner one's
    return tables


def _inner_tables(method: dict[str, Any]) -> Iterator[dict[str, Any]]:
    while method:
        yield method
        method = method.get("inner") or {}


def _drop_absent(table: dict[str, Any], *names: str) -> None:
    for name in names:
        if table.get(name, "") is None:
            del table[name]


def resolve_changes(config: RunConfig, changes: Settings, run: Path) -> Resolved:
    """The configuration of a run that goes on with other settings; a `UsageError` if one could change results."""
    if not changes:
        return resolved(config)
    begun, changes = as_tables(config), with_method_names(changes)
    before = dict(flatten(begun))
    names = {key: each.value for key, each in with_split_names(changes).items() if key.endswith(".name")}
    # First, since another method has other options; and none that the run did not begin with is imported.
    _refuse_change(before, {**before, **names}, changes)
    changed = resolve([from_table(begun, str(run)), changes])
    _refuse_change(before, dict(flatten(as_tables(changed.config))), changes)
    return changed


def _refuse_change(before: Mapping[str, Any], after: Mapping[str, Any], changes: Settings) -> None:
    for key in sorted(before.keys() | after.keys(), key=lambda key: (key not in changes, key)):
        if before.get(key) != after.get(key) and not _changeable(key):
            allowed = ", ".join(CHANGEABLE)
            # A section that is set for the first time brings values that nobody set.
            section = key.rpartition(".")[0]
            of_section = (change for name, change in changes.items() if name.rpartition(".")[0] == section)
            origin = changes.get(key) or next(of_section, None)
            where = f" ({origin.where})" if origin else ""
            raise UsageError(
                f"{key}: expected {before.get(key)!r}, as the run was begun, got {after.get(key)!r}{where}; "
                f"only what cannot change results may be set on resume: {allowed}"
            )


def _changeable(key: str) -> bool:
    outermost = re.sub(r"(\binner\.)+", "inner.", key)
    outermost = re.sub(r"((?:^|inner\.)model\.)\w+\.", r"\1ROLE.", outermost)
    return any(outermost == name or outermost.startswith(f"{name}.") for name in CHANGEABLE)
