"""Decodes rows of events. A row that does not fit its table raises one of `UNREADABLE`."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from quintet.events import (
    AnyEvent,
    CallMade,
    Exchanged,
    NodeGrown,
    Published,
    Recalled,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal.cells import Row, text_of
from quintet.journal.codes import DECISION_KINDS, FINISHES, STANDINGS
from quintet.journal.event_rows import (
    CallRow,
    CommonRow,
    DecisionRow,
    ExchangeRow,
    NodeRow,
    RecallRow,
    SessionRow,
    StepRow,
    TrialEndedRow,
    VersionRow,
)
from quintet.journal.prompt_messages import PromptMessages
from quintet.messages.execution import Turn
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress, PromptNode
from quintet.ports.model import Completion, Sampling, Usage

_COMMON: Final = "SELECT event.id, event.path, start.incarnation, start.host, event.at, event.seconds"
_FROM: Final = "AS event LEFT JOIN _starts AS start ON start.id = event.start"
_WHERE: Final = "WHERE event.id BETWEEN ? AND ?"


def _text_of(column: str) -> str:
    return f"event.{column}, (SELECT text FROM _texts WHERE id = event.{column})"


EVENTS: Final[Mapping[str, str]] = {
    "_calls": f"""{_COMMON}, model.name, phase.name, settings.fingerprint, settings.temperature, settings.top_p,
        settings.max_tokens, settings.stop, settings.form, event.seed, event.prompt, {_text_of("completion")},
        {_text_of("reasoning")}, event.finish, event.prompt_tokens, event.cached_tokens, event.completion_tokens,
        event.reasoning_tokens, event.bounded
        FROM _calls {_FROM} LEFT JOIN _settings AS settings ON settings.id = event.settings
        LEFT JOIN _models AS model ON model.id = settings.model
        LEFT JOIN _phases AS phase ON phase.id = settings.phase {_WHERE}""",
    "_sessions": f"{_COMMON}, event.session, event.origin, {_text_of('observation')} FROM _sessions {_FROM} {_WHERE}",
    "_steps": f"""{_COMMON}, event.session, {_text_of("action")}, event.action_from, event.action_length,
        {_text_of("thought")}, event.thought_from, event.thought_length, {_text_of("observation")}, event.reward,
        event.done, event.rejected, event.lasting FROM _steps {_FROM} {_WHERE}""",
    "_nodes": f"""{_COMMON}, event.tree, event.node, event.parent, {_text_of("action")}, event.session, event.value,
        event.confidence, event.visits, event.reward, event.standing, event.adjusted FROM _nodes {_FROM} {_WHERE}""",
    "_trials": f"""{_COMMON}, event.solve, event.method, event.number, event.actions, event.reward, event.steps,
        event.revised FROM _trials {_FROM} {_WHERE}""",
    "_recalls": f"""{_COMMON}, event.version, event.batch, event.ids, event.goal_type, event.observation_type,
        event.failed FROM _recalls {_FROM} {_WHERE}""",
    "_exchanges": f"""{_COMMON}, {_text_of("request")}, {_text_of("subject")}, event.session, {_text_of("reply")},
        (SELECT json_group_array(text) FROM (
            SELECT CASE number WHEN 0 THEN '' ELSE (SELECT text FROM _texts WHERE id = number) END AS text FROM (
                SELECT key, sum(value) OVER (ORDER BY key) AS number
                FROM json_each(CASE WHEN json_valid(event.turns) THEN event.turns ELSE '[]' END)) ORDER BY key)),
        event.turns FROM _exchanges {_FROM} {_WHERE}""",
    "_decisions": f"{_COMMON}, event.kind, event.content FROM _decisions {_FROM} {_WHERE}",
    "_versions": f"{_COMMON}, event.version, {_text_of('text')} FROM _versions {_FROM} {_WHERE}",
}
"""By table, the query for the events of an episode, from its first possible id to its last."""


class EventDecoder:
    """Decodes the events of one episode.

    Args:
        episode: its path.
        began: when, in milliseconds since the Unix epoch.
        prompts: of its calls.
    """

    def __init__(self, episode: Path, began: int, prompts: PromptMessages) -> None:
        self._episode = episode
        self._began = began
        self._prompts = prompts

    def record(self, table: str, row: Row) -> Record:
        """The record of a row of `EVENTS[table]`."""
        common = msgspec.convert(row[:6], CommonRow)
        path = Path(f"{self._episode}/{common.path}") if common.path else self._episode
        own = row[6:]
        prompts: tuple[PromptNode, ...] = ()
        event: AnyEvent
        match table:
            case "_calls":
                event, prompts = self._call(path, msgspec.convert(own, CallRow))
            case "_steps":
                event = self._step(path, msgspec.convert(own, StepRow))
            case "_sessions":
                event = self._opening(path, msgspec.convert(own, SessionRow))
            case "_nodes":
                event = self._node(path, msgspec.convert(own, NodeRow))
            case "_trials":
                event = self._trial(path, msgspec.convert(own, TrialEndedRow))
            case "_recalls":
                event = _recalled(path, msgspec.convert(own, RecallRow))
            case "_exchanges":
                event = self._exchange(path, msgspec.convert(own, ExchangeRow))
            case "_versions":
                version = msgspec.convert(own, VersionRow)
                event = Published(path=path, version=version.version, content=text_of(version.number, version.text))
            case _:
                event = _decision(path, msgspec.convert(own, DecisionRow))
        return Record(
            event=event,
            incarnation=common.incarnation,
            host=common.host,
            at=(self._began + common.at) / 1000,
            seconds=common.seconds / 1_000_000,
            prompts=prompts,
        )

    def _session(self, below: str) -> str:
        return below[1:] if below.startswith("/") else f"{self._episode}/{below}" if below else self._episode

    def _call(self, path: Path, row: CallRow) -> tuple[CallMade, tuple[PromptNode, ...]]:
        if row.prompt and row.prompt not in self._prompts.nodes:
            raise msgspec.ValidationError(f"expected message {row.prompt}, got none")
        node = self._prompts.take(row.prompt) if row.prompt else None
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
                text=text_of(row.completion, row.text),
                finish=FINISHES[row.finish],
                usage=Usage(
                    prompt_tokens=row.prompt_tokens,
                    completion_tokens=row.completion_tokens,
                    cached_tokens=row.cached_tokens,
                    reasoning_tokens=row.reasoning_tokens,
                ),
                reasoning=text_of(row.reasoning_text, row.reasoning),
                fingerprint=row.fingerprint,
            ),
            bounded=bool(row.bounded),
            phase=row.phase,
        )
        return event, () if node is None else (node,)

    def _opening(self, path: Path, row: SessionRow) -> SessionOpened | SessionForked:
        session = self._session(row.session)
        if row.origin is not None:
            return SessionForked(path=path, session=session, origin=self._session(row.origin))
        return SessionOpened(path=path, session=session, observation=text_of(row.observation, row.text))

    def _node(self, path: Path, row: NodeRow) -> NodeGrown:
        return NodeGrown(
            path=path,
            tree=Path(self._session(row.tree)),
            node=row.node,
            parent=row.parent,
            action=text_of(row.action, row.action_text),
            session=None if row.session is None else self._session(row.session),
            value=row.value,
            confidence=row.confidence,
            visits=row.visits,
            reward=row.reward,
            standing=STANDINGS[row.standing],
            adjusted=bool(row.adjusted),
        )

    def _step(self, path: Path, row: StepRow) -> StepTaken:
        return StepTaken(
            path=path,
            session=self._session(row.session),
            action=_part(text_of(row.action, row.action_text), row.action_from, row.action_length),
            thought=_part(text_of(row.thought, row.thought_text), row.thought_from, row.thought_length),
            observation=text_of(row.observation, row.observation_text),
            reward=row.reward,
            done=bool(row.done),
            rejected=bool(row.rejected),
            lasting=bool(row.lasting),
        )

    def _trial(self, path: Path, row: TrialEndedRow) -> TrialEnded:
        return TrialEnded(
            path=path,
            solve=Path(self._session(row.solve)),
            method=row.method,
            number=row.number,
            actions=row.actions,
            reward=row.reward,
            steps=row.steps,
            revised=bool(row.revised),
        )

    def _exchange(self, path: Path, row: ExchangeRow) -> Exchanged:
        numbers = [] if row.turns is None else msgspec.json.decode(row.turns, type=list[int])
        texts = msgspec.json.decode(row.texts, type=list[str])
        if len(numbers) % 2:
            raise msgspec.ValidationError(f"expected the turns of {path} in pairs, got {len(numbers)} texts")
        turns = zip(texts[::2], texts[1::2], strict=True)
        return Exchanged(
            path=path,
            request=text_of(row.request, row.request_text),
            subject=text_of(row.subject, row.subject_text),
            session=None if row.session is None else self._session(row.session),
            reply=text_of(row.reply, row.reply_text),
            turns=tuple(Turn(completion=completion, observation=observation) for completion, observation in turns),
        )


def _recalled(path: Path, row: RecallRow) -> Recalled:
    return Recalled(
        path=path,
        version=row.version,
        batch=row.batch,
        ids=msgspec.json.decode(row.ids, type=tuple[int, ...]),
        goal_type=row.goal_type,
        observation_type=row.observation_type,
        failed=row.failed,
    )


def _decision(path: Path, row: DecisionRow) -> AnyEvent:
    fields = msgspec.json.decode(row.content, type=dict[str, Any])
    event: AnyEvent = msgspec.convert({**fields, "type": DECISION_KINDS[row.kind], "path": path}, AnyEvent)
    return event


def _part(text: str, start: int | None, length: int | None) -> str:
    return text if start is None or length is None else text[start - 1 : start - 1 + length]
