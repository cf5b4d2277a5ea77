"""A small world that keeps its contract, and others that break it in one place each."""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from quintet.messages.environment import Task
from quintet.messages.tools import OfferedTool
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


class Denying(Stairs):
    """Knows no way even where nothing is left to do."""

    def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
        return super().advise(task, actions, observation) or None


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


class Counted(Climb):
    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        Ratchet.highest = max(Ratchet.highest, self.steps)
        return outcome


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


class Hawking(Climb):
    """Its snapshot does not say that it offers a tool since its first step."""

    hawks = False

    def step(self, action: str) -> Outcome:
        self.hawks = True
        return super().step(action)

    @property
    def offered(self) -> tuple[OfferedTool, ...]:
        return (OfferedTool(name="up", description="Go up.", parameters="{}"),) if self.hawks else ()


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


def _of(climb: type[Climb] = Climb, **members: object) -> type[Stairs]:
    return type("Stairs", (Stairs,), {"climb": climb, **members})


def _with(name: str = "stairs", **members: Callable[[Any], object]) -> type[Stairs]:
    """Stairs of that name, whose climbers have these members."""
    return _of(type("Climb", (Climb,), members), name=name)


def _stepping(change: Callable[[Climb, str, Outcome], Outcome]) -> type[Stairs]:
    """Stairs on which every outcome is changed."""

    class Changed(Climb):
        def step(self, action: str) -> Outcome:
            return change(self, action, super().step(action))

    return _of(Changed)


def _showing(seen: Callable[[Climb, Outcome], str]) -> type[Stairs]:
    """Stairs on which another observation is kept."""

    def change(climb: Climb, _action: str, outcome: Outcome) -> Outcome:
        climb.observation = seen(climb, outcome)
        return outcome

    return _stepping(change)


MISNAMED, SPLITLESS = _of(name="stars"), _of(name="SPLITLESS", splits=())
VAGUE, UNSURE, RIGID = _of(forks="maybe"), _of(exact="perhaps"), _of(Uncopied, name="RIGID", forks="none")
WANDERING, FRAGILE, COUNTING = _of(Wandering), _of(Fragile), _of(Counting)
FORGETTING, FLICKERING, DEAF = _of(Amnesiac), _of(Flickering, exact=False), _of(Deaf, exact=False)
HISTORIC, CROWDED, HAWKING = _of(Historic), _of(Crowded), _of(Hawking)
UNTYPED = _stepping(lambda _climb, _action, outcome: replace(outcome, reward=None))
FALLING = _stepping(lambda climb, _action, outcome: replace(outcome, reward=1.0 - climb.steps / 10))
RESTLESS = _stepping(lambda _climb, action, outcome: replace(outcome, rejected=action != "up"))
LASTING = _stepping(lambda _climb, action, outcome: replace(outcome, lasting=action == "up"))
BLANK = _showing(lambda climb, _outcome: climb.opening.observation)
ECHOING = _showing(lambda _climb, outcome: "Only up." if outcome.rejected else outcome.observation)
TIMED = _with(seen=lambda climb: f"{Climb.seen(climb)} It is {time.perf_counter_ns()}.")
HASHED = _with(seen=lambda climb: f"{Climb.seen(climb)} {hash('stairs')}")
SHARED, LAZY = _with(fork=lambda climb: climb), _with(expert=lambda _: ("up",))
WISHFUL, HIDING = _with(admissible=lambda _: ("down", "up")), _with(admissible=lambda _: ())
BLIND = _with("BLIND", admissible=lambda _: None, expert=lambda _: None)
"""It has no expert, and cannot list actions."""
