"""The codes of names in the journal's tables, and the ids of an episode's events."""

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from quintet.events import (
    AnyEvent,
    CallMade,
    Ending,
    Exchanged,
    NodeGrown,
    NodeStanding,
    Pictured,
    Published,
    Recalled,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.ports.model import Finish

EPISODE_BITS: Final = 24
"""An event's id is its episode's id, shifted by so many bits, plus its position: an episode's events lie together."""

TABLE_OF: Final[Mapping[type[AnyEvent], str]] = {
    CallMade: "_calls",
    SessionOpened: "_sessions",
    SessionForked: "_sessions",
    StepTaken: "_steps",
    Pictured: "_pictures",
    NodeGrown: "_nodes",
    TrialEnded: "_trials",
    Recalled: "_recalls",
    Exchanged: "_exchanges",
    Published: "_versions",
}
"""By kind of event, its table. An episode's end is a part of its row, and `_decisions` has all others."""
MESSAGE_ROLES: Final = ("assistant", "user", "system")
"""Of a message, by code."""
ENDINGS: Final[tuple[Ending, ...]] = ("read", *get_args(Finish)[1:], "unread", "free")
"""How a call ended, by code."""
STATES: Final = ("solved", "unsolved", "faulted", "interrupted")
"""How an episode ended, by code."""
STANDINGS: Final[tuple[NodeStanding, ...]] = get_args(NodeStanding)
"""How a node of a search tree stands, by code."""
FAULTED_STATE: Final = STATES.index("faulted")
INTERRUPTED_STATE: Final = STATES.index("interrupted")
DECISION_KINDS: Final = (
    "decided",
    "branch_ended",
    "branch_stopped",
    "refused",
    "episode_reported",
    "cut_short",
    "cancelled",
    "requeued",
)
"""Kinds of events without a table of their own, by code."""


def event_range(episode: int) -> tuple[int, int]:
    """The first and the last id that an event of an episode can have."""
    return episode << EPISODE_BITS, ((episode + 1) << EPISODE_BITS) - 1


def finish_of(ending: Ending) -> Finish:
    """The finish of a completion whose call ended so."""
    return "stop" if ending == "read" or ending == "unread" or ending == "free" else ending


def name_of(column: str, names: Sequence[str]) -> str:
    """An SQL expression for the name of the code in a column."""
    cases = " ".join(f"WHEN {code} THEN '{name}'" for code, name in enumerate(names))
    return f"CASE {column} {cases} END"
