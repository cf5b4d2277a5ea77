"""What can be named on a command line: methods, worlds and models, loaded only when used."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from actors.methods.method import Method
from protocols.errors import UsageError
from protocols.models import Model
from protocols.worlds import World

METHODS: Mapping[str, str] = {
    "react": "actors.methods.react.react:REACT",
    "adapt": "actors.methods.adapt.adapt:ADAPT",
}
WORLDS: Mapping[str, str] = {
    "textcraft": "actors.environments.textcraft.world:TextCraft",
}
MODELS: Mapping[str, str] = {
    "sim-weak": "actors.models.sim.model:weak",
    "sim-shallow": "actors.models.sim.model:shallow",
    "sim-strong": "actors.models.sim.model:strong",
    "scripted": "actors.models.scripted:Scripted",
}


def method(name: str) -> Method:
    """The method called `name`.

    Raises:
        UsageError: there is none.
    """
    found: Method = _load("method", METHODS, name)
    return found


def world(name: str, **options: Any) -> World:
    """A new instance of the world called `name`.

    Raises:
        UsageError: there is none, or an option is not to be had.
    """
    made: World = _load("environment", WORLDS, name)(**options)
    return made


def model(name: str, **options: Any) -> Model:
    """A new instance of the model called `name`.

    Raises:
        UsageError: there is none, or an option is not to be had.
    """
    made: Model = _load("model", MODELS, name)(**options)
    return made


def _load(what: str, names: Mapping[str, str], name: str) -> Any:
    if name not in names:
        raise UsageError(f"{what}: expected {one_of(names, name)}, got {name!r}")
    module, attribute = names[name].split(":")
    return getattr(import_module(module), attribute)


def one_of(names: Iterable[str], got: str) -> str:
    """The names nearest to what was got, for an error message; all of them where none is near."""
    names = list(names)
    near = get_close_matches(got, names, n=3) or names
    return repr(near[0]) if len(near) == 1 else "one of " + ", ".join(map(repr, near))
