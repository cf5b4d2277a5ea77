"""Has the official engine play walks, and writes down what it says."""

import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.official.state import Engine, EngineState
from tests.conformance.transcripts import Heading, Step, Transcript, changed
from tests.conformance.walks import Walk

Choice: TypeAlias = Callable[[Sequence[str]], str | None]
"""The next action, given those that are admissible; None: no more."""


def recorded(engine: Engine, game: Game, heading: Heading, choose: Choice) -> Transcript:
    """What the engine says to the actions that are chosen, until it is None or the task is done."""
    return Transcript(heading, tuple(_steps(engine, game, choose)))


def walker(game: Game, heading: Heading, steps: int) -> Choice:
    """Chooses as many actions by chance, from what the heading says."""
    walk = Walk(f"{heading.name} {heading.dialect} {heading.walk}", _of_interest(household(game)))
    left = iter(range(steps))
    return lambda admissible: walk.next(admissible) if next(left, None) is not None else None


def follower(actions: Sequence[str]) -> Choice:
    """Chooses the given actions in their order."""
    left = iter(actions)
    return lambda _admissible: next(left, None)


def _steps(engine: Engine, game: Game, choose: Choice) -> Iterator[Step]:
    moment = engine.begin(game)
    yield _step("", (), moment, done=False)
    while not moment.won and (action := choose(moment.admissible)) is not None:
        before, moment = moment.admissible, engine.act(action)
        yield _step(action, before, moment, done=moment.won)


def _step(action: str, before: tuple[str, ...], moment: EngineState, *, done: bool) -> Step:
    assert list(moment.admissible) == sorted(set(moment.admissible)), (
        "the official engine lists actions sorted, each once"
    )
    gained, lost = changed(before, moment.admissible)
    return Step(action, moment.observation, gained, lost, score=int(done), done=done)


def _of_interest(house: Household) -> Iterator[str]:
    """Receptacles that share their place, or hold what lies in another too, or is booked elsewhere, or holds things."""
    begin = house.begin
    for receptacle, home in enumerate(house.home):
        things = begin.contents[receptacle]
        if home is not None and (
            len(house.at[home]) > 1
            or any(sum(thing in others for others in begin.contents) > 1 for thing in things)
            or any(thing not in begin.beside[home] for thing in things)
            or any(house.vessels.get(thing) for thing in things)
        ):
            yield house.receptacles[receptacle]


def be_patient() -> None:
    """Have the official engine remember what it parsed and translated, which makes it several times faster.

    Everything remembered is handed out as a copy, but for the translated problem, which nothing changes.
    """
    textgen: Any = import_module("textworld.envs.pddl.textgen")
    rule: Any = import_module("textworld.logic").Rule
    downward: Any = import_module("fast_downward")
    textgen._parse_and_convert = _remembering(textgen._parse_and_convert)
    rule.parse_conjunctive_query = staticmethod(_remembering(rule.parse_conjunctive_query))
    downward.pddl2sas = functools.lru_cache(maxsize=2)(downward.pddl2sas)


def _remembering(parse: Callable[..., Any]) -> Callable[..., Any]:
    kept = functools.cache(parse)
    return lambda *given, **named: copy.deepcopy(kept(*given, **named))
