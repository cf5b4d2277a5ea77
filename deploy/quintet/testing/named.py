"""A plug-in as a person names it, with its options: enough to make it anew, here and in another process."""

from typing import Any

from msgspec import Struct

from quintet.config import plugins
from quintet.config.sections import ModelSettings
from quintet.plugins import catalogue
from quintet.ports.model import Model
from quintet.ports.world import World


class Named(Struct, frozen=True):
    """A name of the catalogue, and the plug-in's options as JSON can say them."""

    name: str
    options: dict[str, Any] = {}

    def world(self) -> World:
        """A new instance of the environment of that name."""
        options = plugins.world_options(self.name).model_validate(self.options)
        return catalogue.world(self.name, **{name: getattr(options, name) for name in options.model_fields_set})

    def model(self) -> Model:
        """A new instance of the model of that name."""
        return plugins.make_model(ModelSettings(name=self.name, **self.options))
