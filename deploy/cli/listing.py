"""What can be named, each with one line about it and its options."""

import inspect
from collections.abc import Iterator
from typing import Literal, TypeAlias

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from actors import catalogue
from deploy.config import plugins
from deploy.studies.catalogue import STUDIES

Listed: TypeAlias = Literal["methods", "environments", "models", "studies"]


def listing(what: Listed) -> str:
    """The lines of one list."""
    match what:
        case "methods":
            return "\n".join(line for name in catalogue.METHODS for line in _method(name))
        case "environments":
            return "\n".join(line for name in catalogue.WORLDS for line in _environment(name))
        case "models":
            return "\n".join(line for name in catalogue.MODELS for line in _model(name))
        case "studies":
            return "\n".join(f"{study.name}: {study.summary}" for study in STUDIES.values())


def _method(name: str) -> Iterator[str]:
    method = catalogue.method(name)
    yield f"{name}: {_first_line(inspect.getmodule(method.solve))} On {', '.join(method.worlds)}."
    yield from _options("method", method.config)
    for world, values in method.worlds.items():
        if values:
            yield f"  on {world}: " + ", ".join(f"{key} {value}" for key, value in values.items())


def _environment(name: str) -> Iterator[str]:
    yield f"{name}: {_first_line(catalogue.factory('environment', name))}"
    yield from _options("environment", plugins.world_options(name))


def _model(name: str) -> Iterator[str]:
    yield f"{name}: {_first_line(catalogue.factory('model', name))}"
    yield from _options("model", plugins.model_options(name))


def _options(section: str, options: type[BaseModel]) -> Iterator[str]:
    for name, field in options.model_fields.items():
        default = "" if field.default is PydanticUndefined else f" = {field.default}"
        said = " ".join((field.description or "").split())
        yield f"  {section}.{name}{default}" + (f": {said}" if said else "")


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]
