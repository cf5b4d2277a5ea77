"""The papers' own figures, by method and environment, to stand beside ours."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from deploy.config.tasks import TASK_TYPE
from deploy.folders.record import RunRecord


class Group(NamedTuple):
    """What a paper prints for the tasks of one kind."""

    success: float
    """In percent, as printed."""
    depth: float | None = None
    """Mean recursion level needed to succeed (ADaPT's kmax); None where it prints none."""


class Published(NamedTuple):
    """What a table of a paper prints for a method in an environment."""

    source: str
    """The paper's name first, then the table: `ADaPT, table 2`."""
    split: str
    tasks: int
    """How many the split has: figures are those of all of them."""
    model: str
    success: float | None
    """In percent, as printed, of all tasks; None where it is not printed, as it is not made up from the groups'."""
    groups: Mapping[str, Mapping[str, Group]]
    """By fact and its value: `groups["recipe depth"]["2"]`."""
    method: Mapping[str, Any] = {}
    """Its options that have to be as in the paper."""
    environment: Mapping[str, Any] = {}
    """Its options that have to be as in the paper."""
    learning: Mapping[str, Any] = {}
    """Options of how it learns that have to be as in the paper, of a method that does."""
    named: str = ""
    """What the names of the paper's tasks match, all of them."""
    sizes: Mapping[str, int] = {}
    """By task type, how many tasks the split has: a run of one type stands beside the figures of that type."""
    apart: bool = False
    """Whether every type of task was a run of its own, so that nothing is printed for one run of them all."""

    @property
    def paper(self) -> str:
        """The paper's name."""
        return self.source.partition(",")[0]


def _by_depth(*groups: Group) -> Mapping[str, Mapping[str, Group]]:
    return {"recipe depth": {str(depth): group for depth, group in enumerate(groups, start=2)}}


_ADAPT = Published(
    source="ADaPT, tables 4 and 7",
    split="test",
    tasks=200,
    model="gpt-3.5-turbo-instruct",
    environment={"recipes": None},
    success=None,
    groups={},
)
"""On TextCraft."""

UNSEEN: Mapping[str, int] = {"pick": 24, "clean": 31, "heat": 23, "cool": 21, "look": 18, "pick two": 17}
"""How many tasks of a type are in ALFWorld's official `valid_unseen`."""

TASK_TYPES = tuple(UNSEEN)
"""ALFWorld's, in the order of ADaPT's and LDM2's tables."""


def _by_type(*percents: float) -> Mapping[str, Mapping[str, Group]]:
    return {TASK_TYPE: dict(zip(TASK_TYPES, map(Group, percents), strict=True))}


_HYBRID: Mapping[str, Any] = {"demonstrations": "hybrid"}
_OF_ITS_TYPE: Mapping[str, Any] = {"demonstrations": "task"}
_NO_SHOTS: Mapping[str, Any] = {"demonstrations": "none"}
_ANY: Mapping[str, Any] = {}
_DAVINCI = "text-davinci-003"


def _alfworld(source: str, model: str, success: float | None, *by_type: float, method: Mapping[str, Any]) -> Published:
    # A household that we generate is none of the paper's; the trials of the official ones were all recorded in 2019.
    return Published(
        source=source,
        split="valid_unseen",
        tasks=sum(UNSEEN.values()),
        model=model,
        success=success,
        groups=_by_type(*by_type),
        method=method,
        environment={"causes": False},
        named=r".+\.trial_T2019\d{4}_\d{6}_\d{6}",
        sizes=UNSEEN,
    )


def _told_causes(source: str, *by_type: float, method: Mapping[str, Any] = _ANY) -> Published:
    """AutoPlan's, all of whose runs were told why an action was rejected (section 4.1)."""
    return _alfworld(source, "gpt-4-0314", None, *by_type, method=method)._replace(environment={"causes": True})


PUBLISHED: Mapping[tuple[str, str], Sequence[Published]] = {
    ("react", "textcraft"): [_ADAPT._replace(success=19.0, groups=_by_depth(Group(26.9, 1.0), Group(1.8, 1.0)))],
    ("adapt", "textcraft"): [
        _ADAPT._replace(success=52.0, groups=_by_depth(Group(78.2, 1.9), Group(38.7, 2.8)), method={"max_depth": 4})
    ],
    ("react", "alfworld"): [
        _alfworld("ADaPT, table 2", _DAVINCI, 43.3, 33.3, 67.7, 43.5, 33.3, 55.6, 11.8, method=_HYBRID),
        _alfworld("ADaPT, table 8", _DAVINCI, 56.7, 66.7, 41.9, 47.8, 80.9, 83.3, 23.5, method=_OF_ITS_TYPE),
        _told_causes("AutoPlan, table 3 (2 shots)", 100, 100, 91, 96, 100, 76, method=_OF_ITS_TYPE),
        _told_causes("AutoPlan, table 3 (0 shots)", 92, 87, 35, 71, 94, 59, method=_NO_SHOTS),
        _alfworld("LDM2, table 2", "gpt-3.5-turbo", 60, 63, 48, 74, 71, 67, 35, method=_OF_ITS_TYPE),
    ],
    ("autoplan", "alfworld"): [
        _told_causes("AutoPlan, table 3", 100, 97, 96, 90, 100, 82)._replace(
            learning={"batch": 4, "reflection": "full", "select": "last"}, apart=True
        ),
    ],
    ("adapt", "alfworld"): [
        _alfworld(
            "ADaPT, table 2", _DAVINCI, 71.6, 87.5, 80.6, 60.8, 76.2, 61.1, 52.9, method={"max_depth": 3, **_HYBRID}
        ),
        _alfworld(
            "ADaPT, table 8", _DAVINCI, 79.8, 91.7, 67.7, 78.3, 81.0, 100, 64.7, method={"max_depth": 3, **_OF_ITS_TYPE}
        ),
    ],
}
"""What a paper prints for all tasks is never made up or corrected from its groups."""


def published(record: RunRecord) -> tuple[Published, ...]:
    """Papers' figures for the same method on the same tasks, all of them or all of one type, under the same options.

    No paper was given a plan to begin with, nor ran with one that was learnt elsewhere.
    """
    config = record.configuration
    found = PUBLISHED.get((config.method.name, config.environment.name), ())
    task_type = config.run.task_type
    if task_type is None:
        return tuple(each for each in found if not each.apart and _is_of(each, record))
    of_type = [_of_type(each, task_type) for each in found if task_type in each.sizes]
    return tuple(each for each in of_type if _is_of(each, record))


def _of_type(found: Published, task_type: str) -> Published:
    groups = {TASK_TYPE: {task_type: found.groups[TASK_TYPE][task_type]}}
    return found._replace(tasks=found.sizes[task_type], success=None, groups=groups)


def _is_of(found: Published, record: RunRecord) -> bool:
    config = record.configuration
    return (
        (found.split, found.tasks) == (config.run.split, len(record.tasks))
        and not isinstance(config.run.tasks, tuple)
        and not record.plan
        and agree(found.method, config.method.options)
        and agree(found.environment, config.environment.options)
        and _learns_as(found.learning, record)
        and (not found.named or all(re.fullmatch(found.named, task.name) for task in record.tasks))
    )


def _learns_as(papers: Mapping[str, Any], record: RunRecord) -> bool:
    learning = record.configuration.learning
    return not papers if learning is None else agree(papers, learning.options)


def agree(papers: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    """Whether options are as in a paper, those that matter."""
    return all(ours.get(name) == value for name, value in papers.items())
