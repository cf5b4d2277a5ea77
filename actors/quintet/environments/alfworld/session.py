"""One live session of a household."""

from dataclasses import dataclass

from quintet.environments.alfworld.engine import observations
from quintet.environments.alfworld.engine.causes import cause
from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.rules import admissible, carry_out
from quintet.environments.alfworld.expert import expert_plan, verify_plan
from quintet.ports.world import Opening, Outcome, WorldState

_TASK = "Your task is to: "


@dataclass(frozen=True, eq=False, slots=True)
class HouseholdTask:
    """The part that all sessions of a task share."""

    house: Household
    opening: Opening
    walkthrough: tuple[str, ...]
    """The walkthrough that comes with the game, in either dialect; may be empty."""
    either_put: bool
    """Whether both dialects' actions put an object down."""
    causes: bool
    """Whether the answer to a rejected action says why."""


def opening_of(house: Household) -> Opening:
    """The opening of a game."""
    setting = observations.opening(house)
    goal = house.sentence.removeprefix(_TASK).rstrip(".")
    return Opening(observation=f"{setting}\n\n{house.sentence}", setting=setting, goal=goal)


class AlfWorldState(WorldState):
    """A household in some situation."""

    now: HouseholdState

    def __init__(self, start: HouseholdTask) -> None:
        super().__init__(start.opening)
        self._start = start
        self.now = start.house.begin

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject(self.observation)
        house = self._start.house
        action = action.strip()
        if self._start.either_put:
            action = house.dialect.own(action)
        done = carry_out(house, self.now, action)
        if done is None:
            return self._outcome(self._nothing(action), rejected=True)
        self.now = done.now
        return self._outcome(done.observation, rejected=False)

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else admissible(self._start.house, self.now)

    def expert(self) -> tuple[str, ...] | None:
        """At the start, the game's own walkthrough if it solves the game; otherwise the expert's plan."""
        house = self._start.house
        if self.done:
            return ()
        known = verify_plan(house, self.now, self._start.walkthrough) if self.now is house.begin else None
        return known or expert_plan(house, self.now)

    def _nothing(self, action: str) -> str:
        if not self._start.causes:
            return observations.NOTHING_HAPPENS
        return f"{observations.NOTHING_HAPPENS} {cause(self._start.house, self.now, action)}"

    def _outcome(self, observation: str, *, rejected: bool) -> Outcome:
        # The engine checks the goal after every action, rejected ones included.
        self.done = won = self._start.house.goal.reached(self.now)
        self.reward = float(won)
        if won or not rejected:
            self.observation = observation
        return Outcome(observation=observation, reward=self.reward, done=won, rejected=rejected)
