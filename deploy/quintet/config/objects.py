"""Takes the objects out of settings: the configuration has their names, and the run is brought the objects."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quintet.config.method_names import MethodName, parse_method, with_method_names
from quintet.config.settings import METHOD_NAME, MODEL_NAME, Setting, Settings, flatten, with_split_names
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.plugins.brought import BroughtObject
from quintet.plugins.entry_points import Kind
from quintet.plugins.objects import find_object

_KINDS: tuple[Kind, ...] = ("method", "environment", "model", "embedder")
_NAMES: Mapping[Kind, re.Pattern[str]] = {
    "method": METHOD_NAME,
    "environment": re.compile(r"environment\.name"),
    "model": MODEL_NAME,
    "embedder": re.compile(r"memory\.embedder\.name"),
}
"""The settings that name an object of a kind."""


def take_objects(layers: Sequence[Settings]) -> tuple[list[Settings], tuple[BroughtObject, ...]]:
    """Replace objects in settings by their names; a configured method also by the values of its options.

    Returns:
        The layers, in which every name is one of the catalogue, and the objects, each once.

    Raises:
        UsageError: an object cannot be used, or two have the same name.
    """
    brought: list[BroughtObject] = []
    taken: list[Settings] = [dict(_named(with_split_names(with_method_names(layer)), brought)) for layer in layers]
    return taken, tuple(brought)


def take_methods(texts: Iterable[str], where: str) -> tuple[list[str], list[BroughtObject]]:
    """Replace objects in methods as a person writes them by their names: `mine.py:Mine:tries=3` by `mine:tries=3`."""
    brought: list[BroughtObject] = []
    names: list[str] = []
    for text in texts:
        (layer,), found = take_objects([{"method.name": Setting(text, where)}])
        bring(found, brought)
        options = {key.removeprefix("method."): _as_text(setting.value) for key, setting in layer.items()}
        outwards = sorted((key for key in options if METHOD_NAME.fullmatch(f"method.{key}")), key=len)
        method = MethodName(tuple(options.pop(key) for key in outwards), options)
        names.append(str(method if found else parse_method(text)))
    return names, brought


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _named(settings: Settings, brought: list[BroughtObject]) -> Iterator[tuple[str, Setting]]:
    for key, setting in settings.items():
        kind: Kind | None = next((kind for kind in _KINDS if _NAMES[kind].fullmatch(key)), None)
        if kind is None or setting.value is None:
            yield key, setting
        else:
            yield from _name_of(kind, key, setting, brought)


def _name_of(kind: Kind, key: str, setting: Setting, brought: list[BroughtObject]) -> Iterator[tuple[str, Setting]]:
    try:
        given = find_object(kind, setting.value)
        if given is None:
            yield key, setting
            return
        if given.brought is not None:
            bring([given.brought], brought)
    except UsageError as error:
        raise UsageError(f"{error} ({setting.where})") from error
    yield key, Setting(given.name, setting.where)
    if given.configured is not None:
        yield from _options(key.removesuffix(".name"), given.configured, setting.where, brought)


def _options(
    section: str, method: Method[Any], where: str, brought: list[BroughtObject]
) -> Iterator[tuple[str, Setting]]:
    """What a method was configured to, with its inner method. What was left out has the defaults in the environment."""
    options = method.config.model_dump(mode="json", by_alias=True, exclude_unset=True)
    yield from ((key, Setting(value, where)) for key, value in flatten(options, f"{section}."))
    if method.inner is not None:
        yield from _name_of("method", f"{section}.inner.name", Setting(method.inner, where), brought)


def bring(found: Iterable[BroughtObject], brought: list[BroughtObject]) -> None:
    """Add objects to those that a run, or a study, is brought; refuse another one of the same kind and name."""
    for each in found:
        known = next((known for known in brought if (known.kind, known.name) == (each.kind, each.name)), None)
        if known is None:
            brought.append(each)
        elif (known.origin, known.sha256) != (each.origin, each.sha256):
            got = f"{known.origin} and {each.origin}"
            raise UsageError(f"{each.kind} {each.name}: expected one object of that name, got {got}")
