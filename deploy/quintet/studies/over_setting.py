"""The results of arms over the values of a setting: success, differences and calls, with a column for each value."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from quintet.config.settings import flatten
from quintet.reports.exports import estimate_content
from quintet.reports.intervals import Estimate
from quintet.reports.load import RunReport
from quintet.reports.notes import assumptions, declarations
from quintet.reports.summary import Difference, TaskGroup, differences
from quintet.reports.text_tables import NONE, TextTable, number, percent, percentage_points
from quintet.reports.trials import TrialMeans
from quintet.studies.definition import OverSetting, Study
from quintet.studies.panels import LineFigure
from quintet.studies.pooled import joint_rate, joint_score


class SettingPoint(NamedTuple):
    """The result of an arm at one value."""

    success: Estimate
    score: float | None
    """The mean reward x 100; None where no episode earned a part of its reward."""
    tasks: int
    """The number of episodes counted; faulted and unfinished ones are not."""
    calls: float
    """Per episode, mean."""
    trials: TrialMeans | None
    """None without trials, and of arms that are counted together."""

    @property
    def means(self) -> Mapping[LineFigure, float | None]:
        """All but success; None where an arm has no such figure."""
        actions, revisions = (None, None) if self.trials is None else (self.trials.actions, self.trials.revisions)
        return {"score": self.score, "calls": self.calls, "actions": actions, "plan_revisions": revisions}


MEANS: Final[Mapping[LineFigure, tuple[str, str]]] = {
    "score": ("Score (mean reward x 100)", ".1f"),
    "calls": ("Model calls per episode, mean", ".1f"),
    "actions": ("Actions in a trial, mean", ".2f"),
    "plan_revisions": ("Plan revisions per episode, mean", ".2f"),
}
"""The title of each mean, and its format."""

_PointT = TypeVar("_PointT", bound=SettingPoint | Difference)


def over_rows(study: Study) -> Mapping[str, tuple[str, ...]]:
    """By the name of a row or line, the arms that are counted together at each value."""
    return study.pooled or {name: (name,) for name in study.compared}


def setting_points(
    arms: Mapping[str, RunReport], over: OverSetting, members: Sequence[str], group: TaskGroup = ("", "")
) -> dict[float, SettingPoint]:
    """The points of arms that are counted together, by value, where an episode ended.

    Success is that on a group of tasks, by default all; calls are those of all tasks.
    """
    by_value = {value: [over.arm(name, value) for name in members] for value in over.values}
    found = {value: _point([arms[arm] for arm in names if arm in arms], group) for value, names in by_value.items()}
    return {value: point for value, point in found.items() if point is not None}


def _point(runs: Sequence[RunReport], group: TaskGroup) -> SettingPoint | None:
    success = joint_rate(runs, *group)
    if success is None:
        return None
    calls = sum(run.results.counted.calls for run in runs) / sum(run.summary.ended for run in runs)
    trials = runs[0].results.trials if len(runs) == 1 else None
    tasks = sum(run.summary.overall.tasks for run in runs)
    mean = joint_score(runs, *group) if any(run.summary.has_scores for run in runs) else None
    score = None if mean is None else 100 * mean.value
    return SettingPoint(success, score, tasks, calls, None if trials is None else trials.means)


def over_tables(
    study: Study, over: OverSetting, arms: Mapping[str, RunReport]
) -> tuple[list[TextTable], dict[str, Any]]:
    """Success, its paired differences from the reference arm if the study has one, and the means that arms have.

    Returns:
        The tables, and the same for programs.
    """
    key = over.label.replace(" ", "_")
    points = {name: setting_points(arms, over, members) for name, members in over_rows(study).items()}
    tables = [_table("Success in percent (95 % interval)", over, points, lambda point: percent(point.success))]
    rates = {name: [_content(key, value, point) for value, point in found.items()] for name, found in points.items()}
    content: dict[str, Any] = {"methods": [{"method": name, "rates": found} for name, found in rates.items()]}
    if reference := study.reference:
        paired = _differences(study, over, arms)
        named = {f"{name} - {reference}": found for name, found in paired.items()}
        title = f"Success less that of {reference}, in percentage points (95 % interval, paired)"
        tables.append(_table(title, over, named, lambda found: percentage_points(found.points)))
        content["differences"] = [
            {
                "method": name,
                "from": reference,
                "rates": [
                    {key: value, "tasks": each.tasks, "points": estimate_content(each.points)}
                    for value, each in found.items()
                ],
            }
            for name, found in paired.items()
        ]
    means = [point.means for found in points.values() for point in found.values()]
    for figure, (title, form) in MEANS.items():
        if any(each[figure] is not None for each in means):
            tables.append(_table(title, over, points, partial(_mean_cell, figure, form)))
    return tables, content


def _mean_cell(figure: LineFigure, form: str, point: SettingPoint) -> str:
    return number(point.means[figure], form)


def over_notes(study: Study, over: OverSetting, arms: Mapping[str, RunReport]) -> Iterator[str]:
    """The settings of each arm, what it uses rewards for, and the assumption behind a simulated model's figures."""
    for name, settings in study.arms.items():
        yield f"{name}: {', '.join(_describe(settings))}"
        runs = (arms.get(over.arm(name, value)) for value in over.values)
        declared = dict.fromkeys(text for run in runs if run is not None for text in declarations(run.summary.record))
        yield from (f"{name}: {text}" for text in declared)
    yield from (f"{name}: version {learnt.version} of {learnt.arm}" for name, learnt in study.versions.items())
    yield from assumptions(run.summary.record for run in arms.values())


def _differences(study: Study, over: OverSetting, arms: Mapping[str, RunReport]) -> dict[str, dict[float, Difference]]:
    """By arm and value, the paired difference from the reference arm at the same value."""
    found: dict[str, dict[float, Difference]] = {}
    for name in study.compared:
        if name != study.reference:
            pairs = {value: (over.arm(name, value), over.arm(study.reference, value)) for value in over.values}
            found[name] = {
                value: paired
                for value, (ours, theirs) in pairs.items()
                if ours in arms
                and theirs in arms
                and (paired := differences(arms[ours].results, arms[theirs].results).get(("", "")))
            }
    return found


def _describe(settings: Mapping[str, Any]) -> Iterator[str]:
    for key, value in flatten(settings):
        option = key.removeprefix("method.")
        yield value if option == "name" else f"{option} {value}"


def _table(
    title: str, over: OverSetting, rows: Mapping[str, Mapping[float, _PointT]], cell: Callable[[_PointT], str]
) -> TextTable:
    cells = tuple(
        (name, _tasks(found.values()), *(cell(found[value]) if value in found else NONE for value in over.values))
        for name, found in rows.items()
    )
    return TextTable(f"{title}, by {over.label}", ("", "n", *(f"{value:g}" for value in over.values)), cells)


def _tasks(figures: Iterable[SettingPoint | Difference]) -> str:
    """How many tasks the figures are of: `200`, or `198 to 200` if values differ."""
    counts = sorted({figure.tasks for figure in figures})
    if not counts:
        return NONE
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _content(key: str, value: float, point: SettingPoint) -> dict[str, Any]:
    return {
        key: value,
        "tasks": point.tasks,
        "success": estimate_content(point.success),
        "score": point.score,
        "calls": point.calls,
        "trials": None if point.trials is None else point.trials._asdict(),
    }
