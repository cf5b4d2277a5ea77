"""An episode that has not ended, as the journal's writer keeps it: where its next event goes, and its totals so far."""

import sqlite3
from dataclasses import dataclass, field
from typing import Any, Final

from quintet.errors import JournalFault
from quintet.events import CallMade
from quintet.journal.numbers import EPISODE_BITS, FINISHES, event_range
from quintet.messages.paths import Path, attempt_of, parent
from quintet.ports.model import Finish

_COMPLETIONS: Final = 16
"""How many requests of an episode may be waiting for a step after their newest completion."""

_FIND = """
SELECT id, began, incarnation FROM _episodes
WHERE task = (SELECT id FROM _tasks WHERE name = ?) AND epoch = ? AND attempt = ?
"""
_NEWEST = " UNION ALL ".join(
    f"SELECT max(id) AS id FROM {table} WHERE id BETWEEN :first AND :last"
    for table in ("_calls", "_sessions", "_steps", "_exchanges", "_decisions", "_versions", "_charges")
)
_STEPS = "SELECT count(*) FROM _steps WHERE id BETWEEN :first AND :last"
_CALLS = """
SELECT settings.model, call.finish, count(*), sum(call.prompt_tokens), sum(call.cached_tokens),
    sum(call.completion_tokens), sum(call.bounded)
FROM _calls AS call JOIN _settings AS settings ON settings.id = call.settings
WHERE call.id BETWEEN :first AND :last GROUP BY 1, 2
"""


@dataclass
class ModelUsage:
    """What an episode's answered calls to a model used."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    bounded: int = 0
    unanswered: dict[Finish, int] = field(default_factory=dict[Finish, int])

    def add(
        self,
        finish: Finish,
        calls: int,
        prompt_tokens: int,
        cached_tokens: int,
        completion_tokens: int,
        bounded: int,
    ) -> None:
        """Count calls that ended alike."""
        self.calls += calls
        self.prompt_tokens += prompt_tokens
        self.cached_tokens += cached_tokens
        self.completion_tokens += completion_tokens
        self.bounded += bounded
        if finish != "stop":
            self.unanswered[finish] = self.unanswered.get(finish, 0) + calls


@dataclass
class OpenEpisode:
    """An episode that has not ended."""

    number: int
    path: Path
    incarnation: int
    began: int
    """Milliseconds since the Unix epoch."""
    events: int = 0
    """How many positions are taken."""
    steps: int = 0
    usage: dict[int, ModelUsage] = field(default_factory=dict[int, ModelUsage])
    """By the number of the model."""
    completions: dict[Path, tuple[str, int]] = field(default_factory=dict[Path, tuple[str, int]])
    """By request, the newest completion and the number of its text."""

    def next_id(self) -> int:
        """The id of the next event.

        Raises:
            JournalFault: the episode has no room for it.
        """
        self.events += 1
        if self.events >> EPISODE_BITS:
            raise JournalFault(f"{self.path}: expected fewer than {1 << EPISODE_BITS:,} events, got more")
        return (self.number << EPISODE_BITS) + self.events

    def below(self, path: str) -> str:
        """A path without the episode's own; a session of elsewhere in full, after a slash."""
        own = len(self.path)
        if path.startswith(self.path) and path[own : own + 1] in ("", "/"):
            return path[own + 1 :]
        return f"/{path}"

    def count_call(self, event: CallMade, model: int) -> None:
        """Add a call to the totals.

        Args:
            event: the call.
            model: its number.
        """
        completion, usage = event.completion, event.completion.usage
        used = self.usage.setdefault(model, ModelUsage())
        used.add(
            completion.finish, 1, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens, int(event.bounded)
        )

    def note_completion(self, path: Path, text: str, number: int | None) -> None:
        """Keep a completion until the steps that follow it are stored."""
        if number is None or "\0" in text:  # SQLite finds no part of a text behind a NUL
            return
        request = parent(path)
        self.completions.pop(request, None)
        self.completions[request] = text, number
        if len(self.completions) > _COMPLETIONS:
            del self.completions[next(iter(self.completions))]


def find_episode(connection: sqlite3.Connection, path: Path) -> OpenEpisode | None:
    """Read how far an episode has come; None if it has not begun.

    Raises:
        sqlite3.Error: the storage failed.
    """
    found = connection.execute(_FIND, attempt_of(path)).fetchone()
    if found is None:
        return None
    number, began, incarnation = found
    first, last = event_range(number)
    own: dict[str, Any] = {"first": first, "last": last}
    (newest,) = connection.execute(f"SELECT coalesce(max(id), {first}) FROM ({_NEWEST})", own).fetchone()
    (steps,) = connection.execute(_STEPS, own).fetchone()
    episode = OpenEpisode(number, path, incarnation, began, events=newest - first, steps=steps)
    for model, finish, *sums in connection.execute(_CALLS, own):
        used = episode.usage.setdefault(model, ModelUsage())
        used.add(FINISHES[finish], *sums)
    return episode
