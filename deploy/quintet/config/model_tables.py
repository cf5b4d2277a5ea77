"""The tables of models, `[model]`, `[method.inner.model]`, and in each the roles': what they leave out, and options.

A table takes what it leaves out from the one above: `[model.planner]` from `[model]`, `[method.inner.model.planner]`
from `[method.inner.model]`, and that from `[model]`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.sections import MODEL_ROLES, ModelSettings
from quintet.config.settings import Setting, Settings, plug_in_name

_DEFAULT: str = ModelSettings.model_fields["name"].default


def options_of_models(bases: Sequence[str], settings: Settings) -> dict[str, type[BaseModel]]:
    """The options of the models that are named, by table.

    Args:
        bases: `model`, and those of inner methods: `method.inner.model`.
        settings: all.

    Raises:
        UsageError: a name is no text, or a model's plug-in cannot be loaded.
    """
    tables = {table: above for table, above in _tables(bases) if not above or _is_given(table, settings)}
    options: dict[str, type[BaseModel]] = {}
    for table in tables:
        sections = list(_upwards(table))
        with with_origin(settings, [f"{section}.name" for section in sections]):
            name = _DEFAULT
            for section in reversed(sections):
                name = plug_in_name(section, settings, name)
            options[table] = plugins.model_options(name, _url(sections, settings))
    return options


def model_keys(bases: Sequence[str]) -> set[str]:
    """The keys that every model has."""
    return {f"{table}.{field}" for table, _ in _tables(bases) for field in ModelSettings.model_fields}


def with_inherited_models(bases: Sequence[str], settings: Settings) -> dict[str, Setting]:
    """Fill each table from the one above; the options and the context only if both name the same model."""
    filled = dict(settings)
    for table, above in _tables(bases):
        if above and _is_given(table, settings):
            filled = {**_inherited(table, above, filled), **filled}
    return filled


def _inherited(table: str, above: str, settings: Settings) -> Mapping[str, Setting]:
    roles = tuple(f"{above}.{role}." for role in MODEL_ROLES)
    base = {
        key.removeprefix(f"{above}."): setting
        for key, setting in settings.items()
        if key.startswith(f"{above}.") and not key.startswith(roles)
    }
    base_model = _model(above, settings)
    same = _model(table, settings, *base_model) == base_model
    return {
        f"{table}.{field}": setting
        for field, setting in base.items()
        if same or (field in ModelSettings.model_fields and field != "context")
    }


def _model(section: str, settings: Settings, name: str = _DEFAULT, file: Any = None) -> tuple[str, Any]:
    """The name and the file of the model in a table; by default these."""
    named = plug_in_name(section, settings, name)
    given = settings.get(f"{section}.file") if named == "local" else None
    return named, file if given is None else given.value


def _tables(bases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every table with the one above it, which is filled before; `[model]` has none above."""
    for base in bases:
        yield base, "" if base == "model" else "model"
        yield from ((f"{base}.{role}", base) for role in MODEL_ROLES)


def _upwards(table: str) -> Iterator[str]:
    """A table and those that it takes values from, the nearest first."""
    base, _, role = table.rpartition(".")
    if role in MODEL_ROLES:
        yield table
        table = base
    if table != "model":
        yield table
    yield "model"


def _is_given(table: str, settings: Settings) -> bool:
    return any(key.startswith(f"{table}.") for key in settings)


def _url(tables: Sequence[str], settings: Settings) -> str | None:
    """The address in the first table that says something of it; empty text says that there is none."""
    setting = next((settings[key] for table in tables if (key := f"{table}.url") in settings), None)
    return None if setting is None or not setting.value else str(setting.value)
