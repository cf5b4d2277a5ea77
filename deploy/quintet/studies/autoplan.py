"""`autoplan`: AutoPlan's tables 3 and 4 on ALFWorld: a plan for each type of task, beside its ReAct.

That ReAct is AutoPlan's executor with examples in place of a plan; without any it is version 0 of every plan.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quintet.config.tasks import TASK_TYPE
from quintet.reports.intervals import Estimate, rate
from quintet.reports.learning.costs import COST_READING, Phase, cost_row, costs_table, phases
from quintet.reports.learning.export import bill_content, estimate_content
from quintet.reports.load import Reported
from quintet.reports.published import TASK_TYPES, Published, published_together
from quintet.reports.published_block import published_block, published_content
from quintet.reports.rows import EpisodeRow, total
from quintet.reports.summary import shares
from quintet.reports.wording import NONE, TextTable, counted, percent
from quintet.studies.definition import Arm, Findings, Study

SHOTS: Mapping[int, str] = {0: "none", 2: "task"}
"""By how many examples ReAct is shown, what the executor's option says."""

_PLANS: Mapping[str, str] = {kind: f"autoplan-{kind.replace(' ', '-')}" for kind in TASK_TYPES}
"""The arm of each type of task."""


class _Row(NamedTuple):
    """Arms that are reported together."""

    label: str
    runs: Sequence[Reported]
    """Of the arms that have begun."""
    papers: Sequence[Published]
    """The paper's figures for the same; none where tasks, budget or options differ from the paper's."""


def _findings(arms: Mapping[str, Reported]) -> Findings:
    rows = [row for row in _rows(arms) if row.runs]
    return Findings(
        tables=[_success(rows), _costs(rows), *published_block(each for row in rows for each in row.papers)],
        notes=[COST_READING],
        content={"rows": [_content(row) for row in rows]},
    )


def _rows(arms: Mapping[str, Reported]) -> list[_Row]:
    shots = {number: [run for arm, run in arms.items() if arm == f"react-{number}"] for number in SHOTS}
    react = [
        _Row(f"react, {counted(number, 'shot')}", runs, [each for run in runs for each in run.summary.published])
        for number, runs in shots.items()
    ]
    plans = [arms[arm] for arm in _PLANS.values() if arm in arms]
    return [*react, _Row("autoplan", plans, published_together([run.summary.record for run in plans]))]


def _success(rows: Sequence[_Row]) -> TextTable:
    cells: list[tuple[str, ...]] = []
    for row in rows:
        found = [_rate(row.runs, kind) for kind in ("", *TASK_TYPES)]
        cells.append((row.label, str(_ended(row.runs)), *(NONE if each is None else percent(each) for each in found)))
    headings = (f"{kind or 'all'}\n{counted(len(_tasks(rows, kind)), 'task')}" for kind in ("", *TASK_TYPES))
    return TextTable("Success in percent (95 % interval)", ("", "n", *headings), tuple(cells))


def _rate(runs: Sequence[Reported], kind: str) -> Estimate | None:
    """Of all tasks of a type, or with none named of all."""
    found = shares(_episodes(runs, kind))
    return rate(list(found.values())) if found else None


def _episodes(runs: Sequence[Reported], kind: str) -> list[EpisodeRow]:
    return [row for run in runs for row in run.results.rows if kind in ("", row.metadata.get(TASK_TYPE))]


def _ended(runs: Sequence[Reported]) -> int:
    """How many tasks came to a result."""
    return len(shares(_episodes(runs, "")))


def _tasks(rows: Sequence[_Row], kind: str) -> set[str]:
    return {episode.task for row in rows for episode in _episodes(row.runs, kind)}


def _costs(rows: Sequence[_Row]) -> TextTable:
    return costs_table([cost_row(row.label, *_phases(row.runs)) for row in rows])


def _phases(runs: Sequence[Reported]) -> tuple[Phase, Phase]:
    training, inference = zip(*(phases(run) for run in runs), strict=True)
    return _joined(training), _joined(inference)


def _joined(parts: Sequence[Phase]) -> Phase:
    return Phase(total([part.bill for part in parts]), sum(part.tasks for part in parts))


def _content(row: _Row) -> dict[str, Any]:
    training, inference = _phases(row.runs)
    return {
        "row": row.label,
        "success": {
            kind or "all": None if (found := _rate(row.runs, kind)) is None else estimate_content(found)
            for kind in ("", *TASK_TYPES)
        },
        "training": {**bill_content(training.bill), "tasks": training.tasks},
        "inference": {**bill_content(inference.bill), "tasks": inference.tasks},
        "papers": [published_content(each) for each in row.papers],
    }


AUTOPLAN_STUDY = Study(
    name="autoplan",
    summary="AutoPlan with a plan for each of ALFWorld's six types of task, beside its executor with 0 and 2 examples",
    common={
        "environment.name": "alfworld",
        "environment.causes": True,
        "run.split": "valid_unseen",
        "method.max_steps": 35,
        "learning.eval_every": 0,
    },
    arms=(
        *(
            Arm(f"react-{shots}", {"method.name": "autoplan", "method.demonstrations": shown})
            for shots, shown in SHOTS.items()
        ),
        *(
            Arm(name, {"method.name": "autoplan", "run.learn": True, "run.task_type": kind})
            for kind, name in _PLANS.items()
        ),
    ),
    findings=_findings,
)
