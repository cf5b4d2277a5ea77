"""Queries for episodes of a journal and their events, for reports, `show` and resumed episodes."""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import msgspec

from quintet.errors import UsageError, one_line
from quintet.events import AnyEvent, CutShort, EpisodeEnded, Exchanged, Published, Record, Requeued
from quintet.journal.call_encoder import session_cell
from quintet.journal.cells import UNREADABLE, Count, Row, RowNumber, is_live
from quintet.journal.codes import DECISION_KINDS, EPISODE_BITS, event_range
from quintet.journal.decoder import EVENTS, EventDecoder
from quintet.journal.episode_rows import (
    EPISODE_QUERY,
    TRIAL_QUERY,
    EpisodeRow,
    TrialRow,
    UseRow,
    end_of,
    endings_of,
)
from quintet.journal.open_episode import WRITTEN
from quintet.journal.prefixes import Prompted
from quintet.journal.prompt_messages import MESSAGES, MessageRow, PromptMessages
from quintet.journal.session_steps import EARNED, EarnedRow, figures_of
from quintet.journal.sums import JournalSums
from quintet.journal.token_rows import TOKENS, StoredTokens
from quintet.journal.tool_rows import TOOL_ANSWERS, StoredToolAnswers
from quintet.messages.learning import Learned
from quintet.messages.paths import LEARNER, Attempt, Path, attempt_of, episode_of, episode_path, order_of
from quintet.messages.prompts import ChatMessage, PromptNode
from quintet.messages.tools import ToolAnswer

_IN_ORDER = f"{EPISODE_QUERY} WHERE episode.id >= ? ORDER BY episode.id"
CONDITION_SECONDS = 60.0
"""A condition that takes longer is given up. Meanwhile SQLite would heed no signal."""
_INSTRUCTIONS = 100_000
"""Of SQLite's machine, between two looks at the time and at signals: less than a millisecond."""
_NO_EPISODE = "SELECT * FROM episodes LIMIT 0"
_OF_ATTEMPT = f"{EPISODE_QUERY} WHERE task.name = ? AND episode.epoch = ? AND episode.attempt = ?"
_NUMBER = """
SELECT id FROM _episodes WHERE task = (SELECT id FROM _tasks WHERE name = ?) AND epoch = ? AND attempt = ?
"""
_NEWEST = f"{EPISODE_QUERY} WHERE task.name = ? AND episode.epoch = ? ORDER BY episode.attempt DESC LIMIT 1"
_AT_TASK = """
SELECT task.name, epoch, attempt FROM _tasks AS task JOIN _episodes ON _episodes.task = task.id
WHERE task.name = ? ORDER BY epoch, attempt
"""
_REPEATED = """
SELECT task.name, epoch, max(attempt) FROM _episodes JOIN _tasks AS task ON task.id = _episodes.task
WHERE typeof(attempt) = 'integer' GROUP BY task, epoch HAVING max(attempt) > 0
"""
_REQUEUED = f"""
{EPISODE_QUERY} WHERE episode.attempt > 0 AND EXISTS (
    SELECT 1 FROM _decisions WHERE kind = ? AND _decisions.id BETWEEN
    episode.id << {EPISODE_BITS} AND (episode.id << {EPISODE_BITS}) + {(1 << EPISODE_BITS) - 1})
"""
_CUT_SHORT = f"""
{EPISODE_QUERY} WHERE episode.id IN (
    SELECT id >> {EPISODE_BITS} FROM _decisions
    WHERE kind = ? AND CASE WHEN json_valid(content) THEN json_extract(content, '$.reason') END = 'episode budget')
"""

_USED = "calls, prompt_tokens, cached_tokens, completion_tokens, bounded, unanswered"
_USED_AT_ENDS = f"""
SELECT episode, _models.name, _phases.name, {_USED} FROM _usage
LEFT JOIN _models ON _models.id = model LEFT JOIN _phases ON _phases.id = phase ORDER BY episode, model, phase
"""
_USED_SO_FAR = (
    f"SELECT episode, model, phase, {_USED} FROM usage WHERE episode IN (SELECT id FROM _episodes WHERE ended IS NULL)"
)

_USED_BY = f"SELECT episode, model, phase, {_USED} FROM usage WHERE episode = ?"

_CALL_PHASES = """
SELECT _calls.path, _phases.name FROM _calls LEFT JOIN _settings ON _settings.id = _calls.settings
LEFT JOIN _phases ON _phases.id = _settings.phase WHERE _calls.id BETWEEN ? AND ?
"""
_WITH_NODES = f"""
{EPISODE_QUERY} WHERE EXISTS (
    SELECT 1 FROM _nodes WHERE _nodes.id BETWEEN
    episode.id << {EPISODE_BITS} AND (episode.id << {EPISODE_BITS}) + {(1 << EPISODE_BITS) - 1})
ORDER BY episode.id LIMIT ?
"""

_RECALLED = """
SELECT each.value, recall.path FROM recalls AS recall, json_each(CASE WHEN json_valid(recall.ids) THEN recall.ids END)
AS each WHERE each.value
"""

_LEARNT_BY_CALLS = f"""
SELECT _calls.id >> {EPISODE_BITS}, _models.name, _phases.name, count(*), sum(prompt_tokens), sum(cached_tokens),
    sum(completion_tokens), sum(bounded), NULL
FROM _calls JOIN _settings ON _settings.id = settings JOIN _models ON _models.id = model
JOIN _phases ON _phases.id = phase
WHERE _calls.id BETWEEN ?1 AND (SELECT id FROM _versions WHERE version = ?3 AND id BETWEEN ?1 AND ?2)
GROUP BY model, phase
"""
"""An episode's events are numbered as they come, so a version's calls have lower numbers than the version."""
_HAS_FIGURES = "SELECT 1 FROM _steps WHERE id BETWEEN ? AND ? AND figures IS NOT NULL LIMIT 1"
_HIGHEST_TEMPERATURE = """
SELECT coalesce(max(_settings.temperature), 0) FROM _calls JOIN _settings ON _settings.id = settings
WHERE _calls.id BETWEEN ? AND ?
"""
_HAS_SESSIONS = "SELECT 1 FROM _sessions WHERE id BETWEEN ? AND ? LIMIT 1"
_LAST_REWARD = "SELECT reward FROM _steps WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
_PROMPTED = f"""
SELECT _models.name, _phases.name, call.prompt
FROM _calls AS call JOIN _episodes AS episode ON episode.id = call.id >> {EPISODE_BITS}
JOIN _settings AS settings ON settings.id = call.settings JOIN _models ON _models.id = settings.model
JOIN _phases ON _phases.id = settings.phase WHERE {is_live("call.start")} ORDER BY episode.began + call.at, call.id
"""
_EVERY_EPISODE = (0, 2**63 - 1)
"""The first and the last id that an event can have."""
# Pictures are read by themselves: no replay, comparison or export needs them among the events.
_PICTURE_SIZES = "SELECT path, size FROM _pictures WHERE id BETWEEN ? AND ? ORDER BY id"
_PICTURE_AT = "SELECT picture FROM _pictures WHERE id BETWEEN ? AND ? AND path = ?"


class _PromptedRow(NamedTuple):
    model: str
    phase: str
    prompt: Count


class EventPlace(NamedTuple):
    """Where an event stands in its episode."""

    id: RowNumber
    """Rises in the order of the commits."""
    kind: str
    path: str
    """Below its episode."""


class _EpisodeNumber(NamedTuple):
    number: RowNumber


class JournalReader(JournalSums):
    """Queries over a journal. It never writes."""

    def episodes(self) -> Iterator[EpisodeRow]:
        """Every attempt that started, in the order of their starts, with its end."""
        for rows in self.scan(_IN_ORDER, partial(msgspec.convert, type=list[EpisodeRow]), unit=1):
            yield from rows

    def episodes_where(self, condition: str) -> frozenset[int]:
        """The numbers of the attempts that meet an SQL condition over the view `episodes`.

        A `UsageError` names the columns if it is none, or says that it takes too long. A connection that reads can
        change nothing by it.
        """
        try:
            columns = ", ".join(column[0] for column in self._connection.execute(_NO_EPISODE).description)
        except sqlite3.Error as error:
            self._handle(error)
            return frozenset()
        deadline = time.monotonic() + CONDITION_SECONDS
        self._connection.set_progress_handler(lambda: time.monotonic() > deadline, _INSTRUCTIONS)
        try:
            rows = self._connection.execute(f"SELECT id FROM episodes WHERE (\n{condition}\n)").fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:  # a warning in 3.11: more than one statement
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            if code == sqlite3.SQLITE_INTERRUPT:
                wanted = f"expected an SQL condition that is decided within {CONDITION_SECONDS:g} seconds"
                raise UsageError(f"episodes: {wanted}, got {condition!r}") from error
            if isinstance(error, sqlite3.Error) and code not in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG):
                self._handle(error)  # of the journal, not of the condition
                return frozenset()
            wanted = f"expected an SQL condition over the columns {columns}"
            raise UsageError(f"episodes: {wanted}; got {condition!r}: {one_line(error)}") from error
        finally:
            self._connection.set_progress_handler(None, 0)
        return frozenset(number for (number,) in rows)

    def attempts(self) -> Iterator[tuple[EpisodeRow, list[UseRow]]]:
        """Every attempt that started, in the order of their starts, with its end and what it used by model and phase.

        An end that cannot be read counts as none.
        """
        so_far: dict[int, list[UseRow]] = {}
        for found in self._convert(UseRow, _USED_SO_FAR):
            so_far.setdefault(found.episode, []).append(found)
        at_ends = self._convert(UseRow, _USED_AT_ENDS)
        use = next(at_ends, None)
        for row in self.episodes():
            used = so_far.get(row.number, [])
            while use is not None and use.episode <= row.number:
                if use.episode == row.number:
                    used.append(use if use.unanswered is None else self._with_endings(use))
                use = next(at_ends, None)
            is_sure = row.whole and row.fault is None and row.figures is None
            if row.ended is not None and not is_sure and self._end_of(row) is None:
                row = row._replace(ended=None, state=None)
            yield row, used

    def _with_endings(self, use: UseRow) -> UseRow:
        """The row; without its finish reasons if they cannot be read."""
        endings = next(self._read(lambda _: endings_of(use), [use]), None)
        return use if endings is not None else use._replace(unanswered=None)

    def trials(self) -> Iterator[TrialRow]:
        """Every trial of a method, by episode in the order of their starts."""
        return self._convert(TrialRow, TRIAL_QUERY)

    def used_by(self, episode: Path) -> list[UseRow]:
        """What an attempt used by model and phase; also one that has not ended."""
        row = self.episode(episode)
        return [] if row is None else list(self._convert(UseRow, _USED_BY, (row.number,)))

    def repeats(self) -> dict[tuple[str, int], int]:
        """By task and epoch, the number of the newest attempt, where there is more than one."""
        return {(task, epoch): attempt for task, epoch, attempt in self._convert(Attempt, _REPEATED)}

    def attempts_at(self, task: str) -> dict[int, list[int]]:
        """By epoch, the numbers of the attempts at a task that started, the newest last."""
        found: dict[int, list[int]] = {}
        for _, epoch, attempt in self._convert(Attempt, _AT_TASK, (task,)):
            found.setdefault(epoch, []).append(attempt)
        return found

    def episode(self, path: Path) -> EpisodeRow | None:
        """An attempt; None if it has not begun."""
        return next(self._convert(EpisodeRow, _OF_ATTEMPT, attempt_of(path)), None)

    def _events_of(self, path: Path) -> tuple[int, int] | None:
        """The first and the last id that an event of an attempt can have; None: it has not begun."""
        number = next(self._convert(_EpisodeNumber, _NUMBER, attempt_of(path)), None)
        return None if number is None else event_range(*number)

    def records(self, episode: Path | None = None, *, nodes: bool = True) -> list[Record]:
        """The records of an episode, or of all episodes, in order; without `nodes`, not those of search trees."""
        if episode is None:
            found = [record for row in self.episodes() for record in self.records_of(row, nodes=nodes)]
            return sorted(found, key=lambda record: order_of(record.event.path))
        row = self.episode(episode)
        return [] if row is None else self.records_of(row, nodes=nodes)

    def records_of(self, episode: EpisodeRow, *, nodes: bool = True) -> list[Record]:
        """The records of an episode, in order; see `records`."""
        found: list[Record] = []
        with self.snapshot():
            decoder = self._decoder(episode, episode.path)
            for table, query in EVENTS.items():
                rows = self._rows(query, event_range(episode.number)) if nodes or table != "_nodes" else ()
                found += self._read(partial(decoder.record, table), rows)
        found += [end for end in [self._end_of(episode)] if end is not None]
        return sorted(found, key=lambda record: order_of(record.event.path))

    def _decoder(self, episode: EpisodeRow, path: Path) -> EventDecoder:
        """A decoder of an episode's events, as events below a path, with its prompts, tokens and tools."""
        prompts, tokens, events = PromptMessages(), StoredTokens(), event_range(episode.number)
        for _ in self._messages(episode.number, prompts):
            pass
        self._read_all(tokens.add, TOKENS, events)
        return EventDecoder(path, episode.began, prompts, tokens, self._tool_answers(*events))

    def tool_answer(self, call: int) -> ToolAnswer | None:
        """The tools that a call was offered, by its id, and its calls of them; None: none were offered."""
        return self._tool_answers(call, call).get(call)

    def _tool_answers(self, first: int, last: int) -> StoredToolAnswers:
        found = StoredToolAnswers()
        self._read_all(found.add, TOOL_ANSWERS, (first, last))
        return found

    def _read_all(self, add: Callable[[Row], object], query: str, calls: tuple[int, int]) -> None:
        for _ in self._read(add, self._rows(query, calls)):
            pass

    def places(self, episode: EpisodeRow) -> list[EventPlace]:
        """Where the events of an episode stand, in the order of their commits; without its end."""
        first, last = event_range(episode.number)
        found = self._convert(EventPlace, WRITTEN, {"first": first, "last": last})
        return sorted(place for place in found if place.kind != "charge")

    def beginning(self, episode: EpisodeRow, before: int, path: Path) -> list[Record]:
        """The records of an episode before the event with an id, in the order of their commits.

        Args:
            path: of the episode whose records they become.
        """
        found: list[tuple[int, Record]] = []
        first, last = event_range(episode.number)
        with self.snapshot():
            decoder = self._decoder(episode, path)
            for table, query in EVENTS.items():
                rows = self._rows(f"{query} ORDER BY event.id", (first, min(before - 1, last)))
                found += self._read(partial(_numbered, partial(decoder.record, table)), rows)
        return [record for _, record in sorted(found, key=itemgetter(0))]

    def events(self, episode: Path, table: str) -> Iterator[AnyEvent]:
        """The events of an episode in one table, in the order of their commits.

        Args:
            table: one of `EVENTS`, but not that of calls, which go with their prompts: read them by `records`.
        """
        row = self.episode(episode)
        if row is not None:
            decoder = EventDecoder(row.path, row.began, PromptMessages(), StoredTokens(), {})
            rows = self._rows(f"{EVENTS[table]} ORDER BY event.id", event_range(row.number))
            for record in self._read(partial(decoder.record, table), rows):
                yield record.event

    def call_phases(self, episode: Path) -> Iterator[tuple[Path, str]]:
        """The path of every call of an episode, and what it was for."""
        row = self.episode(episode)
        if row is not None:
            for below, phase in self._convert(tuple[str, str], _CALL_PHASES, event_range(row.number)):
                yield Path(f"{row.path}/{below}"), phase

    def highest_temperature(self, episode: EpisodeRow) -> float:
        """Of the calls of an episode; 0 without a call."""
        return next(self._convert(tuple[float], _HIGHEST_TEMPERATURE, event_range(episode.number)), (0.0,))[0]

    def recalled(self, ids: Collection[int]) -> dict[int, list[Path]]:
        """Where tuples of a memory were recalled, by their ids, in the order of the commits."""
        found: dict[int, list[Path]] = {}
        marks = ", ".join("?" * len(ids))
        query = f"{_RECALLED} IN ({marks}) ORDER BY recall.id"
        for identifier, path in self._convert(tuple[int, str], query, tuple(ids)):
            found.setdefault(identifier, []).append(Path(path))
        return found

    def with_nodes(self, most: int) -> list[Path]:
        """The first episodes that have nodes of a search tree."""
        return [row.path for row in self._convert(EpisodeRow, _WITH_NODES, (most,))]

    def messages(self, episode: int) -> Iterator[tuple[MessageRow, PromptNode]]:
        """The messages of the prompts of the calls of an episode, by its number, each after the one that it follows."""
        prompts = PromptMessages()
        for row in self._messages(episode, prompts):
            yield row, prompts.nodes[row.number]

    def prompt_nodes(self, episode: Path) -> list[PromptNode]:
        """The same of an attempt by its path."""
        row = self.episode(episode)
        return [] if row is None else [node for _, node in self.messages(row.number)]

    def _messages(self, episode: int, prompts: PromptMessages) -> Iterator[MessageRow]:
        return self._read(prompts.add, self._rows(MESSAGES, event_range(episode)))

    def prompted(self) -> Iterator[Prompted]:
        """The prompts of all answered calls, in the order of the answers; one with a part missing is left out."""
        prompts = PromptMessages()
        with self.snapshot():
            self._read_all(prompts.add, MESSAGES, _EVERY_EPISODE)
            for row in self._convert(_PromptedRow, _PROMPTED):
                if row.prompt in prompts.nodes:
                    yield Prompted(row.model, row.phase, prompts.conversation(row.prompt))

    def end(self, attempt: Path) -> EpisodeEnded | None:
        """The end of an attempt; None if it has not ended."""
        row = self.episode(attempt)
        end = None if row is None else self._end_of(row)
        return end.event if end is not None and isinstance(end.event, EpisodeEnded) else None

    def _end_of(self, episode: EpisodeRow) -> Record | None:
        return next(self._read(lambda _: end_of(episode), [episode]), None)

    def has_sessions(self, attempt: Path) -> bool:
        """Whether an attempt that has not ended has opened its world."""
        row = self.episode(attempt)
        return row is not None and row.ended is None and self.has_opened(attempt)

    def has_opened(self, attempt: Path) -> bool:
        """Whether an attempt has opened its world."""
        events = self._events_of(attempt)
        return events is not None and bool(list(self._rows(_HAS_SESSIONS, events)))

    def follows_sessions(self, attempt: Path) -> bool:
        """Whether an attempt that has not opened its world follows one at the same task that did."""
        task, epoch, number = attempt_of(attempt)
        return number > 0 and self.has_opened(episode_path(task, epoch, number - 1)) and not self.has_opened(attempt)

    def attempt(self, task: str, epoch: int) -> int | None:
        """The newest attempt at a task in an epoch; None if none has started."""
        found = next(self._convert(EpisodeRow, _NEWEST, (task, epoch)), None)
        return None if found is None else found.attempt

    def published(self) -> dict[int, str]:
        """What a learner published, by version."""
        return dict(self._versions(""))

    def version(self, number: int) -> str | None:
        """The content of a published version; None if it is not published."""
        return next((content for _, content in self._versions("AND event.version = ?", number)), None)

    def _versions(self, which: str, *values: int) -> Iterator[tuple[int, str]]:
        # Read at the start of every episode of a run that learns, so without the learner's calls.
        row = self.episode(LEARNER)
        if row is not None:
            decoder = EventDecoder(row.path, row.began, PromptMessages(), StoredTokens(), {})
            rows = self._rows(f"{EVENTS['_versions']} {which}", (*event_range(row.number), *values))
            for record in self._read(partial(decoder.record, "_versions"), rows):
                if isinstance(record.event, Published):
                    yield record.event.version, record.event.content

    def chosen_version(self) -> int | None:
        """The version that the learner chose; None if it has not ended."""
        for record in self.records(LEARNER):
            event = record.event
            if isinstance(event, Exchanged) and event.path == LEARNER:
                try:
                    return msgspec.json.decode(event.reply, type=Learned).version
                except UNREADABLE as error:
                    self._record_damage(f"expected the chosen version, got {event.reply[:60]!r}: {one_line(error)}")
        return None

    def requeued(self) -> frozenset[Path]:
        """The attempts that an operator asked for."""
        return self._with_decision(_REQUEUED, Requeued.kind)

    def out_of_budget(self) -> frozenset[Path]:
        """The attempts that were cut short because they had spent their budget."""
        return self._with_decision(_CUT_SHORT, CutShort.kind)

    def _with_decision(self, query: str, kind: str) -> frozenset[Path]:
        return frozenset(row.path for row in self._convert(EpisodeRow, query, (DECISION_KINDS.index(kind),)))

    def used_to_learn(self, version: int) -> list[UseRow]:
        """What the learner's own calls used until it published a version; nothing if it has not."""
        row = self.episode(LEARNER)
        return [] if row is None else list(self._convert(UseRow, _LEARNT_BY_CALLS, (*event_range(row.number), version)))

    def last_reward(self, episode: Path) -> float:
        """What was earned in the session that the episode acted in last, in [0, 1]."""
        events = self._events_of(episode)
        if events is None:
            return 0.0
        (reward,) = next(self._convert(tuple[float | None], _LAST_REWARD, events), (None,))
        return reward or 0.0

    def figures(self, episode: Path, session: str | None, reward: float) -> dict[str, float]:
        """The further figures of the last step with a reward, in a session or what it is a copy of; None: in any."""
        events = self._events_of(episode)
        if events is None or not list(self._rows(_HAS_FIGURES, events)):
            return {}
        rows = self._convert(EarnedRow, EARNED, events)
        return figures_of(rows, session_cell(session, episode), reward)

    def pictures(self, episode: Path) -> dict[Path, int]:
        """Where an episode's world was pictured, in the order of the commits, each with the picture's size in bytes."""
        row = self.episode(episode)
        found = () if row is None else self._convert(tuple[str, Count], _PICTURE_SIZES, event_range(row.number))
        return {Path(f"{episode}/{below}"): size for below, size in found}

    def picture(self, at: Path) -> bytes:
        """The picture at a path, as JPEG; a `UsageError` if there is none."""
        row = self.episode(episode_of(at))
        below = at[len(episode_of(at)) + 1 :]
        values = (0, -1) if row is None else event_range(row.number)
        found = next(self._read(_picture_of, self._rows(_PICTURE_AT, (*values, below))), None)
        if found is None:
            raise UsageError(f"journal: expected a picture at {at}, found none ({self.file})")
        return found

    def prompt(self, call: Path) -> tuple[ChatMessage, ...]:
        """The prompt of a call in full; a `UsageError` if there is no such call, or a part of its prompt is missing."""
        row = self.episode(episode_of(call))
        below = call[len(episode_of(call)) + 1 :]
        prompts = PromptMessages()
        if row is not None:
            query = "SELECT prompt FROM _calls WHERE id BETWEEN ? AND ? AND path = ?"
            found = list(self._rows(query, (*event_range(row.number), below)))
            for _ in self._messages(row.number, prompts):
                pass
            if found and found[0][0] in prompts.nodes:
                return prompts.conversation(found[0][0])
        raise UsageError(f"journal: expected the whole prompt of {call}, got a part of it ({self.file})")


def _numbered(decode: Callable[[Row], Record], row: Row) -> tuple[int, Record]:
    return row[0], decode(row)


def _picture_of(row: Row) -> bytes:
    (picture,) = row
    if not isinstance(picture, bytes):
        raise msgspec.ValidationError(f"expected a picture, got {picture!r:.60}")
    return picture
