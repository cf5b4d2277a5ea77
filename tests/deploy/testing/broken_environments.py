"""A small world that keeps its contract, and others that break it in one place each."""

import time
from collections.abc import Mapping
from itertools import count
from typing import ClassVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Forks, Opening, Outcome

STEPS = {"low stairs": 2, "high stairs": 4}


class Climbed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snapshot."""

    task: Task
    steps: int


class Climb:
    """A place on the stairs."""

    def __init__(self, task: Task, steps: int = 0) -> None:
        self.task = task
        self.steps = steps

    @property
    def done(self) -> bool:
        return self.steps >= STEPS[self.task.name]

    @property
    def opening(self) -> Opening:
        setting = 'Stairs. "up" takes you a step up.'
        return Opening(observation=f"{setting} Goal: climb to the top.", setting=setting, goal="climb to the top")

    @property
    def observation(self) -> str:
        return self.seen() if self.steps else self.opening.observation

    def step(self, action: str) -> Outcome:
        rejected = self.done or action != "up"
        self.steps += not rejected
        return Outcome(observation=self.seen(), reward=float(self.done), done=self.done, rejected=rejected)

    def seen(self) -> str:
        return f"You are {self.steps} steps up."

    def admissible(self) -> tuple[str, ...] | None:
        return () if self.done else ("up",)

    def expert(self) -> tuple[str, ...] | None:
        return ("up",) * (STEPS[self.task.name] - self.steps)

    def fork(self) -> "Climb":
        return type(self)(self.task, self.steps)

    def snapshot(self) -> bytes:
        return msgspec.msgpack.encode(Climbed(self.task, self.steps))


class Stairs:
    """Climb to the top."""

    name = "stairs"
    version = "1"
    forks: Forks = "copy"
    exact = True
    splits: tuple[str, ...] = ("test",)
    climb: type[Climb] = Climb

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.splits:
            raise UsageError(f"split: expected one of {self.splits}, got {split!r}")
        return tuple(STEPS)

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"steps": str(STEPS[self._known(task)])}

    def open(self, task: Task) -> Climb:
        self._known(task.name)
        return self.climb(task)

    def restore(self, task: Task, snapshot: bytes) -> Climb:
        self._known(task.name)
        climbed = self._read(snapshot)
        if climbed.task != task or not 0 <= climbed.steps <= STEPS[task.name]:
            raise WorldFault(f"expected a snapshot of {task}, got {climbed}")
        return self.climb(task, climbed.steps)

    def _read(self, snapshot: bytes) -> Climbed:
        try:
            return msgspec.msgpack.decode(snapshot, type=Climbed)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise WorldFault(f"expected a snapshot, got {error}") from error

    def _known(self, task: str) -> str:
        if task not in STEPS:
            raise UsageError(f"task: expected one of {', '.join(STEPS)}, got {task!r}")
        return task


class Misnamed(Stairs):
    name = "stars"


class Splitless(Stairs):
    splits = ()


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
    def _known(self, task: str) -> str:
        return list(STEPS)[list(STEPS).index(task)]


class Careless(Stairs):
    def _read(self, snapshot: bytes) -> Climbed:
        return msgspec.msgpack.decode(snapshot, type=Climbed)


class Generous(Stairs):
    """Takes any bytes for a snapshot."""

    def _read(self, snapshot: bytes) -> Climbed:
        try:
            return super()._read(snapshot)
        except WorldFault:
            return Climbed(Task(name="low stairs", seed=0), 0)


class Seedless(Stairs):
    def _read(self, snapshot: bytes) -> Climbed:
        climbed = super()._read(snapshot)
        return replace(climbed, task=Task(name=climbed.task.name, seed=0))


class Confused(Stairs):
    def restore(self, task: Task, snapshot: bytes) -> Climb:
        self._known(task.name)
        return self.climb(task, self._read(snapshot).steps)


class Forgetting(Stairs):
    def restore(self, task: Task, snapshot: bytes) -> Climb:
        restored = super().restore(task, snapshot)
        restored.steps = min(restored.steps, 1)
        return restored


class Flickering(Stairs):
    """Not exact: what is restored looks different each time."""

    exact = False

    def restore(self, task: Task, snapshot: bytes) -> Climb:
        restored = super().restore(task, snapshot)
        return Timed(task, restored.steps)


class Deaf(Stairs):
    """Not exact: what is restored does not understand its own words."""

    exact = False

    def restore(self, task: Task, snapshot: bytes) -> Climb:
        restored = super().restore(task, snapshot)
        return Wishful(task, restored.steps)


class Ratchet(Stairs):
    """Nobody comes down again."""

    exact = False
    highest = 0

    def restore(self, task: Task, snapshot: bytes) -> Climb:
        restored = super().restore(task, snapshot)
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

    @property
    def observation(self) -> str:
        return self.opening.observation


class Echoing(Climb):
    """Also shows the answer to a rejected action."""

    def __init__(self, task: Task, steps: int = 0) -> None:
        super().__init__(task, steps)
        self.last = super().observation

    @property
    def observation(self) -> str:
        return self.last

    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        self.last = "Only up." if outcome.rejected else outcome.observation
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

    def __init__(self, task: Task, steps: int = 0) -> None:
        super().__init__(task, steps)
        self.stood[task.name] = steps

    def step(self, action: str) -> Outcome:
        self.steps = self.stood[self.task.name]
        outcome = super().step(action)
        self.stood[self.task.name] = self.steps
        return outcome


class Shared(Climb):
    def fork(self) -> Climb:
        return self


class Uncopied(Climb):
    def fork(self) -> Climb:
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


def _of(climb: type[Climb]) -> type[Stairs]:
    return type("Stairs", (Stairs,), {"climb": climb})


WANDERING, UNTYPED, FALLING, RESTLESS = _of(Wandering), _of(Untyped), _of(Falling), _of(Restless)
BLANK, ECHOING = _of(Blank), _of(Echoing)
FRAGILE, COUNTING, TIMED, HASHED = _of(Fragile), _of(Counting), _of(Timed), _of(Hashed)
SHARED, HISTORIC, LASTING, CROWDED = _of(Shared), _of(Historic), _of(Lasting), _of(Crowded)
WISHFUL, HIDING, LAZY, BLIND = _of(Wishful), _of(Hiding), _of(Lazy), _of(Blind)
