"""Decodes rows of a journal. A row that does not fit its table raises one of `UNREADABLE`."""

from collections.abc import Container, Mapping
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import Meta

from quintet.errors import FaultNote
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Published, Record, SessionOpened, StepTaken
from quintet.journal.numbers import EPISODE_BITS, FINISHES, KINDS, ROLES, STATES
from quintet.messages.execution import Turn
from quintet.messages.paths import Path
from quintet.messages.prompts import ChatMessage, PromptAddress, PromptNode, address_of
from quintet.ports.model import Completion, Finish, Sampling, Usage

Row: TypeAlias = tuple[Any, ...]
"""As SQLite returns it: any column may hold any type."""

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)

_Count = Annotated[int, Meta(ge=0, le=2**62)]
_Number = Annotated[int, Meta(ge=1, le=2**62)]
_Flag = Annotated[int, Meta(ge=0, le=1)]
_Milliseconds = Annotated[int, Meta(ge=-(10**14), le=10**14)]
_Microseconds = Annotated[int, Meta(ge=-(10**17), le=10**17)]
"""Negative if the clock was set back."""
_Below = Annotated[str, Meta(pattern=r"^([0-9]{1,9}(/[0-9]{1,9})*)?\Z")]
_Task = Annotated[str, Meta(pattern=r"^[^/\x00-\x1f\x7f]+\Z")]

EPISODES: Final = """
SELECT episode.id, task.name, episode.epoch, episode.attempt, episode.began, episode.incarnation, episode.started,
    episode.ended, start.incarnation, start.host, episode.seconds, episode.state, episode.reward, episode.depth,
    episode.reason, episode.cancelled, episode.claimed, episode.fault
FROM _episodes AS episode LEFT JOIN _tasks AS task ON task.id = episode.task
LEFT JOIN _starts AS start ON start.id = episode.start
"""


class EpisodeRow(NamedTuple):
    """An attempt, and its end if it has ended: every column after `ended` is None before."""

    number: Annotated[int, Meta(ge=1, lt=2 ** (62 - EPISODE_BITS))]
    task: _Task
    epoch: Annotated[int, Meta(ge=0, le=10**9)]
    attempt: Annotated[int, Meta(ge=0, le=10**9)]
    began: _Milliseconds
    """Its first start, in milliseconds since the Unix epoch."""
    incarnation: _Count
    """Its newest start."""
    started: _Milliseconds
    """Its newest start, since the first."""
    ended: _Milliseconds | None
    """Since the first start."""
    ended_in: _Count | None
    """The start that ended it."""
    host: str | None
    seconds: _Microseconds | None
    state: Annotated[int, Meta(ge=0, lt=len(STATES))] | None
    reward: float | None
    depth: int | None
    reason: str | None
    cancelled: _Flag | None
    claimed: _Flag | None
    fault: str | None

    @property
    def path(self) -> Path:
        """The attempt's path."""
        return Path(f"{self.task}/{self.epoch}/{self.attempt}")

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
    )
    return Record(
        event=event,
        incarnation=cast("int", row.ended_in),
        host=cast("str", row.host),
        at=(row.began + row.ended) / 1000,
        seconds=row.seconds / 1_000_000,
    )


class _Common(NamedTuple):
    id: _Number
    path: _Below
    incarnation: _Count
    host: str
    at: _Milliseconds
    seconds: _Microseconds


_COMMON: Final = "SELECT event.id, event.path, start.incarnation, start.host, event.at, event.seconds"
_FROM: Final = "AS event LEFT JOIN _starts AS start ON start.id = event.start"
_WHERE: Final = "WHERE event.id BETWEEN ? AND ?"


def _text_of(column: str) -> str:
    return f"event.{column}, (SELECT text FROM _texts WHERE id = event.{column})"


EVENTS: Final[Mapping[str, str]] = {
    "_calls": f"""{_COMMON}, model.name, settings.fingerprint, settings.temperature, settings.top_p,
        settings.max_tokens, settings.stop, settings.form, event.seed, event.prompt, {_text_of("completion")},
        {_text_of("reasoning")}, event.finish, event.prompt_tokens, event.cached_tokens, event.completion_tokens,
        event.reasoning_tokens, event.bounded
        FROM _calls {_FROM} LEFT JOIN _settings AS settings ON settings.id = event.settings
        LEFT JOIN _models AS model ON model.id = settings.model {_WHERE}""",
    "_sessions": f"{_COMMON}, event.session, {_text_of('observation')} FROM _sessions {_FROM} {_WHERE}",
    "_steps": f"""{_COMMON}, event.session, {_text_of("action")}, event.action_from, event.action_length,
        {_text_of("thought")}, event.thought_from, event.thought_length, {_text_of("observation")}, event.reward,
        event.done, event.rejected FROM _steps {_FROM} {_WHERE}""",
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

MESSAGES: Final = """
SELECT message.id, message.back, message.role, message.text, text.text
FROM (
    WITH RECURSIVE chain(id) AS (
        SELECT prompt FROM _calls WHERE id BETWEEN ? AND ?
        UNION SELECT _messages.id - _messages.back FROM chain JOIN _messages USING (id) WHERE _messages.back > 0
    ) SELECT id FROM chain
) AS chain JOIN _messages AS message USING (id) LEFT JOIN _texts AS text ON text.id = message.text
ORDER BY message.id
"""
"""The messages of all prompts of an episode's calls, each after the one that it follows."""


class MessageRow(NamedTuple):
    """A message of a prompt."""

    number: _Number
    back: _Count
    role: Annotated[int, Meta(ge=0, lt=len(ROLES))]
    text: _Count | None
    content: str | None


class Prompts:
    """Messages of prompts, by number. Add each after the one that it follows."""

    def __init__(self) -> None:
        self.nodes: dict[int, PromptNode] = {}
        self.parents: dict[int, int] = {}
        self._taken: set[int] = set()

    def add(self, row: Row) -> MessageRow:
        """Add a row of `MESSAGES`."""
        found = msgspec.convert(row, MessageRow)
        message = ChatMessage(role=ROLES[found.role], content=_text(found.text, found.content))
        above = found.number - found.back
        if found.back and above not in self.nodes:
            raise msgspec.ValidationError(f"expected message {above} before message {found.number}, got none")
        parent = self.nodes[above].address if found.back else None
        address = address_of(parent, message)
        self.nodes[found.number] = PromptNode(address=address, parent=parent, appended=(message,))
        self.parents[found.number] = above if found.back else 0
        return found

    def conversation(self, number: int) -> tuple[ChatMessage, ...]:
        """The messages up to this one, oldest first."""
        return tuple(message for each in self._since(number, ()) for message in self.nodes[each].appended)

    def take(self, number: int) -> PromptNode:
        """A prompt with those of its messages that were not taken before, and its last one."""
        new = self._since(number, self._taken) or [number]
        self._taken.update(new)
        appended = tuple(message for each in new for message in self.nodes[each].appended)
        return PromptNode(address=self.nodes[number].address, parent=self.nodes[new[0]].parent, appended=appended)

    def _since(self, number: int, known: Container[int]) -> list[int]:
        found: list[int] = []
        while number and number not in known:
            found.append(number)
            number = self.parents[number]
        return found[::-1]


class _Call(NamedTuple):
    model: str
    fingerprint: str
    temperature: float
    top_p: float
    max_tokens: int
    stop: str
    form: str | None
    seed: int | None
    prompt: _Count
    completion: _Number | None
    text: str | None
    reasoning_text: _Number | None
    reasoning: str | None
    finish: Annotated[int, Meta(ge=0, lt=len(FINISHES))]
    prompt_tokens: _Count
    cached_tokens: _Count
    completion_tokens: _Count
    reasoning_tokens: _Count
    bounded: _Flag


class _Session(NamedTuple):
    session: str
    observation: _Number | None
    text: str | None


class _Step(NamedTuple):
    session: str
    action: _Number | None
    action_text: str | None
    action_from: _Number | None
    action_length: _Number | None
    thought: _Number | None
    thought_text: str | None
    thought_from: _Number | None
    thought_length: _Number | None
    observation: _Number | None
    observation_text: str | None
    reward: float
    done: _Flag
    rejected: _Flag


class _Exchange(NamedTuple):
    request: _Number | None
    request_text: str | None
    subject: _Number | None
    subject_text: str | None
    session: str | None
    reply: _Number | None
    reply_text: str | None
    texts: str
    turns: str | None


class _Version(NamedTuple):
    version: int
    number: _Number | None
    text: str | None


class _Decision(NamedTuple):
    kind: Annotated[int, Meta(ge=0, lt=len(KINDS))]
    content: str


class EventDecoder:
    """Decodes the events of one episode.

    Args:
        episode: its path.
        began: when, in milliseconds since the Unix epoch.
        prompts: of its calls.
    """

    def __init__(self, episode: Path, began: int, prompts: Prompts) -> None:
        self._episode = episode
        self._began = began
        self._prompts = prompts

    def record(self, table: str, row: Row) -> Record:
        """The record of a row of `EVENTS[table]`."""
        common = msgspec.convert(row[:6], _Common)
        path = Path(f"{self._episode}/{common.path}") if common.path else self._episode
        own = row[6:]
        prompts: tuple[PromptNode, ...] = ()
        event: AnyEvent
        match table:
            case "_calls":
                event, prompts = self._call(path, msgspec.convert(own, _Call))
            case "_steps":
                event = self._step(path, msgspec.convert(own, _Step))
            case "_sessions":
                found = msgspec.convert(own, _Session)
                event = SessionOpened(
                    path=path,
                    session=self._session(found.session),
                    observation=_text(found.observation, found.text),
                )
            case "_exchanges":
                event = self._exchange(path, msgspec.convert(own, _Exchange))
            case "_versions":
                version = msgspec.convert(own, _Version)
                event = Published(path=path, version=version.version, content=_text(version.number, version.text))
            case _:
                event = _decision(path, msgspec.convert(own, _Decision))
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

    def _call(self, path: Path, row: _Call) -> tuple[CallMade, tuple[PromptNode, ...]]:
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
                text=_text(row.completion, row.text),
                finish=FINISHES[row.finish],
                usage=Usage(
                    prompt_tokens=row.prompt_tokens,
                    completion_tokens=row.completion_tokens,
                    cached_tokens=row.cached_tokens,
                    reasoning_tokens=row.reasoning_tokens,
                ),
                reasoning=_text(row.reasoning_text, row.reasoning),
                fingerprint=row.fingerprint,
            ),
            bounded=bool(row.bounded),
        )
        return event, () if node is None else (node,)

    def _step(self, path: Path, row: _Step) -> StepTaken:
        return StepTaken(
            path=path,
            session=self._session(row.session),
            action=_part(_text(row.action, row.action_text), row.action_from, row.action_length),
            thought=_part(_text(row.thought, row.thought_text), row.thought_from, row.thought_length),
            observation=_text(row.observation, row.observation_text),
            reward=row.reward,
            done=bool(row.done),
            rejected=bool(row.rejected),
        )

    def _exchange(self, path: Path, row: _Exchange) -> Exchanged:
        numbers = [] if row.turns is None else msgspec.json.decode(row.turns, type=list[int])
        texts = msgspec.json.decode(row.texts, type=list[str])
        if len(numbers) % 2:
            raise msgspec.ValidationError(f"expected the turns of {path} in pairs, got {len(numbers)} texts")
        turns = zip(texts[::2], texts[1::2], strict=True)
        return Exchanged(
            path=path,
            request=_text(row.request, row.request_text),
            subject=_text(row.subject, row.subject_text),
            session=None if row.session is None else self._session(row.session),
            reply=_text(row.reply, row.reply_text),
            turns=tuple(Turn(completion=completion, observation=observation) for completion, observation in turns),
        )


def _decision(path: Path, row: _Decision) -> AnyEvent:
    fields = msgspec.json.decode(row.content, type=dict[str, Any])
    event: AnyEvent = msgspec.convert({**fields, "type": KINDS[row.kind], "path": path}, AnyEvent)
    return event


def _text(number: int | None, text: str | None) -> str:
    if number is None:
        return ""
    if text is None:
        raise msgspec.ValidationError(f"expected text {number}, got none")
    return text


def _part(text: str, start: int | None, length: int | None) -> str:
    return text if start is None or length is None else text[start - 1 : start - 1 + length]


class UseRow(NamedTuple):
    """Usage of the answered calls of an episode to one model."""

    episode: _Number
    model: str
    calls: _Count
    prompt_tokens: _Count
    cached_tokens: _Count
    completion_tokens: _Count
    bounded: _Count
    unanswered: str | None

    @property
    def usage(self) -> Usage:
        """The tokens."""
        return Usage(
            prompt_tokens=self.prompt_tokens,
            cached_tokens=self.cached_tokens,
            completion_tokens=self.completion_tokens,
        )


def finishes_of(use: UseRow) -> dict[Finish, int]:
    """The number of completions that did not stop by themselves, by finish reason."""
    return {} if use.unanswered is None else msgspec.json.decode(use.unanswered, type=dict[Finish, int])


class ChargeRow(NamedTuple):
    """The charge of an attempt at a call."""

    model: str
    prompt_tokens: _Count
    cached_tokens: _Count
    completion_tokens: _Count


def charge_of(row: Row) -> tuple[str, Usage]:
    """The model of a charge, and what its attempt is charged for."""
    found = msgspec.convert(row, ChargeRow)
    model, prompt, cached, completion = found
    return model, Usage(prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion)


class FingerprintRow(NamedTuple):
    """A model that answered, and its endpoint's fingerprint, if any."""

    model: str
    fingerprint: str


def number_of(row: Row) -> float | None:
    """A row of one number or NULL."""
    (found,) = msgspec.convert(row, tuple[float | None])
    return found
