"""Prepares a run that scores stored episodes anew."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from quintet.config.objects import take_objects
from quintet.config.sections import METHOD_MODEL_ROLES
from quintet.config.settings import Settings, from_table
from quintet.errors import UsageError
from quintet.journal.episode_rows import EpisodeRow
from quintet.launch.prepare import Prepared, prepare_named
from quintet.launch.refusals import refuse_sharded
from quintet.messages.paths import episode_path
from quintet.plugins.functions import find_function
from quintet.rescoring.scoring import JudgeAnew, ScoreAnew, StoredEpisodes, task_of
from quintet.roles.question_roles import JUDGE_ROLE, WORLD_ROLE_NAMES
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.record import RunRecord, ScoredRun, StoredScore
from quintet.runs.run_folder import RunFolder

_ROLES: Final = "|".join(sorted({*METHOD_MODEL_ROLES, *WORLD_ROLE_NAMES}))
_TAKEN: Final = re.compile(rf"model\.(?!({_ROLES})\.)|limits\.|runtime\.|run\.keep_going$")
"""Settings that hold here too; the others are of what is played."""


def prepare_rescoring(
    layers: Sequence[Settings], run: Path, *, judge: object = None, scorer: str | None = None, where: str = ""
) -> Prepared:
    """Choose episodes of a run, and prepare the run that scores them anew.

    Args:
        layers: settings, later ones overriding earlier ones.
        run: the folder of the run that has them.
        judge: a model that says which of them succeeded: its name, or an object.
        scorer: in its place, `FILE.py:F`, a function that scores them.
        where: as `choose_episodes` has it.

    Raises:
        UsageError: something is missing or wrong; says what was expected, got, and where.
    """
    if (judge is None) == (scorer is None):
        got = "neither" if judge is None else "both"
        raise UsageError(f"rescore: expected one of --judge MODEL and --scorer FILE.py:F, got {got}")
    stored = RunFolder.open_to_read(run)
    if stored.record.scored is not None:
        raise UsageError(f"rescore: expected a run that played its episodes, got scores of {stored.record.scored.run}")
    rows = choose_episodes(stored, where)
    now = ""
    tables: dict[str, Any] = {
        "method": {"name": JudgeAnew, **_of(stored), "episodes": _elsewhere(rows)},
        "environment": {"name": StoredEpisodes, "run": str(run)},
        "run": {"tasks": [task_of(row) for row in rows]},
    }
    if judge is not None:
        tables["model"] = {"name": judge}
    if scorer is not None:
        found = find_function(scorer, "--scorer")
        tables["method"] |= {"name": ScoreAnew, "scorer": found.place, "sha256": found.sha256}
        now = f"scorer {found.place} (SHA-256 {found.sha256[:12]})"
    kept = [{key: setting for key, setting in layer.items() if _TAKEN.match(key)} for layer in layers]
    prepared = prepare_named(*take_objects([*kept, from_table(tables, "rescore")]))
    refuse_sharded(prepared.record)
    scored = ScoredRun(
        run=stored.path.absolute(),
        where=where,
        before=_scored_by(stored.record),
        now=now or f"judge {prepared.record.model}",
        scores=tuple(StoredScore(task=task_of(row), episode=row.path, reward=row.reward or 0.0) for row in rows),
    )
    return replace(prepared, record=prepared.record.model_copy(update={"scored": scored}))


def _of(run: RunFolder) -> Mapping[str, str]:
    return {"run": str(run.path), "created": run.record.created.isoformat()}


def _elsewhere(rows: Sequence[EpisodeRow]) -> Mapping[str, str]:
    """By task, the stored episode where it is not the first attempt in the first epoch."""
    return {task_of(row): row.path for row in rows if row.path != episode_path(task_of(row), 0, 0)}


def _scored_by(record: RunRecord) -> str:
    judge = record.models.get(JUDGE_ROLE.name)
    return f"world {record.configuration.environment.name}" + ("" if judge is None else f", judge {judge}")
