"""Decodes rows of events. A row that does not fit its table raises one of `UNREADABLE`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.events import AnyEvent, CallMade, Record, SessionForked, SessionOpened
from quintet.journal.call_encoder import full_path
from quintet.journal.cells import (
    Count,
    Flag,
    Microseconds,
    Milliseconds,
    Row,
    RowNumber,
    event_query,
    join_text,
    read_text,
)
from quintet.journal.codes import DECISION_KINDS, ENDINGS, TABLE_OF, finish_of
from quintet.journal.event_tables import TABLES
from quintet.journal.prompt_messages import PromptMessages
from quintet.journal.token_rows import StoredTokens
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress, PromptNode
from quintet.messages.tools import ToolAnswer
from quintet.ports.model import Completion, Sampling, Usage
from quintet.ports.tokens import CallTokens

_SELECT_CALLS = event_query(
    "_calls",
    f"""model.name, phase.name, settings.fingerprint, settings.temperature, settings.top_p,
    settings.max_tokens, settings.stop, settings.form, settings.weights, event.seed, event.prompt,
    {read_text("event.completion")}, {read_text("event.reasoning")}, event.finish, event.prompt_tokens,
    event.cached_tokens, event.completion_tokens, event.reasoning_tokens, event.bounded""",
    f"""LEFT JOIN _settings AS settings ON settings.id = event.settings
    LEFT JOIN _models AS model ON model.id = settings.model
    LEFT JOIN _phases AS phase ON phase.id = settings.phase
    {join_text("event.completion")} {join_text("event.reasoning")}""",
)

EVENTS: Final[Mapping[str, str]] = {
    "_calls": _SELECT_CALLS,
    **{name: table.query for name, table in TABLES.items()},
    "_decisions": event_query("_decisions", "event.kind, event.content"),
}
"""By table, the query for the events of an episode, from its first possible id to its last."""

_EVENT_OF: Final = {table: event for event, table in TABLE_OF.items()}


class _CommonRow(NamedTuple):
    id: RowNumber
    path: Annotated[str, Meta(pattern=r"^([0-9]{1,9}(/[0-9]{1,9})*)?\Z")]
    incarnation: Count
    host: str
    at: Milliseconds
    seconds: Microseconds


class _DecisionRow(NamedTuple):
    kind: Annotated[int, Meta(ge=0, lt=len(DECISION_KINDS))]
    content: str


class _CallRow(NamedTuple):
    model: str
    phase: str
    fingerprint: str
    temperature: float
    top_p: float
    max_tokens: int
    stop: str
    form: str | None
    weights: Count | None
    seed: int | None
    prompt: Count
    text: str
    reasoning: str
    finish: Annotated[int, Meta(ge=0, lt=len(ENDINGS))]
    prompt_tokens: Count
    cached_tokens: Count
    completion_tokens: Count
    reasoning_tokens: Count
    bounded: Flag


@dataclass(frozen=True)
class EventDecoder:
    """Decodes the events of one episode."""

    episode: Path
    began: int
    """In milliseconds since the Unix epoch."""
    prompts: PromptMessages
    """Of its calls."""
    tokens: StoredTokens
    """Of its calls."""
    tool_answers: Mapping[int, ToolAnswer]
    """Of its calls, by their ids."""

    def record(self, table: str, row: Row) -> Record:
        """The record of a row of `EVENTS[table]`."""
        common = msgspec.convert(row[:6], _CommonRow)
        path = Path(full_path(common.path, self.episode))
        own = row[6:]
        prompts: tuple[PromptNode, ...] = ()
        event: AnyEvent
        if table == "_calls":
            tokens, tool_answer = self.tokens.of(common.id), self.tool_answers.get(common.id)
            event, prompts = _decode_call(path, own, self.prompts, tokens, tool_answer)
        elif table == "_decisions":
            decision = msgspec.convert(own, _DecisionRow)
            fields = msgspec.json.decode(decision.content, type=dict[str, Any])
            event = msgspec.convert({**fields, "type": DECISION_KINDS[decision.kind], "path": path}, AnyEvent)
        else:
            event = self._own_event(table, path, own)
        return Record(
            event=event,
            incarnation=common.incarnation,
            host=common.host,
            at=(self.began + common.at) / 1000,
            seconds=common.seconds / 1_000_000,
            prompts=prompts,
        )

    def _own_event(self, table: str, path: Path, own: Row) -> AnyEvent:
        fields = TABLES[table].decode(own, self.episode)
        if table != "_sessions":
            return _EVENT_OF[table](path=path, **fields)
        origin, observation = fields.pop("origin"), fields.pop("observation")
        if origin is not None:
            return SessionForked(path=path, origin=origin, **fields)
        return SessionOpened(path=path, observation=observation, **fields)


def _decode_call(
    path: Path, columns: Row, prompts: PromptMessages, tokens: CallTokens | None, tool_answer: ToolAnswer | None
) -> tuple[CallMade, tuple[PromptNode, ...]]:
    row = msgspec.convert(columns, _CallRow)
    ending = ENDINGS[row.finish]
    if row.prompt and row.prompt not in prompts.nodes:
        raise msgspec.ValidationError(f"expected message {row.prompt}, got none")
    node = prompts.take(row.prompt) if row.prompt else None
    event = CallMade(
        path=path,
        model=row.model,
        prompt=PromptAddress("") if node is None else node.address,
        sampling=msgspec.convert(
            {
                "temperature": row.temperature,
                "top_p": row.top_p,
                "max_tokens": row.max_tokens,
                "stop": msgspec.json.decode(row.stop),
                "seed": row.seed,
                "form": row.form,
            },
            Sampling,
        ),
        completion=Completion(
            text=row.text,
            finish=finish_of(ending),
            usage=Usage(
                prompt_tokens=row.prompt_tokens,
                completion_tokens=row.completion_tokens,
                cached_tokens=row.cached_tokens,
                reasoning_tokens=row.reasoning_tokens,
            ),
            reasoning=row.reasoning,
            fingerprint=row.fingerprint,
            tokens=tokens,
            weights_version=row.weights,
            tool_answer=tool_answer,
        ),
        bounded=bool(row.bounded),
        phase=row.phase,
        legibility=ending if ending == "unread" or ending == "free" else "read",
    )
    return event, () if node is None else (node,)
