"""Turns records into rows. Texts, messages, models, settings of calls and starts are stored once, under a number."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from math import isnan
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec

from quintet.errors import JournalFault, PromptUnknown
from quintet.events import (
    AnyEvent,
    CallMade,
    EpisodeEnded,
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
from quintet.journal.cells import Row
from quintet.journal.codes import DECISION_KINDS, EPISODE_BITS, FINISHES, MESSAGE_ROLES, STANDINGS, STATES
from quintet.journal.open_episode import OpenEpisode
from quintet.journal.prompt_messages import MessageRow
from quintet.messages.paths import Path, parent
from quintet.messages.prompts import PromptAddress, PromptNode, address_of
from quintet.quota.prices import Price

_TEXTS: Final = 100_000
_MESSAGES: Final = 200_000
"""How many texts and messages the writer knows. What it forgot is stored again."""
_SHORT: Final = 256
"""Characters. Of a longer text only its digest is kept in memory."""
_COMPLETIONS: Final = 16
"""How many requests of an episode may be waiting for a step after their newest completion."""

_Key = TypeVar("_Key")
Rows: TypeAlias = dict[str, list[Row]]
"""By statement, the rows to execute it with."""

END: Final = """
UPDATE _episodes SET ended = ?, start = ?, seconds = ?, state = ?, reward = ?, claimed = ?, depth = ?, reason = ?,
    fault = ?, cancelled = ? WHERE id = ?
"""
"""Executed after all statements that insert events."""

_json = msgspec.json.Encoder().encode


class Numbering(Generic[_Key]):
    """The number of each key that is known. Beyond the bound the longest unused are forgotten."""

    def __init__(self, known: dict[_Key, int], newest: int, bound: int | None = None) -> None:
        self._known = known
        self._newest = newest
        self._bound = bound

    def find(self, key: _Key) -> int | None:
        """The number of a key; None if it is not known."""
        number = self._known.pop(key, None)
        if number is not None:
            self._known[key] = number
        return number

    def add(self, key: _Key) -> int:
        """The next number, for a key that is to be stored."""
        self._newest += 1
        self.learn(key, self._newest)
        return self._newest

    def learn(self, key: _Key, number: int) -> None:
        """Note the number of a key that is stored already."""
        self._known[key] = number
        if self._bound is not None and len(self._known) > self._bound:
            del self._known[next(iter(self._known))]


class Encoder:
    """Numbers everything and makes the rows of records, in the order in which they are committed.

    Args:
        connection: to the journal. What it has is numbered on from.
        prices: by model.
    """

    def __init__(self, connection: sqlite3.Connection, prices: Mapping[str, Price]) -> None:
        self._prices = prices

        def numbers(query: str) -> Numbering[Any]:
            found = {row[1] if len(row) == 2 else row[1:]: row[0] for row in connection.execute(query)}
            return Numbering(found, max(found.values(), default=0))

        def newest(table: str) -> int:
            return int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])

        self._texts: Numbering[str | bytes] = Numbering({}, newest("_texts"), _TEXTS)
        self._messages: Numbering[PromptAddress] = Numbering({}, newest("_messages"), _MESSAGES)
        self._models: Numbering[str] = numbers("SELECT id, name FROM _models")
        self._phases: Numbering[str] = numbers("SELECT id, name FROM _phases")
        self._settings: Numbering[Row] = numbers(
            "SELECT id, model, phase, fingerprint, temperature, top_p, max_tokens, stop, form FROM _settings"
        )
        self._starts: Numbering[Row] = numbers("SELECT id, incarnation, host FROM _starts")
        self._tasks: Numbering[str] = numbers("SELECT id, name FROM _tasks")
        self._rows: Rows = {}
        """Of what is stored once."""

    def take_rows(self) -> Rows:
        """The rows of what is stored once that were numbered since the last time."""
        rows, self._rows = self._rows, {}
        return rows

    def _insert(self, table: str, row: Row) -> None:
        self._rows.setdefault(insert(table, len(row)), []).append(row)

    def learn(self, address: PromptAddress, message: MessageRow) -> None:
        """Note a message that is stored already, and its text."""
        self._messages.learn(address, message.number)
        if message.content and message.text:
            self._texts.learn(_key(message.content), message.text)

    def _text(self, text: str) -> int | None:
        if not text:
            return None
        key = _key(text)
        number = self._texts.find(key)
        if number is None:
            text.encode()
            number = self._texts.add(key)
            self._insert("_texts", (number, text))
        return number

    def task(self, name: str) -> int:
        """The number of a task."""
        return self._numbered(self._tasks, "_tasks", name, (name,))

    def model(self, name: str) -> int:
        """The number of a model."""
        return self._numbered(self._models, "_models", name, (_utf8(name), *price_columns(self._prices.get(name))))

    def _numbered(self, numbers: Numbering[Any], table: str, key: object, columns: Row) -> int:
        number = numbers.find(key)
        if number is None:
            number = numbers.add(key)
            self._insert(table, (number, *columns))
        return number

    def _start(self, incarnation: int, host: str) -> int:
        return self._numbered(self._starts, "_starts", (incarnation, host), (incarnation, _utf8(host)))

    def row_of(self, record: Record, episode: OpenEpisode) -> tuple[str, Row]:
        """The statement that stores a record, and its row. It goes with the rows of `take_rows`.

        Raises:
            JournalFault: the episode has no room for it.
            PromptUnknown: a call's prompt continues one that is not known to be stored.
            UnicodeEncodeError: a text has no UTF-8 form.
            OverflowError: a number has more than 64 bits.
        """
        event = record.event
        if isinstance(event, EpisodeEnded):
            return END, self._end(record, event, episode)
        common = (
            next_id(episode),
            _utf8(below(event.path, episode.path)),
            self._start(record.incarnation, record.host),
            _bounded(round(record.at * 1000) - episode.began),
            _bounded(round(record.seconds * 1_000_000)),
        )
        match event:
            case CallMade():
                table, own = "_calls", self._call(event, record.prompts, episode)
            case StepTaken():
                table, own = "_steps", self._step(event, episode)
            case SessionOpened():
                own = _session(event.session, episode), None, self._text(event.observation)
                table = "_sessions"
            case SessionForked():
                table, own = "_sessions", (_session(event.session, episode), _session(event.origin, episode), None)
            case NodeGrown():
                table, own = "_nodes", self._node(event, episode)
            case TrialEnded():
                table, own = "_trials", _trial(event, episode)
            case Recalled():
                table, own = "_recalls", _recall(event)
            case Exchanged():
                table, own = "_exchanges", self._exchange(event, episode)
            case Published():
                table, own = "_versions", (_bounded(event.version), self._text(event.content))
            case _:
                table, own = "_decisions", (DECISION_KINDS.index(event.kind), _content(event))
        return insert(table, len(common) + len(own)), (*common, *own)

    def _call(self, event: CallMade, prompts: Sequence[PromptNode], episode: OpenEpisode) -> Row:
        sampling, completion = event.sampling, event.completion
        settings = (
            self.model(event.model),
            self._numbered(self._phases, "_phases", event.phase, (_utf8(event.phase),)),
            _utf8(completion.fingerprint),
            _real(sampling.temperature),
            _real(sampling.top_p),
            _bounded(sampling.max_tokens),
            _json(sampling.stop).decode(),
            sampling.form,
        )
        prompt = self._prompt(event, prompts)
        text = self._text(completion.text)
        _note_completion(episode, event, text)
        usage = completion.usage
        return (
            self._numbered(self._settings, "_settings", settings, settings),
            None if sampling.seed is None else _bounded(sampling.seed),
            prompt,
            text,
            self._text(completion.reasoning),
            FINISHES.index(completion.finish),
            usage.prompt_tokens,
            usage.cached_tokens,
            usage.completion_tokens,
            usage.reasoning_tokens,
            int(event.bounded),
        )

    def _prompt(self, event: CallMade, prompts: Sequence[PromptNode]) -> int:
        for node in prompts:
            if self._message(node.address) is None:
                parent = self._message(node.parent)
                if parent is None:
                    raise PromptUnknown(f"{event.path}: expected a prompt that continues one of the journal's")
                self._add_messages(node, parent)
        found = self._message(event.prompt)
        if found is None:
            raise PromptUnknown(f"{event.path}: expected a prompt of the journal's, or the messages of a new one")
        return found

    def _message(self, address: PromptAddress | None) -> int | None:
        """The number of a prompt's last message; 0 if it has none; None if it is not known."""
        return self._messages.find(address) if address else 0

    def _add_messages(self, node: PromptNode, parent: int) -> None:
        address = node.parent
        for message in node.appended:
            address = address_of(address, message)
            text = self._text(message.content)
            number = self._messages.add(address)
            back = number - parent if parent else 0
            self._insert("_messages", (number, back, MESSAGE_ROLES.index(message.role), text))
            parent = number

    def _step(self, event: StepTaken, episode: OpenEpisode) -> Row:
        completion = episode.completions.get(parent(event.path))
        return (
            _session(event.session, episode),
            *self._part(event.action, completion),
            *self._part(event.thought, completion),
            self._text(event.observation),
            _real(event.reward),
            int(event.done),
            int(event.rejected),
            int(event.lasting),
        )

    def _node(self, event: NodeGrown, episode: OpenEpisode) -> Row:
        return (
            _utf8(below(event.tree, episode.path)),
            _bounded(event.node),
            None if event.parent is None else _bounded(event.parent),
            self._text(event.action),
            _session(event.session, episode),
            None if event.value is None else _real(event.value),
            None if event.confidence is None else _real(event.confidence),
            _bounded(event.visits),
            _real(event.reward),
            STANDINGS.index(event.standing),
            int(event.adjusted),
        )

    def _part(self, text: str, completion: tuple[str, int] | None) -> Row:
        """A text as a part of the completion that it was read from, if it is one."""
        if not text:
            return None, None, None
        whole, number = completion or ("", 0)
        place = whole.find(text)
        if place >= 0:
            return (number, None, None) if len(text) == len(whole) else (number, place + 1, len(text))
        return self._text(text), None, None

    def _exchange(self, event: Exchanged, episode: OpenEpisode) -> Row:
        turns = None
        if event.turns:
            numbers = [self._text(text) or 0 for turn in event.turns for text in (turn.completion, turn.observation)]
            turns = _json([number - before for before, number in zip([0, *numbers], numbers, strict=False)]).decode()
        request, subject, reply = map(self._text, (event.request, event.subject, event.reply))
        return request, subject, _session(event.session, episode), reply, turns

    def _end(self, record: Record, event: EpisodeEnded, episode: OpenEpisode) -> Row:
        return (
            _bounded(round(record.at * 1000) - episode.began),
            self._start(record.incarnation, record.host),
            _bounded(round(record.seconds * 1_000_000)),
            STATES.index(event.state),
            _real(event.reward),
            None if event.claimed is None else int(event.claimed),
            _bounded(event.depth),
            _utf8(event.reason),
            None if event.fault is None else _json(event.fault).decode(),
            int(event.cancelled),
            episode.number,
        )


@cache
def insert(table: str, columns: int) -> str:
    """The statement that inserts a row."""
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def next_id(episode: OpenEpisode) -> int:
    """The id of an episode's next event.

    Raises:
        JournalFault: the episode has no room for it.
    """
    episode.events += 1
    if episode.events >> EPISODE_BITS:
        raise JournalFault(f"{episode.path}: expected fewer than {1 << EPISODE_BITS:,} events, got more")
    return (episode.number << EPISODE_BITS) + episode.events


def below(path: str, episode: Path) -> str:
    """A path or a session without its episode's path; one of elsewhere in full, after a slash."""
    if path == episode:
        return ""
    own = path[len(episode) + 1 :]
    return own if path.startswith(f"{episode}/") and own[:1] not in ("", "/") else f"/{path}"


def _session(session: str | None, episode: OpenEpisode) -> str | None:
    return None if session is None else _utf8(below(session, episode.path))


def _trial(event: TrialEnded, episode: OpenEpisode) -> Row:
    return (
        _utf8(below(event.solve, episode.path)),
        _utf8(event.method),
        *map(_bounded, (event.number, event.actions)),
        _real(event.reward),
        _bounded(event.steps),
        int(event.revised),
    )


def _recall(event: Recalled) -> Row:
    types = (event.goal_type, event.observation_type)
    return (
        _bounded(event.version),
        _bounded(event.batch),
        _json([_bounded(each) for each in event.ids]).decode(),
        *(None if each is None else _bounded(each) for each in types),
        _utf8(event.failed),
    )


def _note_completion(episode: OpenEpisode, event: CallMade, number: int | None) -> None:
    """Keep a completion until the steps that follow it are stored."""
    text = event.completion.text
    if number is None or "\0" in text:  # SQLite finds no part of a text behind a NUL
        return
    request = parent(event.path)
    episode.completions.pop(request, None)
    episode.completions[request] = text, number
    if len(episode.completions) > _COMPLETIONS:
        del episode.completions[next(iter(episode.completions))]


def price_columns(price: Price | None) -> tuple[float | None, float | None, float | None]:
    """USD per million tokens of input, cached input and output, as the table of models has them."""
    return (None, None, None) if price is None else (float(price.input), float(price.cached_input), float(price.output))


def _content(event: AnyEvent) -> str:
    fields = msgspec.to_builtins(event)
    del fields["type"], fields["path"]
    return _json(fields).decode()


def _key(text: str) -> str | bytes:
    return text if len(text) <= _SHORT else blake2b(text.encode(), digest_size=16).digest()


def _utf8(text: str) -> str:
    text.encode()
    return text


def _real(number: float) -> float:
    if isnan(number):  # SQLite would store NULL
        raise ValueError(f"expected a number, got {number}")
    return float(number)


def _bounded(number: int) -> int:
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"expected a number of 64 bits, got {number}")
    return number
