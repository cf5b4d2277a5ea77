"""The official engine as a world's state: the reference for the native engine, and the engine for unknown rules."""

from contextlib import AbstractContextManager
from hashlib import blake2b

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.games.dialect import GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import rules_of, sentence_of
from quintet.environments.alfworld.official.engines import Engine, Engines, EngineState, carried_out
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome

_TASK = "\n\nYour task is to: "
_SHARED = Engines()


class OfficialTask(Struct, frozen=True):
    """The part that all states of a task share."""

    task: Task
    version: str
    game: Game


class _Past(Struct, frozen=True):
    """The actions carried out since the task began, with their answers."""

    actions: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()


class _Written(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snapshot."""

    task: Task
    version: str
    actions: tuple[str, ...]
    digest: bytes
    """Of the game and the actions."""


class TextWorldState:
    """A state of the official engine. The engine cannot be copied, so a fork repeats the actions.

    An action costs some 60 ms, also when repeated; beginning a game costs up to 2 s.
    """

    __slots__ = ("_done", "_engines", "_moment", "_opening", "_past", "_start")

    def __init__(self, start: OfficialTask, opening: Opening, moment: EngineState, engines: Engines) -> None:
        self._start = start
        self._opening = opening
        self._moment = moment
        self._engines = engines
        self._past = _Past()
        self._done = False

    @property
    def opening(self) -> Opening:
        return self._opening

    def step(self, action: str) -> Outcome:
        if self._done:
            return self._outcome(rejected=True)
        with self._lent() as engine:
            return self._outcome(rejected=not self._act(engine, action))

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
        other = TextWorldState(self._start, self._opening, self._moment, self._engines)
        other._past, other._done = self._past, self._done
        return other

    def snapshot(self) -> bytes:
        start, actions = self._start, self._past.actions
        return msgspec.msgpack.encode(_Written(start.task, start.version, actions, _digest(start.game, actions)))

    def repeat(self, engine: Engine, actions: tuple[str, ...]) -> None:
        """Repeat `actions` on an engine that has just begun the task.

        Raises:
            WorldFault: one of them is rejected.
        """
        for action in actions:
            if self._done or not self._act(engine, action):
                raise WorldFault(f"snapshot: expected actions that are carried out, got {action!r} (alfworld)")

    def _lent(self) -> AbstractContextManager[Engine]:
        return self._engines.at(self._start.game, self._past.actions, self._past.observations)

    def _act(self, engine: Engine, action: str) -> bool:
        """Whether it was carried out."""
        accepted = carried_out(action, self._moment)
        self._moment = engine.act(action)
        self._done = self._moment.won
        if accepted:
            past = self._past
            self._past = _Past((*past.actions, action), (*past.observations, self._moment.observation))
        return accepted

    def _outcome(self, *, rejected: bool) -> Outcome:
        won = self._done
        return Outcome(observation=self._moment.observation, reward=float(won), done=won, rejected=rejected)


def begin_official(start: OfficialTask, engines: Engines = _SHARED) -> TextWorldState:
    """The state in which the task begins.

    Raises:
        UsageError: the packages are missing, or the engine cannot play the game.
    """
    with engines.fresh() as engine:
        return _begun(start, engine, engines)


def restore_official(start: OfficialTask, snapshot: bytes, engines: Engines = _SHARED) -> TextWorldState:
    """The state that wrote the snapshot.

    Raises:
        UsageError: as for `begin_official`.
        WorldFault: no state of this task, game and version wrote it.
    """
    written = _read(start, snapshot)
    with engines.fresh() as engine:
        state = _begun(start, engine, engines)
        state.repeat(engine, written.actions)
    return state


def _begun(start: OfficialTask, engine: Engine, engines: Engines) -> TextWorldState:
    moment = engine.begin(start.game)
    setting, found, goal = moment.observation.rpartition(_TASK)
    goal = goal.strip().rstrip(".!?")
    if not found or not goal:
        raise UsageError(f"game: expected an opening that ends in '{_TASK.strip()} ...', got {moment.observation!r}")
    return TextWorldState(start, Opening(observation=moment.observation, setting=setting, goal=goal), moment, engines)


def _read(start: OfficialTask, snapshot: bytes) -> _Written:
    try:
        written = msgspec.msgpack.decode(snapshot, type=_Written)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WorldFault(f"snapshot: expected one of alfworld's official engine, got other bytes: {error}") from error
    for what, expected, got in (
        ("task", start.task, written.task),
        ("version", start.version, written.version),
        ("game and actions", _digest(start.game, written.actions).hex(), written.digest.hex()),
    ):
        if expected != got:
            raise WorldFault(f"snapshot: expected one of {what} {expected}, got one of {got} (alfworld)")
    return written


def _digest(game: Game, actions: tuple[str, ...]) -> bytes:
    return blake2b(msgspec.msgpack.encode((game, actions)), digest_size=16).digest()


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
