"""The papers' own figures, by method and environment, to stand beside ours."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from deploy.config.sections import RunConfig


class Group(NamedTuple):
    """What a paper prints for the tasks of one kind."""

    success: float
    """In percent, as printed."""
    depth: float
    """Mean recursion level needed to succeed (ADaPT's kmax)."""


class Published(NamedTuple):
    """What a paper prints for a method in an environment."""

    source: str
    split: str
    """The tasks that it is about."""
    model: str
    success: float
    """In percent, as printed."""
    options: Mapping[str, Any]
    """Of the method: those that have to be as in the paper."""
    groups: Mapping[str, Mapping[str, Group]]
    """By fact and its value: `groups["recipe depth"]["2"]`."""


_ADAPT = "ADaPT, tables 4 and 7"
_INSTRUCT = "gpt-3.5-turbo-instruct"

PUBLISHED: Mapping[tuple[str, str], Published] = {
    ("react", "textcraft"): Published(
        source=_ADAPT,
        split="test",
        model=_INSTRUCT,
        success=19.0,
        options={},
        groups={"recipe depth": {"2": Group(26.9, 1.0), "3": Group(1.8, 1.0)}},
    ),
    ("adapt", "textcraft"): Published(
        source=_ADAPT,
        split="test",
        model=_INSTRUCT,
        success=52.0,
        options={"max_depth": 4},
        groups={"recipe depth": {"2": Group(78.2, 1.9), "3": Group(38.7, 2.8)}},
    ),
}


def published(config: RunConfig) -> Published | None:
    """A paper's figures for the same method on the same tasks, if one has any."""
    found = PUBLISHED.get((config.method.name, config.environment.name))
    if found is None or found.split != config.run.split:
        return None
    same = all(config.method.options.get(name) == value for name, value in found.options.items())
    return found if same else None
