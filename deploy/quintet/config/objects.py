"""Takes the objects out of settings: the configuration has their names, and the run is brought the objects."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quintet.config.method_names import with_method_names
from quintet.config.settings import Setting, Settings, flatten, with_files
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.plugins.brought import BroughtObject
from quintet.plugins.entry_points import Kind
from quintet.plugins.objects import find_object

_NAMES: Mapping[Kind, re.Pattern[str]] = {
    "method": re.compile(r"method(\.inner)*\.name"),
    "environment": re.compile(r"environment\.name"),
    "model": re.compile(r"(method\.(inner\.)+)?model\.(\w+\.)?name"),
    "embedder": re.compile(r"memory\.embedder\.name"),
}
"""The settings that name an object of a kind."""


def take_objects(layers: Sequence[Settings]) -> tuple[list[Settings], tuple[BroughtObject, ...]]:
    """Replace objects in settings by their names; a configured method also by the values of its options.

    Args:
        layers: later ones override earlier ones.

    Returns:
        The layers, in which every name is one of the catalogue, and the objects, each once.

    Raises:
        UsageError: an object cannot be used, or two have the same name.
    """
    brought: list[BroughtObject] = []
    taken: list[Settings] = [dict(_named(with_files(with_method_names(layer)), brought)) for layer in layers]
    return taken, tuple(brought)


def _named(settings: Settings, brought: list[BroughtObject]) -> Iterator[tuple[str, Setting]]:
    for key, setting in settings.items():
        kind = next((kind for kind, keys in _NAMES.items() if keys.fullmatch(key)), None)
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
            _bring(given.brought, brought)
    except UsageError as error:
        raise UsageError(f"{error} ({setting.where})") from error
    yield key, Setting(given.name, setting.where)
    if isinstance(given.value, Method):
        yield from _options(key.removesuffix(".name"), given.value, setting.where, brought)


def _options(
    section: str, method: Method[Any], where: str, brought: list[BroughtObject]
) -> Iterator[tuple[str, Setting]]:
    """What a method is configured to, with its inner method."""
    options = method.config.model_dump(mode="json", by_alias=True)
    yield from ((key, Setting(value, where)) for key, value in flatten(options, f"{section}."))
    if method.inner is not None:
        yield from _name_of("method", f"{section}.inner.name", Setting(method.inner, where), brought)


def _bring(found: BroughtObject, brought: list[BroughtObject]) -> None:
    known = next((each for each in brought if (each.kind, each.name) == (found.kind, found.name)), None)
    if known is None:
        brought.append(found)
    elif known.value is not found.value:
        got = f"one of {known.origin} and one of {found.origin}"
        raise UsageError(f"{found.kind} {found.name}: expected one object of that name, got {got}")
