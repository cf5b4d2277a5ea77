"""Writes the episodes of runs as ATIF files, one at a time, so that a run of any length takes the memory of one."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from atif import Agent

from quintet.atif.trajectory import PlayedEpisode, to_trajectory
from quintet.export.folder import export_folder
from quintet.export.read import ExportedRun, exported_runs, snapshots_of, task_entries
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import JournalReader
from quintet.runs.run_folder import PartJournal

SUFFIX: Final = ".atif.json"
"""Of the name of a file."""

RECORD_FILE: Final = "quintet-run.json"
"""Beside the files of a run: its record, from which an import makes a run with the same report."""

_LONGEST_NAME = 80
"""Characters of a task's name in that of its file."""


class WrittenTrajectories(NamedTuple):
    """The result of an export."""

    files: dict[str, int]
    """How many were written, by run."""
    pictures: int
    """How many pictures of worlds were left out."""
    damage: Sequence[str]
    """What could not be read, and is missing."""


def write_trajectories(path: Path, out: Path) -> WrittenTrajectories:
    """Write a file for each attempt of a run, or of all runs of a study in a folder each, even while they are running.

    Args:
        out: a new or empty folder; parents are created.

    Raises:
        UsageError: there is no run, `out` cannot be used, or the run was resumed meanwhile.
    """
    found = exported_runs(path)
    files: dict[str, int] = {}
    pictures = 0
    with export_folder(out, "--atif") as folder:
        for run in found:
            place = folder if run.arm is None else folder / run.arm
            place.mkdir(exist_ok=True)
            prices = {"prices": run.folder.prices}
            (place / RECORD_FILE).write_text(run.folder.record.model_copy(update=prices).model_dump_json(indent=2))
            with closing(snapshots_of(run)) as journals:
                for number, episode in enumerate(_episodes(run, journals), 1):
                    name = re.sub(r"[^\w.-]+", "-", episode.path)[:_LONGEST_NAME].strip("-.")
                    written = to_trajectory(episode).model_dump_json(exclude_none=True, indent=1)
                    (place / f"{number:06}-{name}{SUFFIX}").write_text(written, encoding="utf-8")
                    pictures += episode.pictures
                    files[run.name] = number
    return WrittenTrajectories(files, pictures, [each for run in found for each in run.damage])


def _episodes(run: ExportedRun, journals: Iterator[PartJournal]) -> Iterator[PlayedEpisode]:
    for _, reader in journals:
        for row in reader.episodes():
            yield played_episode(run, reader, row)


def played_episode(run: ExportedRun, reader: JournalReader, row: EpisodeRow) -> PlayedEpisode:
    """An attempt of a run, to write."""
    record = run.folder.record
    entry = task_entries(record).get(row.task)
    pictures = len(reader.pictures(row.path))
    about: dict[str, Any] = {
        "run": run.name,
        "created": record.created.isoformat(),
        "method": record.label,
        "environment": record.configuration.environment.name,
        "split": record.configuration.run.split,
        "seed": record.configuration.run.seed,
        "models": run.models,
        "simulated": run.simulated,
        "task": row.task,
        "epoch": row.epoch,
        "attempt": row.attempt,
        "metadata": {} if entry is None else dict(entry.metadata),
    }
    notes = [
        *["The model is simulated: no language model answered."] * run.simulated,
        *[f"{pictures} pictures of the world are left out."] * bool(pictures),
    ]
    return PlayedEpisode(
        path=row.path,
        records=reader.records_of(row),
        began=row.began / 1000,
        agent=Agent(
            name=record.method,
            version=next(iter(record.method_versions.values()), ""),
            model_name=run.models,
        ),
        world=record.configuration.environment.name,
        prices=run.folder.prices,
        about=about,
        notes=" ".join(notes),
        session=run.name,
        pictures=pictures,
    )
