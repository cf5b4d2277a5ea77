"""Which episodes of a run a person means by an SQL condition over the view `episodes`."""

from collections.abc import Mapping
from typing import Final

from quintet.errors import UsageError
from quintet.journal.codes import STATES
from quintet.journal.episode_rows import EpisodeRow
from quintet.runs.ends import newest_at_tasks
from quintet.runs.run_folder import RunFolder

CONDITION_WORDS: Final[Mapping[str, str]] = {"solved": "success = 1", "unsolved": "success = 0"}
"""Words for the usual conditions."""


def choose_episodes(run: RunFolder, where: str = "") -> list[EpisodeRow]:
    """The newest attempts that ended by their method and meet a condition, in the order of the run's tasks.

    `run.part_with(row.path)` has the journal of an attempt of a run over several drivers.

    Args:
        where: of `CONDITION_WORDS`, or an SQL condition such as `reward < 1 AND steps > 20`; empty: all of them.

    Raises:
        UsageError: the condition is none, nothing meets it, or a journal cannot be read whole.
    """
    condition = CONDITION_WORDS.get(where.strip(), where)
    record = run.record
    place = {task.name: number for number, task in enumerate((*record.training, *record.held_out, *record.tasks))}
    found: list[EpisodeRow] = []
    with run.read_journals() as opened:
        for _, reader in opened.journals:
            meet = reader.episodes_where(condition) if condition.strip() else None
            newest = [row for row in newest_at_tasks(reader.episodes()).values() if row.task in place]
            found += [row for row in newest if _is_result(row) and (meet is None or row.number in meet)]
        damage = [*opened.unread, *(each for _, reader in opened.journals for each in reader.damage)]
    if damage:
        raise UsageError(f"{damage[0]}; the choice would lack what cannot be read")
    if not found:
        meant = f"that meets {where!r}" if where else "to choose"
        raise UsageError(f"episodes: expected one that was solved or not and {meant}, got none ({run.path})")
    return sorted(found, key=lambda row: (place[row.task], row.epoch))


def _is_result(row: EpisodeRow) -> bool:
    return row.state is not None and STATES[row.state] in ("solved", "unsolved") and not row.cancelled
