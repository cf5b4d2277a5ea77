"""A small world that keeps its contract, and others that break it in one place each."""

import time
from collections.abc import Mapping
from itertools import count
from typing import ClassVar, Self, cast

from msgspec.structs import replace

from quintet.messages.environment import Task
from quintet.ports.world import Forks, Opening, Outcome, World, WorldState

STEPS = {"low stairs": 2, "high stairs": 4}


class Climb(WorldState):
    """A place on the stairs."""

    steps: int

    def __init__(self, task: Task) -> None:
        setting = 'Stairs. "up" takes you a step up.'
        goal = "climb to the top"
        super().__init__(Opening(observation=f"{setting} Goal: {goal}.", setting=setting, goal=goal))
        self.task = task
        self.steps = 0

    def step(self, action: str) -> Outcome:
        if self.done or action != "up":
            return self.reject(self.seen())
        self.steps += 1
        done = self.steps >= STEPS[self.task.name]
        return self.accept(self.seen(), float(done), done=done)

    def seen(self) -> str:
        return f"You are {self.steps} steps up."

    def admissible(self) -> tuple[str, ...] | None:
        return () if self.done else ("up",)

    def expert(self) -> tuple[str, ...] | None:
        return ("up",) * (STEPS[self.task.name] - self.steps)


class Stairs(World):
    """Climb to the top."""

    name = "stairs"
    climb: type[Climb] = Climb

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(STEPS)

    def metadata(self, task: str) -> Mapping[str, str]:
        self.check_task(task)
        return {"steps": str(STEPS[task])}

    def open(self, task: Task) -> Climb:
        self.check_task(task.name)
        return self.climb(task)


class Misnamed(Stairs):
    name = "stars"


class Splitless(Stairs):
    splits: tuple[str, ...] = ()


class Vague(Stairs):
    forks: Forks = cast("Forks", "maybe")


class Unsure(Stairs):
    exact = cast("bool", "perhaps")


class Twice(Stairs):
    def tasks(self, split: str) -> tuple[str, ...]:
        return (*super().tasks(split), "low stairs")


class Slashed(Stairs):
    def tasks(self, split: str) -> tuple[str, ...]:
        return (*super().tasks(split), "low/stairs")


class Uneven(Stairs):
    def metadata(self, task: str) -> Mapping[str, str]:
        return {**super().metadata(task), **({"high": "yes"} if task == "high stairs" else {})}


class Lenient(Stairs):
    def tasks(self, split: str) -> tuple[str, ...]:
        return tuple(STEPS)


class Unknowing(Stairs):
    def check_task(self, task: str) -> None:
        list(STEPS).index(task)


class Amnesiac(Climb):
    """What is restored is no more than one step up."""

    def load(self, snapshot: bytes) -> None:
        super().load(snapshot)
        self.steps = min(self.steps, 1)


class Flickering(Climb):
    """Not exact: what is restored looks different each time."""

    def load(self, snapshot: bytes) -> None:
        super().load(snapshot)
        self.observation = f"It is {time.perf_counter_ns()}."


class Deaf(Climb):
    """Not exact: what is restored does not understand its own words."""

    deaf = False

    def load(self, snapshot: bytes) -> None:
        super().load(snapshot)
        self.deaf = True

    def admissible(self) -> tuple[str, ...] | None:
        return ("down", "up") if self.deaf else super().admissible()


class Ratchet(Stairs):
    """Nobody comes down again."""

    exact = False
    highest = 0

    def restore(self, task: Task, snapshot: bytes) -> Climb:
        restored = Counted(task)
        restored.load(snapshot)
        restored.steps = Ratchet.highest = max(Ratchet.highest, restored.steps)
        return restored

    def open(self, task: Task) -> Climb:
        Ratchet.highest = 0
        return Counted(task)


class Wandering(Climb):
    @property
    def opening(self) -> Opening:
        now = super().opening
        setting = f"{now.setting} {self.seen()}"
        return Opening(observation=f"{setting} Goal: climb.", setting=setting, goal="climb")


class Blank(Climb):
    """Shows its opening at every moment."""

    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        self.observation = self.opening.observation
        return outcome


class Echoing(Climb):
    """Also shows the answer to a rejected action."""

    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        self.observation = "Only up." if outcome.rejected else outcome.observation
        return outcome


class Untyped(Climb):
    def step(self, action: str) -> Outcome:
        return replace(super().step(action), reward=None)


class Falling(Climb):
    def step(self, action: str) -> Outcome:
        return replace(super().step(action), reward=1.0 - self.steps / 10)


class Restless(Climb):
    def step(self, action: str) -> Outcome:
        return replace(super().step(action), rejected=action != "up")


class Fragile(Climb):
    def step(self, action: str) -> Outcome:
        if action.isdigit():
            int(action)
        return super().step(action)


class Counting(Climb):
    """Counts rejected actions, too."""

    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        self.steps += outcome.rejected and not self.done
        return outcome


class Lasting(Climb):
    def step(self, action: str) -> Outcome:
        return replace(super().step(action), lasting=action == "up")


class Counted(Climb):
    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        Ratchet.highest = max(Ratchet.highest, self.steps)
        return outcome


class Wishful(Climb):
    def admissible(self) -> tuple[str, ...] | None:
        return ("down", "up")


class Hiding(Climb):
    def admissible(self) -> tuple[str, ...] | None:
        return ()


class Lazy(Climb):
    def expert(self) -> tuple[str, ...] | None:
        return ("up",)


class Blind(Climb):
    """It has no expert, and cannot list actions."""

    def admissible(self) -> tuple[str, ...] | None:
        return None

    def expert(self) -> tuple[str, ...] | None:
        return None


class Timed(Climb):
    def seen(self) -> str:
        return f"{super().seen()} It is {time.perf_counter_ns()}."


class Hashed(Climb):
    def seen(self) -> str:
        return f"{super().seen()} {hash('stairs')}"


class Crowded(Climb):
    """All who climb a flight of stairs at once stand on the same step."""

    stood: ClassVar[dict[str, int]] = {}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.stood[task.name] = 0

    def step(self, action: str) -> Outcome:
        self.steps = self.stood[self.task.name]
        outcome = super().step(action)
        self.stood[self.task.name] = self.steps
        return outcome


class Shared(Climb):
    def fork(self) -> Self:
        return self


class Uncopied(Climb):
    def fork(self) -> Self:
        raise AssertionError("a world that cannot copy a state was asked to")

    def snapshot(self) -> bytes:
        raise AssertionError("a world that cannot copy a state was asked to")


class Rigid(Stairs):
    forks: Forks = "none"
    climb = Uncopied


_asked = count()


class Historic(Climb):
    """Its snapshot also says whether states of the process were asked for an even number of them."""

    def snapshot(self) -> bytes:
        return super().snapshot() + bytes(next(_asked) % 2)


def _of(climb: type[Climb], **members: object) -> type[Stairs]:
    return type("Stairs", (Stairs,), {"climb": climb, **members})


WANDERING, UNTYPED, FALLING, RESTLESS = _of(Wandering), _of(Untyped), _of(Falling), _of(Restless)
BLANK, ECHOING = _of(Blank), _of(Echoing)
FRAGILE, COUNTING, TIMED, HASHED = _of(Fragile), _of(Counting), _of(Timed), _of(Hashed)
SHARED, HISTORIC, LASTING, CROWDED = _of(Shared), _of(Historic), _of(Lasting), _of(Crowded)
WISHFUL, HIDING, LAZY, BLIND = _of(Wishful), _of(Hiding), _of(Lazy), _of(Blind)
FORGETTING, FLICKERING, DEAF = _of(Amnesiac), _of(Flickering, exact=False), _of(Deaf, exact=False)
