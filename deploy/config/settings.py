"""Settings and where they come from: a TOML file, `QUINTET_*` variables, flags. Later layers override earlier ones."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, TypeAlias, cast

from protocols.errors import UsageError

_PREFIX = "QUINTET_"

_SECRET = re.compile(r"key|token$|secret|password", re.IGNORECASE)
"""Names whose values are not repeated."""


_MODEL_NAME = re.compile(r"model\.(\w+\.)?name")
_LOCAL = "local:"


@dataclass(frozen=True)
class Setting:
    """A value, and the place a person would mend it: `adapt.toml, line 4`, a variable's name or a flag."""

    value: Any
    where: str


Settings: TypeAlias = Mapping[str, Setting]
"""By dotted key: `model.planner.name`."""


def flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys and their values; lists are values."""
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from flatten(cast("Mapping[str, Any]", value), f"{key}.")
        else:
            yield key, value


def nest(settings: Settings) -> dict[str, Any]:
    """The tables that dotted keys stand for.

    Raises:
        UsageError: one key is a value and a table at once.
    """
    root: dict[str, Any] = {}
    for key, setting in settings.items():
        *tables, name = key.split(".")
        inner = root
        for table in tables:
            within = inner.setdefault(table, {})
            if not isinstance(within, dict):
                raise UsageError(f"{key}: expected no value for {table!r} itself, got {within!r} ({setting.where})")
            inner = cast("dict[str, Any]", within)
        if isinstance(inner.get(name), dict):
            raise UsageError(f"{key}: expected a table, got {setting.value!r} ({setting.where})")
        inner[name] = setting.value
    return root


def from_table(table: Mapping[str, Any], where: str) -> Settings:
    """All of a table, from one place."""
    return {key: Setting(value, where) for key, value in flatten(table)}


def from_file(file: Path) -> Settings:
    """A TOML file.

    Raises:
        UsageError: it cannot be read, or is no TOML.
    """
    if file.exists() and not file.is_file():
        raise UsageError(f"--config: expected a TOML file, got something else ({file})")
    try:
        text = file.read_text(encoding="utf-8-sig")
        table = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "bytes that are not UTF-8"
        raise UsageError(f"--config: expected a readable TOML file, got {reason} ({file})") from error
    except ValueError as error:  # no TOML, or a number too long for Python
        raise UsageError(f"--config: expected TOML, got {error} ({file})") from error
    lines = dict(_lines(text))

    def where(key: str) -> str:
        # A value within an inline table stands on its table's line.
        line = lines.get(key) or next((lines[outer] for outer in _outer(key) if outer in lines), None)
        return str(file) if line is None else f"{file}, line {line}"

    return {key: Setting(value, where(key)) for key, value in flatten(table)}


def _outer(key: str) -> Iterator[str]:
    while "." in key:
        key = key.rpartition(".")[0]
        yield key


_TABLE = re.compile(r"\s*\[([^\[\]]+)\]\s*(#.*)?$")
_KEY = re.compile(r"\s*([\w.\-\"' ]+?)\s*=")


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Every dotted key and its line, from 1. The file is known to be TOML."""
    prefix = ""
    for number, line in enumerate(text.splitlines(), 1):
        if table := _TABLE.match(line):
            prefix = _bare(table[1]) + "."
        elif key := _KEY.match(line):
            yield prefix + _bare(key[1]), number


def _bare(key: str) -> str:
    return ".".join(part.strip(" \"'") for part in key.split("."))


def from_environment(variables: Mapping[str, str]) -> Settings:
    """`QUINTET_MODEL__NAME` is `model.name`."""
    return {
        name.removeprefix(_PREFIX).lower().replace("__", "."): Setting(parse(text), name)
        for name, text in sorted(variables.items())
        if name.startswith(_PREFIX)
    }


def from_assignments(assignments: Iterable[str], flag: str = "--set") -> Settings:
    """`a.b=c` is the key `a.b`.

    Raises:
        UsageError: an assignment without a key or without "=".
    """
    settings: dict[str, Setting] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"{flag}: expected key=value, got {assignment!r}")
        shown = f"{key}=..." if _SECRET.search(key.rpartition(".")[2]) else assignment
        settings[key.strip()] = Setting(parse(text), f"{flag} {shown}")
    return settings


def from_flags(flags: Mapping[str, tuple[str, Any]]) -> Settings:
    """Flags that were given, each by its name with its dotted key and its value; None was not given."""
    return {key: Setting(value, flag) for flag, (key, value) in flags.items() if value is not None}


def with_files(settings: Settings) -> Settings:
    """The same where `local:FILE`, as the name of a model, is said in two: the name `local`, and the option `file`."""
    return dict(_named_with_files(settings))


def _named_with_files(settings: Settings) -> Iterator[tuple[str, Setting]]:
    for key, setting in settings.items():
        if _MODEL_NAME.fullmatch(key) and isinstance(setting.value, str) and setting.value.startswith(_LOCAL):
            yield key, Setting(_LOCAL.rstrip(":"), setting.where)
            yield f"{key.rpartition('.')[0]}.file", Setting(setting.value.removeprefix(_LOCAL), setting.where)
        else:
            yield key, setting


def parse(text: str) -> Any:
    """The TOML value that `text` is, or else the text itself."""
    try:
        table = tomllib.loads(f"value = {text}")
    except ValueError:
        return text
    value = table["value"]
    # TOML would make a date of a name such as 2024-01-01, and a second key of a line break.
    return text if len(table) > 1 or isinstance(value, date | datetime | time) else value
