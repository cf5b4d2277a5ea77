"""Finds the OBJECT of `FILE.py:OBJECT` and `package.module:OBJECT` in its module."""

from collections.abc import Callable
from inspect import isabstract
from types import ModuleType
from typing import Any

from quintet.errors import UsageError
from quintet.plugins.catalogue import one_of


def find_member(
    module: ModuleType, path: str, *, where: str, label: str, expected: str, is_usable: Callable[[object], bool]
) -> object:
    """The object at a dotted path in a module: `OBJECT` or `OBJECT.MEMBER`.

    Args:
        where: the module as a person wrote it.
        label: what the object is used for, which begins the message.
        expected: what the message says if the module has no object that `is_usable`.
        is_usable: whether the message may propose an object.

    Raises:
        UsageError: there is none; with the nearest usable names.
    """
    value: Any = module
    for part in path.split("."):
        if not hasattr(value, part):
            members: dict[str, object] = getattr(value, "__dict__", {})
            public = {name: each for name, each in members.items() if not name.startswith("_")}
            usable = [name for name, each in public.items() if is_usable(each) and not isabstract(each)]
            names = one_of(usable, part) if usable else expected
            raise UsageError(f"{label}: expected {names} in {where}, got {path!r}, which it does not have")
        value = getattr(value, part)
    return value
