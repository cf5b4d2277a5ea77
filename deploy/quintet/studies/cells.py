"""A study as a matrix: a cell for every arm, by its level on each axis, with its state, score and runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from quintet.reports.intervals import Estimate
from quintet.reports.load import RunReport
from quintet.reports.summary import NO_TASKS
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import by_arm, versions
from quintet.studies.definition import Study, recorded_study
from quintet.studies.seeds import pool_seeds

CellState: TypeAlias = Literal["not begun", "unfinished", "faulted", "done"]
"""`unfinished`: an episode has not ended, with any seed. `faulted`: all ended, some by a fault."""

ARM = "arm"
"""The axis of a study without a grid."""


class StudyCell(NamedTuple):
    """An arm with all its seeds."""

    name: str
    """Of the arm."""
    levels: tuple[str, ...]
    """Its level on each axis, in the order of the axes."""
    state: CellState
    folders: Mapping[int, Path]
    """By seed, the folders of its runs that have begun."""
    seeds: tuple[int, ...]
    """All of them, begun or not."""
    ended: int
    """How many episodes have a result."""
    faulted: int
    episodes: int
    """How many it has in all; 0 before the first of its runs begins."""
    success: Estimate | None
    """Over tasks, pooled over seeds and epochs; None: no episode ended, or its runs cannot be pooled."""
    score: Estimate | None
    """The mean reward, where an episode of the study earned a part of one."""
    run: RunReport | None
    """Its runs, pooled; None as for success."""


class StudyMatrix(NamedTuple):
    """The cells of a study."""

    axes: Mapping[str, tuple[str, ...]]
    """The levels of each axis, in order. A study without a grid has the axis `arm`, and that of its `over`."""
    cells: tuple[StudyCell, ...]
    """In the order of the definition; a combination without a cell is left out."""
    notes: tuple[str, ...] = ()
    """Why runs are not pooled over seeds, and what to set."""


def study_matrix(folder: StudyFolder, runs: Sequence[RunReport]) -> StudyMatrix:
    """The cells of a study, also while it runs.

    Args:
        folder: the study's.
        runs: those of its arms that have begun, and of versions that are shown as arms, as `load_report` reads them.
    """
    study = recorded_study(folder)
    placed = _levels(study)
    axes: dict[str, tuple[str, ...]] = {
        axis: tuple(dict.fromkeys(levels[axis] for levels in placed.values() if axis in levels))
        for axis in dict.fromkeys(axis for levels in placed.values() for axis in levels)
    }
    pooled, notes = pool_seeds(study, runs)
    has_scores = any(run.summary.has_scores for run in pooled)
    results: dict[str, list[RunReport]] = {}
    for run in pooled:
        results.setdefault(run.arm, []).append(run)
    learnt, repeated = versions(study), _by_seed(folder, study)
    cells: list[StudyCell] = []
    for name, levels in placed.items():
        arms = repeated[learnt[name].arm if name in learnt else name]
        shown = [name] if name in learnt else dict.fromkeys([name, *arms.values()])
        found = [run for arm in shown for run in results.get(arm, ())]
        at = tuple(levels.get(axis, "") for axis in axes)
        cells.append(_cell(folder, name, at, arms, found, has_scores=has_scores))
    return StudyMatrix(axes, tuple(cells), notes)


def _levels(study: Study) -> dict[str, Mapping[str, str]]:
    """By the name of each arm and version, its level on each axis that it is on."""
    if study.grid:
        return {name: cell.levels for name, cell in study.cells.items()}
    found: dict[str, Mapping[str, str]] = {}
    over = study.over
    repeated = {} if over is None else dict.fromkeys(study.compared)
    shown = [*repeated, *(name for name in (*study.versions, *study.arms) if name not in repeated)]
    for name in shown:
        if over is not None and name in repeated:
            for value in over.values:
                found[over.arm(name, value)] = {ARM: name, over.label: f"{value:g}"}
        else:
            found[name] = {ARM: name}
    return found


def _cell(
    folder: StudyFolder,
    name: str,
    levels: tuple[str, ...],
    arms: Mapping[int, str],
    runs: Sequence[RunReport],
    *,
    has_scores: bool,
) -> StudyCell:
    begun = {seed: folder.arm_path(arm) for seed, arm in arms.items() if folder.begun(arm)}
    whole = runs and len(begun) == len(arms) and not any(run.summary.unfinished for run in runs)
    faulted = sum(run.summary.faulted for run in runs)
    run = runs[0] if len(runs) == 1 else None
    overall = NO_TASKS if run is None else run.summary.overall
    return StudyCell(
        name,
        levels,
        ("faulted" if faulted else "done") if whole else "unfinished" if begun else "not begun",
        begun,
        tuple(arms),
        sum(run.summary.ended for run in runs),
        faulted,
        sum(run.results.episodes for run in runs) // len(begun) * len(arms) if begun else 0,
        overall.success,
        overall.score if has_scores else None,
        run,
    )


def _by_seed(folder: StudyFolder, study: Study) -> dict[str, dict[int, str]]:
    """By the name of each arm, the arms that repeat it, by seed."""
    named = [(name, config.run.seed) for name, config in folder.record.arms.items()]
    if not study.seeds:  # a name that ends like that of a repeated arm is its own
        return {name: {seed: name} for name, seed in named}
    return {arm: dict(runs) for arm, runs in by_arm((name, seed, (seed, name)) for name, seed in named).items()}
