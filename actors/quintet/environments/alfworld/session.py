"""One live session of a household."""

from functools import lru_cache

from quintet.environments.alfworld.engine import observations
from quintet.environments.alfworld.engine.causes import cause
from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.rules import admissible, carry_out
from quintet.environments.alfworld.expert import expert_plan, verify_plan
from quintet.errors import WorldFault
from quintet.ports.world import Opening, Outcome, WorldState

_TASK = "Your task is to: "


@lru_cache(maxsize=256)
def opening_of(house: Household) -> Opening:
    """The opening of a game."""
    setting = observations.opening(house)
    goal = house.sentence.removeprefix(_TASK).rstrip(".")
    return Opening(observation=f"{setting}\n\n{house.sentence}", setting=setting, goal=goal)


class AlfWorldState(WorldState):
    """A household in some situation.

    Args:
        walkthrough: the one that comes with the game, in either dialect; may be empty.
        either_put: whether both dialects' actions put an object down.
        causes: whether the answer to a rejected action says why.
    """

    now: HouseholdState
    game: bytes
    """The digest of its game: a file may hold another one since."""

    def __init__(
        self, house: Household, walkthrough: tuple[str, ...] = (), *, either_put: bool = False, causes: bool = False
    ) -> None:
        super().__init__(opening_of(house))
        self.now = house.begin
        self.game = house.digest
        self._house = house
        self._walkthrough = walkthrough
        self._either_put = either_put
        self._causes = causes

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject(self.observation)
        action = action.strip()
        if self._either_put:
            action = self._house.dialect.own(action)
        done = carry_out(self._house, self.now, action)
        if done is not None:
            self.now = done.now
        # The engine checks the goal after every action, rejected ones included.
        self.done = won = self._house.goal.reached(self.now)
        self.reward = float(won)
        observation = self._nothing(action) if done is None else done.observation
        if won or done is not None:
            self.observation = observation
        return Outcome(observation=observation, reward=self.reward, done=won, rejected=done is None)

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else admissible(self._house, self.now)

    def expert(self) -> tuple[str, ...] | None:
        """At the start, the game's own walkthrough if it solves the game; otherwise the expert's plan."""
        house = self._house
        if self.done:
            return ()
        known = verify_plan(house, self.now, self._walkthrough) if self.now is house.begin else None
        return known or expert_plan(house, self.now)

    def load(self, snapshot: bytes) -> None:
        super().load(snapshot)
        if self.game != self._house.digest:
            raise WorldFault("snapshot: expected one of this game, got one of another (alfworld)")

    def _nothing(self, action: str) -> str:
        if not self._causes:
            return observations.NOTHING_HAPPENS
        return f"{observations.NOTHING_HAPPENS} {cause(self._house, self.now, action)}"
