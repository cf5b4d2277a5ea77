"""Data files beside the code of a method, a world or a model: found without importing it, and decoded strictly."""

from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import msgspec

from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind
from quintet.plugins.files import read_limited

DataT = TypeVar("DataT")

_LARGEST = 2**22
"""Bytes of a TOML file."""


def data_file(kind: Kind, name: str, file: str) -> Path | None:
    """A file, or a folder, in the package that defines a name; `file` is relative to the package: `papers.toml`.

    None if there is no such name or file, or the name is defined in a module outside any package.
    """
    target = catalogue.target(kind, name)
    if target is None:
        return None
    top, *rest = target.partition(":")[0].split(".")
    spec = find_spec(top)
    for place in () if spec is None else spec.submodule_search_locations or ():
        module = Path(place, *rest)
        found = (module if module.is_dir() else module.parent) / file
        if found.exists():
            return found
    return None


def read_toml(file: Path, kind: type[DataT]) -> DataT:
    """The content of a TOML file; a `UsageError` if it cannot be read, or is not of that type."""
    try:
        return msgspec.toml.decode(read_limited(file, _LARGEST), type=kind)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file.name}: expected a readable {kind.__name__}, got: {error} ({file})") from error
