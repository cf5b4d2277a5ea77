"""`list` and `schema`: plug-ins and studies with their options, all settings, and the schema of messages."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import msgspec
from docstring_parser import parse_from_object
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from quintet.config import plugins
from quintet.config.sections import CHANGEABLE, setting_tables, table_within
from quintet.config.settings import flatten
from quintet.control.operator import LIVE
from quintet.errors import UsageError
from quintet.messages import wire
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind
from quintet.plugins.prompts import required_prompts, worlds_of
from quintet.studies.definition import known_studies, unusable_studies

Listed: TypeAlias = Literal["methods", "environments", "models", "embedders", "studies", "settings"]


def list_command(what: Listed, *names: str) -> None:
    """Print a list.

    Args:
        what: methods, environments, models, embedders, studies, or settings, by their section.
        names: Only these of them.
    """
    print(list_lines(what, names))


def schema_command() -> None:
    """Print the JSON Schema of messages and events."""
    print(msgspec.json.format(msgspec.json.encode(wire.wire_schema()), indent=2).decode())


def list_lines(what: Listed, names: Sequence[str] = ()) -> str:
    """The lines of one list; of some names in it, or of all."""
    listed = _entries(what)
    for name in names:
        if name not in listed:
            raise UsageError(f"{what}: expected {catalogue.one_of(listed, name)}, got {name!r}")
    return "\n".join(line for name in names or listed for line in listed[name])


def _entries(what: Listed) -> dict[str, list[str]]:
    match what:
        case "methods":
            return _all("method", _method)
        case "environments":
            return _all("environment", partial(_made, "environment", "environment", plugins.world_options))
        case "models":
            return _all("model", partial(_made, "model", "model", plugins.model_options))
        case "embedders":
            return _all("embedder", partial(_made, "embedder", "memory.embedder", plugins.embedder_options))
        case "studies":
            usable = {name: [f"{name}: {study.summary}"] for name, study in known_studies().items()}
            return usable | {name: [_unusable(name, error)] for name, error in unusable_studies().items()}
        case "settings":
            return _settings()


def _all(kind: Kind, lines: Callable[[str], Iterator[str]]) -> dict[str, list[str]]:
    return {name: _entry(kind, name, lines) for name in catalogue.names(kind)}


def _entry(kind: Kind, name: str, lines: Callable[[str], Iterator[str]]) -> list[str]:
    """One name's lines. A plug-in that cannot be used is listed with the reason."""
    try:
        catalogue.refuse_rivals(kind, name)
        with catalogue.as_plug_in_error(kind, name, "something to list"):
            first, *rest = lines(name)
    except UsageError as error:
        return [_unusable(name, error)]
    found = catalogue.origin(kind, name)
    return [first if found is None else f"{first} ({found.brought_by})", *rest]


def _unusable(name: str, error: UsageError) -> str:
    return f"{name}: cannot be used: {error}"


def _method(name: str) -> Iterator[str]:
    method = catalogue.method(name)
    any_world = "any environment that its inner method acts in" if method.nests else "any environment"
    worlds = ", ".join(worlds_of(method)) if required_prompts(method) else any_world
    yield f"{name}: {_first_line(method)} On {worlds}."
    yield from _options("method", method.options)
    if method.nests:
        said = "The method that it attempts goals by; its options are below method.inner."
        yield f"  method.inner.name = {method.default_inner}: {said}"
    if method.learner is not None:
        yield from _options("learning", method.learner.options)
    for world in method.worlds:
        if values := list(_values(method, world)):
            yield f"  on {world}: " + ", ".join(values)


def _values(method: type[Method[Any]], world: str) -> Iterator[str]:
    """The values that differ from defaults on a world; keys outside `[method]` have their section."""
    learning: Mapping[str, Any] = {} if method.learner is None else method.learner.worlds.get(world, {})
    sections = {
        "": method.worlds.get(world, {}),
        "environment.": method.environments.get(world, {}),
        "learning.": learning,
    }
    for section, values in sections.items():
        yield from (f"{section}{key} {value}" for key, value in flatten(values))


def _made(kind: Kind, section: str, options: Callable[[str], type[BaseModel]], name: str) -> Iterator[str]:
    yield f"{name}: {_first_line(catalogue.factory(kind, name))}"
    yield from _options(section, options(name))


def _options(section: str, options: type[BaseModel], note: Callable[[str], str] = lambda key: "") -> Iterator[str]:
    said = {
        each.arg_name: each.description
        for kind in reversed(options.__mro__)
        if kind is not BaseModel and issubclass(kind, BaseModel)
        for each in parse_from_object(kind).params
    }
    for name, field in options.model_fields.items():
        if table_within(field) is None:
            key = f"{section}.{field.alias or name}"
            default = "" if field.default is PydanticUndefined else f" = {field.default}"
            text = " ".join((field.description or said.get(name) or "").split())
            yield f"  {key}{default}{note(key)}" + (f": {text}" if text else "")


def _settings() -> dict[str, list[str]]:
    """By section: its settings, or the earlier section that has the same ones."""
    first: dict[tuple[str, ...], str] = {}
    listed: dict[str, list[str]] = {}
    for name, table in sorted(setting_tables().items(), key=lambda item: ".inner" in item[0]):
        same = first.setdefault(tuple(_options("", table)), name)
        listed[name] = [f"[{name}]"] + (list(_options(name, table, _when)) if same == name else [f"  as [{same}]"])
    return listed


def _when(key: str) -> str:
    """How a run's setting can be changed after its start."""

    def among(keys: Sequence[str]) -> bool:
        return any(f"{key}.".startswith(f"{known}.") for known in keys)

    return " [resume, ctl]" if among(LIVE) else " [resume]" if among(CHANGEABLE) else ""


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]
