"""Trials as tables: success by trial, actions and plan revisions, and steps per plan."""

from collections.abc import Sequence

from quintet.reports.episodes import RunResults
from quintet.reports.text_tables import TextTable, number, percent
from quintet.reports.trials import RunTrials

_MOST_COLUMNS = 10
"""Of trials, or of numbers of steps."""


def trial_tables(runs: Sequence[tuple[str, RunResults]]) -> list[TextTable]:
    """Success by trial, actions and plan revisions, and steps per plan; none of what no run has."""
    found = [(label, results, trials) for label, results in runs if (trials := results.trials) is not None]
    tables: list[TextTable] = []
    if any(trials.most > 1 for _, _, trials in found):
        tables.append(_success(found))
    if found:
        tables.append(_actions([(label, trials) for label, _, trials in found]))
    if any(trials.plan_steps for _, _, trials in found):
        tables.append(_plans([(label, trials) for label, _, trials in found]))
    return tables


def _success(found: Sequence[tuple[str, RunResults, RunTrials]]) -> TextTable:
    shown = _spread(max(trials.most for _, _, trials in found))
    rows: list[tuple[str, ...]] = []
    for label, results, trials in found:
        success = results.success_by_trial
        # After its last trial, a method has solved what it has solved.
        cells = (percent(success[min(number, trials.most) - 1]) for number in shown)
        rows.append((label, str(sum(task.ended > 0 for task in results.tasks)), *cells))
    columns = ("", "n", *(f"trial {number}" for number in shown))
    return TextTable("Success by trial, in percent (95 % interval)", columns, tuple(rows))


def _spread(most: int) -> list[int]:
    """Numbers from 1 up to a greatest one, at most as many as a table has columns."""
    return [*range(1, min(most, _MOST_COLUMNS)), most]


def _actions(found: Sequence[tuple[str, RunTrials]]) -> TextTable:
    planned = any(trials.plan_steps for _, trials in found)
    columns = ("", "n", "trials", "actions, first trial", "actions, last trial", *["plan revisions"] * planned)
    rows: list[tuple[str, ...]] = []
    for label, trials in found:
        means = trials.means
        figures = (f"{mean:.2f}" for mean in (means.trials, means.first_actions, means.last_actions))
        rows.append((label, str(trials.episodes), *figures, *[number(means.revisions, ".2f")] * planned))
    return TextTable("Trials of an episode, and actions in a trial, mean", columns, tuple(rows))


def _plans(found: Sequence[tuple[str, RunTrials]]) -> TextTable:
    planned = [(label, trials) for label, trials in found if trials.plan_steps]
    least = min(min(trials.plan_steps) for _, trials in planned)
    most = max(max(trials.plan_steps) for _, trials in planned)
    last = min(most, least + _MOST_COLUMNS - 1)
    rows: list[tuple[str, ...]] = []
    for label, trials in planned:
        plans = trials.plan_steps.total()
        counts = [trials.plan_steps[steps] for steps in range(least, last)]
        counts.append(plans - sum(counts))
        mean = sum(steps * count for steps, count in trials.plan_steps.items()) / plans
        rows.append((label, str(plans), f"{mean:.1f}", *(f"{100 * count / plans:.0f}" for count in counts)))
    headings = [*map(str, range(least, last)), f"{last}{' or more' * (most > last)}"]
    return TextTable("Steps per plan, in percent of plans", ("", "plans", "mean", *headings), tuple(rows))
