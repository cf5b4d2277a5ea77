"""The context of the running request: its path, its child paths, decisions and seeded randomness.

The host sets a `RequestContext` in a context variable before an actor's `receive`. Refs, the recording model and the
functions below read it, so no actor passes it on. A request does one thing at a time: its asks, calls and decisions are
numbered in order, and the number makes the path. Two things in parallel need two paths: see `quintet.roles.branches`.
"""

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, field
from hashlib import blake2b
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import msgspec

from quintet.errors import ModelFault, ReplayMismatch
from quintet.events import AnyEvent, Decided, Event, Published, Refused
from quintet.events.recording import Recording
from quintet.messages.continuations import Continuation, seed_path
from quintet.messages.environment import Trail
from quintet.messages.paths import Path, child

_T = TypeVar("_T")
CommittedT = TypeVar("CommittedT", bound=Event)
AnswerT = TypeVar("AnswerT", bound=str | int | float | bool | None)

NoteEvent = Callable[[AnyEvent], None]
"""Journals an event under the running incarnation, without waiting for its commit."""


class Commit(Protocol):
    """Journals events under the running incarnation, all or none; returns when they are committed."""

    def __call__(self, *events: AnyEvent) -> Coroutine[Any, Any, None]: ...


class Position(NamedTuple):
    """The path of one ask, call, decision or group of branches, with its recording."""

    path: Path
    recording: Recording


@dataclass(slots=True, eq=False)
class RequestContext:
    """Numbers what one request, or one branch of it, does."""

    path: Path
    incarnation: int
    recording: Recording
    """What the journal has under the path."""
    commit: Commit
    """Journals its events."""
    note: NoteEvent
    """The same, without waiting."""
    _: KW_ONLY
    phase: str = ""
    """What its model calls are for."""
    spread: Path | None = None
    """The path of the innermost spread branch around it. A request that arrives at a host begins without one, so what
    its actor asks stays on that host."""
    home: str | None = None
    """The host that the episode's sessions open on, outside of spread branches; None: by placement."""
    off_clock: Callable[[], AbstractContextManager[None]] = nullcontext
    """Makes a block whose time does not count towards the request's deadline."""
    start: Trail | None = None
    """What was done at the task before the request's turns, or before it; see `quintet.roles.trails`."""
    continues: Continuation | None = None
    """How the episode goes on from a recorded one; None: it begins by itself."""
    last: Trail | None = field(init=False)
    """The trail of the session that was touched last."""
    trails: dict[str, Trail] = field(default_factory=dict[str, Trail], init=False)
    """By the id of a session, and by the digest of a snapshot; shared with everything below."""
    busy: bool = field(default=False, init=False)
    """Something is in flight."""
    _count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.last = self.start

    def next(self, *, numbered: bool = True) -> Position:
        """The position of the next thing to happen.

        Args:
            numbered: whether it takes a number; see `Request.numbered`.

        Raises:
            RuntimeError: something is in flight already; the numbers would depend on arrival order.
        """
        if self.busy:
            raise RuntimeError(f"{self.path}: two things in flight under one path; use `branches()` for concurrency")
        if numbered:
            self._count += 1
        path = child(self.path, self._count if numbered else 0)
        return Position(path, self.recording.below(path))

    def turn(self, *, numbered: bool = True) -> "_Turn":
        """Reserve the next position, and allow no other until the block ends; takes and raises what `next` does."""
        return _Turn(self, numbered)

    def below(self, position: Position, number: int, *, spread: bool = False) -> "RequestContext":
        """A context for the `number`-th thing below a position.

        Args:
            position: the ask, group of branches or other thing that it belongs to.
            number: from 1.
            spread: whether it is a spread branch; see `quintet.roles.branches`.
        """
        path = child(position.path, number)
        recording, within = position.recording.below(path), path if spread else self.spread
        below = RequestContext(
            path,
            self.incarnation,
            recording,
            self.commit,
            self.note,
            phase=self.phase,
            spread=within,
            home=self.home,
            start=self.start,
            continues=self.continues,
        )
        below.last, below.trails = self.last, self.trails
        return below


class _Turn:
    __slots__ = ("_context", "_numbered")

    def __init__(self, context: RequestContext, numbered: bool) -> None:
        self._context = context
        self._numbered = numbered

    def __enter__(self) -> Position:
        position = self._context.next(numbered=self._numbered)
        self._context.busy = True
        return position

    def __exit__(self, *error: object) -> None:
        self._context.busy = False


_current: ContextVar[RequestContext] = ContextVar("request context")


def current() -> RequestContext:
    """The running request's context; a `LookupError` outside of one."""
    return _current.get()


class running:  # noqa: N801  a block, like `contextlib.suppress`; a generator would cost each ask a microsecond more
    """Make `context` the current one."""

    __slots__ = ("_context", "_token")

    def __init__(self, context: RequestContext) -> None:
        self._context = context

    def __enter__(self) -> None:
        self._token = _current.set(self._context)

    def __exit__(self, *error: object) -> None:
        _current.reset(self._token)


def seeded_random(seed: int) -> Random:
    """A generator seeded by `seed` and the current path: the same at every replay, attempt and continuation."""
    context = current()
    text = f"{seed}/{seed_path(context.path, context.continues)}"
    return Random(blake2b(text.encode(), digest_size=16).digest())


async def commit_once(make: Callable[[Path], CommittedT]) -> CommittedT:
    """Commit an event at the next path, or return the recorded one; a `ReplayMismatch` if it is of another kind."""
    context = current()
    with context.turn() as (path, recording):
        event = make(path)
        recorded = recording.here(event.kind)
        if recorded is not None:
            assert isinstance(recorded.event, type(event))
            return recorded.event
        await context.commit(cast("AnyEvent", event))
        return event


def note(make: Callable[[Path], Event]) -> None:
    """Journal an event at the next path, without waiting. It is committed before the request is answered.

    A replay compares it with what is recorded, and journals it if a kill prevented that.

    Raises:
        ReplayMismatch: something else is recorded there.
    """
    context = current()
    path, recording = context.next()
    event = make(path)
    if not recording.has(event):
        context.note(cast("AnyEvent", event))


async def decide(question: str, answer: AnswerT) -> AnswerT:
    """Journal a choice that depends on time or arrival, so that a replay makes the same one.

    Args:
        question: names the choice; the same text at every replay.
        answer: this run's choice. Unused in a replay.

    Returns:
        The recorded answer if there is one; else `answer` as a replay will decode it, after the commit.

    Raises:
        ReplayMismatch: another question is recorded here.
    """
    encoded = msgspec.json.encode(answer).decode()
    decided = await commit_once(lambda path: Decided(path=path, question=question, answer=encoded))
    if decided.question != question:
        raise ReplayMismatch(f"{decided.path}: expected the decision {decided.question!r}, got {question!r}")
    return cast("AnswerT", msgspec.json.decode(decided.answer))


async def unless_refused(work: Callable[..., Coroutine[Any, Any, _T]], *args: Any) -> _T | None:
    """Run `work(*args)` under a path of its own.

    If the model permanently refuses (say, the prompt is too long), the refusal is journaled, so a replay does not ask
    again.

    Returns:
        What the work returned; None if a model refused.
    """
    context = current()
    with context.turn() as position:
        if position.recording.here(Refused.kind) is not None:
            return None
        below = context.below(position, 1)
        try:
            with running(below):
                result = await work(*args)
            context.last = below.last
            return result
        except ModelFault as fault:
            if type(fault) is not ModelFault:  # its subclasses are temporary
                raise
            reason = str(fault)
        await context.commit(Refused(path=position.path, reason=reason))
        return None


async def publish(version: int, content: str) -> None:
    """Commit a learner's new version for episodes to read; a `ReplayMismatch` if another was published here."""
    published = await commit_once(lambda path: Published(path=path, version=version, content=content))
    if (published.version, published.content) != (version, content):
        before = f"version {published.version}: {published.content!r}"
        raise ReplayMismatch(f"{published.path}: expected {before}, got version {version}: {content!r}")
