"""The official engine as a world's state: the reference for the native engine, and the engine for unknown rules."""

from contextlib import AbstractContextManager

import msgspec

from quintet.environments.alfworld.games.dialect import GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import rules_of, sentence_of
from quintet.environments.alfworld.official.engines import Engine, Engines, EngineState, carried_out
from quintet.errors import UsageError
from quintet.ports.world import Opening, Outcome, WorldState

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
    """The state in which the task begins.

    Raises:
        UsageError: the packages are missing, or the engine cannot play the game.
    """
    with engines.fresh() as engine:
        moment = engine.begin(game)
    setting, found, goal = moment.observation.rpartition(_TASK)
    goal = goal.strip().rstrip(".!?")
    if not found or not goal:
        raise UsageError(f"game: expected an opening that ends in '{_TASK.strip()} ...', got {moment.observation!r}")
    opening = Opening(observation=moment.observation, setting=setting, goal=goal)
    return TextWorldState(opening, game, moment, engines)


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
