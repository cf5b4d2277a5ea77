"""The charges of attempts at model calls, stored in the journal's file beside its events."""

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from quintet.errors import JournalDamaged, JournalFault
from quintet.journal.rows import UNREADABLE, charge_of
from quintet.journal.schema import is_damage
from quintet.messages.paths import Path
from quintet.messages.quota import Charge, Permit
from quintet.ports.model import Usage

_OPEN = "INSERT INTO charges VALUES (?, ?, ?, ?, ?, ?, 'open')"
_SETTLE = """
UPDATE charges SET prompt_tokens = ?, cached_tokens = ?, completion_tokens = ?, state = ? WHERE rowid = ?
"""

# A kill between commit and settlement leaves the charge of an answered call open, but the journal has its usage.
_RECONCILE = """
UPDATE charges SET state = 'answered',
    prompt_tokens = json_extract(events.content, '$.completion.usage.prompt_tokens'),
    cached_tokens = json_extract(events.content, '$.completion.usage.cached_tokens'),
    completion_tokens = json_extract(events.content, '$.completion.usage.completion_tokens')
FROM events WHERE charges.state = 'open' AND events.path = charges.path AND events.kind = 'call_made'
    AND (json_extract(events.content, '$.completion.usage.prompt_tokens') > 0
        OR json_extract(events.content, '$.completion.finish') = 'context_full')
    AND charges.rowid = (SELECT max(rowid) FROM charges AS later WHERE later.path = charges.path)
"""
_LOST = "UPDATE charges SET state = 'lost' WHERE state = 'open'"
_CHARGED = "SELECT permit, path, model, prompt_tokens, cached_tokens, completion_tokens FROM charges"

# Calls that were answered before the run stored charges.
_UNCHARGED = """
SELECT '', path, json_extract(content, '$.model'),
    json_extract(content, '$.completion.usage.prompt_tokens'),
    json_extract(content, '$.completion.usage.cached_tokens'),
    json_extract(content, '$.completion.usage.completion_tokens')
FROM events WHERE kind = 'call_made' AND json_extract(content, '$.completion.usage.prompt_tokens') > 0
    AND NOT EXISTS (SELECT 1 FROM charges WHERE charges.path = events.path AND state = 'answered')
"""


class JournalCharges:
    """Implements the `Charges` port over the writer's connection.

    Creating it settles what earlier starts of the run left open: in full, unless the journal has the answer.

    Raises:
        JournalFault: the storage failed.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        with _storage():
            connection.execute(_RECONCILE)
            connection.execute(_LOST)
        self._rows: dict[Permit, int] = {}
        """Row ids of the open charges of this start."""

    def open(self, charge: Charge) -> None:
        usage = charge.usage
        values = (charge.permit, charge.path, charge.model, *_counts(usage))
        with _storage():
            row = self._connection.execute(_OPEN, values).lastrowid
        assert row is not None
        self._rows[charge.permit] = row

    def settle(self, permit: Permit, usage: Usage, *, answered: bool) -> None:
        row = self._rows.pop(permit, None)
        if row is not None:
            with _storage():
                self._connection.execute(_SETTLE, (*_counts(usage), "answered" if answered else "lost", row))

    def earlier(self) -> Iterable[Charge]:
        with _storage():
            rows = self._connection.execute(f"{_CHARGED} UNION ALL {_UNCHARGED}").fetchall()
        for permit, path, *charge in rows:
            try:
                model, usage = charge_of(tuple(charge))
            except UNREADABLE as error:
                raise JournalDamaged(f"journal: expected the usage of {path!r:.200}, got {error}") from error
            yield Charge(permit=permit, path=Path(path), model=model, usage=usage)


def _counts(usage: Usage) -> tuple[int, int, int]:
    return usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens


@contextmanager
def _storage() -> Generator[None, None, None]:
    try:
        yield
    except sqlite3.Error as error:
        kind = JournalDamaged if is_damage(error) else JournalFault
        raise kind(f"journal: expected to store charges, got {error}") from error
