"""The official engine as a world's state: the reference for the native engine, and the engine for unknown rules."""

from contextlib import AbstractContextManager
from hashlib import blake2b

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.games.dialect import GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import rules_of, sentence_of
from quintet.environments.alfworld.official.engines import Engine, Engines, EngineState, carried_out
from quintet.environments.snapshots import SnapshotCodec
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome

_TASK = "\n\nYour task is to: "
_CHECKED = 8
"""Bytes of a game's digest."""
_SHARED = Engines()


class OfficialTask(Struct, frozen=True):
    """The part that all states of a task share."""

    task: Task
    version: str
    game: Game


class _Past(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The actions carried out since the task began, with their answers."""

    actions: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()


class _Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds."""

    game: bytes
    """Its digest."""
    opening: Opening
    moment: EngineState
    past: _Past
    done: bool


_SNAPSHOTS = SnapshotCodec("alfworld's official engine", _Held)


class TextWorldState:
    """A state of the official engine. The engine cannot be copied, so a fork repeats the actions.

    An action costs some 60 ms, also when repeated; beginning a game costs up to 2 s.
    """

    __slots__ = ("_done", "_engines", "_moment", "_opening", "_past", "_start")

    def __init__(
        self,
        start: OfficialTask,
        opening: Opening,
        moment: EngineState,
        engines: Engines,
        past: _Past = _Past(),  # noqa: B008  frozen
        *,
        done: bool = False,
    ) -> None:
        self._start = start
        self._opening = opening
        self._moment = moment
        """As the last action left it that was carried out, or that ended the task."""
        self._engines = engines
        self._past = past
        self._done = done

    @property
    def opening(self) -> Opening:
        return self._opening

    @property
    def observation(self) -> str:
        return self._moment.observation

    def step(self, action: str) -> Outcome:
        if self._done:
            return self._outcome(self._moment, rejected=True)
        accepted = carried_out(action, self._moment)
        with self._lent() as engine:
            moment = engine.act(action)
        self._done = moment.won
        if accepted:
            past = self._past
            self._past = _Past((*past.actions, action), (*past.observations, moment.observation))
        if accepted or moment.won:
            self._moment = moment
        return self._outcome(moment, rejected=not accepted)

    def admissible(self) -> tuple[str, ...]:
        return () if self._done else self._moment.admissible

    def expert(self) -> tuple[str, ...] | None:
        """The official planner's actions from here; if it finds none at the start, the game's walkthrough."""
        if self._done:
            return ()
        if self._moment.won:  # won at the start: any action ends the task
            return self._moment.admissible[:1]
        with self._lent() as engine:
            plan = engine.plan()
        return plan or (None if self._past.actions else self._start.game.walkthrough)

    def fork(self) -> "TextWorldState":
        return TextWorldState(self._start, self._opening, self._moment, self._engines, self._past, done=self._done)

    def snapshot(self) -> bytes:
        start = self._start
        held = _Held(_digest(start.game), self._opening, self._moment, self._past, self._done)
        return _SNAPSHOTS.encode(start.task, start.version, held)

    def _lent(self) -> AbstractContextManager[Engine]:
        return self._engines.at(self._start.game, self._past.actions, self._past.observations)

    def _outcome(self, moment: EngineState, *, rejected: bool) -> Outcome:
        won = self._done
        return Outcome(observation=moment.observation, reward=float(won), done=won, rejected=rejected)


def begin_official(start: OfficialTask, engines: Engines = _SHARED) -> TextWorldState:
    """The state in which the task begins.

    Raises:
        UsageError: the packages are missing, or the engine cannot play the game.
    """
    with engines.fresh() as engine:
        moment = engine.begin(start.game)
    setting, found, goal = moment.observation.rpartition(_TASK)
    goal = goal.strip().rstrip(".!?")
    if not found or not goal:
        raise UsageError(f"game: expected an opening that ends in '{_TASK.strip()} ...', got {moment.observation!r}")
    return TextWorldState(start, Opening(observation=moment.observation, setting=setting, goal=goal), moment, engines)


def restore_official(start: OfficialTask, snapshot: bytes, engines: Engines = _SHARED) -> TextWorldState:
    """The state that wrote the snapshot. No engine takes part: the state's first action repeats those before it.

    Raises:
        WorldFault: no state of this task, game and version wrote it.
    """
    held, game = _SNAPSHOTS.decode(start.task, start.version, snapshot), _digest(start.game)
    if held.game != game:
        raise WorldFault(f"snapshot: expected one of game {game.hex()}, got one of {held.game.hex()} (alfworld)")
    return TextWorldState(start, held.opening, held.moment, engines, held.past, done=held.done)


def _digest(game: Game) -> bytes:
    return blake2b(msgspec.msgpack.encode(game), digest_size=_CHECKED).digest()


def translate_game(game: Game, dialect: GameDialect) -> Game:
    """A game in a dialect: unchanged if it is in this one, else the same problem with another domain and grammar.

    Raises:
        UsageError: its rules are unknown, so its domain and grammar cannot be replaced.
    """
    try:
        rules, sentence = rules_of(game), sentence_of(game)
    except ForeignGameError as error:
        raise UsageError(f"dialect: expected known rules, to put them into {dialect.name!r}; {error}") from error
    if rules.dialect is dialect:
        return game
    return msgspec.structs.replace(
        game,
        pddl_domain=domain_text(dialect, rules.tools),
        grammar=grammar_text(dialect, sentence),
        walkthrough=game.walkthrough and tuple(map(dialect.own, game.walkthrough)),
    )
