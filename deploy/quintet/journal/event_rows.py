"""Rows of events, as the queries of `quintet.journal.decoder` give them."""

from typing import Annotated, NamedTuple

from msgspec import Meta

from quintet.journal.cells import Count, Flag, Microseconds, Milliseconds, Number
from quintet.journal.codes import DECISION_KINDS, FINISHES, STANDINGS

_Below = Annotated[str, Meta(pattern=r"^([0-9]{1,9}(/[0-9]{1,9})*)?\Z")]


class CommonRow(NamedTuple):
    """The columns of every event."""

    id: Number
    path: _Below
    incarnation: Count
    host: str
    at: Milliseconds
    seconds: Microseconds


class CallRow(NamedTuple):
    """A row of `_calls`."""

    model: str
    phase: str
    fingerprint: str
    temperature: float
    top_p: float
    max_tokens: int
    stop: str
    form: str | None
    seed: int | None
    prompt: Count
    completion: Number | None
    text: str | None
    reasoning_text: Number | None
    reasoning: str | None
    finish: Annotated[int, Meta(ge=0, lt=len(FINISHES))]
    prompt_tokens: Count
    cached_tokens: Count
    completion_tokens: Count
    reasoning_tokens: Count
    bounded: Flag


class SessionRow(NamedTuple):
    """A row of `_sessions`."""

    session: str
    origin: str | None
    observation: Number | None
    text: str | None


class StepRow(NamedTuple):
    """A row of `_steps`."""

    session: str
    action: Number | None
    action_text: str | None
    action_from: Number | None
    action_length: Number | None
    thought: Number | None
    thought_text: str | None
    thought_from: Number | None
    thought_length: Number | None
    observation: Number | None
    observation_text: str | None
    reward: float
    done: Flag
    rejected: Flag
    lasting: Flag


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


class RecallRow(NamedTuple):
    """A row of `_recalls`."""

    version: Count
    batch: Number
    ids: str
    goal_type: Number | None
    observation_type: Number | None
    failed: str


class ExchangeRow(NamedTuple):
    """A row of `_exchanges`."""

    request: Number | None
    request_text: str | None
    subject: Number | None
    subject_text: str | None
    session: str | None
    reply: Number | None
    reply_text: str | None
    texts: str
    turns: str | None


class VersionRow(NamedTuple):
    """A row of `_versions`."""

    version: Count
    number: Number | None
    text: str | None


class DecisionRow(NamedTuple):
    """A row of `_decisions`."""

    kind: Annotated[int, Meta(ge=0, lt=len(DECISION_KINDS))]
    content: str
