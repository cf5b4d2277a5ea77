"""The charges of attempts at model calls, stored in the journal's file beside its events."""

import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from quintet.errors import JournalDamaged, JournalFault
from quintet.journal.cells import UNREADABLE, Count
from quintet.journal.codes import EPISODE_BITS, FINISHES
from quintet.journal.encoder import Rows
from quintet.journal.schema import is_damage
from quintet.messages.paths import Path
from quintet.messages.quota import Charge, Permit
from quintet.ports.model import Usage

_ANSWERED, _PENDING, _LOST = 0, 1, 2
"""States of a charge."""

_OPEN = f"INSERT INTO _charges VALUES (?, ?, ?, ?, ?, ?, ?, {_PENDING})"
_SETTLE = "UPDATE _charges SET prompt_tokens = ?, cached_tokens = ?, completion_tokens = ?, state = ? WHERE id = ?"


# A kill between commit and settlement leaves the charge of an answered call open, but the journal has its usage.
# CROSS JOIN and the plus sign: the calls of an open charge's episode are searched, and no index is made of all calls.
RECONCILE = f"""
UPDATE _charges SET state = {_ANSWERED}, prompt_tokens = call.prompt_tokens, cached_tokens = call.cached_tokens,
    completion_tokens = call.completion_tokens
FROM (
    SELECT max(id) AS id, state, path, id >> {EPISODE_BITS} << {EPISODE_BITS} AS first
    FROM _charges GROUP BY first, path
) AS newest
CROSS JOIN _calls AS call ON call.id BETWEEN first AND first + {(1 << EPISODE_BITS) - 1} AND +call.path = newest.path
WHERE _charges.id = newest.id AND newest.state = {_PENDING}
    AND (call.prompt_tokens > 0 OR call.finish = {FINISHES.index("context_full")})
"""
_LOSE = f"UPDATE _charges SET state = {_LOST} WHERE state = {_PENDING}"

_EPISODES = """
SELECT episode.id, task.name || '/' || episode.epoch || '/' || episode.attempt
FROM _episodes AS episode JOIN _tasks AS task ON task.id = episode.task
"""
_CHARGED = f"""
SELECT id >> {EPISODE_BITS}, permit, path, (SELECT name FROM _models WHERE _models.id = model), prompt_tokens,
    cached_tokens, completion_tokens
FROM _charges
"""

# Calls that were answered before the run stored charges.
UNCHARGED = f"""
SELECT call.id >> {EPISODE_BITS}, '', call.path, model.name, call.prompt_tokens, call.cached_tokens,
    call.completion_tokens
FROM _calls AS call JOIN _settings AS settings ON settings.id = call.settings
JOIN _models AS model ON model.id = settings.model
WHERE call.prompt_tokens > 0 AND (call.id >> {EPISODE_BITS}, call.path) NOT IN (
    SELECT id >> {EPISODE_BITS}, path FROM _charges WHERE state = {_ANSWERED})
"""


class _ChargeRow(NamedTuple):
    model: str
    prompt_tokens: Count
    cached_tokens: Count
    completion_tokens: Count


class JournalCharges:
    """Implements the `Charges` port over the writer's connection.

    Creating it settles what earlier starts of the run left open: in full, unless the journal has the answer.

    Args:
        connection: the writer's.
        place: finds where an episode keeps a charge: its id, the call's path below the episode, the model's number.
        write: commits rows.

    Raises:
        JournalFault: the storage failed.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        place: Callable[[Path, str], tuple[int, str, int]],
        write: Callable[[Rows], None],
    ) -> None:
        self._connection = connection
        self._place = place
        self._write = write
        with _storage():
            connection.execute(RECONCILE)
            connection.execute(_LOSE)
        self._ids: dict[Permit, int] = {}
        """Of the open charges of this start."""

    def open(self, charge: Charge) -> None:
        with _storage():
            id, below, model = self._place(charge.path, charge.model)
            self._write({_OPEN: [(id, below, charge.permit, model, *_counts(charge.usage))]})
        self._ids[charge.permit] = id

    def settle(self, permit: Permit, usage: Usage, *, answered: bool) -> None:
        id = self._ids.pop(permit, None)
        if id is not None:
            with _storage():
                self._connection.execute(_SETTLE, (*_counts(usage), _ANSWERED if answered else _LOST, id))

    def earlier(self) -> Iterable[Charge]:
        with _storage():
            episodes: dict[int, str] = dict(self._connection.execute(_EPISODES).fetchall())
            rows = self._connection.execute(_CHARGED).fetchall() + self._connection.execute(UNCHARGED).fetchall()
        for number, permit, below, *charge in rows:
            path = Path(f"{episodes.get(number)}/{below}" if below else str(episodes.get(number)))
            try:
                model, prompt, cached, completion = msgspec.convert(charge, _ChargeRow)
            except UNREADABLE as error:
                raise JournalDamaged(f"journal: expected the usage of {path!r:.200}, got {error}") from error
            usage = Usage(prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion)
            yield Charge(permit=permit, path=path, model=model, usage=usage)


def _counts(usage: Usage) -> tuple[int, int, int]:
    return usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens


@contextmanager
def _storage() -> Generator[None, None, None]:
    try:
        yield
    except sqlite3.Error as error:
        kind = JournalDamaged if is_damage(error) else JournalFault
        raise kind(f"journal: expected to store charges, got {error}") from error
