"""Settings and their origins: a TOML file, `QUINTET_*` variables, flags. Later layers override earlier ones."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, TypeAlias, cast

from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind
from quintet.plugins.files import read_limited

_PREFIX = "QUINTET_"

_SECRET = re.compile(r"key|token(?!s)|secret|password|authorization|credential|bearer", re.IGNORECASE)
"""Names with one of these words have values that no message repeats."""

_SECRET_WITHIN = re.compile(r"api_?key|secret|password|authorization|credential|bearer", re.IGNORECASE)
"""Values with one of these words are not repeated either."""

_LONGEST = 200
"""Characters of a value in a message."""

LARGEST_FILE = 2**20
"""Bytes of a file of settings."""

GREATEST = 2**31 - 1
"""The greatest number that can be set; no count, time or seed needs a greater one."""

_DEEPEST = 32
"""Tables and lists within each other."""

_DOTTED = re.compile(r"(?<![\w\-\"'])(?:[\w\-\"']+[ \t]*\.[ \t]*){100}")
"""A key of too many parts for tomllib, whose time grows with their square."""

MODEL_NAME = re.compile(r"(method\.(inner\.)+)?model\.(\w+\.)?name")
METHOD_NAME = re.compile(r"method(\.inner)*\.name")
"""The settings that name a model, and a method."""


@dataclass(frozen=True)
class Setting:
    """A value, and where it was set: `mine.toml, line 4`, a variable's name or a flag."""

    value: Any
    where: str


Settings: TypeAlias = Mapping[str, Setting]
"""By dotted key: `model.planner.name`."""


def quote(key: str, value: object) -> str:
    """A value as a message may repeat it: shortened if it is long, hidden if its name or text looks secret."""
    text = repr(value)
    if _SECRET.search(key) or _SECRET_WITHIN.search(text):
        return "something else (not shown)"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys and their values; lists are values."""
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from flatten(cast("Mapping[str, Any]", value), f"{key}.")
        else:
            yield key, value


def nest(settings: Settings) -> dict[str, Any]:
    """The nested tables of dotted keys; no key may be a value and a table at once."""
    root: dict[str, Any] = {}
    for key, setting in settings.items():
        *tables, name = key.split(".")
        inner = root
        for table in tables:
            within = inner.setdefault(table, {})
            if not isinstance(within, dict):
                raise UsageError(
                    f"{key}: expected no value for {table!r} itself, got {quote(key, within)} ({setting.where})"
                )
            inner = cast("dict[str, Any]", within)
        if isinstance(inner.get(name), dict):
            raise UsageError(f"{key}: expected a table, got {quote(key, setting.value)} ({setting.where})")
        inner[name] = setting.value
    return root


def plug_in_name(section: str, settings: Settings, default: str | None = None) -> str:
    """The name of the plug-in that a section is about, or else the default."""
    setting = settings.get(f"{section}.name")
    name = default if setting is None else setting.value
    if setting is None and default is None:
        variable = f"QUINTET_{section.upper()}__NAME"
        raise UsageError(f"{section}.name: expected a name on the command line, in a file or in {variable}, got none")
    if not isinstance(name, str):
        where = "" if setting is None else f" ({setting.where})"
        raise UsageError(f"{section}.name: expected a name, got {name!r}{where}")
    return name


def first_below(section: str, settings: Settings) -> tuple[str, Setting] | None:
    """The first setting of a section, or for the whole of it; None if there is none."""
    return next((each for each in settings.items() if each[0] == section or each[0].startswith(f"{section}.")), None)


def from_table(table: Mapping[str, Any], where: str) -> Settings:
    """All values of a table, set in one place."""
    return {key: Setting(value, where) for key, value in flatten(table)}


def from_argument(settings: Mapping[str, Any] | None, function: str) -> Settings:
    """Settings that a program gives to `function`, nested as in a TOML file; None: none."""
    if not isinstance(cast("object", settings or {}), Mapping):
        raise UsageError(f"settings: expected a mapping by section, got {settings!r} ({function})")
    return from_table(settings or {}, "settings")


def from_file(file: Path) -> Settings:
    """A TOML file."""
    if file.exists() and not file.is_file():
        raise UsageError(f"--config: expected a TOML file, got something else ({file})")
    try:
        text = read_limited(file, LARGEST_FILE).decode("utf-8-sig")
        table = load_toml(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "bytes that are not UTF-8"
        raise UsageError(f"--config: expected a readable TOML file, got {reason} ({file})") from error
    except ValueError as error:  # no TOML, or a number too long for Python
        raise UsageError(f"--config: expected TOML, got {error} ({file})") from error
    lines = dict(_lines(text))

    def where(key: str) -> str:
        # A value within an inline table is on its table's line.
        line = lines.get(key) or next((lines[outer] for outer in _outer(key) if outer in lines), None)
        return str(file) if line is None else f"{file}, line {line}"

    return {key: Setting(value, where(key)) for key, value in flatten(table)}


def _outer(key: str) -> Iterator[str]:
    while "." in key:
        key = key.rpartition(".")[0]
        yield key


_TABLE = re.compile(r"\s*\[([^\[\]]+)\]\s*(#.*)?$")
_KEY = re.compile(r"[\w.\-\"' ]+")


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Every dotted key and its line, from 1, of valid TOML."""
    prefix = ""
    for number, line in enumerate(text.splitlines(), 1):
        if table := _TABLE.match(line):
            prefix = _bare(table[1]) + "."
        elif key := _KEY.fullmatch(line.partition("=")[0].strip()):
            yield prefix + _bare(key[0]), number


def _bare(key: str) -> str:
    return ".".join(part.strip(" \"'") for part in key.split("."))


def from_environment(variables: Mapping[str, str]) -> Settings:
    """`QUINTET_MODEL__NAME` is `model.name`."""
    return {
        name.removeprefix(_PREFIX).lower().replace("__", "."): Setting(parse_value(text, name), name)
        for name, text in sorted(variables.items())
        if name.startswith(_PREFIX)
    }


def from_assignments(assignments: Iterable[str]) -> Settings:
    """`a.b=c` is the key `a.b`."""
    settings: dict[str, Setting] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set: expected key=value, got {assignment!r}")
        hidden = _SECRET.search(key) or _SECRET_WITHIN.search(text)
        where = f"--set {key}=..." if hidden else f"--set {assignment}"
        settings[key.strip()] = Setting(parse_value(text, where), where)
    return settings


def with_split_names(settings: Settings) -> Settings:
    """The same settings, with a name such as `local:FILE` split into the name `local` and its option `file`."""
    return dict(_split_names(settings))


def _split_names(settings: Settings) -> Iterator[tuple[str, Setting]]:
    for key, setting in settings.items():
        kind: Kind = "environment" if key == "environment.name" else "model"
        named = kind == "environment" or MODEL_NAME.fullmatch(key) is not None
        if not named or not isinstance(setting.value, str):
            yield key, setting
            continue
        name, options = catalogue.split_name(kind, setting.value)
        yield key, Setting(name, setting.where)
        for option, value in options.items():
            yield f"{key.rpartition('.')[0]}.{option}", Setting(value, setting.where)


def load_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Read TOML; a `TooDeep` if it is nested deeper than any file of ours, a `ValueError` if it is none."""
    if _DOTTED.search(text):
        raise TooDeep
    try:
        table = tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise TooDeep from None
    level: list[object] = [table]
    for _ in range(_DEEPEST + 1):
        level = [inner for outer in level for inner in _within(outer)]
    if level:
        raise TooDeep
    return table


class TooDeep(ValueError):
    """TOML with tables or lists nested too deep."""

    def __str__(self) -> str:
        return f"tables and lists that are more than {_DEEPEST} deep"


def _within(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def parse_value(text: str, where: str) -> Any:
    """The TOML value that `text` stands for, or else the text itself."""
    try:
        table = load_toml(f"value = {text}")
    except TooDeep as error:
        raise UsageError(f"expected a value of at most {_DEEPEST} levels, got {error} ({where})") from error
    except ValueError:
        return text
    value = table["value"]
    # TOML would make a date of a name such as 2024-01-01, and a second key of a line break.
    return text if len(table) > 1 or isinstance(value, date | datetime | time) else value
