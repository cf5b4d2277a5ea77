"""The user's objects on their way to a host: what was defined in a program by value, modules of files as their source.

What is installed travels by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ray import cloudpickle

from quintet.errors import UsageError, one_line
from quintet.plugins.brought import BroughtObject
from quintet.plugins.sources import SourceModule, use_sources

_pickler: Any = cloudpickle
"""It has no annotations."""


class PackedObjects(NamedTuple):
    """Objects as bytes."""

    objects: Sequence[bytes]
    modules: Mapping[str, SourceModule]
    """The user's modules that they name, to be imported there from the same source as here."""

    def unpack(self) -> tuple[BroughtObject, ...]:
        """The same objects, in another process; an `ImportError` without a module of theirs, and as `use_sources`."""
        use_sources(self.modules)
        return tuple(map(_pickler.loads, self.objects))


def pack_objects(objects: Sequence[BroughtObject]) -> PackedObjects:
    """Pack objects for other processes; a `UsageError` if one cannot travel."""
    modules = {name: module for each in objects for name, module in each.modules.items()}
    return PackedObjects([_pack(each) for each in objects], modules)


def _pack(each: BroughtObject) -> bytes:
    alone = BroughtObject(each.kind, each.name, each.value, each.origin)
    try:
        return _dump(alone)
    except Exception as error:  # whatever an object's own reduction raises
        why = f"{type(error).__name__}: {one_line(error)}"
        attributes = [name for name, value in _state(each.value).items() if not _can_travel(value)]
        where = f" in its {', '.join(attributes)}" if attributes else ""
        expected = "an object that can be sent to Ray's hosts"
        raise UsageError(f"{each.kind} {each.name}: expected {expected}, got {why}{where} ({each.origin})") from error


def _dump(value: object) -> bytes:
    packed: bytes = _pickler.dumps(value)
    return packed


def _state(value: object) -> Mapping[str, Any]:
    return getattr(value, "__dict__", {})


def _can_travel(value: object) -> bool:
    try:
        _dump(value)
    except Exception:  # noqa: BLE001  see `_pack`
        return False
    return True
