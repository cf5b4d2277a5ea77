"""Finds the objects that are given in place of names: Python objects, `FILE.py:OBJECT` and `package.module:OBJECT`."""

import re
import sys
from collections.abc import Callable, Mapping
from datetime import date, time
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.plugins.brought import FROM_PYTHON, BroughtObject, is_factory
from quintet.plugins.definitions import Definition, read_definitions, user_parts, was_compiled_from
from quintet.plugins.entry_points import Kind
from quintet.plugins.installed import is_installed, module_file
from quintet.plugins.members import find_member
from quintet.plugins.sources import Sources, digests, import_root, load_module, read_sources, source_texts
from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.ports.world import World

OBJECT_IN_FILE: Final = r"[^():,=\s][^():,=]*\.py:[^\W\d][\w.]*+(?!\s*=)"
"""`FILE.py:OBJECT`, as a part of a method's name."""
OBJECT_IN_MODULE: Final = r"[^\W\d]\w*(?:\.\w+)+:[^\W\d][\w.]*+(?!\s*=)"
"""`package.module:OBJECT`, likewise; with a dot, since `name:option` is a slip for `name:option=value`."""

_PORTS: Mapping[Kind, type] = {"environment": World, "model": Model, "embedder": Embedder}
_NOUNS: Mapping[Kind, str] = {
    "method": "a Method",
    "environment": "a World",
    "model": "a Model",
    "embedder": "an Embedder",
}
_NAME = re.compile(r"[^\s(),=<>]+")


Refuse: TypeAlias = Callable[[Mapping[str, str]], None]
"""Takes the SHA-256 of each text of an object, before any of it is imported."""


def _take_any(digests: Mapping[str, str]) -> None:
    """Refuse no text."""


class GivenObject(NamedTuple):
    """An object that was given in place of a name."""

    name: str
    """In the configuration."""
    brought: BroughtObject | None
    """None: the catalogue has it under this name."""
    configured: Method[Any] | None = None
    """If a method was given as an instance: settings configure its class alike."""


def find_object(kind: Kind, given: object, refuse: Refuse = _take_any) -> GivenObject | None:
    """The object that is given in place of a name.

    Args:
        given: a Python object, or text: `FILE.py:OBJECT`, `package.module:OBJECT`, or a name.
        refuse: called with what was read of a file or a package before it is imported; raises if it may not be.

    Returns:
        None if it is a name, or a number, a list or a table.

    Raises:
        UsageError: it is of another kind, cannot be imported, has no usable name, or has one that is taken.
    """
    found: _Found | None = None
    if not isinstance(given, str):
        found = None if _is_plain(given) else _from_python(given)
    elif re.fullmatch(OBJECT_IN_FILE, given):
        file, _, path = given.rpartition(":")
        found = _in_file(kind, Path(file).expanduser().absolute(), path, refuse)
    elif re.search(r"\.py(:|$)", given) and not catalogue.is_name(kind, given):
        raise UsageError(f"{kind}: expected FILE.py:OBJECT, got {given!r}")
    elif re.fullmatch(OBJECT_IN_MODULE, given) and not catalogue.is_name(kind, given):
        module, _, path = given.partition(":")
        found = _in_module(kind, module, path, refuse)
    if found is None:
        return None
    configured = _as_method(found.value)
    if configured is not None:
        found = _from_python(type(configured))
    if (name := _known_name(kind, found.value)) is not None:
        return GivenObject(name, None, configured)
    brought = _as_brought(kind, found)
    return GivenObject(brought.name, brought, configured)


def _is_plain(value: object) -> bool:
    """Whether it is a value that a file of settings could hold."""
    return value is None or isinstance(value, int | float | str | bytes | list | tuple | dict | date | time)


def _as_method(value: Any) -> Method[Any] | None:
    found: Method[Any] | None = value if issubclass(type(value), Method) else None
    return found


class _Found(NamedTuple):
    value: object
    origin: str
    sources: Sources
    """The modules that it is made of, or that it names."""
    folder: Path
    """That it is imported from."""
    modules: Sources
    """Those of the sources that go to Ray's hosts with it."""
    definitions: Mapping[str, str] = {}
    """Of a notebook cell or a script, by name."""

    def with_part(self, part: "_Found") -> "_Found":
        return self._replace(
            sources={**part.sources, **self.sources},
            modules={**part.modules, **self.modules},
            definitions={**part.definitions, **self.definitions},
        )


def _in_file(kind: Kind, file: Path, path: str, refuse: Refuse) -> _Found:
    sources, folder = read_sources(file), import_root(file)
    refuse(digests(source_texts(sources, folder)))
    module = load_module(file, sources)
    return _Found(_member(kind, module, path, str(file)), f"{file}:{path}", sources, folder, sources)


def _in_module(kind: Kind, name: str, path: str, refuse: Refuse) -> _Found | None:
    """The object of an installed module, or of another as of its file; None if there is no such module."""
    file = module_file(name)
    if file is None:
        return None
    if not is_installed(name):
        return _in_file(kind, file, path, refuse)
    sources, folder = _installed_sources(name, file), import_root(file)
    refuse(digests(source_texts(sources, folder)))
    with catalogue.as_plug_in_error(kind, f"{name}:{path}", "a module that can be imported"):
        module = import_module(name)
    return _Found(_member(kind, module, path, name), f"{name}:{path}", sources, folder, {})


def _from_python(value: object) -> _Found:
    """A class or a function; or an instance, with the user's classes and functions that it holds."""
    if isinstance(value, type | FunctionType):
        return _defined(value)
    found = _defined(type(value))._replace(value=value, origin=FROM_PYTHON)
    for part in user_parts(value):
        found = found.with_part(_defined(part))
    return found


def _defined(definition: Definition) -> _Found:
    name, path = definition.__module__, definition.__qualname__
    file = None if name == "__main__" else module_file(name)
    if file is None or _at(sys.modules[name], path) is not definition:
        return _defined_here(definition)
    if is_installed(name):
        return _Found(definition, f"{name}:{path}", _installed_sources(name, file), import_root(file), {})
    sources = read_sources(file)
    if not was_compiled_from(definition, sources[name].content or b"" if name in sources else b""):
        raise UsageError(
            f"{name}.{path}: expected it as {file} has it, got it as it was imported before; import it anew"
        )
    return _Found(definition, f"{file}:{path}", sources, import_root(file), sources)


def _defined_here(definition: Definition) -> _Found:
    """A class or a function of a notebook cell, of a script, or of a function."""
    texts, modules = read_definitions(definition)
    files = [file for module in modules if (file := module_file(module.__name__)) is not None]
    sources = {name: source for file in files for name, source in read_sources(file).items()}
    script = getattr(sys.modules.get(definition.__module__), "__file__", None)
    folder = Path.cwd() if script is None else Path(script).absolute().parent
    return _Found(definition, FROM_PYTHON, sources, folder, sources, texts)


def _installed_sources(name: str, file: Path) -> Sources:
    top = name.partition(".")[0]
    return {} if top == "quintet" else read_sources(file, within=top)


def _member(kind: Kind, module: ModuleType, path: str, where: str) -> object:
    return find_member(
        module, path, where=where, label=kind, expected=_NOUNS[kind], is_usable=lambda value: _is(kind, value)
    )


def _at(module: ModuleType, path: str) -> object:
    value: Any = module
    for part in path.split("."):
        value = getattr(value, part, None)
    return value


def _known_name(kind: Kind, value: object) -> str | None:
    """The name under which the catalogue has a class or a function; None if it has none."""
    if not isinstance(value, type | FunctionType):
        return None
    target = f"{value.__module__}:{value.__qualname__}"
    return next((name for name in catalogue.names(kind) if catalogue.target(kind, name) == target), None)


def _as_brought(kind: Kind, found: _Found) -> BroughtObject:
    value, origin = found.value, found.origin
    if not _is(kind, value):
        got = f"the class {value.__name__}" if isinstance(value, type) else repr(value)[:80]
        others = [noun for other, noun in _NOUNS.items() if other != kind and _is(other, value)]
        missing = catalogue.missing_members(_PORTS[kind], value) if kind in _PORTS else []
        reason = f", which is {others[0]}" if others else f", which lacks {', '.join(missing)}" if missing else ""
        raise UsageError(f"{kind}: expected {_NOUNS[kind]} or a class of them, got {got}{reason} ({origin})")
    name = _own_name(value)
    if not _NAME.fullmatch(name):
        expected = "an object with a name (an attribute `name`) without spaces and without any of ( ) , = < >"
        raise UsageError(f"{kind}: expected {expected}, got {name!r} ({origin})")
    if (target := catalogue.target(kind, name)) is not None:
        raise UsageError(f"{kind} {name}: expected a name of its own, got that of {target} ({origin})")
    return BroughtObject(
        kind,
        name,
        value,
        origin,
        texts={
            **{each: text.encode() for each, text in found.definitions.items()},
            **source_texts(found.sources, found.folder),
        },
        modules=found.modules,
        folder=found.folder,
    )


def _is(kind: Kind, value: object) -> bool:
    a_method = issubclass(value if isinstance(value, type) else type(value), Method)
    if kind == "method" or a_method:
        return kind == "method" and a_method
    is_function = is_factory(value) and not isinstance(value, type)
    return is_function or not catalogue.missing_members(_PORTS[kind], value)


def _own_name(value: object) -> str:
    name = getattr(value, "name", None)
    if isinstance(name, str):
        return name
    return value.__name__ if isinstance(value, type | FunctionType) else type(value).__name__
