"""The runs of an arm with several seeds, as one run whose epochs are all of theirs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from quintet.events import Ending
from quintet.journal.note_recalls import sum_recalls
from quintet.quota.cost import NOTHING, Cost, total
from quintet.reports.episodes import RunResults
from quintet.reports.load import RunReport, condition_difference
from quintet.reports.rows import Repeats, RowState, TaskResult
from quintet.reports.summary import summarise
from quintet.reports.trials import RunTrials
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import by_arm
from quintet.studies.definition import CurveFindings, Study


class PooledRuns(NamedTuple):
    """The runs of a study, one for each arm."""

    runs: tuple[RunReport, ...]
    """In order. The runs of an arm that cannot be pooled are there one by one."""
    notes: tuple[str, ...] = ()
    """Why they cannot, and what to set."""


def runs_by_arm(runs: Iterable[RunReport]) -> dict[str, list[RunReport]]:
    """The runs of each arm of a study that repeats them by seed, by its name without a seed."""
    return by_arm((run.arm, _seed(run), run) for run in runs)


def arms_without_runs(folder: StudyFolder) -> list[str]:
    """The arms of a study that repeats them whose runs have not all begun: `ARM`, `ARM (2 of 3 seeds)`."""
    begun = by_arm((name, config.run.seed, folder.begun(name)) for name, config in folder.record.arms.items())
    return [
        f"{arm} ({len(runs) - sum(runs)} of {len(runs)} seeds)" if any(runs) else arm
        for arm, runs in begun.items()
        if not all(runs)
    ]


def pool_seeds(study: Study, runs: Sequence[RunReport]) -> PooledRuns:
    """Pool the runs of every arm of a study, if it repeats them. A task's episodes with all seeds are its epochs.

    Curves have the runs of a group one by one. Runs that are pooled already stay as they are.
    """
    if not study.seeds or isinstance(study.findings, CurveFindings):
        return PooledRuns(tuple(runs))
    seeds = sorted({_seed(run) for run in runs})
    epochs = max((run.summary.record.configuration.run.epochs for run in runs), default=1)
    places = {seed: place * epochs for place, seed in enumerate(seeds)}
    found: list[RunReport] = []
    refused: dict[str, list[str]] = {}
    for arm, repeated in runs_by_arm(runs).items():
        if repeated[0].seeds or arm in study.given.values():
            found += repeated  # pooled already, or reported by what others are given of them
        elif why := _obstacle(repeated):
            found += repeated
            refused.setdefault(why, []).append(arm)
        else:
            found.append(_pooled(arm, repeated, places))
    return PooledRuns(
        tuple(found), tuple(f"{', '.join(arms)}: not pooled over seeds: {why}" for why, arms in refused.items())
    )


def _seed(run: RunReport) -> int:
    return run.summary.record.configuration.run.seed


def _obstacle(runs: Sequence[RunReport]) -> str:
    """Why runs cannot be pooled, and what to set; empty: they can."""
    first, *others = (run.summary.record for run in runs)
    if first.learns:
        return 'runs that learn are pooled by version, in a study of arms with [findings] kind = "curves" and groups'
    for other in others:
        if (found := condition_difference(first, other, but=("run.seed",))) is not None:
            return f"{found.key} is {found.ours} and {found.theirs}; set it to one value in [common]"
    return ""


def _pooled(arm: str, runs: Sequence[RunReport], places: Mapping[int, int]) -> RunReport:
    found = _joined([run.results for run in runs], [places[_seed(run)] for run in runs])
    pooled = tuple((run.results.folder, places[_seed(run)]) for run in runs)
    label = runs[0].label.removesuffix(runs[0].arm) + arm
    return replace(
        runs[0],
        label=label,
        arm=arm,
        results=found,
        summary=summarise(found),
        seeds=tuple(map(_seed, runs)),
        pooled=pooled,
    )


def _joined(runs: Sequence[RunResults], places: Sequence[int]) -> RunResults:
    """The results of runs together; the first epoch of each is at its place."""
    charged = [run.charged for run in runs if run.charged is not None]
    return replace(
        runs[0],
        tasks=tuple(_task(tasks, places) for tasks in zip(*(run.tasks for run in runs), strict=True)),
        rows=tuple(row for run in runs for row in run.rows),
        episodes=sum(run.episodes for run in runs),
        states=sum((run.states for run in runs), Counter[RowState]()),
        begun_rows=sum(run.begun_rows for run in runs),
        seconds=sum(run.seconds for run in runs),
        phases=_phases(run.phases for run in runs),
        repeats=Repeats(*map(sum, zip(*(run.repeats for run in runs), strict=True))),
        by_hand=tuple(path for run in runs for path in run.by_hand),
        interrupted=sum(run.interrupted for run in runs),
        faults=sum((run.faults for run in runs), Counter[str]()),
        charged=total(charged) if charged else None,
        unanswered=sum((run.unanswered for run in runs), Counter[Ending]()),
        free=sum(run.free for run in runs),
        bounded=sum(run.bounded for run in runs),
        note_recalls=sum_recalls(row for run in runs for row in run.note_recalls),
        learnt_by=tuple(dict.fromkeys(each for run in runs for each in run.learnt_by)),
        without_verdict=sum(run.without_verdict for run in runs),
        fingerprints=tuple(dict.fromkeys(each for run in runs for each in run.fingerprints)),
        trials=_trials([run.trials for run in runs if run.trials is not None]),
        damage=tuple(dict.fromkeys(each for run in runs for each in run.damage)),
    )


def _task(repeated: Sequence[TaskResult], places: Sequence[int]) -> TaskResult:
    found = TaskResult(repeated[0].task)
    for each, place in zip(repeated, places, strict=True):
        found.rewards |= {place + epoch: reward for epoch, reward in each.rewards.items()}
        found.recalled |= {place + epoch: amount for epoch, amount in each.recalled.items()}
        for name, figures in each.figures.items():
            found.figures.setdefault(name, []).extend(figures)
        found.claimed += each.claimed
        found.unclaimed += each.unclaimed
        found.depth += each.depth
        found.cut_short += each.cut_short
        found.cost += each.cost
    return found


def _phases(runs: Iterable[Mapping[str, Cost]]) -> dict[str, Cost]:
    found: dict[str, Cost] = {}
    for phases in runs:
        for name, cost in phases.items():
            found[name] = found.get(name, NOTHING) + cost
    return found


def _trials(found: Sequence[RunTrials]) -> RunTrials | None:
    if not found:
        return None
    together = RunTrials(found[0].method, found[0].level)
    for trials in found:
        together.join(trials)
    return together
