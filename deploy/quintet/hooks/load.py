"""Finds hooks: objects, `FILE.py:OBJECT`, `package.module:OBJECT`, and those that installed distributions register."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from quintet.errors import UsageError, one_line
from quintet.hooks.hook import Hook
from quintet.plugins.entry_points import plug_ins
from quintet.plugins.members import find_member
from quintet.plugins.sources import load_module

HookLike: TypeAlias = str | Hook | type[Hook]
"""A hook: `FILE.py:OBJECT` or `package.module:OBJECT`, an instance, or a class that is made without arguments."""


def load_hooks(given: Sequence[HookLike]) -> tuple[Hook, ...]:
    """The hooks that a person named, in order.

    Raises:
        UsageError: one is no hook, or cannot be imported or made.
    """
    return tuple(_load(each) for each in given)


def installed_hooks(report: Callable[[str], None]) -> tuple[Hook, ...]:
    """The hooks of installed distributions, by name. One that cannot be loaded is left out.

    Args:
        report: called with why one is left out.
    """
    found: list[Hook] = []
    for plug_in in plug_ins("hook"):
        where = f"hook {plug_in.name!r} of {plug_in.brought_by}"
        try:
            found.append(_as_hook(plug_in.load(), where))
        except (Exception, SystemExit) as error:  # noqa: BLE001  somebody else's code may raise anything
            report(f"{where} is left out: {type(error).__name__}: {one_line(error)}")
    return tuple(found)


def _load(given: HookLike) -> Hook:
    if not isinstance(given, str):
        return _as_hook(given, "hooks")
    place, _, path = given.rpartition(":")
    if not place or not path:
        raise UsageError(f"hooks: expected FILE.py:OBJECT or package.module:OBJECT, got {given!r}")
    if place.endswith(".py"):
        module, _ = load_module(Path(place).expanduser().absolute())
    else:
        try:
            module = import_module(place)
        except (Exception, SystemExit) as error:
            got = f"{type(error).__name__}: {one_line(error)}"
            raise UsageError(f"hooks: expected a module that can be imported, got {got} ({place})") from error
    value = find_member(module, path, where=place, label="hooks", expected="a Hook", is_usable=_is_hook)
    return _as_hook(value, given)


def _is_hook(value: object) -> bool:
    return isinstance(value, Hook) or (isinstance(value, type) and issubclass(value, Hook))


def _as_hook(value: object, where: str) -> Hook:
    if isinstance(value, type) and issubclass(value, Hook):
        try:
            return value()
        except (Exception, SystemExit) as error:
            got = f"{type(error).__name__}: {one_line(error)}"
            raise UsageError(f"{where}: expected a hook that is made without arguments, got {got}") from error
    if isinstance(value, Hook):
        return value
    raise UsageError(f"{where}: expected a subclass of quintet.hooks.hook.Hook or an instance, got {value!r:.80}")
