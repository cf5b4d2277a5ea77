"""An episode that has not ended, as the journal's writer keeps it."""

import sqlite3
from dataclasses import dataclass, field
from typing import Final

from quintet.events import EpisodeEnded, SessionForked, SessionOpened
from quintet.journal.codes import DECISION_KINDS, TABLE_OF, event_range, name_of
from quintet.messages.paths import Path, attempt_of

FIND: Final = """
SELECT id, began, incarnation, ended FROM _episodes
WHERE task = (SELECT id FROM _tasks WHERE name = ?) AND epoch = ? AND attempt = ?
"""
THE_END: Final = f"{EpisodeEnded.kind} "
"""Among what is written, an episode's end."""
_KINDS: Final = {table: f"'{event.kind}'" for event, table in TABLE_OF.items()} | {
    "_sessions": f"CASE WHEN origin IS NULL THEN '{SessionOpened.kind}' ELSE '{SessionForked.kind}' END",
    "_decisions": name_of("kind", DECISION_KINDS),
    "_charges": "'charge'",
}
"""By table of what belongs to an episode, the kinds of its rows."""
WRITTEN: Final = " UNION ALL ".join(
    f"SELECT id, {kind}, path FROM {table} WHERE id BETWEEN :first AND :last" for table, kind in _KINDS.items()
)
"""The id, the kind and the path of everything that belongs to an episode."""


@dataclass(slots=True, eq=False)
class OpenEpisode:
    """Where an episode's next event goes, and what is needed to store it."""

    number: int
    path: Path
    incarnation: int
    began: int
    """Milliseconds since the Unix epoch."""
    events: int = 0
    """How many positions are taken."""
    written: set[str] = field(default_factory=set[str])
    """Kind and path of every event: there is one of a kind at a path. Of an ended episode, its end alone."""
    completions: dict[Path, tuple[str, int]] = field(default_factory=dict[Path, tuple[str, int]])
    """By request, the newest completion and the number of its text."""
    relearned: bool = False
    """The prompts of its earlier calls were numbered again."""


def load_episode(connection: sqlite3.Connection, path: Path) -> OpenEpisode | None:
    """Read how far an episode has come; None if it has not begun."""
    found = connection.execute(FIND, attempt_of(path)).fetchone()
    if found is None:
        return None
    number, began, incarnation, ended = found
    first, last = event_range(number)
    episode = OpenEpisode(number, path, incarnation, began)
    for id, kind, below in connection.execute(WRITTEN, {"first": first, "last": last}):
        episode.events = max(episode.events, id - first)
        if ended is None:
            episode.written.add(f"{kind} {below}")
    if ended is not None:
        episode.written.add(THE_END)
    return episode
