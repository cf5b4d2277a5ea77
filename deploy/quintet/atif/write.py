"""Writes the episodes of runs as ATIF files, one at a time, so that a run of any length takes the memory of one."""

import re
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path as FilePath
from typing import Any, Final, NamedTuple

from atif import Agent

from quintet.atif.parts import world_tool
from quintet.atif.tools import offered_tools
from quintet.atif.trajectory import PlayedEpisode, to_trajectory
from quintet.errors import UsageError
from quintet.export.folder import export_folder
from quintet.export.read import ExportedRun, exported_runs, snapshots_of, task_entries
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import JournalReader
from quintet.messages.paths import Path

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
    """How many pictures of worlds were written beside them."""
    damage: Sequence[str]
    """What could not be read, and is missing."""


def write_trajectories(path: FilePath, out: FilePath) -> WrittenTrajectories:
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
                rows = ((reader, row) for _, reader in journals for row in reader.episodes())
                for number, (reader, row) in enumerate(rows, 1):
                    task = re.sub(r"[^\w.-]+", "-", row.path)[:_LONGEST_NAME].strip("-.")
                    name = f"{number:06}-{task}"
                    shown = _write_pictures(reader, row.path, place, name)
                    written = to_trajectory(_played_episode(run, reader, row, shown))
                    text = written.model_dump_json(exclude_none=True, indent=1)
                    (place / f"{name}{SUFFIX}").write_text(text, encoding="utf-8")
                    pictures += len(shown)
                    files[run.name] = number
    return WrittenTrajectories(files, pictures, [each for run in found for each in run.damage])


def _write_pictures(reader: JournalReader, episode: Path, folder: FilePath, name: str) -> dict[Path, str]:
    """The files of an episode's pictures, by the path of the event that they show."""
    written: dict[Path, str] = {}
    for path in reader.pictures(episode):
        file = folder / f"{name}-{path[len(episode) + 1 :].replace('/', '-')}.jpg"
        with suppress(UsageError):  # it is damaged, which the reader says
            file.write_bytes(reader.picture(path))
            written[path] = file.name
    return written


def _played_episode(
    run: ExportedRun, reader: JournalReader, row: EpisodeRow, pictures: Mapping[Path, str]
) -> PlayedEpisode:
    record = run.folder.record
    world = record.configuration.environment.name
    entry = task_entries(record).get(row.task)
    about: dict[str, Any] = {
        "run": run.name,
        "created": record.created.isoformat(),
        "method": record.label,
        "environment": world,
        "split": record.configuration.run.split,
        "seed": record.configuration.run.seed,
        "models": run.models,
        "simulated": run.simulated,
        "task": row.task,
        "epoch": row.epoch,
        "attempt": row.attempt,
        "metadata": {} if entry is None else dict(entry.metadata),
    }
    records = reader.records_of(row)
    return PlayedEpisode(
        path=row.path,
        records=records,
        began=row.began / 1000,
        agent=Agent(
            name=record.method,
            version=next(iter(record.method_versions.values()), ""),
            model_name=run.models,
            tool_definitions=[world_tool(world), *offered_tools(records)],
        ),
        world=world,
        prices=run.folder.prices,
        about=about,
        notes="The model is simulated: no language model answered." if run.simulated else "",
        session=run.name,
        pictures=pictures,
    )
