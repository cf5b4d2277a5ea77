"""A plug-in as a person names it, with its options: enough to make it anew, here and in another process."""

from typing import Any

from msgspec import Struct

from quintet.config import plugins
from quintet.config.sections import EnvironmentSection, ModelSettings
from quintet.ports.model import Model
from quintet.ports.world import World


class Named(Struct, frozen=True):
    """A name of the catalogue, and the plug-in's options as JSON can say them."""

    name: str
    options: dict[str, Any] = {}

    def world(self) -> World:
        """A new instance of the environment of that name."""
        return plugins.world(EnvironmentSection(name=self.name, **self.options))

    def model(self) -> Model:
        """A new instance of the model of that name."""
        return plugins.model(ModelSettings(name=self.name, **self.options))
