"""How the environment role calls worlds of every kind: as each declares, and with the same answers."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from quintet.environments.adapters.called import CalledState, CalledWorld, InlineState
from quintet.environments.adapters.plain import as_world
from quintet.environments.adapters.processes import ProcessState
from quintet.environments.adapters.threads import ThreadState
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.world import CallsIn, Outcome, World
from tests.actors.environments.adapters.stairs import LOW, AsyncStairs, MeetingClimb, QuietStairs, ThreadStairs
from tests.actors.environments.loops import in_loop
from tests.actors.pictured import BlockedStairs, RemoteStairs, SeenStairs, picture_at
from tests.actors.quiz import TOWN, Quiz, QuizState
from tests.actors.shop import TEA, Shop
from tests.actors.stall import SERVE, TAKE, Stall, StallState
from tests.deploy.testing.broken_environments import Stairs


class ThreadQuiz(Quiz):
    blocking: CallsIn | None = "thread"


class ProcessQuiz(Quiz):
    blocking: CallsIn | None = "process"


class AsyncQuizState(AsyncState):
    """The quiz, whose members are coroutines."""

    def __init__(self, state: QuizState) -> None:
        self.state = state
        self.opening = state.opening

    @property
    def observation(self) -> str:
        return self.state.observation

    async def step(self, action: str) -> Outcome:
        return self.state.step(action)

    async def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        return self.state.graded(verdicts)

    async def naive(self) -> tuple[str, ...] | None:
        return self.state.naive()


class AsyncQuiz(AsyncWorld):
    name, splits, needs_judge = Quiz.name, Quiz.splits, True

    def tasks(self, split: str) -> tuple[str, ...]:
        return Quiz().tasks(split)

    async def open(self, task: Task) -> AsyncQuizState:
        return AsyncQuizState(Quiz().open(task))


def declaring(blocking: object) -> World:
    world = ThreadStairs()
    world.blocking = cast("Any", blocking)
    return world


KINDS: list[Any] = [
    (Stairs, InlineState),
    (lambda: declaring(None), InlineState),
    (ThreadStairs, ThreadState),
    (lambda: AsyncStairs(0, 0), InlineState),
    pytest.param(QuietStairs, ProcessState, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("make", "kind"), KINDS)
@in_loop
async def test_a_world_is_called_as_it_declares_and_every_member_answers_alike(
    make: Callable[[], object], kind: type[CalledState]
) -> None:
    world = CalledWorld(make(), workers=1)
    state = await world.open(LOW)
    assert type(state) is kind
    fork: CalledState = await state.call("fork")
    assert (await state.call("step", "up")).observation == state.observation == "You are 1 steps up."
    assert fork.observation == fork.opening.observation == state.opening.observation
    assert await fork.call("admissible") == ("up",)
    assert await fork.call("expert") == ("up", "up")
    assert await fork.call("naive") is None
    with pytest.raises(WorldFault, match="expected a state with graded"):
        await fork.call("graded", ())
    restored = await world.restore(LOW, await state.call("snapshot"))
    assert restored.observation == "You are 1 steps up."
    for each in (state, fork, restored):
        await each.close()
    await world.aclose()


def test_a_plain_world_is_played_without_waiting() -> None:
    async def play() -> None:
        await (await CalledWorld(Stairs(), workers=1).open(LOW)).call("step", "up")

    with pytest.raises(StopIteration):
        play().send(None)


@pytest.mark.parametrize("blocking", [None, "thread", pytest.param("process", marks=pytest.mark.slow)])
@in_loop
async def test_what_a_state_offers_is_known_after_each_call_wherever_it_lives(blocking: CallsIn | None) -> None:
    class Elsewhere(Stall):
        pass

    Elsewhere.blocking = blocking
    world = CalledWorld(Elsewhere(), workers=1)
    state = await world.open(LOW)
    first: CalledState = await state.call("fork")
    await state.call("step", "take salt")
    later: CalledState = await state.call("fork")
    assert (first.offered, state.offered, later.offered) == ((TAKE,), (TAKE, SERVE), (TAKE, SERVE))
    await world.aclose()


@in_loop
async def test_a_mistake_within_a_member_that_a_state_may_lack_is_raised() -> None:
    class Careless(StallState):
        @property
        def offered(self) -> Any:
            opening: Any = self.opening
            return opening.toolz

    class CarelessStall(Stall):
        def open(self, task: Task) -> StallState:
            return Careless()

    with pytest.raises(AttributeError, match="toolz"):
        await CalledWorld(CarelessStall(), workers=1).open(LOW)


@in_loop
async def test_an_object_that_has_only_the_members_is_called_like_any_other() -> None:
    world = CalledWorld(Shop(), workers=1)
    state = await world.open(TEA)
    assert await state.call("naive") is None
    assert not state.holds
    outcomes = [await state.call("step", action) for action in await state.call("expert")]
    assert outcomes[-1].done
    await world.aclose()


@in_loop
async def test_only_a_state_that_holds_something_is_to_be_closed() -> None:
    assert not (await CalledWorld(Stairs(), workers=1).open(LOW)).holds
    state = await CalledWorld(declaring(None), workers=1).open(LOW)
    assert state.holds
    MeetingClimb.closed.clear()
    await state.close()
    assert MeetingClimb.closed.is_set()


QUIZZES: list[Any] = [
    Quiz,
    ThreadQuiz,
    lambda: as_world(AsyncQuiz()),
    pytest.param(ProcessQuiz, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("make", QUIZZES)
@in_loop
async def test_verdicts_and_the_naive_policy_reach_a_state_in_every_way(make: Callable[[], World]) -> None:
    world = CalledWorld(make(), workers=1)
    state = await world.open(TOWN)
    assert await state.call("naive") == ("answer a town",)
    assert (await state.call("step", "answer a town")).to_grade[0].answer == "a town"
    outcome = await state.call("graded", (True,))
    assert state.observation == "You said a town."
    assert (outcome.reward, outcome.figures) == (1.0, {"exact": 0.0, "judge": 1.0})
    await world.aclose()


SEEN: list[Any] = [SeenStairs, BlockedStairs, pytest.param(RemoteStairs, marks=pytest.mark.slow)]


@pytest.mark.parametrize("make", SEEN)
@in_loop
async def test_a_picture_is_passed_on_after_every_change(make: Callable[[], World]) -> None:
    world = CalledWorld(make(), workers=1)
    task = Task(name="high stairs", seed=0)
    state = await world.open(task)
    seen = [state.picture]
    await state.call("step", "up")
    copies = await state.call("fork"), await world.restore(task, await state.call("snapshot"))
    seen += [state.picture, *(copy.picture for copy in copies)]
    assert seen == [picture_at(0), picture_at(1), picture_at(1), picture_at(1)]
    await world.aclose()


def test_another_way_of_blocking_and_a_world_that_cannot_be_pickled_are_errors() -> None:
    with pytest.raises(UsageError, match="stairs: blocking: expected thread, process or None, got 'fiber'"):
        CalledWorld(declaring("fiber"), workers=1)
    world = QuietStairs()
    world.lock = (each for each in "stairs")  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match=r"stairs: expected one that can be pickled.* 'generator' object"):
        CalledWorld(world, workers=1)
