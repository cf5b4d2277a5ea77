"""Plug-ins that other distributions bring, found by the entry points they register; nothing is loaded by finding it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["method", "environment", "model", "embedder"]

GROUPS: Mapping[Kind | Literal["hook"], str] = {
    "method": "quintet.methods",
    "environment": "quintet.environments",
    "model": "quintet.models",
    "embedder": "quintet.embedders",
    "hook": "quintet.hooks",
}
"""The entry-point group of each kind. Hooks have no names in a configuration: those that are installed are used."""


@dataclass(frozen=True)
class PlugIn:
    """A name that a distribution has registered."""

    point: EntryPoint
    distribution: str
    version: str

    @property
    def name(self) -> str:
        return self.point.name

    @property
    def brought_by(self) -> str:
        """The distribution with its version: `quintet-lamps 0.1.0`."""
        return f"{self.distribution} {self.version}"

    @property
    def target(self) -> str:
        """The place it names: `package.module:attribute`."""
        return self.point.value

    def load(self) -> Any:
        """Load its object. Raises anything that its code raises."""
        return self.point.load()


@cache
def plug_ins(kind: Kind | Literal["hook"]) -> tuple[PlugIn, ...]:
    """Everything of a kind that installed distributions register, by name. Looked up once a process."""
    found = [
        PlugIn(point, point.dist.name, point.dist.version)
        for point in entry_points(group=GROUPS[kind])
        if point.dist is not None
    ]
    return tuple(sorted(found, key=lambda plug_in: (plug_in.name, plug_in.brought_by)))
