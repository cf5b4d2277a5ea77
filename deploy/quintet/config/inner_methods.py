"""The methods that settings name, from the outermost inwards: `[method]`, `[method.inner]`, `[method.inner.inner]`."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from quintet.config.complaints import with_origin
from quintet.config.method_chain import ChainedMethod
from quintet.config.method_names import MOST_METHODS, nested_name
from quintet.config.settings import Settings, flatten, plug_in_name
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.plugins import catalogue


class NestedMethod(NamedTuple):
    """A method, and the section of its settings."""

    section: str
    """`method`, `method.inner`, ..."""
    method: type[Method[Any]]
    default: bool = False
    """It is what the method around it uses if none is named."""


def find_methods(settings: Settings) -> tuple[NestedMethod, ...]:
    """The methods that settings name, or that are the default within the one around them; outermost first.

    Raises:
        UsageError: a method is unknown, takes no inner one, needs one that is not named, or cannot be an inner one.
    """
    found: list[NestedMethod] = []
    while (inner := _next(found, settings)) is not None:
        found.append(inner)
    return tuple(found)


def whole_name(methods: Sequence[NestedMethod | ChainedMethod]) -> str:
    """The name of the whole, as a command takes it: `OUTER(INNER)`. The default inner method is not named."""
    named = [each.method.name for each in methods]
    while len(named) > 1 and methods[len(named) - 1].default:
        named.pop()
    return nested_name(named)


def method_defaults(methods: Sequence[NestedMethod], environment: str) -> Mapping[str, Any]:
    """The defaults of all in an environment, by dotted key below the outermost's section.

    A method's own values for its default inner method override those of the inner method itself.
    """
    outer, *inners = methods
    defaults = len(list(takewhile(lambda each: each.default, inners)))
    own = dict(flatten(outer.method.worlds.get(environment, {})))
    below = {"name": inners[0].method.name, **method_defaults(inners, environment)} if inners else {}
    return {
        **{f"inner.{key}": value for key, value in below.items()},
        **{key: value for key, value in own.items() if _depth(key) <= defaults},
    }


def _depth(key: str) -> int:
    return len(list(takewhile(lambda part: part == "inner", key.split(".")[:-1])))


def _next(outer: Sequence[NestedMethod], settings: Settings) -> NestedMethod | None:
    """The method within those that were found; None if there is none."""
    if not outer:
        with with_origin(settings, ["method.name"]):
            return NestedMethod("method", catalogue.method(plug_in_name("method", settings)))
    around = outer[-1].method
    section = f"{outer[-1].section}.inner"
    given = next((key for key in settings if key == section or key.startswith(f"{section}.")), None)
    if not around.nests:
        if given is not None:
            with with_origin(settings, [given]):
                raise UsageError(f"{section}: expected no inner method, which {around.name} does not take, got one")
        return None
    if f"{section}.name" in settings:
        name = plug_in_name(section, settings)
    elif around.default_inner is not None:
        name = around.default_inner
    elif given is None:
        return None
    else:
        with with_origin(settings, [given]):
            raise UsageError(f"{section}.name: expected the name of {around.name}'s inner method, got none")
    with with_origin(settings, [f"{section}.name", f"{outer[-1].section}.name"]):
        if len(outer) == MOST_METHODS:
            got = nested_name([each.method.name for each in outer[:3]]).rstrip(")")
            raise UsageError(f"{section}: expected at most {MOST_METHODS} methods within each other, got {got}(...")
        return NestedMethod(section, _inner(section, name), name == around.default_inner)


def _inner(section: str, name: str) -> type[Method[Any]]:
    if not catalogue.is_known("method", name):
        raise UsageError(f"{section}: expected {catalogue.one_of(catalogue.names('method'), name)}, got {name!r}")
    method = catalogue.method(name)
    if method.learner is not None:
        raise UsageError(f"{section}: expected a method that does not learn across episodes, got {name!r}, which does")
    return method
