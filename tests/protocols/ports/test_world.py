"""The base classes of worlds and states: what an author gets without writing it."""

from typing import ClassVar

import pytest
from msgspec import Struct

from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome, World, WorldState

TASK = Task(name="hall", seed=1)
OPENING = Opening(observation="A hall. Goal: leave.", setting="A hall.", goal="leave")


class Spot(Struct, frozen=True, array_like=True):
    seen: frozenset[str] = frozenset()


class HallState(WorldState):
    steps: int
    bag: dict[str, int]
    rooms: list[list[str]]
    spot: Spot
    doors: ClassVar[int] = 2

    def __init__(self) -> None:
        super().__init__(OPENING)
        self.steps = 0
        self.bag = {}
        self.rooms = [["hall"]]
        self.spot = Spot()
        self.shared: list[str] = []

    def step(self, action: str) -> Outcome:
        if action not in ("walk", "leave"):
            return self.reject("No.")
        self.steps += 1
        return self.accept(f"{action} {self.steps}", float(action == "leave"), done=action == "leave")

    def expert(self) -> tuple[str, ...]:
        return () if self.done else ("leave",)

    def close(self) -> None:
        self.shared.append("closed")


class Halls(World):
    name = "halls"

    def __init__(self) -> None:
        self.opened: list[HallState] = []

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return ("hall", "gallery")

    def open(self, task: Task) -> HallState:
        self.check_task(task.name)
        self.opened.append(HallState())
        return self.opened[-1]


def test_three_members_are_a_world() -> None:
    world = Halls()
    assert (world.version, world.splits, world.forks, world.exact) == ("1", ("test",), "copy", True)
    assert world.metadata("hall") == {}
    with pytest.raises(UsageError, match=r"split: expected test, got 'dev' \(halls\)"):
        world.tasks("dev")
    with pytest.raises(UsageError, match=r"task: expected one such as gallery, got 'galery' \(halls\)"):
        world.metadata("galery")
    with pytest.raises(UsageError, match=r"task: expected one such as gallery, got 'galery' \(halls\)"):
        world.open(Task(name="galery", seed=0))


class Unopened(HallState):
    def __init__(self) -> None:
        pass


def test_a_state_that_does_not_call_its_base_class_is_told_so() -> None:
    with pytest.raises(TypeError, match=r"Unopened: expected `super\(\).__init__\(opening\)` in its __init__, got"):
        print(Unopened().opening)


def test_what_is_accepted_is_seen_and_what_is_rejected_is_not() -> None:
    state = HallState()
    assert state.step("fly") == Outcome(observation="No.", reward=0.0, done=False, rejected=True)
    assert state.observation == OPENING.observation
    assert state.step("leave") == Outcome(observation="leave 1", reward=1.0, done=True, rejected=False)
    assert (state.observation, state.reward, state.done) == ("leave 1", 1.0, True)


def test_a_fork_has_its_own_value_of_each_declared_field_and_shares_the_others() -> None:
    state = HallState()
    fork = state.fork()
    assert type(fork) is HallState
    fork.step("walk")
    fork.bag["key"] = 1
    fork.rooms[0].append("cellar")
    assert (state.steps, state.bag, state.rooms) == (0, {}, [["hall"]])
    assert fork.shared is state.shared
    assert fork.opening is state.opening


def test_a_restored_state_has_the_declared_fields_with_the_order_of_a_dictionary() -> None:
    world, state = Halls(), HallState()
    state.step("walk")
    state.bag = {"key": 1, "apple": 2}
    state.spot = Spot(frozenset({"b", "a"}))
    restored = world.restore(TASK, state.snapshot())
    assert isinstance(restored, HallState)
    assert (restored.observation, restored.steps, list(restored.bag), restored.spot) == (
        "walk 1",
        1,
        ["key", "apple"],
        state.spot,
    )
    assert restored.snapshot() == state.snapshot()


def test_equal_sets_are_written_alike_however_they_came_about() -> None:
    one, other = HallState(), HallState()
    letters = [chr(97 + number) for number in range(20)]
    one.spot, other.spot = Spot(frozenset(letters)), Spot(frozenset(reversed(letters)))
    assert one.snapshot() == other.snapshot()


@pytest.mark.parametrize("snapshot", [b"", b"\xc1", b"\x90", HallState().snapshot()[:-1]])
def test_other_bytes_are_a_fault_and_the_opened_state_is_closed(snapshot: bytes) -> None:
    world = Halls()
    with pytest.raises(WorldFault, match="snapshot: expected one of HallState, got"):
        world.restore(TASK, snapshot)
    assert world.opened[0].shared == ["closed"]


def test_advice_is_the_experts_in_a_copy_that_is_closed_again() -> None:
    world = Halls()
    assert world.advise(TASK, ["walk", "fly"], "walk 1") == ("leave",)
    assert world.advise(TASK, ["leave"], "leave 1") == ()
    assert [state.shared for state in world.opened] == [["closed"], ["closed"]]
