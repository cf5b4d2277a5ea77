"""One live session of a household."""

from dataclasses import dataclass

from msgspec import Struct

from quintet.environments.alfworld.engine import observations
from quintet.environments.alfworld.engine.causes import cause
from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.rules import admissible, carry_out
from quintet.environments.alfworld.expert import expert_plan, verify_plan
from quintet.environments.snapshots import SnapshotCodec
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome

_TASK = "Your task is to: "


@dataclass(frozen=True, eq=False, slots=True)
class HouseholdTask:
    """The part that all sessions of a task share."""

    task: Task
    version: str
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


class AlfWorldState:
    """A household in some situation. A fork shares everything except the situation."""

    __slots__ = ("_last", "_now", "_start", "_won")

    def __init__(
        self, start: HouseholdTask, now: HouseholdState, last: str | None = None, *, won: bool = False
    ) -> None:
        self._start = start
        self._now = now
        self._last = last
        """The answer to the last action that was carried out, or that reached the goal; None: there is none yet."""
        self._won = won
        """Every later action is answered as the last one."""

    @property
    def opening(self) -> Opening:
        return self._start.opening

    @property
    def observation(self) -> str:
        return self.opening.observation if self._last is None else self._last

    def step(self, action: str) -> Outcome:
        if self._won:
            return Outcome(observation=self.observation, reward=1.0, done=True, rejected=True)
        house = self._start.house
        action = action.strip()
        if self._start.either_put:
            action = house.dialect.own(action)
        done = carry_out(house, self._now, action)
        if done is None:
            return self._outcome(self._nothing(action), rejected=True)
        self._now = done.now
        return self._outcome(done.observation, rejected=False)

    def admissible(self) -> tuple[str, ...]:
        return () if self._won else admissible(self._start.house, self._now)

    def expert(self) -> tuple[str, ...] | None:
        """At the start, the game's own walkthrough if it solves the game; otherwise the expert's plan."""
        house = self._start.house
        if self._won:
            return ()
        known = verify_plan(house, self._now, self._start.walkthrough) if self._now is house.begin else None
        return known or expert_plan(house, self._now)

    def fork(self) -> "AlfWorldState":
        return AlfWorldState(self._start, self._now, self._last, won=self._won)

    def snapshot(self) -> bytes:
        start = self._start
        held = _Held(start.house.digest, _Moving.of(self._now), self._last, self._won)
        return _SNAPSHOTS.encode(start.task, start.version, held)

    def _nothing(self, action: str) -> str:
        if not self._start.causes:
            return observations.NOTHING_HAPPENS
        return f"{observations.NOTHING_HAPPENS} {cause(self._start.house, self._now, action)}"

    def _outcome(self, observation: str, *, rejected: bool) -> Outcome:
        # The engine checks the goal after every action, rejected ones included.
        self._won = won = self._start.house.goal.reached(self._now)
        if won or not rejected:
            self._last = observation
        return Outcome(observation=observation, reward=float(won), done=won, rejected=rejected)


class _Moving(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A situation as written to a snapshot: sets are sorted, so equal situations give equal bytes."""

    place: int
    held: int | None
    contents: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, ...], ...]
    taken: tuple[tuple[int, int], ...]
    sets: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, now: HouseholdState) -> "_Moving":
        sets = (now.opened, now.clean, now.hot, now.cool, now.sliced, now.toggled)
        return cls(
            now.place,
            now.held,
            now.contents,
            now.beside,
            tuple(sorted(now.taken)),
            tuple(tuple(sorted(each)) for each in sets),
        )

    def situation(self) -> HouseholdState:
        opened, clean, hot, cool, sliced, toggled = map(frozenset, self.sets)
        return HouseholdState(
            place=self.place,
            held=self.held,
            contents=self.contents,
            beside=self.beside,
            taken=frozenset(self.taken),
            opened=opened,
            clean=clean,
            hot=hot,
            cool=cool,
            sliced=sliced,
            toggled=toggled,
        )


class _Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    house: bytes
    now: _Moving
    last: str | None
    won: bool


_SNAPSHOTS = SnapshotCodec("alfworld", _Held)


def restore_household(start: HouseholdTask, snapshot: bytes) -> AlfWorldState:
    """The state that wrote `snapshot`.

    Raises:
        WorldFault: the bytes are damaged, or of another game, task or version.
    """
    held = _SNAPSHOTS.decode(start.task, start.version, snapshot)
    if held.house != start.house.digest:
        expected, got = start.house.digest.hex(), held.house.hex()
        raise WorldFault(f"snapshot: expected one of game {expected}, got one of {got} (alfworld)")
    return AlfWorldState(start, held.now.situation(), held.last, won=held.won)
