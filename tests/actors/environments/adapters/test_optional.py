"""Verdicts, naive policies and pictures reach a state through every adapter."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest

from quintet.environments.adapters.as_async import as_async
from quintet.environments.adapters.declared import as_judged
from quintet.environments.adapters.optional import picture_of
from quintet.environments.adapters.sync import SyncWorld, as_sync
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.ports.model import Closes
from quintet.ports.world import CallsIn, Forks, HasNaive, Outcome, TakesVerdicts, World
from tests.actors.environments.adapters.stairs import AsyncStairs
from tests.actors.pictured import BlockedStairs, RemoteStairs, SeenStairs, picture_at
from tests.actors.quiz import TOWN, Quiz, QuizState
from tests.deploy.testing.broken_environments import Stairs
from tests.simulation.virtual import run


class ThreadQuiz(Quiz):
    blocking: CallsIn | None = "thread"


class ProcessQuiz(Quiz):
    blocking: CallsIn | None = "process"


class AsyncQuizState:
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

    async def admissible(self) -> tuple[str, ...] | None:
        return None

    async def expert(self) -> tuple[str, ...] | None:
        return self.state.expert()

    async def naive(self) -> tuple[str, ...] | None:
        return self.state.naive()

    async def fork(self) -> "AsyncQuizState":
        return AsyncQuizState(self.state.fork())

    async def snapshot(self) -> bytes:
        return self.state.snapshot()


class AsyncQuiz:
    name, version, exact, splits = Quiz.name, Quiz.version, Quiz.exact, Quiz.splits
    forks: Forks = "copy"
    needs_judge = True

    def tasks(self, split: str) -> tuple[str, ...]:
        return Quiz().tasks(split)

    def metadata(self, task: str) -> Mapping[str, str]:
        return Quiz().metadata(task)

    async def open(self, task: Task) -> AsyncQuizState:
        return AsyncQuizState(Quiz().open(task))

    async def restore(self, task: Task, snapshot: bytes) -> AsyncQuizState:
        return AsyncQuizState(Quiz().restore(task, snapshot))


def played(world: World) -> Outcome:
    async def play() -> Outcome:
        called = as_async(world, workers=1)
        state = await called.open(TOWN)
        assert isinstance(state, HasNaive)
        assert isinstance(state, TakesVerdicts)
        assert await state.naive() == ("answer a town",)  # type: ignore[misc]
        assert (await state.step("answer a town")).to_grade[0].answer == "a town"
        outcome = cast("Outcome", await state.graded((True,)))  # type: ignore[misc]
        assert state.observation == "You said a town."
        if isinstance(called, Closes):
            await called.aclose()
        return outcome

    return asyncio.run(play())


QUIZZES: list[Any] = [Quiz, ThreadQuiz, lambda: as_sync(AsyncQuiz()), pytest.param(ProcessQuiz, marks=pytest.mark.slow)]


@pytest.mark.parametrize("make", QUIZZES)
def test_every_adapter_passes_verdicts_and_the_naive_policy_on(make: Callable[[], World]) -> None:
    outcome = played(make())
    assert (outcome.reward, outcome.figures) == (1.0, {"exact": 0.0, "judge": 1.0})


def test_an_asynchronous_world_has_them_in_plain_code_too() -> None:
    state = as_sync(AsyncQuiz()).open(TOWN)
    assert isinstance(state, HasNaive)
    assert isinstance(state, TakesVerdicts)
    assert state.naive() == ("answer a town",)
    state.step("answer a town")
    graded = state.graded((False,))
    assert isinstance(graded, Outcome)
    assert graded.figures == {"exact": 0.0, "judge": 0.0}


def test_a_state_without_them_has_no_naive_policy_and_takes_no_verdicts() -> None:
    async def play() -> None:
        state = await as_async(Stairs(), workers=1).open(Task(name="low stairs", seed=0))
        assert isinstance(state, HasNaive)
        assert await state.naive() is None  # type: ignore[misc]
        assert isinstance(state, TakesVerdicts)
        with pytest.raises(WorldFault, match="expected a state with graded"):
            await state.graded(())  # type: ignore[misc]

    run(play())


def test_a_judged_world_is_known_behind_an_adapter_too() -> None:
    assert as_judged(Quiz(needs_judge=True)) is not None
    judged = as_judged(as_sync(AsyncQuiz()))
    assert judged is not None
    assert judged.needs_judge
    assert as_judged(Stairs()) is None
    assert as_judged(SyncWorld(AsyncStairs())) is None


class AsyncSeenStairs(AsyncStairs):
    """Stairs whose members are coroutines, and which are seen."""

    async def open(self, task: Task) -> Any:
        state = await super().open(task)
        state.picture = picture_at(7)  # type: ignore[attr-defined]
        return state


SEEN: list[Any] = [SeenStairs, BlockedStairs, pytest.param(RemoteStairs, marks=pytest.mark.slow)]


@pytest.mark.parametrize("make", SEEN)
def test_every_adapter_passes_a_picture_on_after_every_change(make: Callable[[], World]) -> None:
    async def play() -> list[object]:
        world = as_async(make(), workers=1)
        task = Task(name="high stairs", seed=0)
        state = await world.open(task)
        seen = [picture_of(state)]
        await state.step("up")
        seen.append(picture_of(state))
        seen += [picture_of(await state.fork()), picture_of(await world.restore(task, await state.snapshot()))]
        if isinstance(world, Closes):
            await world.aclose()
        return seen

    assert asyncio.run(play()) == [picture_at(0), picture_at(1), picture_at(1), picture_at(1)]


def test_a_picture_of_an_asynchronous_world_is_seen_in_plain_code_and_a_world_without_has_none() -> None:
    task = Task(name="low stairs", seed=0)
    assert picture_of(as_sync(AsyncSeenStairs()).open(task)) == picture_at(7)
    assert picture_of(as_sync(AsyncStairs()).open(task)) == b""
    assert picture_of(Stairs().open(task)) == b""
