"""Turns records into rows. A text, a message, a model, a call's settings and a start are stored once, under a number."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, Generic, TypeVar

import msgspec

from quintet.errors import JournalFault, PromptUnknown
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Record, SessionOpened, StepTaken
from quintet.journal.numbers import EPISODE_BITS, FINISHES, KINDS, ROLES, STATES
from quintet.messages.paths import Path, parent
from quintet.messages.prompts import PromptAddress, PromptNode
from quintet.ports.model import Finish

_TEXTS: Final = 100_000
_MESSAGES: Final = 200_000
"""How many texts and messages the writer knows. What it forgot is stored again."""
_SHORT: Final = 256
"""Characters. Of a longer text only its digest is kept in memory."""
_COMPLETIONS: Final = 16
"""How many requests of an episode may be waiting for a step after their newest completion."""

_LARGEST = 2**63

_Key = TypeVar("_Key")
_Row = tuple[Any, ...]

_json = msgspec.json.Encoder().encode


class Numbers(Generic[_Key]):
    """The numbers of what is stored once. The longest unused are forgotten."""

    def __init__(self, known: dict[_Key, int], newest: int, bound: int | None = None) -> None:
        self._known = known
        self._newest = newest
        self._bound = bound

    def find(self, key: _Key) -> int | None:
        """The number of what is stored; None if it is not known."""
        number = self._known.pop(key, None)
        if number is not None:
            self._known[key] = number
        return number

    def add(self, key: _Key) -> int:
        """The number of what is to be stored now."""
        self._newest += 1
        self.learn(key, self._newest)
        return self._newest

    def learn(self, key: _Key, number: int) -> None:
        """Note the number of what is stored already."""
        self._known[key] = number
        if self._bound is not None and len(self._known) > self._bound:
            del self._known[next(iter(self._known))]


@dataclass
class ModelUsage:
    """What an episode's answered calls to a model used."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    bounded: int = 0
    unanswered: dict[Finish, int] = field(default_factory=dict[Finish, int])

    def add(self, event: CallMade) -> None:
        """Count a call."""
        usage = event.completion.usage
        self.calls += 1
        self.prompt_tokens += usage.prompt_tokens
        self.cached_tokens += usage.cached_tokens
        self.completion_tokens += usage.completion_tokens
        self.bounded += event.bounded
        if (finish := event.completion.finish) != "stop":
            self.unanswered[finish] = self.unanswered.get(finish, 0) + 1


@dataclass
class OpenEpisode:
    """An episode that has not ended."""

    number: int
    path: Path
    incarnation: int
    began: int
    """Milliseconds since the Unix epoch."""
    events: int = 0
    """How many positions are taken."""
    steps: int = 0
    usage: dict[int, ModelUsage] = field(default_factory=dict[int, ModelUsage])
    """By the number of the model."""
    completions: dict[Path, tuple[str, int]] = field(default_factory=dict[Path, tuple[str, int]])
    """By request, the newest completion and the number of its text."""

    def next_id(self) -> int:
        """The id of the next event.

        Raises:
            JournalFault: the episode has no room for it.
        """
        self.events += 1
        if self.events >> EPISODE_BITS:
            raise JournalFault(f"{self.path}: expected fewer than {1 << EPISODE_BITS:,} events, got more")
        return (self.number << EPISODE_BITS) + self.events

    def below(self, path: str) -> str:
        """A path without the episode's own; a session of elsewhere in full, after a slash."""
        own = len(self.path)
        if path.startswith(self.path) and path[own : own + 1] in ("", "/"):
            return path[own + 1 :]
        return f"/{path}"

    def note_completion(self, path: Path, text: str, number: int | None) -> None:
        """Keep a completion until the steps that follow it are stored."""
        if number is None or "\0" in text:  # SQLite finds no part of a text behind a NUL
            return
        request = parent(path)
        self.completions.pop(request, None)
        self.completions[request] = text, number
        if len(self.completions) > _COMPLETIONS:
            del self.completions[next(iter(self.completions))]


class Encoder:
    """Numbers everything and makes the rows of records, in the order in which they are committed.

    Args:
        connection: to the journal. What it has is numbered on from.
        prices: USD per million tokens of input, cached input and output, by model.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        def known(query: str) -> dict[Any, int]:
            return {row[1] if len(row) == 2 else row[1:]: row[0] for row in connection.execute(query)}

        def numbers(query: str) -> Numbers[Any]:
            found = known(query)
            return Numbers(found, max(found.values(), default=0))

        def newest(table: str) -> int:
            return connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]

        self._texts: Numbers[str | bytes] = Numbers({}, newest("_texts"), _TEXTS)
        self._messages: Numbers[PromptAddress] = Numbers({}, newest("_messages"), _MESSAGES)
        self._models: Numbers[str] = numbers("SELECT id, name FROM _models")
        self._settings: Numbers[_Row] = numbers(
            "SELECT id, model, fingerprint, temperature, top_p, max_tokens, stop, form FROM _settings"
        )
        self._starts: Numbers[_Row] = numbers("SELECT id, incarnation, host FROM _starts")
        self._tasks: Numbers[str] = numbers("SELECT id, name FROM _tasks")
        self.rows: dict[str, list[_Row]] = {}
        """By table, to be inserted."""

    def take_rows(self) -> dict[str, list[_Row]]:
        """The rows to be inserted, in the order of tables in which what is referred to comes first."""
        rows, self.rows = self.rows, {}
        return rows

    def _insert(self, table: str, row: _Row) -> None:
        self.rows.setdefault(table, []).append(row)

    def learn_text(self, text: str, number: int) -> None:
        """Note a text that is stored already."""
        self._texts.learn(_key(text), number)

    def learn_message(self, address: PromptAddress, number: int) -> None:
        """Note a message that is stored already."""
        self._messages.learn(address, number)

    def text(self, text: str) -> int | None:
        """The number of a text; None if it is empty.

        Raises:
            UnicodeEncodeError: it has no UTF-8 form.
        """
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
        return self._numbered(self._models, "_models", name, (_utf8(name), None, None, None))

    def _numbered(self, numbers: Numbers[Any], table: str, key: object, columns: _Row) -> int:
        number = numbers.find(key)
        if number is None:
            number = numbers.add(key)
            self._insert(table, (number, *columns))
        return number

    def start(self, incarnation: int, host: str) -> int:
        """The number of a start on a host."""
        return self._numbered(self._starts, "_starts", (incarnation, host), (incarnation, host))

    def add(self, record: Record, episode: OpenEpisode) -> list[tuple[str, _Row]]:
        """The rows of a record, to be inserted with `rows`.

        Raises:
            PromptUnknown: a call's prompt continues one that is not known to be stored.
            UnicodeEncodeError: a text has no UTF-8 form.
            OverflowError: a number has more than 64 bits.
        """
        event = record.event
        if isinstance(event, EpisodeEnded):
            return []
        common = (
            episode.next_id(),
            episode.below(event.path),
            self.start(record.incarnation, record.host),
            round(record.at * 1000) - episode.began,
            round(record.seconds * 1_000_000),
        )
        match event:
            case CallMade():
                table, own = "_calls", self._call(event, record.prompts, episode)
            case StepTaken():
                table, own = "_steps", self._step(event, episode)
            case SessionOpened():
                table, own = "_sessions", (episode.below(event.session), self.text(event.observation))
            case Exchanged():
                table, own = "_exchanges", self._exchange(event, episode)
            case _:
                table, own = "_decisions", (KINDS.index(event.kind), _content(event))
        return [(table, (*common, *own))]

    def _call(self, event: CallMade, prompts: Sequence[PromptNode], episode: OpenEpisode) -> _Row:
        sampling, completion = event.sampling, event.completion
        settings = (
            self.model(event.model),
            _utf8(completion.fingerprint),
            float(sampling.temperature),
            float(sampling.top_p),
            _bounded(sampling.max_tokens),
            _json(sampling.stop).decode(),
            sampling.form,
        )
        prompt = self._prompt(event, prompts)
        text = self.text(completion.text)
        episode.note_completion(event.path, completion.text, text)
        usage = completion.usage
        return (
            self._numbered(self._settings, "_settings", settings, settings),
            None if sampling.seed is None else _bounded(sampling.seed),
            prompt,
            text,
            self.text(completion.reasoning),
            FINISHES.index(completion.finish),
            usage.prompt_tokens,
            usage.cached_tokens,
            usage.completion_tokens,
            usage.reasoning_tokens,
            int(event.bounded),
        )

    def _prompt(self, event: CallMade, prompts: Sequence[PromptNode]) -> int:
        for node in prompts:
            if self._messages.find(node.address) is None:
                parent = None if node.parent is None else self._messages.find(node.parent)
                if parent is None and node.parent is not None:
                    raise PromptUnknown(f"{event.path}: expected a prompt that continues one of the journal's")
                message, text = node.message, self.text(node.message.content)
                number = self._messages.add(node.address)
                back = 0 if parent is None else number - parent
                self._insert("_messages", (number, back, ROLES.index(message.role), text))
        found = self._messages.find(event.prompt)
        if found is None:
            raise PromptUnknown(f"{event.path}: expected a prompt of the journal's, or the messages of a new one")
        return found

    def _step(self, event: StepTaken, episode: OpenEpisode) -> _Row:
        completion = episode.completions.get(parent(event.path))
        return (
            episode.below(event.session),
            *self._part(event.action, completion),
            *self._part(event.thought, completion),
            self.text(event.observation),
            float(event.reward),
            int(event.done),
            int(event.rejected),
        )

    def _part(self, text: str, completion: tuple[str, int] | None) -> _Row:
        """A text as a part of the completion that it was read from, if it is one."""
        if not text:
            return None, None, None
        if completion is not None:
            whole, number = completion
            place = whole.find(text)
            if place >= 0:
                return (number, None, None) if len(text) == len(whole) else (number, place + 1, len(text))
        return self.text(text), None, None

    def _exchange(self, event: Exchanged, episode: OpenEpisode) -> _Row:
        turns = None
        if event.turns:
            numbers = [self.text(text) or 0 for turn in event.turns for text in (turn.completion, turn.observation)]
            turns = _json([number - before for before, number in zip([0, *numbers], numbers, strict=False)]).decode()
        session = None if event.session is None else episode.below(event.session)
        return self.text(event.request), self.text(event.subject), session, self.text(event.reply), turns

    def end(self, record: Record, event: EpisodeEnded, episode: OpenEpisode) -> _Row:
        """The values of an episode's end, in the order of the table's columns from `ended` on."""
        return (
            round(record.at * 1000) - episode.began,
            self.start(record.incarnation, record.host),
            round(record.seconds * 1_000_000),
            STATES.index(event.state),
            float(event.reward),
            None if event.claimed is None else int(event.claimed),
            _bounded(event.depth),
            _utf8(event.reason),
            None if event.fault is None else _json(event.fault).decode(),
            int(event.cancelled),
            episode.steps,
        )


def _content(event: AnyEvent) -> str:
    fields = msgspec.to_builtins(event)
    del fields["type"], fields["path"]
    return _json(fields).decode()


def _key(text: str) -> str | bytes:
    return text if len(text) <= _SHORT else blake2b(text.encode(), digest_size=16).digest()


def _utf8(text: str) -> str:
    text.encode()
    return text


def _bounded(number: int) -> int:
    if not -_LARGEST <= number < _LARGEST:
        raise OverflowError(f"expected a number of 64 bits, got {number}")
    return number
