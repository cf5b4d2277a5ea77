"""The source of what a notebook cell or a script defines: of an object, and of everything that it names there."""

import ast
import inspect
import linecache
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from textwrap import dedent
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple, TypeAlias, cast

from quintet.plugins.installed import is_installed

Definition: TypeAlias = type | FunctionType
"""What a statement defines."""

_MOST_VALUES = 10_000
"""Of a value that are looked at; what is below may be a table of a world."""

_PLAIN: tuple[type, ...] = (str, bytes, int, float, complex, type(None), PurePath)


class Definitions(NamedTuple):
    """The source of an object."""

    texts: Mapping[str, str]
    """By name: the object, and what it names where it was defined. Values that are neither as `repr`."""
    modules: tuple[ModuleType, ...]
    """The user's modules that it names."""


def read_definitions(found: Definition) -> Definitions:
    """The source of a class or function, and of what it names where it was defined.

    Of a class without functions, and where no source can be read (a string that was executed), it is what the class has
    or the function was compiled to.
    """
    texts: dict[str, str] = {}
    modules: dict[str, ModuleType] = {}
    waiting: list[tuple[str, object]] = [(found.__qualname__, found)]
    home = found.__module__
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, ModuleType):
            modules |= {value.__name__: value} if not is_installed(value.__name__) else {}
        elif not isinstance(value, type | FunctionType):
            texts.setdefault(name, _plain_text(value))
            waiting += [(part.__qualname__, part) for part in user_parts(value)]
        elif value.__module__ != home:
            module = inspect.getmodule(value)
            waiting += [] if module is None else [(module.__name__, module)]
        elif value.__qualname__ not in texts:
            texts[value.__qualname__] = text = _source(value) or "\n".join(_compiled(value))
            names = _names(text)
            waiting += [(name, known) for name, known in _namespace(value).items() if name in names]
    return Definitions(texts, tuple(modules.values()))


def user_parts(value: object) -> list[Definition]:
    """The user's classes and functions that a value holds: its class, and those of its attributes and items."""
    found: dict[int, Definition] = {}
    seen: dict[int, object] = {}
    waiting = [value]
    while waiting and len(seen) < _MOST_VALUES:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, _PLAIN):
            continue
        seen[id(each)] = each
        if isinstance(each, type | FunctionType):
            found |= {} if is_installed(each.__module__) else {id(each): each}
            continue
        waiting += _held(each)
    return list(found.values())


def _held(value: object) -> list[object]:
    if isinstance(value, ModuleType):
        return []
    if isinstance(value, dict):
        return list(cast("dict[object, object]", value).values())
    if isinstance(value, list | tuple | set | frozenset):
        return [type(cast("object", value)), *cast("Iterable[object]", value)]
    if isinstance(value, partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    attributes = (getattr(value, name, None) for each in type(value).__mro__ for name in _slots(each))
    return [type(value), *getattr(value, "__dict__", {}).values(), *attributes]


def _slots(found: type) -> tuple[str, ...]:
    slots: str | Iterable[str] = vars(found).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def was_compiled_from(found: Definition, source: bytes) -> bool:
    """Whether the code of a class or function is that of a module's source: not if the file has changed since."""
    waiting = [compile(source, "", "exec", dont_inherit=True)]
    known: set[CodeType] = set()
    while waiting:
        inner = [value for value in waiting.pop().co_consts if isinstance(value, CodeType)]
        known.update(inner)
        waiting += inner
    return all(code in known for code in _codes(found))


def _plain_text(value: object) -> str:
    """The `repr` of numbers, texts and collections; of another value its type, which is the same in every process."""
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return "{" + ", ".join(f"{_plain_text(key)}: {_plain_text(item)}" for key, item in items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_plain_text, cast("list[object]", value))) + "]"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_plain_text, cast("set[object]", value)))) + "}"
    named = value if isinstance(value, type | FunctionType) else type(value)
    return f"{named.__module__}.{named.__qualname__}"


def _source(found: Definition) -> str:
    """Its text; empty if it cannot be read, or if it has no code that says where it stands."""
    code = next(_codes(found), None)
    lines = [] if code is None else linecache.getlines(code.co_filename, _globals(found))
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):  # a cell with a command of the notebook's own
        return ""
    name, line = found.__qualname__.rpartition(".")[2], 0 if code is None else code.co_firstlineno
    nodes = [node for node in ast.walk(tree) if isinstance(node, _STATEMENTS) and node.name == name]
    nodes = [node for node in nodes if _first(node) <= line <= (node.end_lineno or 0)]
    return dedent("".join(lines[_first(nodes[-1]) - 1 : nodes[-1].end_lineno])) if nodes else ""


_STATEMENTS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _first(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _functions(found: Definition) -> Iterator[FunctionType]:
    """Itself beneath its decorators, or those of a class that stand in its own text."""
    if isinstance(found, FunctionType):
        yield cast("FunctionType", inspect.unwrap(found))
        return
    for member in vars(found).values():
        inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        function = inspect.unwrap(inner) if callable(inner) else inner
        if isinstance(function, FunctionType) and function.__qualname__.startswith(f"{found.__qualname__}."):
            yield function


def _codes(found: Definition) -> Iterator[CodeType]:
    for function in _functions(found):
        if function.__module__ == found.__module__:
            yield function.__code__


def _globals(found: Definition) -> dict[str, Any]:
    for function in _functions(found):
        return function.__globals__
    return vars(inspect.getmodule(found) or object)


def _namespace(found: Definition) -> dict[str, Any]:
    names = dict(_globals(found))
    for function in _functions(found):
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            names[name] = cell.cell_contents
    return names


def _names(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except SyntaxError:  # what it was compiled to
        return set(re.findall(r"\w+", text))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _compiled(found: Definition) -> Iterator[str]:
    if isinstance(found, FunctionType):
        yield from _code_text(found.__code__)
        return
    yield f"class {found.__qualname__}({', '.join(base.__qualname__ for base in found.__bases__)})"
    for function in _functions(found):
        yield from _code_text(function.__code__)
    yield f"{vars(found).get('__annotations__')} {vars(found).get('__pydantic_fields__')}"
    own = {name: value for name, value in vars(found).items() if not name.startswith("_")}
    yield from (f"{name} = {_plain_text(value)}" for name, value in own.items() if not isinstance(value, MethodType))


def _code_text(code: CodeType) -> Iterator[str]:
    yield f"def {code.co_qualname} {code.co_names} {code.co_varnames} {code.co_code.hex()}"
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _code_text(value)
        else:
            yield _plain_text(value)
