"""The methods that settings name, from the outermost inwards: `[method]`, `[method.inner]`, `[method.inner.inner]`."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.method_names import MOST_METHODS, nested_name
from quintet.config.settings import Settings, flatten, plug_in_name
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.plugins import catalogue


def find_methods(settings: Settings) -> dict[str, type[Method[Any]]]:
    """The methods that settings name, or that are the default within the one around them; outermost first.

    Returns:
        By the key of the method's section: `method`, `method.inner`, `method.inner.inner`, ...

    Raises:
        UsageError: a method is unknown, takes no inner one, needs one that is not named, or cannot be an inner one.
    """
    with with_origin(settings, ["method.name"]):
        found = {"method": catalogue.method(plug_in_name("method", settings))}
    section = "method.inner"
    while (inner := _inner(section, [*found.values()], settings)) is not None:
        found[section] = inner
        section = f"{section}.inner"
    return found


def whole_name(methods: Sequence[type[Method[Any]]]) -> str:
    """The name of the whole, as a command takes it: `OUTER(INNER)`. The default inner method is not named.

    Args:
        methods: outermost first.
    """
    named = [method.name for method in methods]
    while len(named) > 1 and _is_default(*methods[len(named) - 2 : len(named)]):
        named.pop()
    return nested_name(named)


def method_defaults(methods: Sequence[type[Method[Any]]], environment: str) -> Mapping[str, Any]:
    """The defaults of all in an environment, by dotted key below the outermost's section.

    A method's own values for its default inner method override those of the inner method itself.

    Args:
        methods: outermost first.
        environment: its name.
    """
    outer, *inners = methods
    defaults = len(list(takewhile(lambda pair: _is_default(*pair), pairwise(methods))))
    own = dict(flatten(outer.worlds.get(environment, {})))
    below = {"name": inners[0].name, **method_defaults(inners, environment)} if inners else {}
    return {
        **{f"inner.{key}": value for key, value in below.items()},
        **{key: value for key, value in own.items() if _depth(key) <= defaults},
    }


def _depth(key: str) -> int:
    return len(list(takewhile(lambda part: part == "inner", key.split(".")[:-1])))


def _is_default(outer: type[Method[Any]], inner: type[Method[Any]]) -> bool:
    return inner.name == outer.default_inner


def _inner(section: str, outer: Sequence[type[Method[Any]]], settings: Settings) -> type[Method[Any]] | None:
    """The method of the section, within those that were found; None if there is none."""
    around = outer[-1]
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
    with with_origin(settings, [f"{section}.name", f"{section.removesuffix('.inner')}.name"]):
        if len(outer) == MOST_METHODS:
            got = nested_name([each.name for each in outer[:3]]).rstrip(")")
            raise UsageError(f"{section}: expected at most {MOST_METHODS} methods within each other, got {got}(...")
        return _find_inner(section, name)


def _find_inner(section: str, name: str) -> type[Method[Any]]:
    if not catalogue.is_known("method", name):
        able = [each for each in catalogue.names("method") if not plugins.learns(each)]
        raise UsageError(f"{section}: expected {catalogue.one_of(able, name)}, got {name!r}")
    method = catalogue.method(name)
    if method.learner is not None:
        raise UsageError(f"{section}: expected a method that does not learn across episodes, got {name!r}, which does")
    return method
