"""Encodes model calls, in the one file that a call crosses beside the writer; and numbers what is stored once."""

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import isnan
from typing import Any, Final, Generic, TypeVar

from quintet.errors import JournalFault, PromptUnknown
from quintet.events import CallMade, Record
from quintet.journal.cells import NewRows, Row, encode_json
from quintet.journal.codes import ENDINGS, EPISODE_BITS, MESSAGE_ROLES
from quintet.journal.open_episode import OpenEpisode
from quintet.journal.prompt_messages import MessageRow
from quintet.journal.token_rows import TokenPrefixes
from quintet.messages.paths import Path, attempt_of, parent
from quintet.messages.prompts import PromptAddress, PromptNode, address_of
from quintet.messages.tools import ToolAnswer
from quintet.ports.tokens import CallTokens
from quintet.quota.prices import Price

_COMPLETIONS: Final = 16
"""How many requests of an episode may be waiting for a step after their newest completion."""
_TEXTS: Final = 100_000
_MESSAGES: Final = 200_000
"""How many texts and messages the writer knows. What it forgot is stored again."""
_SHORT: Final = 256
"""Characters. Of a longer text only its digest is kept in memory."""

_BEGIN: Final = (
    "INSERT INTO _episodes (id, task, epoch, attempt, began, incarnation, started) VALUES (?, ?, ?, ?, ?, ?, ?)"
)

_Key = TypeVar("_Key")


class Numbering(Generic[_Key]):
    """The number of each key that is known. Beyond the bound the longest unused are forgotten."""

    def __init__(self, known: dict[_Key, int], newest: int, bound: int | None = None) -> None:
        self._known = OrderedDict(known)
        self._newest = newest
        self._bound = bound

    def find(self, key: _Key) -> int | None:
        """The number of a key; None if it is not known."""
        number = self._known.get(key)
        if number is not None:
            self._known.move_to_end(key)
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
            self._known.popitem(last=False)


class StoredOnce:
    """Numbers what is stored once, on from what the journal has, and makes its rows in the order of the commits."""

    def __init__(self, connection: sqlite3.Connection, prices: Mapping[str, Price]) -> None:
        self._prices = prices

        def numbers(query: str) -> Numbering[Any]:
            found = {row[1] if len(row) == 2 else row[1:]: row[0] for row in connection.execute(query)}
            return Numbering(found, max(found.values(), default=0))

        def newest(table: str) -> int:
            return int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])

        self._episodes = newest("_episodes")
        self._texts: Numbering[str | bytes] = Numbering({}, newest("_texts"), _TEXTS)
        self._messages: Numbering[PromptAddress] = Numbering({}, newest("_messages"), _MESSAGES)
        self._models: Numbering[str] = numbers("SELECT id, name FROM _models")
        self._phases: Numbering[str] = numbers("SELECT id, name FROM _phases")
        self._settings: Numbering[Row] = numbers(
            "SELECT id, model, phase, fingerprint, temperature, top_p, max_tokens, stop, form, weights FROM _settings"
        )
        self._starts: Numbering[Row] = numbers("SELECT id, incarnation, host FROM _starts")
        self._tasks: Numbering[str] = numbers("SELECT id, name FROM _tasks")
        self._tokens = TokenPrefixes()
        self._rows: NewRows = {}
        """Of what is stored once."""

    def take_rows(self) -> NewRows:
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

    def text(self, text: str) -> int | None:
        """The number of a text; None for the empty one."""
        if not text:
            return None
        key = _key(text)
        number = self._texts.find(key)
        if number is None:
            number = self._texts.add(key)
            self._insert("_texts", (number, text))
        return number

    def tokens(self, call: int, tokens: CallTokens) -> None:
        """Store the tokens of a call, by its id."""
        self._insert("_tokens", self._tokens.row(call, tokens))

    def tool_answer(self, call: int, answer: ToolAnswer) -> None:
        """Store what a call was offered and called, by its id."""
        self._insert("_tool_answers", (call, self.text(answer.tools), self.text(answer.message)))

    def next_episode(self) -> int:
        """The number of an episode that begins."""
        self._episodes += 1
        return self._episodes

    def begin(self, episode: OpenEpisode) -> None:
        """Store that an episode begins, for the first time."""
        task, epoch, attempt = attempt_of(episode.path)
        row = episode.number, self.task(task), epoch, attempt, episode.began, episode.incarnation, 0
        self._rows.setdefault(_BEGIN, []).append(row)

    def task(self, name: str) -> int:
        """The number of a task."""
        return self._numbered(self._tasks, "_tasks", name, (name,))

    def model(self, name: str) -> int:
        """The number of a model."""
        return self._numbered(self._models, "_models", name, (name, *price_columns(self._prices.get(name))))

    def _numbered(self, numbers: Numbering[Any], table: str, key: object, columns: Row) -> int:
        number = numbers.find(key)
        if number is None:
            for text in columns:
                if isinstance(text, str):
                    as_text(text)
            number = numbers.add(key)
            self._insert(table, (number, *columns))
        return number

    def start(self, incarnation: int, host: str) -> int:
        """The number of a start."""
        key = incarnation, host
        return self._numbered(self._starts, "_starts", key, key)

    def settings(self, model: str, phase: str, others: Row) -> int:
        """The number of the settings of a call."""
        numbered = self._numbered(self._phases, "_phases", phase, (phase,))
        settings = self.model(model), numbered, *others
        return self._numbered(self._settings, "_settings", settings, settings)

    def prompt(self, event: CallMade, prompts: Sequence[PromptNode]) -> int:
        """The number of the last message of a call's prompt; 0 if it has none.

        Args:
            prompts: messages that may be new, each after what it continues; if that is not known to be stored, a
                `PromptUnknown` is raised.
        """
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
        last = len(node.appended) - 1
        for place, message in enumerate(node.appended):
            address = node.address if place == last else address_of(address, message)
            text = self.text(message.content)
            number = self._messages.add(address)
            back = number - parent if parent else 0
            self._insert("_messages", (number, back, MESSAGE_ROLES.index(message.role), text))
            parent = number


def price_columns(price: Price | None) -> tuple[float | None, float | None, float | None]:
    """USD per million tokens of input, cached input and output, as the table of models has them."""
    return (None, None, None) if price is None else (float(price.input), float(price.cached_input), float(price.output))


def _key(text: str) -> str | bytes:
    # SHA-256, since processors have instructions for it: of a long prompt it takes half of BLAKE2's time.
    return as_text(text) if len(text) <= _SHORT else sha256(text.encode()).digest()


@cache
def insert(table: str, columns: int) -> str:
    """The statement that inserts a row."""
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def next_id(episode: OpenEpisode) -> int:
    """The id of an episode's next event; a `JournalFault` if the episode has no room for it."""
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


def full_path(below: str, episode: Path) -> str:
    """The path or session of which `below` is what is stored."""
    return below[1:] if below.startswith("/") else f"{episode}/{below}" if below else episode


def session_cell(session: str | None, episode: Path) -> str | None:
    """A session, stored as a path is."""
    return None if session is None else as_text(below(session, episode))


def as_text(text: str) -> str:
    """A text, if it has a UTF-8 form; else a `UnicodeEncodeError`."""
    text.encode()
    return text


def as_real(number: float) -> float:
    """A number, if SQLite can store it; else a `ValueError`: it would store NULL in place of NaN."""
    if isnan(number):
        raise ValueError(f"expected a number, got {number}")
    return float(number)


def as_integer(number: int) -> int:
    """A whole number, if it has at most 64 bits, as SQLite's; else an `OverflowError`."""
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"expected a number of 64 bits, got {number}")
    return number


def encode_common(record: Record, episode: OpenEpisode, stored: StoredOnce) -> Row:
    """The columns of every event, with the next id."""
    return (
        next_id(episode),
        as_text(below(record.event.path, episode.path)),
        stored.start(record.incarnation, record.host),
        as_integer(round(record.at * 1000) - episode.began),
        as_integer(round(record.seconds * 1_000_000)),
    )


def encode_call(event: CallMade, record: Record, episode: OpenEpisode, stored: StoredOnce) -> tuple[str, Row]:
    """The statement that stores a call, and its row. It goes with the rows of `stored.take_rows`.

    Raises:
        JournalFault: the episode has no room for it.
        PromptUnknown: its prompt continues one that is not known to be stored.
        UnicodeEncodeError: a text has no UTF-8 form.
        OverflowError: a number has more than 64 bits.
    """
    common = encode_common(record, episode, stored)
    sampling, completion = event.sampling, event.completion
    settings = (
        completion.fingerprint,
        as_real(sampling.temperature),
        as_real(sampling.top_p),
        as_integer(sampling.max_tokens),
        encode_json(sampling.stop).decode(),
        sampling.form,
        completion.weights_version,
    )
    prompt = stored.prompt(event, record.prompts)
    text = stored.text(completion.text)
    _note_completion(episode, event, text)
    if completion.tokens is not None:
        stored.tokens(common[0], completion.tokens)
    if completion.tool_answer is not None:
        stored.tool_answer(common[0], completion.tool_answer)
    usage = completion.usage
    own = (
        stored.settings(event.model, event.phase, settings),
        None if sampling.seed is None else as_integer(sampling.seed),
        prompt,
        text,
        stored.text(completion.reasoning),
        ENDINGS.index(event.ending),
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.completion_tokens,
        usage.reasoning_tokens,
        int(event.bounded),
    )
    return insert("_calls", len(common) + len(own)), (*common, *own)


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
