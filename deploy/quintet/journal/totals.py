"""Totals of a journal: its episodes, and what their calls cost. A look costs the episodes, not the events."""

from typing import Final, NamedTuple

from quintet.journal.cells import Count, Milliseconds
from quintet.journal.codes import FAULTED_STATE, INTERRUPTED_STATE
from quintet.messages.paths import RESERVED

_NEWEST: Final = f"""
SELECT max(attempt), began, CASE WHEN state IS NOT {INTERRUPTED_STATE} THEN ended END AS ended, state, reward
FROM _episodes
WHERE task NOT IN (SELECT id FROM _tasks WHERE name IN ({", ".join(f"'{name}'" for name in RESERVED)}))
GROUP BY task, epoch
"""
"""SQLite takes the other columns from the row with the greatest attempt."""

EPISODE_TOTALS: Final = f"""
SELECT count(*), count(ended), coalesce(sum(state NOT IN ({FAULTED_STATE}, {INTERRUPTED_STATE}) AND reward >= 1), 0),
    coalesce(sum(state = {FAULTED_STATE}), 0), coalesce(sum(began + ended >= ?), 0), max(began + coalesce(ended, 0))
FROM ({_NEWEST})
"""
COST_TOTAL: Final = """
SELECT coalesce(sum(calls), 0), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),
    CASE WHEN count(*) = count(usd) THEN CAST(round(coalesce(sum(usd), 0.0) * 1e9) AS INTEGER) END
FROM usage
"""
"""As `Cost` has it: of the answered calls of all attempts."""


class EpisodeTotals(NamedTuple):
    """Of the newest attempts at all tasks; visits and the learner are left out."""

    begun: Count = 0
    ended: Count = 0
    """By a result or a fault."""
    solved: Count = 0
    """With the full reward."""
    faulted: Count = 0
    ended_since: Count = 0
    """How many ended after the moment that was asked about."""
    newest: Milliseconds | None = None
    """When one of them last began or ended, in milliseconds since the Unix epoch; None: none began."""


NO_EPISODES_YET: Final = EpisodeTotals()
