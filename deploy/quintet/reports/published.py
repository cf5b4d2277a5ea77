"""The papers' own figures, by method and environment, and which of them a run has to do with.

An entry is one row of one table: one experiment, whose figures are never mixed with those of another.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quintet.config.tasks import TASK_TYPE
from quintet.runs.record import RunRecord


class Group(NamedTuple):
    """What a paper prints for the tasks of one kind."""

    success: float
    """In percent, as printed."""
    depth: float | None = None
    """Mean recursion level needed to succeed (ADaPT's kmax); None where it prints none."""


class Cost(NamedTuple):
    """USD per question, as printed."""

    inference: float
    training: float | None = None
    """None where nothing is trained."""


class Published(NamedTuple):
    """A row of a paper's table, and what a run has to agree with to be shown with it."""

    source: str
    """The paper's name first, then the table: `ADaPT, table 2`."""
    row: str
    """The method, as the paper calls it."""
    model: str
    """Which produced the figures."""
    budget: str
    """The bound on an episode's model calls, as `Method.budget` writes it. An experiment whose paper prints none is not
    listed: no run could be known to agree with it."""
    split: str
    tasks: int
    """How many the split has: figures are those of all of them."""
    success: float | None = None
    """In percent, as printed, of all tasks; None where it is not printed, as it is not made up from the groups'."""
    groups: Mapping[str, Mapping[str, Group]] = {}
    """By fact and its value: `groups["recipe depth"]["2"]`."""
    usd: Cost | None = None
    method: Mapping[str, Any] = {}
    """Its options that have to be as in the paper."""
    environment: Mapping[str, Any] = {}
    """Its options that have to be as in the paper."""
    learning: Mapping[str, Any] = {}
    """Options of how it learns that have to be as in the paper; empty where nothing is learnt."""
    named: str = ""
    """What the names of the paper's tasks match, all of them."""
    sizes: Mapping[str, int] = {}
    """By task type, how many tasks the split has: a run of one type stands beside the figures of that type."""
    apart: bool = False
    """Whether every type of task was a run of its own, so that nothing is printed for one run of them all."""


def _by_depth(*groups: Group) -> Mapping[str, Mapping[str, Group]]:
    return {"recipe depth": {str(depth): group for depth, group in enumerate(groups, start=2)}}


def _textcraft(table: int, row: str, budget: str) -> Published:
    return Published(
        source=f"ADaPT, table {table}",
        row=row,
        model="gpt-3.5-turbo-instruct",
        budget=budget,
        split="test",
        tasks=200,
        environment={"recipes": None},
    )


UNSEEN: Mapping[str, int] = {"pick": 24, "clean": 31, "heat": 23, "cool": 21, "look": 18, "pick two": 17}
"""How many tasks of a type are in ALFWorld's official `valid_unseen`."""

TASK_TYPES = tuple(UNSEEN)
"""ALFWorld's, in the order of ADaPT's and LDM2's tables."""


def _by_type(*percents: float) -> Mapping[str, Mapping[str, Group]]:
    return {TASK_TYPE: dict(zip(TASK_TYPES, map(Group, percents), strict=True))}


def _alfworld(source: str, row: str, model: str, budget: str, method: Mapping[str, Any]) -> Published:
    # A household that we generate is none of the paper's; the trials of the official ones were all recorded in 2019.
    return Published(
        source=source,
        row=row,
        model=model,
        budget=budget,
        split="valid_unseen",
        tasks=sum(UNSEEN.values()),
        method=method,
        environment={"causes": False},
        named=r".+\.trial_T2019\d{4}_\d{6}_\d{6}",
        sizes=UNSEEN,
    )


def _adapts(table: int, row: str, budget: str, method: Mapping[str, Any], success: float, *by_type: float) -> Published:
    entry = _alfworld(f"ADaPT, table {table}", row, "text-davinci-003", budget, method)
    return entry._replace(success=success, groups=_by_type(*by_type))


def _autoplans(table: int, row: str, shown: str) -> Published:
    """AutoPlan's, all of whose runs were told why an action was rejected (section 4.1)."""
    options = {"demonstrations": shown, "patience": None, "formalize": "always"}
    entry = _alfworld(f"AutoPlan, table {table}", row, "gpt-4-0314", "35", options)
    return entry._replace(environment={"causes": True})


def _learns(entry: Published) -> Published:
    return entry._replace(learning={"batch": 4, "reflection": "full", "select": "last"}, apart=True)


_INVENTORY: Mapping[str, Any] = {"hand_on": "inventory"}
_LAST: Mapping[str, Any] = {"hand_on": "last_action"}
_SKILLS: Mapping[str, Any] = {"demonstrations": "paper"}
_OF_ITS_TYPE: Mapping[str, Any] = {"demonstrations": "task"}

PUBLISHED: Mapping[tuple[str, str], Sequence[Published]] = {
    ("react", "textcraft"): [
        _textcraft(4, "ReAct", "60")._replace(success=19.0),
        _textcraft(7, "ReAct", "20")._replace(groups=_by_depth(Group(26.9, 1.0), Group(1.8, 1.0))),
    ],
    ("adapt", "textcraft"): [
        _textcraft(4, "ADaPT", "4 x 20")._replace(success=52.0, method=_INVENTORY),
        _textcraft(7, "ADaPT", "4 x 20")._replace(
            groups=_by_depth(Group(78.2, 1.9), Group(38.7, 2.8)), method=_INVENTORY
        ),
    ],
    ("react", "alfworld"): [
        _adapts(2, "ReAct", "60", _SKILLS, 43.3, 33.3, 67.7, 43.5, 33.3, 55.6, 11.8),
        _adapts(8, "ReAct", "60", _OF_ITS_TYPE, 56.7, 66.7, 41.9, 47.8, 80.9, 83.3, 23.5),
    ],
    ("adapt", "alfworld"): [
        _adapts(2, "ADaPT", "3 x 20", {**_SKILLS, **_LAST}, 71.6, 87.5, 80.6, 60.8, 76.2, 61.1, 52.9),
        _adapts(8, "ADaPT", "3 x 20", {**_OF_ITS_TYPE, **_LAST}, 79.8, 91.7, 67.7, 78.3, 81.0, 100, 64.7),
    ],
    ("autoplan", "alfworld"): [
        _autoplans(3, "ReAct, 0 shots", "none")._replace(groups=_by_type(92, 87, 35, 71, 94, 59)),
        _autoplans(3, "ReAct, 2 shots", "task")._replace(groups=_by_type(100, 100, 91, 96, 100, 76)),
        _learns(_autoplans(3, "AutoPlan", "none"))._replace(groups=_by_type(100, 97, 96, 90, 100, 82)),
        _autoplans(4, "ReAct, 2 shots", "task")._replace(usd=Cost(3)),
        _learns(_autoplans(4, "AutoPlan", "none"))._replace(usd=Cost(1.6, training=1.8)),
    ],
}
"""What a paper prints for all tasks is never made up or corrected from its groups.

ADaPT's ReAct on TextCraft had 60 calls in table 4 (appendix A; section 4.2's factor dmax would be 80), and in table 7,
to which that factor is not applied, the executor's 20. LDM2's ReAct on ALFWorld is left out: its budget is not printed.
"""


def published(record: RunRecord) -> tuple[Published, ...]:
    """Papers' figures for the same method on the same tasks, all of them or all of one type, with the same budget.

    No paper was given a plan to begin with, nor ran with one that was learnt elsewhere.
    """
    found = _entries(record)
    task_type = record.configuration.run.task_type
    if task_type is None:
        return tuple(each for each in found if not each.apart and agrees(each, record))
    of_type = [of_one_type(each, task_type) for each in found if task_type in each.groups.get(TASK_TYPE, {})]
    return tuple(each for each in of_type if agrees(each, record))


def published_together(records: Sequence[RunRecord]) -> tuple[Published, ...]:
    """Papers' figures for runs that are an experiment together: one run for every type of task."""
    by_type = {record.configuration.run.task_type: record for record in records}
    found = _entries(records[0]) if records else ()
    return tuple(
        each
        for each in found
        if each.apart
        and by_type.keys() == each.sizes.keys()
        and all(agrees(of_one_type(each, kind), by_type[kind]) for kind in each.sizes)
    )


def _entries(record: RunRecord) -> Sequence[Published]:
    config = record.configuration
    return PUBLISHED.get((config.method.name, config.environment.name), ())


def of_one_type(found: Published, task_type: str) -> Published:
    """What is printed for the tasks of one type, which is no cost."""
    groups = {fact: {task_type: group[task_type]} for fact, group in found.groups.items() if fact == TASK_TYPE}
    return found._replace(tasks=found.sizes[task_type], success=None, groups=groups, usd=None)


def agrees(found: Published, record: RunRecord) -> bool:
    """Whether a run has an experiment's tasks, budget and options, those that matter."""
    config = record.configuration
    return (
        (found.split, found.tasks) == (config.run.split, len(record.tasks))
        and not isinstance(config.run.tasks, tuple)
        and found.budget == record.budget
        and not record.plan
        and _as_in(found.method, config.method.options)
        and _as_in(found.environment, config.environment.options)
        and _learns_as(found.learning, record)
        and (not found.named or all(re.fullmatch(found.named, task.name) for task in record.tasks))
    )


def _learns_as(papers: Mapping[str, Any], record: RunRecord) -> bool:
    learning = record.configuration.learning
    if learning is None:
        return not papers
    return bool(papers) and _as_in(papers, learning.options)


def _as_in(papers: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    return all(ours.get(name) == value for name, value in papers.items())
