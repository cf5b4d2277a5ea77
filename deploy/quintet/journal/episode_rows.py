"""Rows of episodes, of what they used, and their totals. A look costs the episodes, not the events."""

from typing import Annotated, Final, NamedTuple, cast

import msgspec
from msgspec import Meta

from quintet.errors import FaultNote
from quintet.events import Ending, EpisodeEnded, Record
from quintet.journal.cells import Count, Flag, Microseconds, Milliseconds, RowNumber, decode_figures
from quintet.journal.codes import EPISODE_BITS, FAULTED_STATE, INTERRUPTED_STATE, STATES
from quintet.messages.paths import RESERVED, Path
from quintet.ports.model import Usage

_Task = Annotated[str, Meta(pattern=r"^[^/\x00-\x1f\x7f]+\Z")]

EPISODE_QUERY: Final = f"""
SELECT episode.id, task.name, episode.epoch, episode.attempt, episode.began, episode.incarnation, episode.started,
    episode.ended, start.incarnation, start.host, episode.seconds, episode.state, episode.reward, episode.depth,
    episode.reason, episode.cancelled, episode.claimed, episode.fault, episode.figures,
    CASE WHEN episode.ended IS NOT NULL THEN episode.steps ELSE (
        SELECT count(*) FROM _steps WHERE _steps.id BETWEEN
        episode.id << {EPISODE_BITS} AND (episode.id << {EPISODE_BITS}) + {(1 << EPISODE_BITS) - 1}) END
FROM _episodes AS episode LEFT JOIN _tasks AS task ON task.id = episode.task
LEFT JOIN _starts AS start ON start.id = episode.start
"""


class EpisodeRow(NamedTuple):
    """An attempt, and its end if it has ended: every column after `ended` is None before."""

    number: Annotated[int, Meta(ge=1, lt=2 ** (62 - EPISODE_BITS))]
    task: _Task
    epoch: Annotated[int, Meta(ge=0, le=10**9)]
    attempt: Annotated[int, Meta(ge=0, le=10**9)]
    began: Milliseconds
    """Its first start, in milliseconds since the Unix epoch."""
    incarnation: Count
    """Its newest start."""
    started: Milliseconds
    """Its newest start, since the first."""
    ended: Milliseconds | None
    """Since the first start."""
    ended_in: Count | None
    """The start that ended it."""
    host: str | None
    seconds: Microseconds | None
    state: Annotated[int, Meta(ge=0, lt=len(STATES))] | None
    reward: float | None
    depth: int | None
    reason: str | None
    cancelled: Flag | None
    claimed: Flag | None
    fault: str | None
    figures: str | None
    steps: Count | None
    """Actions in all its sessions so far."""

    @property
    def path(self) -> Path:
        """The attempt's path."""
        return Path(f"{self.task}/{self.epoch}/{self.attempt}")

    @property
    def is_result(self) -> bool:
        """Whether it ended by its method: neither by a fault nor an interruption, nor by an operator."""
        return self.state is not None and STATES[self.state] in ("solved", "unsolved") and not self.cancelled

    @property
    def is_solved(self) -> bool:
        """Whether it has a result, which earned the full reward."""
        return self.is_result and self.reward is not None and self.reward >= 1

    @property
    def whole(self) -> bool:
        """Whether its end has every column that an end has."""
        return None not in self[7:15]

    @property
    def start(self) -> float:
        """The newest start, in seconds since the Unix epoch."""
        return (self.began + self.started) / 1000


def end_of(row: EpisodeRow) -> Record | None:
    """The record of an attempt's end; None if it has not ended."""
    if row.ended is None:
        return None
    if not row.whole:
        raise msgspec.ValidationError(f"expected the whole end of {row.path}, got a part of it")
    assert row.seconds is not None
    assert row.state is not None
    event = EpisodeEnded(
        path=row.path,
        state=STATES[row.state],
        reward=cast("float", row.reward),
        claimed=None if row.claimed is None else bool(row.claimed),
        depth=cast("int", row.depth),
        reason=cast("str", row.reason),
        fault=None if row.fault is None else msgspec.json.decode(row.fault, type=FaultNote),
        cancelled=bool(row.cancelled),
        figures=decode_figures(row.figures),
    )
    return Record(
        event=event,
        incarnation=cast("int", row.ended_in),
        host=cast("str", row.host),
        at=(row.began + row.ended) / 1000,
        seconds=row.seconds / 1_000_000,
    )


TRIAL_QUERY: Final = f"""
SELECT id >> {EPISODE_BITS}, solve, method, number, actions, reward, steps, revised FROM _trials ORDER BY id
"""


class TrialRow(NamedTuple):
    """A trial of an episode; see `quintet.events.TrialEnded`."""

    episode: RowNumber
    solve: str
    """Below its episode."""
    method: str
    number: RowNumber
    actions: Count
    reward: float
    steps: Count
    revised: Flag


class UseRow(NamedTuple):
    """Usage of the answered calls of an episode to one model in one phase."""

    episode: RowNumber
    model: str
    phase: str
    calls: Count
    prompt_tokens: Count
    cached_tokens: Count
    completion_tokens: Count
    bounded: Count
    unanswered: str | None

    @property
    def usage(self) -> Usage:
        """The tokens."""
        return Usage(
            prompt_tokens=self.prompt_tokens,
            cached_tokens=self.cached_tokens,
            completion_tokens=self.completion_tokens,
        )


def endings_of(use: UseRow) -> dict[Ending, int]:
    """The number of calls by how they ended, but those that were read."""
    return {} if use.unanswered is None else msgspec.json.decode(use.unanswered, type=dict[Ending, int])


_NEWEST: Final = f"""
SELECT task, max(attempt), began, CASE WHEN state IS NOT {INTERRUPTED_STATE} THEN ended END AS ended, state, reward
FROM _episodes
WHERE task NOT IN (SELECT id FROM _tasks WHERE name IN ({", ".join(f"'{name}'" for name in RESERVED)}))
GROUP BY task, epoch
"""
"""SQLite takes the other columns from the row with the greatest attempt."""

EPISODE_TOTALS: Final = f"""
WITH newest AS ({_NEWEST}), tasks AS (
    SELECT avg(reward >= 1) AS share FROM newest WHERE state NOT IN ({FAULTED_STATE}, {INTERRUPTED_STATE}) GROUP BY task
)
SELECT count(*), count(ended), coalesce(sum(state NOT IN ({FAULTED_STATE}, {INTERRUPTED_STATE}) AND reward >= 1), 0),
    coalesce(sum(state = {FAULTED_STATE}), 0), coalesce(sum(began + ended >= ?), 0), max(began + coalesce(ended, 0)),
    (SELECT avg(share) FROM tasks), (SELECT count(*) FROM tasks)
FROM newest
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
    success: float | None = None
    """The mean over tasks of the share of their results that earned the full reward; None without a result."""
    tasks: Count = 0
    """How many have a result."""


NO_EPISODES_YET: Final = EpisodeTotals()
