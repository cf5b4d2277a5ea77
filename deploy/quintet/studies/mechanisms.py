"""In how many episodes each mechanism of a method acted at all, and the difference from the reference within those.

What events show is a mechanism for every method; others are declared by a method (`Method.mechanisms`).
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final, NamedTuple

import msgspec

from quintet.messages.message import Unanswered, request_name
from quintet.messages.planning import Decompose, RevisePlan
from quintet.messages.reflection import LookBack, Reflect
from quintet.reports.exports import estimate_content
from quintet.reports.intervals import Estimate, difference
from quintet.reports.load import Report, RunReport
from quintet.reports.text_tables import NONE, TextTable, percentage_points, share
from quintet.runs.ends import newest_at_tasks

_FEWEST = 5
"""Tasks of a difference that has an interval."""

_UNANSWERED = msgspec.json.encode(Unanswered(reason="")).decode().partition(",")[0]
"""How the reply begins to a request that no answer was found to."""


def _answered(*requests: str) -> str:
    named = ", ".join(f"'{each}'" for each in requests)
    is_answer = f"substr(reply, 1, {len(_UNANSWERED)}) <> '{_UNANSWERED}'"
    return f"id IN (SELECT episode FROM exchanges WHERE request IN ({named}) AND {is_answer})"


_LINES = """WITH own AS MATERIALIZED (SELECT id, episode, session, rtrim(path, '0123456789') AS line FROM steps),
    copy AS MATERIALIZED (SELECT id, episode, session, origin, rtrim(path, '0123456789') AS line FROM sessions
        WHERE origin IS NOT NULL)"""
"""Steps and copied sessions. A path without its last number is the same for all that one request asks itself.
Materialised, they are joined by an index."""

_WENT_BACK = f"""id IN ({_LINES}
    SELECT copy.episode FROM copy JOIN own AS other ON other.line = copy.line AND other.id < copy.id
    JOIN own AS there ON there.session = copy.session AND there.line = copy.line
    WHERE other.session <> copy.session
) OR id IN ({_LINES}
    SELECT copy.episode FROM copy JOIN own AS other ON other.session = copy.origin AND other.id > copy.id
    JOIN own AS there ON there.session = copy.session AND there.id > other.id
)"""
"""It acted, and then in a copy of the world: one that it opened instead, or that it had made before it acted."""

MECHANISMS: Final[Mapping[str, str]] = {
    "decomposed": _answered(request_name(Decompose)),
    "plan revised": f"id IN (SELECT episode FROM trials WHERE revised) OR {_answered(request_name(RevisePlan))}",
    "reflected": _answered(request_name(Reflect), request_name(LookBack)),
    "further trial": "id IN (SELECT episode FROM trials WHERE number > 1)",
    "recalled": "id IN (SELECT episode FROM recalls WHERE ids <> '[]')",
    "acted in a copy": """id IN (SELECT episode FROM sessions
        WHERE origin IS NOT NULL AND session IN (SELECT session FROM steps))""",
    "went back": _WENT_BACK,
}
"""By name, an SQL condition over the view `episodes`: whether it acted in an episode."""


class MechanismEffect(NamedTuple):
    """What a mechanism did in an arm, beside the reference where it acted."""

    mechanism: str
    arm: str
    acted: int
    """Episodes with a result in which it acted at all."""
    episodes: int
    """With a result."""
    tasks: int = 0
    """With an episode in which it acted and that ended in the reference too; the rest is about those."""
    reward: tuple[float, float] | None = None
    """The mean over tasks, in the arm and in the reference; None: it is the reference, or there are none."""
    success: tuple[float, float] | None = None
    points: Estimate | None = None
    """The difference of success."""


def mechanism_effects(part: Report) -> list[MechanismEffect]:
    """All mechanisms that are known of any arm, in every arm."""
    declared: dict[str, str] = dict(MECHANISMS)
    for run in part.runs:
        declared |= run.summary.record.mechanisms
    references = {each.ours: each.theirs for each in part.compared}
    runs = {run.label: run for run in part.runs}
    acted = {run.label: _acted(run, declared) for run in part.runs}
    return [
        _effect(name, run, runs.get(references.get(run.label, "")), acted[run.label][name])
        for name in declared
        for run in part.runs
    ]


def _acted(run: RunReport, conditions: Mapping[str, str]) -> dict[str, set[tuple[str, int]]]:
    """By mechanism, the task and the epoch of the episodes in which it acted, as in the journal."""
    found: dict[str, set[tuple[str, int]]] = {name: set() for name in conditions}
    for folder, first in run.pooled or ((run.results.folder, 0),):
        with folder.read_journals() as opened:
            for _, reader in opened.journals:
                newest = newest_at_tasks(reader.episodes())
                for name, condition in conditions.items():
                    numbers = reader.episodes_where(condition)
                    places = (place for place, row in newest.items() if row.number in numbers)
                    found[name] |= {(task, first + epoch) for task, epoch in places}
    return found


def _effect(name: str, run: RunReport, reference: RunReport | None, acted: set[tuple[str, int]]) -> MechanismEffect:
    others = {} if reference is None else {task.task.name: task for task in reference.results.tasks}
    by_task: dict[str, list[tuple[float, float]]] = {}
    number = 0
    for ours in run.results.tasks:
        task, theirs = ours.task.name, others.get(ours.task.name)
        here = {epoch for epoch in ours.rewards if (task, ours.versions.get(epoch, epoch)) in acted}
        number += len(here)
        pairs = [] if theirs is None else [each for each in ours.pairs(theirs) if each[0] in here]
        if theirs is not None and pairs:
            by_task[task] = [(ours.rewards[mine], theirs.rewards[other]) for mine, other in sorted(pairs)]
    counted = MechanismEffect(name, run.label, number, sum(task.ended for task in run.results.tasks))
    if not by_task:
        return counted
    solved = [[(mine >= 1, other >= 1) for mine, other in pairs] for pairs in by_task.values()]
    return counted._replace(
        tasks=len(by_task), reward=_means([*by_task.values()]), success=_means(solved), points=difference(solved)
    )


def _means(by_task: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float]:
    """Ours and theirs; a task counts once."""
    ours, theirs = (fmean(fmean(pair[side] for pair in pairs) for pairs in by_task) for side in (0, 1))
    return ours, theirs


def mechanism_tables(effects: Sequence[MechanismEffect]) -> list[TextTable]:
    """One row for each mechanism in each arm in which it acted; none if none did."""
    rows = tuple(
        (
            each.mechanism,
            each.arm,
            f"{each.acted} of {each.episodes}",
            str(each.tasks),
            *_both(each.reward),
            *_both(each.success),
            _points(each),
        )
        for each in effects
        if each.acted
    )
    title = (
        "Mechanisms: in how many episodes each acted, and there reward x 100 and success beside the reference's "
        f"(95 % interval from {_FEWEST} tasks on; it often acts where a task is hard, so this is not what it adds)"
    )
    beside = ("reward", "reference's", "success", "reference's", "difference")
    return [TextTable(title, ("", "", "acted in", "n", *beside), rows, left=2)] if rows else []


def _both(means: tuple[float, float] | None) -> tuple[str, str]:
    return (NONE, NONE) if means is None else (share(means[0]), share(means[1]))


def _points(effect: MechanismEffect) -> str:
    if effect.points is not None and effect.tasks < _FEWEST:
        return f"{100 * effect.points.value:+.0f}"
    return percentage_points(effect.points)


def mechanism_content(effects: Sequence[MechanismEffect]) -> list[dict[str, Any]]:
    """The same for programs, those without any effect included."""
    return [
        {
            **each._asdict(),
            "reward": _named(each.reward),
            "success": _named(each.success),
            "points": _points_content(each),
        }
        for each in effects
    ]


def _points_content(effect: MechanismEffect) -> Mapping[str, float | None] | None:
    points = estimate_content(effect.points)
    return points if points is None or effect.tasks >= _FEWEST else {**points, "low": None, "high": None}


def _named(means: tuple[float, float] | None) -> dict[str, float] | None:
    return None if means is None else {"arm": means[0], "reference": means[1]}
