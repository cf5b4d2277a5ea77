"""Rows of how far a method has come, in both directions: nodes of search trees, and trials."""

from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.events import NodeGrown, TrialEnded
from quintet.journal.call_encoder import StoredOnce, as_integer, as_real, as_text, below, full_path, session_cell
from quintet.journal.cells import Count, Flag, Number, Row, event_query, text_columns, text_of
from quintet.journal.codes import STANDINGS
from quintet.journal.open_episode import OpenEpisode
from quintet.messages.paths import Path

SELECT_NODES: Final = event_query(
    "_nodes",
    f"""event.tree, event.node, event.parent, {text_columns("action")}, event.session, event.value,
    event.confidence, event.visits, event.reward, event.standing, event.adjusted""",
)
SELECT_TRIALS: Final = event_query(
    "_trials", "event.solve, event.method, event.number, event.actions, event.reward, event.steps, event.revised"
)


class NodeRow(NamedTuple):
    """A row of `_nodes`."""

    tree: str
    node: int
    parent: int | None
    action: Number | None
    action_text: str | None
    session: str | None
    value: float | None
    confidence: float | None
    visits: int
    reward: float
    standing: Annotated[int, Meta(ge=0, lt=len(STANDINGS))]
    adjusted: Flag


class TrialEndedRow(NamedTuple):
    """A row of `_trials`."""

    solve: str
    method: str
    number: Number
    actions: Count
    reward: float
    steps: Count
    revised: Flag


def encode_node(event: NodeGrown, episode: OpenEpisode, stored: StoredOnce) -> Row:
    """A node's own columns."""
    return (
        as_text(below(event.tree, episode.path)),
        as_integer(event.node),
        None if event.parent is None else as_integer(event.parent),
        stored.text(event.action),
        session_cell(event.session, episode.path),
        None if event.value is None else as_real(event.value),
        None if event.confidence is None else as_real(event.confidence),
        as_integer(event.visits),
        as_real(event.reward),
        STANDINGS.index(event.standing),
        int(event.adjusted),
    )


def decode_node(path: Path, columns: Row, episode: Path) -> NodeGrown:
    """A node."""
    row = msgspec.convert(columns, NodeRow)
    return NodeGrown(
        path=path,
        tree=Path(full_path(row.tree, episode)),
        node=row.node,
        parent=row.parent,
        action=text_of(row.action, row.action_text),
        session=None if row.session is None else full_path(row.session, episode),
        value=row.value,
        confidence=row.confidence,
        visits=row.visits,
        reward=row.reward,
        standing=STANDINGS[row.standing],
        adjusted=bool(row.adjusted),
    )


def encode_trial(event: TrialEnded, episode: OpenEpisode) -> Row:
    """A trial's own columns."""
    return (
        as_text(below(event.solve, episode.path)),
        as_text(event.method),
        *map(as_integer, (event.number, event.actions)),
        as_real(event.reward),
        as_integer(event.steps),
        int(event.revised),
    )


def decode_trial(path: Path, columns: Row, episode: Path) -> TrialEnded:
    """A trial."""
    row = msgspec.convert(columns, TrialEndedRow)
    return TrialEnded(
        path=path,
        solve=Path(full_path(row.solve, episode)),
        method=row.method,
        number=row.number,
        actions=row.actions,
        reward=row.reward,
        steps=row.steps,
        revised=bool(row.revised),
    )
