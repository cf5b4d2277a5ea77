"""The charges of attempts at model calls, stored in the journal's file beside its events, and their sums, in SQL."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from quintet.errors import JournalDamaged, JournalFault
from quintet.journal.call_encoder import below
from quintet.journal.cells import UNREADABLE, Count, NewRows, Row, is_live
from quintet.journal.codes import ENDINGS, EPISODE_BITS, event_range
from quintet.journal.open_episode import FIND
from quintet.journal.schema import is_damage
from quintet.messages.for_worlds import FOR_WORLDS_PHASES
from quintet.messages.paths import Path, attempt_of, episode_of
from quintet.messages.quota import Charge, Permit, Spent
from quintet.ports.model import Usage
from quintet.quota.cost import Cost
from quintet.quota.prices import Price

_ANSWERED, _PENDING, _LOST = 0, 1, 2
"""States of a charge."""

_OPEN = f"INSERT INTO _charges VALUES (?, ?, ?, ?, ?, ?, ?, {_PENDING}, ?)"
_TAKE_UP = f"UPDATE _charges SET permit = ?, state = {_PENDING} WHERE id = ?"
_SETTLE = "UPDATE _charges SET prompt_tokens = ?, cached_tokens = ?, completion_tokens = ?, state = ? WHERE id = ?"


_FIRST = f"{{id}} >> {EPISODE_BITS} << {EPISODE_BITS}"
"""The id before those of an episode's events."""

# A kill between commit and settlement leaves the charge of an answered call open, but the journal has its usage.
# CROSS JOIN and the plus signs: the rows of an open charge's episode are searched, and no index is made of all calls.
RECONCILE = f"""
UPDATE _charges SET state = {_ANSWERED}, prompt_tokens = call.prompt_tokens, cached_tokens = call.cached_tokens,
    completion_tokens = call.completion_tokens
FROM (
    SELECT id, path, {_FIRST.format(id="id")} AS first FROM _charges AS pending
    WHERE state = {_PENDING} AND NOT EXISTS (
        SELECT 1 FROM _charges AS later WHERE later.id > pending.id
        AND later.id < ({_FIRST.format(id="pending.id")}) + {1 << EPISODE_BITS} AND +later.path = pending.path)
) AS newest
CROSS JOIN _calls AS call ON call.id BETWEEN first AND first + {(1 << EPISODE_BITS) - 1} AND +call.path = newest.path
WHERE _charges.id = newest.id AND (call.prompt_tokens > 0 OR call.finish = {ENDINGS.index("context_full")})
"""
_LOSE = f"UPDATE _charges SET state = {_LOST} WHERE state = {_PENDING}"

_FIND_LOST = f"""
SELECT id FROM _charges WHERE id BETWEEN ? AND ? AND +path = ? AND state = {_LOST}
    AND model = (SELECT id FROM _models WHERE name = ?)
    AND prompt_tokens = ? AND cached_tokens = ? AND completion_tokens = ?
"""

_EPISODES = """
SELECT episode.id, task.name || '/' || episode.epoch || '/' || episode.attempt
FROM _episodes AS episode JOIN _tasks AS task ON task.id = episode.task
"""
_WITHOUT_MODEL = "SELECT count(*) FROM _charges WHERE model NOT IN (SELECT id FROM _models)"

_PHASES = ", ".join(f"'{phase}'" for phase in sorted(FOR_WORLDS_PHASES))
_APART = f"coalesce((SELECT name FROM _phases WHERE _phases.id = settings.phase), '') IN ({_PHASES})"
"""Of a call: its episode's limits do not count it."""

# Calls that were answered before the run stored charges. A charge has a smaller id than its call, and is near it.
UNCHARGED = f"""
SELECT call.id AS id, settings.model AS model, call.prompt_tokens AS prompt_tokens,
    call.cached_tokens AS cached_tokens, call.completion_tokens AS completion_tokens, {_APART} AS apart
FROM _calls AS call JOIN _settings AS settings ON settings.id = call.settings
JOIN _models AS model ON model.id = settings.model
WHERE call.prompt_tokens > 0 AND {is_live("call.start")} AND (
    SELECT charge.id FROM _charges AS charge
    WHERE charge.id BETWEEN {_FIRST.format(id="call.id")} AND call.id AND +charge.path = call.path
        AND charge.state = {_ANSWERED}
    ORDER BY charge.id DESC LIMIT 1
) IS NULL
"""


_CALLS = f"""
SELECT path FROM _charges WHERE id BETWEEN :first AND :last AND NOT apart
UNION SELECT path FROM _calls JOIN _settings AS settings ON settings.id = _calls.settings
WHERE _calls.id BETWEEN :first AND :last AND {is_live("_calls.start")} AND NOT {_APART}
"""

_COUNTS: Final = ("prompt_tokens", "cached_tokens", "completion_tokens")
_SOUND: Final = " AND ".join(f"typeof(used.{count}) = 'integer' AND used.{count} >= 0" for count in _COUNTS)
_FRESH: Final = "max(used.prompt_tokens - used.cached_tokens, 0)"
_CACHED: Final = "min(used.cached_tokens, used.prompt_tokens)"


class SpentRow(NamedTuple):
    """What calls used and cost together."""

    group: int
    """What they have in common."""
    calls: Count
    prompt_tokens: Count | None
    completion_tokens: Count | None
    nanodollars: Count | None
    """Of those to models with a price; None: there are none."""
    unpriced: int
    """How many were to a model without a price."""
    damaged: int
    """How many have counts that cannot be read; they are not counted otherwise."""

    @property
    def cost(self) -> Cost:
        """Of those to models with a price."""
        return Cost(self.calls, self.prompt_tokens or 0, self.completion_tokens or 0, self.nanodollars or 0)


def spent_query(group: str, used: str, prices: Mapping[str, Price]) -> tuple[str, list[str | int]]:
    """A query for rows of `SpentRow`, and its values.

    Args:
        group: an expression of `used`.
        used: a table or a query, with `model` and counts of tokens, one row a call.
    """
    rates = ", ".join(["(NULL, NULL, NULL, NULL, NULL)", *("(?, ?, ?, ?, ?)" for _ in prices)])
    query = f"""
    WITH rates (name, input, cached_input, output, unit) AS (VALUES {rates})
    SELECT {group},
        count(*), sum(used.prompt_tokens) FILTER (WHERE {_SOUND}), sum(used.completion_tokens) FILTER (WHERE {_SOUND}),
        sum(({_FRESH} * rate.input + {_CACHED} * rate.cached_input + used.completion_tokens * rate.output
            + rate.unit - 1) / rate.unit) FILTER (WHERE {_SOUND}),
        count(*) FILTER (WHERE rate.unit IS NULL), count(*) FILTER (WHERE NOT ({_SOUND}))
    FROM {used} AS used LEFT JOIN (SELECT id, rates.* FROM _models JOIN rates USING (name)) AS rate
    ON rate.id = used.model GROUP BY 1
    """
    return query, [value for name, price in prices.items() for value in (name, *price.rates)]


class JournalCharges:
    """Implements the `Charges` port over the writer's connection.

    Creating it settles what earlier starts of the run left open: in full, unless the journal has the answer.

    Args:
        place: finds where an episode keeps a charge: its id, the call's path below the episode, the model's number;
            None: nowhere.
        prices: by model; one without a price costs nothing.

    Raises:
        JournalFault: the storage failed.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        place: Callable[[Path, str], tuple[int, str, int] | None],
        write: Callable[[NewRows], None],
        prices: Mapping[str, Price],
    ) -> None:
        self._connection = connection
        self._place = place
        self._write = write
        self._prices = prices
        with _storage():
            connection.execute(RECONCILE)
            connection.execute(_LOSE)
        self._ids: dict[Permit, int] = {}
        """Of the open charges of this start."""

    def is_lost(self, charge: Charge) -> bool:
        return self._find_lost(charge) is not None

    def _find_lost(self, charge: Charge) -> int | None:
        episode = episode_of(charge.path)
        with _storage():
            found = self._connection.execute(FIND, attempt_of(episode)).fetchone()
            if found is None:
                return None
            place = *event_range(found[0]), below(charge.path, episode), charge.model, *_counts(charge.usage)
            lost = self._connection.execute(_FIND_LOST, place).fetchone()
        return None if lost is None else int(lost[0])

    def open(self, charge: Charge) -> bool:
        lost = self._find_lost(charge) if charge.batched else None
        with _storage():
            if lost is not None:
                id = lost
                self._connection.execute(_TAKE_UP, (charge.permit, id))
            elif (place := self._place(charge.path, charge.model)) is not None:
                id, path, model = place
                self._write({_OPEN: [(id, path, charge.permit, model, *_counts(charge.usage), int(charge.apart))]})
            else:
                return False
        self._ids[charge.permit] = id
        return lost is not None

    def settle(self, permit: Permit, usage: Usage, *, answered: bool) -> None:
        id = self._ids.pop(permit, None)
        if id is not None:
            with _storage():
                self._connection.execute(_SETTLE, (*_counts(usage), _ANSWERED if answered else _LOST, id))

    def earlier(self) -> Iterable[Spent]:
        with _storage():
            episodes: dict[int, str] = dict(self._connection.execute(_EPISODES).fetchall())
            (without,) = self._connection.execute(_WITHOUT_MODEL).fetchone()
            rows = [*self._sums("_charges"), *self._sums(f"({UNCHARGED})")]
        if without:
            raise JournalDamaged(f"journal: expected the model of every charge, got {without} without")
        for row in rows:
            try:
                found = msgspec.convert(row, SpentRow)
            except UNREADABLE as error:
                raise JournalDamaged(f"journal: expected what calls cost, got {row!r:.200}: {error}") from error
            path, apart = Path(str(episodes.get(found.group >> 1))), bool(found.group & 1)
            if found.damaged:
                raise JournalDamaged(f"journal: expected the usage of every call of {path!r:.200}, got none of some")
            yield Spent(path=path, nanodollars=found.nanodollars or 0, tokens=found.cost.tokens, apart=apart)

    def calls(self, episode: Path) -> Iterable[Path]:
        with _storage():
            found = self._connection.execute(FIND, attempt_of(episode)).fetchone()
            if found is None:
                return
            first, last = event_range(found[0])
            for (below,) in self._connection.execute(_CALLS, {"first": first, "last": last}).fetchall():
                yield Path(f"{episode}/{below}")

    def _sums(self, used: str) -> list[Row]:
        """What calls used and cost, by episode and by whether its limits count them."""
        query, prices = spent_query(f"(used.id >> {EPISODE_BITS} << 1) + used.apart", used, self._prices)
        return self._connection.execute(query, prices).fetchall()


def _counts(usage: Usage) -> tuple[int, int, int]:
    return usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens


@contextmanager
def _storage() -> Generator[None, None, None]:
    try:
        yield
    except sqlite3.Error as error:
        kind = JournalDamaged if is_damage(error) else JournalFault
        raise kind(f"journal: expected to store charges, got {error}") from error
