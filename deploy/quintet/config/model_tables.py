"""The tables of models, `[model]`, `[method.inner.model]`, and in each the roles': what they leave out, and options.

A table takes what it leaves out from the one above: `[model.planner]` from `[model]`, `[method.inner.model.planner]`
from `[method.inner.model]`, and that from `[model]`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.sections import MODEL_ROLES, ModelSection, ModelSettings
from quintet.config.settings import Setting, Settings, plug_in_name
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.roles.registry import with_models

_DEFAULT: str = ModelSettings.model_fields["name"].default


class ModelTables:
    """The tables of models that a run may have.

    Args:
        bases: `model`, and those of inner methods: `method.inner.model`.
        methods: of the run; their roles with models have tables too.

    Raises:
        UsageError: a role has the name of a key of `[model]`.
    """

    def __init__(self, bases: Sequence[str], methods: Iterable[type[Method[Any]]]) -> None:
        self._bases = bases
        brought = with_models(role for method in methods for role in method.roles)
        for role in brought:
            if role in ModelSection.model_fields:
                raise UsageError(f"role: expected another name than that of the key model.{role}, got {role!r}")
        self._roles = tuple(dict.fromkeys((*MODEL_ROLES, *brought)))

    @property
    def keys(self) -> set[str]:
        """The keys that every model has."""
        return {f"{table}.{field}" for table, _ in self._tables() for field in ModelSettings.model_fields}

    def options(self, settings: Settings) -> dict[str, type[BaseModel]]:
        """The options of the models that are named, by table."""
        tables = {table: above for table, above in self._tables() if not above or _is_given(table, settings)}
        options: dict[str, type[BaseModel]] = {}
        for table in tables:
            sections = list(self._upwards(table))
            with with_origin(settings, [f"{section}.name" for section in sections]):
                name = _DEFAULT
                for section in reversed(sections):
                    name = plug_in_name(section, settings, name)
                options[table] = plugins.model_options(name, _url(sections, settings))
        return options

    def with_inherited(self, settings: Settings) -> dict[str, Setting]:
        """Fill each table from the one above; the options and the context only if both name the same model."""
        filled = dict(settings)
        for table, above in self._tables():
            if above and _is_given(table, settings):
                filled = {**self._inherited(table, above, filled), **filled}
        return filled

    def gather_roles(self, tables: dict[str, Any]) -> None:
        """Move the tables of roles to `roles` within their table of a model, as a `ModelSection` has them."""
        for base in self._bases:
            table = tables
            for part in base.split("."):
                table = table.get(part, {})
            if found := {role: table.pop(role) for role in self._roles if role in table}:
                table["roles"] = found

    def _inherited(self, table: str, above: str, settings: Settings) -> Mapping[str, Setting]:
        roles = tuple(f"{above}.{role}." for role in self._roles)
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

    def _tables(self) -> Iterator[tuple[str, str]]:
        """Every table with the one above it, which is filled before; `[model]` has none above."""
        for base in self._bases:
            yield base, "" if base == "model" else "model"
            yield from ((f"{base}.{role}", base) for role in self._roles)

    def _upwards(self, table: str) -> Iterator[str]:
        """A table and those that it takes values from, the nearest first."""
        base, _, role = table.rpartition(".")
        if role in self._roles:
            yield table
            table = base
        if table != "model":
            yield table
        yield "model"


def _model(section: str, settings: Settings, name: str = _DEFAULT, rest: Any = None) -> tuple[str, Any]:
    """A model's name in a table, and what follows its colon, as in `local:FILE`; by default `name` and `rest`."""
    named = plug_in_name(section, settings, name)
    option = catalogue.name_option("model", named)
    given = None if option is None else settings.get(f"{section}.{option}")
    return named, rest if given is None else given.value


def _is_given(table: str, settings: Settings) -> bool:
    return any(key.startswith(f"{table}.") for key in settings)


def _url(tables: Sequence[str], settings: Settings) -> str | None:
    """The address in the first table that says something of it; empty text says that there is none."""
    setting = next((settings[key] for table in tables if (key := f"{table}.url") in settings), None)
    return None if setting is None or not setting.value else str(setting.value)
