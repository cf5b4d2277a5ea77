"""The papers' own figures, by method and environment, to stand beside ours."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from deploy.folders.record import RunRecord


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
    tasks: int
    """How many the split has: figures are those of all of them."""
    model: str
    success: float
    """In percent, as printed."""
    method: Mapping[str, Any]
    """Its options that have to be as in the paper."""
    environment: Mapping[str, Any]
    """Its options that have to be as in the paper."""
    groups: Mapping[str, Mapping[str, Group]]
    """By fact and its value: `groups["recipe depth"]["2"]`."""


_ADAPT = "ADaPT, tables 4 and 7"
_INSTRUCT = "gpt-3.5-turbo-instruct"
_PAPERS_RECIPES: Mapping[str, Any] = {"recipes": None}

PUBLISHED: Mapping[tuple[str, str], Published] = {
    ("react", "textcraft"): Published(
        source=_ADAPT,
        split="test",
        tasks=200,
        model=_INSTRUCT,
        success=19.0,
        method={},
        environment=_PAPERS_RECIPES,
        groups={"recipe depth": {"2": Group(26.9, 1.0), "3": Group(1.8, 1.0)}},
    ),
    ("adapt", "textcraft"): Published(
        source=_ADAPT,
        split="test",
        tasks=200,
        model=_INSTRUCT,
        success=52.0,
        method={"max_depth": 4},
        environment=_PAPERS_RECIPES,
        groups={"recipe depth": {"2": Group(78.2, 1.9), "3": Group(38.7, 2.8)}},
    ),
}


def published(record: RunRecord) -> Published | None:
    """A paper's figures for the same method on the same tasks, all of them, if one has any."""
    config = record.configuration
    found = PUBLISHED.get((config.method.name, config.environment.name))
    if found is None or (found.split, found.tasks) != (config.run.split, len(record.tasks)):
        return None
    same = (
        not isinstance(config.run.tasks, tuple)
        and _agree(found.method, config.method.options)
        and _agree(found.environment, config.environment.options)
    )
    return found if same else None


def _agree(papers: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    return all(ours.get(name) == value for name, value in papers.items())
