"""Whose each part of a configuration is: ours, an installed plug-in's, an object's, or an endpoint's model."""

from collections.abc import Collection
from typing import NamedTuple

from pydantic import BaseModel

from quintet.config import plugins
from quintet.config.memory_section import EmbedderSettings
from quintet.config.plug_in_sections import Optioned
from quintet.config.sections import EnvironmentSection, ModelSettings, NestingSection
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind


class Origin(NamedTuple):
    """Of what a section is about."""

    plug_in: str = ""
    """The name, and the distribution that registers it; empty: it is no plug-in's."""
    options: type[BaseModel] | None = None
    """None: they are somebody else's, and what they do is not known here."""
    is_endpoint: bool = False


class Origins:
    """Looks them up by name; nothing that is not ours is imported.

    Args:
        method: the outermost method, whose learner has the options of `[learning]`.
        brought: kinds and names of the objects in place of names.
    """

    def __init__(self, method: str, brought: Collection[tuple[Kind, str]]) -> None:
        self._method = method
        self._brought = brought

    def of(self, section: Optioned) -> Origin:
        """The origin of what a section names."""
        match section:
            case EnvironmentSection():
                return self._foreign("environment", section.name) or Origin(options=plugins.world_options(section.name))
            case ModelSettings() | EmbedderSettings():
                return self._of_model(section)
            case NestingSection():
                return self._foreign("method", section.name) or Origin(options=catalogue.method(section.name).options)
            case _:
                return self._foreign("method", self._method) or Origin(options=_learner_options(self._method))

    def _of_model(self, section: ModelSettings | EmbedderSettings) -> Origin:
        kind: Kind = "model" if isinstance(section, ModelSettings) else "embedder"
        make = plugins.model_options if kind == "model" else plugins.embedder_options
        known = (kind, section.name) in self._brought or catalogue.is_known(kind, section.name)
        if section.url is not None or not known:
            return Origin(options=make(section.name, section.url), is_endpoint=True)
        return self._foreign(kind, section.name) or Origin(options=make(section.name))

    def _foreign(self, kind: Kind, name: str) -> Origin | None:
        """Of a name that is not ours; None: it is ours."""
        if (kind, name) in self._brought:
            return Origin()
        found = catalogue.origin(kind, name)
        if found is not None:
            return Origin(f"{name} of {found.distribution}")
        return Origin() if catalogue.target(kind, name) is None else None


def _learner_options(method: str) -> type[BaseModel] | None:
    learner = catalogue.method(method).learner
    return None if learner is None else learner.options
