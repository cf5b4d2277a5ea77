"""The official engine as a world's state: the reference for the native engine, and the engine for unknown rules.

Its packages are loaded on first use, and all sessions share a pool of copies.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from typing import Any

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.games.dialect import GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import rules_of, sentence_of
from quintet.errors import UsageError, WorldFault, one_line
from quintet.ports.world import Opening, Outcome, WorldState

_MOST = 64
"""Copies in one process. One takes some 6 MB with a kitchen loaded."""


class EngineState(Struct, frozen=True):
    """The official engine's report of its current state."""

    observation: str
    admissible: tuple[str, ...]
    won: bool


class Engine:
    """One copy of the official engine. It holds one state of one game, which cannot be copied.

    Args:
        environment: an object with TextWorld's `load`, `reset` and `step`; its packages carry no types.
    """

    def __init__(self, environment: Any) -> None:
        self._environment = environment
        self._game: Game | None = None
        self._actions: tuple[str, ...] = ()
        self._moment = EngineState("", (), won=False)

    def stands_at(self, game: Game, actions: tuple[str, ...]) -> bool:
        """Whether the engine is in the state after `actions`; rejected actions do not count."""
        return self._game is game and self._actions == actions

    def begin(self, game: Game) -> EngineState:
        """Begin a game, and drop an earlier one; a `UsageError` if the engine cannot play it."""
        loaded, self._game = self._game, None
        with _tidied():
            state = _read(lambda: self._reset(game, loaded))
        self._game, self._actions, self._moment = game, (), _moment(state)
        return self._moment

    def act(self, action: str) -> EngineState:
        """Act, and report the state; the action may be rejected."""
        if carried_out(action, self._moment):
            self._actions = (*self._actions, action)
        self._moment = _moment(self._environment.step(action)[0])
        return self._moment

    def plan(self) -> tuple[str, ...]:
        """Actions that reach the goal from here; empty if the planner finds none, or the goal is reached."""
        inner = self._environment.unwrapped
        return tuple(inner._pddl_state.replan(inner._entity_infos))

    def _reset(self, game: Game, loaded: Game | None) -> Any:
        if loaded is not game:
            self._environment.load(msgspec.to_builtins(game))
        return self._environment.reset()


class Engines:
    """A pool of official engines, each lent for one use at a time; the least recently used is reused first.

    No copy is ever unloaded. Unloading frees little memory, and the process could crash at exit, when the handlers of
    the native library run. So a copy is kept and begins other games.
    """

    def __init__(self, most: int = _MOST, environment: Callable[[], Any] | None = None) -> None:
        self._most = most
        self._environment = environment or _official
        self._engines: list[Engine] = []
        """Ordered by last use."""
        self._lock = RLock()

    @contextmanager
    def fresh(self) -> Generator[Engine, None, None]:
        """Lend any copy, to begin a game on."""
        with self._lock:
            if len(self._engines) < self._most:
                self._engines.append(Engine(self._environment()))
            else:
                self._engines.append(self._engines.pop(0))
            yield self._engines[-1]

    @contextmanager
    def at(self, game: Game, actions: tuple[str, ...], observations: tuple[str, ...]) -> Generator[Engine, None, None]:
        """Lend a copy in the state after `actions`, repeated if need be; a `WorldFault` if answered differently."""
        with self._lock:
            for engine in self._engines:
                if engine.stands_at(game, actions):
                    self._engines.remove(engine)
                    self._engines.append(engine)
                    yield engine
                    return
            with self.fresh() as engine:
                _repeat(engine, game, actions, observations)
                yield engine


def carried_out(action: str, moment: EngineState) -> bool:
    """Whether the engine carried an action out. It ignores blanks around the text."""
    return action.strip() in moment.admissible


def _repeat(engine: Engine, game: Game, actions: tuple[str, ...], observations: tuple[str, ...]) -> None:
    engine.begin(game)
    for action, expected in zip(actions, observations, strict=True):
        found = engine.act(action).observation
        if found != expected:
            raise WorldFault(f"replay: expected {expected!r} of {action!r} again, got {found!r} (official engine)")


def _moment(state: Any) -> EngineState:
    return EngineState(str(state.feedback), tuple(state.admissible_commands), won=bool(state["won"]))


def _read(begin: Callable[[], Any]) -> Any:
    try:
        return begin()
    except (Exception, SystemExit) as error:
        found = f"{type(error).__name__}: {one_line(error)}"
        raise UsageError(f"game: expected one that the official engine can play, got {found}") from error


def require_engine() -> None:
    """Raise a `UsageError` unless the official engine is installed and runs on this Python; nothing is loaded."""
    if sys.version_info >= (3, 13):
        raise UsageError("engine: expected Python 3.11 or 3.12, as the official engine needs, got a later one")
    missing = [package for package in ("alfworld", "textworld", "fast_downward") if find_spec(package) is None]
    if missing:
        wanted = "expected the official engine's packages; pip install 'quintet-agents[alfworld]'"
        raise UsageError(f"engine: {wanted}, got none named {', '.join(missing)}")


def _official() -> Any:
    """Make a copy of the official engine; a `UsageError` if its packages are missing, or cannot be loaded."""
    require_engine()
    with _tidied():
        try:
            textworld, pddl = import_module("textworld"), import_module("textworld.envs.pddl.pddl")
            alfworld = import_module("alfworld.agents.environment.alfred_tw_env")
        except ImportError as error:
            raise UsageError(
                f"engine: expected the official engine's packages, got {error}; pip install 'quintet-agents[alfworld]'"
            ) from error
    wanted = textworld.EnvInfos(won=True, admissible_commands=True)
    return alfworld.AlfredDemangler(pddl.PddlEnv(wanted), shuffle=False)


@contextmanager
def _tidied() -> Generator[None, None, None]:
    """Undo the side effects of importing the official packages: a changed command line, and a new data folder."""
    arguments, data = sys.argv, os.environ.get("ALFWORLD_DATA")
    os.environ["ALFWORLD_DATA"] = tempfile.gettempdir()
    try:
        yield
    finally:
        sys.argv = arguments
        if data is None:
            del os.environ["ALFWORLD_DATA"]
        else:
            os.environ["ALFWORLD_DATA"] = data


_TASK = "\n\nYour task is to: "
_SHARED = Engines()


class TextWorldState(WorldState):
    """A state of the official engine. The engine cannot be copied, so a fork repeats the actions.

    An action costs some 60 ms, also when repeated; beginning a game costs up to 2 s.
    """

    moment: EngineState
    """As the last action left it that was carried out, or that ended the task."""
    actions: tuple[str, ...]
    """Those that were carried out since the task began."""
    observations: tuple[str, ...]
    """The answers to them."""

    def __init__(self, opening: Opening, game: Game, moment: EngineState, engines: Engines) -> None:
        super().__init__(opening)
        self._game = game
        self.moment = moment
        self._engines = engines
        self.actions = self.observations = ()

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject(self.observation)
        accepted = carried_out(action, self.moment)
        with self._lent() as engine:
            moment = engine.act(action)
        if accepted:
            self.actions += (action,)
            self.observations += (moment.observation,)
        if accepted or moment.won:
            self.moment, self.observation = moment, moment.observation
        self.done, self.reward = moment.won, float(moment.won)
        return Outcome(observation=moment.observation, reward=self.reward, done=self.done, rejected=not accepted)

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else self.moment.admissible

    def expert(self) -> tuple[str, ...] | None:
        """The official planner's actions from here; if it finds none at the start, the game's walkthrough."""
        if self.done:
            return ()
        if self.moment.won:  # won at the start: any action ends the task
            return self.moment.admissible[:1]
        with self._lent() as engine:
            plan = engine.plan()
        return plan or (None if self.actions else self._game.walkthrough)

    def _lent(self) -> AbstractContextManager[Engine]:
        return self._engines.at(self._game, self.actions, self.observations)


def begin_official(game: Game, engines: Engines = _SHARED) -> TextWorldState:
    """The state in which the task begins; a `UsageError` without the engine, or if it cannot play the game."""
    with engines.fresh() as engine:
        moment = engine.begin(game)
    setting, found, goal = moment.observation.rpartition(_TASK)
    goal = goal.strip().rstrip(".!?")
    if not found or not goal:
        raise UsageError(f"game: expected an opening that ends in '{_TASK.strip()} ...', got {moment.observation!r}")
    opening = Opening(observation=moment.observation, setting=setting, goal=goal)
    return TextWorldState(opening, game, moment, engines)


def translate_game(game: Game, dialect: GameDialect) -> Game:
    """A game in a dialect: the same, or with another domain and grammar; a `UsageError` if its rules are unknown."""
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
