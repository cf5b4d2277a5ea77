"""Errors about settings: expected, got, where."""

import re
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from quintet.config.settings import GREATEST, Setting, Settings, quote
from quintet.errors import UsageError

_SIGNS = {
    "greater than or equal to": ">=",
    "less than or equal to": "<=",
    "greater than": ">",
    "less than": "<",
    "a valid ": "a ",
    "a integer": "an integer",
    "Unable to parse input string as an integer": "an integer of fewer digits",
    "a dictionary": "a table",
    "string": "text",
    "a text": "text",
}


_RENAMED = {"memory.shuffled": "memory.control"}
"""Keys whose names of today are not alike."""

_ALIKE = 0.75
"""From which likeness on a key is taken for a slip: one letter of four, or two of eight."""


def refuse_huge(settings: Settings) -> None:
    """Refuse whole numbers that a library could not take."""
    for key, setting in settings.items():
        _refuse_greater(key, setting.value, setting)


def refuse_misread(settings: Settings, values: Mapping[str, Any]) -> None:
    """Refuse `true` read as the number 1, 2.0 read as 2, and huge numbers given as text."""
    for key, setting in settings.items():
        if isinstance(setting.value, bool) and not isinstance(values.get(key), bool):
            raise UsageError(f"{key}: expected a number, got {str(setting.value).lower()} ({setting.where})")
        read = values.get(key)
        if isinstance(read, int) and isinstance(setting.value, float):
            raise UsageError(f"{key}: expected a whole number, got {setting.value} ({setting.where})")
        _refuse_greater(key, read, setting)


def _refuse_greater(key: str, number: object, setting: Setting) -> None:
    if isinstance(number, int) and abs(number) > GREATEST:
        raise UsageError(f"{key}: expected at most {GREATEST:,}, got {quote(key, setting.value)} ({setting.where})")


def refuse_unknown(settings: Settings, known: Collection[str]) -> None:
    """Refuse unknown keys, and name the nearest known key."""
    tables = {table for name in known for table in _tables(name)}
    for key, setting in settings.items():
        if f"{key}.name" in known:
            meant = f"{setting.where}__NAME" if setting.where.startswith("QUINTET_") else f"{key}.name"
            got = quote(key, setting.value)
            raise UsageError(f"{key}: expected a table, got {got} ({setting.where}); did you mean {meant}?")
        if key in tables:
            raise UsageError(f"{key}: expected a table, got {quote(key, setting.value)} ({setting.where})")
        if key not in known and not any(table in known for table in _tables(key)):
            raise UsageError(f"{key}: expected {_nearest(key, known)}, got an unknown key ({setting.where})")


def _tables(key: str) -> list[str]:
    """The tables that a key lies in, the innermost first."""
    tables: list[str] = []
    while key := key.rpartition(".")[0]:
        tables.append(key)
    return tables


def _nearest(key: str, known: Collection[str]) -> str:
    if key in _RENAMED:
        return repr(_RENAMED[key])
    section, _, name = key.rpartition(".")
    known = sorted(known, key=lambda found: (-found.count("."), found))  # of two keys with one name, the outer
    siblings = {found.rpartition(".")[2]: found for found in known if found.rpartition(".")[0] == section}
    below = {found.rpartition(".")[2]: found for found in known if found.startswith(f"{section}.")}
    whole = {} if below else {found: found for found in known}  # of keys of one section only the names differ
    by_last_part = {found.rpartition(".")[2]: found for found in known}
    tries = ((name, below, 1.0), (name, siblings, _ALIKE), (key, whole, _ALIKE), (name, by_last_part, _ALIKE))
    for wanted, names, cutoff in tries:
        if near := get_close_matches(wanted, names, n=1, cutoff=cutoff):
            return repr(names[near[0]])
    sections = sorted({found.partition(".")[0] for found in known})
    inner = [found for found in below.values() if found.rpartition(".")[0].endswith(".inner")]
    return "one of " + ", ".join(sorted({*siblings.values(), *inner}) or [f"{section}.*" for section in sections])


def complaint(error: ValidationError, settings: Settings, prefix: str = "") -> UsageError:
    """The first error that pydantic found, as a usage error."""
    details = error.errors()[0]
    named = [str(part) for part in details["loc"] if part != "[key]"]  # pydantic's word for a name within a table
    key = prefix + ".".join(named).replace("model.roles.", "model.")  # a role's table stands beside the model's keys
    found = _setting(key, settings)
    where = f" ({found[1].where})" if found else ""
    return UsageError(f"{found[0] if found else key}: expected {_expected(details)}, got {_got(key, details)}{where}")


def _setting(key: str, settings: Settings) -> tuple[str, Setting] | None:
    # pydantic may append the member of a union or the position in a list, and may name a table.
    outer = key
    while outer:
        if outer in settings:
            return outer, settings[outer]
        outer = outer.rpartition(".")[0]
    return next(((key, setting) for name, setting in settings.items() if name.startswith(f"{key}.")), None)


def _expected(details: ErrorDetails) -> str:
    plain = {"missing": "a value", "extra_forbidden": "no such key", "path_type": "a path", "model_type": "a table"}
    if details["type"] in plain:
        return plain[details["type"]]
    text = details["msg"].removeprefix("Value error, ").removeprefix("expected ").removeprefix("Input should be ")
    text = re.split(", unable to parse|, got |, exceeded", text)[0]
    for words, sign in _SIGNS.items():
        text = text.replace(words, sign)
    return text


def _got(key: str, details: ErrorDetails) -> str:
    return "none" if details["type"] == "missing" else quote(key, details["input"])


@contextmanager
def with_origin(settings: Settings, keys: Iterable[str], *, section: str = "") -> Generator[None, None, None]:
    """Append to a usage error raised inside the origin of the setting at fault.

    Args:
        keys: the possible causes, the likeliest first; the first that was set is named.
        section: a key that the error begins with is looked up first, with and without this section.
    """
    try:
        yield
    except UsageError as error:
        text = str(error)
        named = text.partition(":")[0]
        likely = [named, f"{section}.{named}", *keys] if section else keys
        where = next((settings[key].where for key in likely if key in settings), None)
        if where is None:
            raise
        raise UsageError(f"{text[:-1]}, {where})" if text.endswith(")") else f"{text} ({where})") from error
