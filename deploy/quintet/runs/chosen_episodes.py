"""Which episodes of a run a person means: one by its path, or those that meet a condition over the view `episodes`."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

from quintet.errors import UsageError
from quintet.journal.episode_rows import EpisodeRow
from quintet.messages.paths import RESERVED, Path, is_within
from quintet.plugins.catalogue import one_of
from quintet.runs.ends import newest_at_tasks
from quintet.runs.run_folder import ReadJournals, RunFolder

CONDITION_WORDS: Final[Mapping[str, str]] = {"solved": "success = 1", "unsolved": "success = 0"}
"""Words for the usual conditions."""
_NAMED: Final = 20
"""Episodes in an error."""


def match_episode(episodes: Iterable[Path], wanted: str) -> Path:
    """The episode of a path, or of a prefix that no other shares; a `UsageError` if none matches, or several do."""
    known = list(episodes)
    found = [path for path in known if is_within(path, Path(wanted.strip("/")))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"episode: expected {one_of(found[:_NAMED], '')}, got {wanted!r}, which matches all of them")
    names = list(dict.fromkeys(str(path) if "/" in wanted else path.split("/")[0] for path in known))
    near = get_close_matches(wanted, names) or names[:_NAMED]
    raise UsageError(f"episode: expected {one_of(near, wanted)}, got {wanted!r}")


def choose_episode(run: RunFolder, wanted: str) -> EpisodeRow:
    """The attempt of a path, or the newest attempt that `match_episode` finds, however it ended.

    Raises:
        UsageError: the run has not begun, has no such episode or several, or a journal cannot be read whole.
    """
    with run.read_journals() as opened:
        rows = [row for _, reader in opened.journals for row in reader.episodes()]
        _refuse_damage(opened)
    newest = {row.path: row for row in newest_at_tasks(rows).values()}
    if not newest:
        raise UsageError(f"episode: expected a run that has begun, got one that has not ({run.path})")
    known = newest | {row.path: row for row in rows if row.task not in RESERVED}
    path = Path(wanted.strip("/"))
    return known[path if path in known else match_episode(newest, wanted)]


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
            found += [row for row in newest if row.is_result and (meet is None or row.number in meet)]
        _refuse_damage(opened)
    if not found:
        meant = f"that meets {where!r}" if where else "to choose"
        raise UsageError(f"episodes: expected one that was solved or not and {meant}, got none ({run.path})")
    return sorted(found, key=lambda row: (place[row.task], row.epoch))


def refuse_both(episode: str | None, where: str) -> None:
    """Refuse a condition beside the one episode that a person names."""
    if episode is not None and where:
        raise UsageError(f"--where: expected no EPISODE beside it, got {episode!r}")


def _refuse_damage(opened: ReadJournals) -> None:
    if opened.damage:
        raise UsageError(f"{opened.damage[0]}; the choice would lack what cannot be read")
