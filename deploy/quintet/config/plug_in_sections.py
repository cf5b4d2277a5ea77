"""Sections that name a plug-in, and have its options beside their own."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, ConfigDict
from pydantic_core import PydanticCustomError

from quintet.config.values import Section
from quintet.ports.effects import Effect


def _name(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("name", "a name")
    return value


Name: TypeAlias = Annotated[str, AfterValidator(_name), Effect.IMPORTS]
"""Of a plug-in, or of an endpoint's model; never blank."""
EndpointAddress: TypeAlias = Annotated[str | None, AfterValidator(lambda url: url or None), Effect.CONTACTS]
"""The base address of an endpoint; an empty one is none."""


class Optioned(Section):
    """A section that takes a plug-in's own options too."""

    model_config = ConfigDict(extra="allow")

    @property
    def options(self) -> Mapping[str, Any]:
        """The plug-in's own options, as JSON can say them."""
        return dict(self.model_extra or {})


class PlugInSection(Optioned):
    """A section that names a plug-in and has its options."""

    name: Name
    """Of the catalogue (`quintet list`), or `FILE.py:OBJECT` or `package.module:OBJECT`."""
