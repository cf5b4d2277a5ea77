"""What can be named on a command line: methods, worlds and models, loaded only when used."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Literal, TypeAlias

from actors.methods.method import Method
from protocols.errors import UsageError, one_line
from protocols.models import Model
from protocols.worlds import World

Kind: TypeAlias = Literal["method", "environment", "model"]

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
        UsageError: there is none, or it cannot be loaded.
    """
    found: Method = factory("method", name)
    return found


def world(name: str, **options: Any) -> World:
    """A new instance of the world called `name`.

    Raises:
        UsageError: there is none, it cannot be made, or an option is not to be had.
    """
    made: World = _made("environment", name, options)
    return made


def model(name: str, **options: Any) -> Model:
    """A new instance of the model called `name`.

    Raises:
        UsageError: there is none, it cannot be made, or an option is not to be had.
    """
    made: Model = _made("model", name, options)
    return made


def factory(kind: Kind, name: str) -> Any:
    """What stands behind a name: a method itself, or the callable that makes a world or a model.

    Raises:
        UsageError: the name is unknown, or the plug-in cannot be loaded.
    """
    names = {"method": METHODS, "environment": WORLDS, "model": MODELS}[kind]
    if name not in names:
        raise UsageError(f"{kind}: expected {one_of(names, name)}, got {name!r}")
    module, attribute = names[name].split(":")
    with _blamed(kind, name, names[name]):
        return getattr(import_module(module), attribute)


def _made(kind: Kind, name: str, options: Mapping[str, Any]) -> Any:
    make = factory(kind, name)
    with _blamed(kind, name, "an instance"):
        return make(**options)


@contextmanager
def _blamed(kind: Kind, name: str, expected: str) -> Generator[None, None, None]:
    try:
        yield
    except UsageError:
        raise
    except (Exception, SystemExit) as error:  # a plug-in may fail at anything, and its name is what helps
        raise UsageError(
            f"{kind} {name}: expected {expected}, got {type(error).__name__}: {one_line(error)}"
        ) from error


def one_of(names: Iterable[str], got: str) -> str:
    """The names nearest to what was got, for an error message; all of them where none is near."""
    names = list(names)
    near = get_close_matches(got, names, n=3) or names
    return repr(near[0]) if len(near) == 1 else "one of " + ", ".join(map(repr, near))
