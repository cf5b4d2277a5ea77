"""What several clauses of the contract of environments check or need."""

import asyncio
from typing import Final

import pytest

from quintet.environments.adapters.as_async import as_async
from quintet.ports.model import Closes
from quintet.ports.world import Closeable, CountsRejections, Outcome, WorldState
from quintet.testing.environment_case import EnvironmentCase, step_through
from quintet.testing.expectations import expect, expect_equal, expect_type

_SESSIONS: Final = 3

GIVE_ACTIONS = "give them with --actions FILE, a JSON list"


def skip_without_forks(case: EnvironmentCase) -> None:
    """Skip the clause if the world cannot copy a state."""
    if case.world().forks == "none":
        pytest.skip("the world cannot copy a state")


def skip_if_rejections_count(case: EnvironmentCase) -> None:
    """Skip the clause if a rejected action may leave a trace."""
    world = case.world()
    if isinstance(world, CountsRejections) and world.counts_rejections:
        pytest.skip("the world counts rejected actions")


def skip_without_actions(case: EnvironmentCase) -> None:
    """Skip the clause if no actions are known."""
    if not case.actions:
        pytest.skip(f"no actions that it carries out were found; {GIVE_ACTIONS}")


def check_admissible(state: WorldState, when: str) -> tuple[str, ...] | None:
    """What a state lists, once it is checked; None if it lists nothing."""
    before, listed = state.snapshot(), state.admissible()
    if listed is None:
        return None
    expect_type(f"the admissible actions {when}", tuple[str, ...], listed)
    expect_equal(f"the admissible actions {when}, each once and sorted,", tuple(sorted(set(listed))), listed)
    expect_equal(f"the snapshot after its actions were listed {when}", before, state.snapshot())
    return listed


def check_expert(state: WorldState, when: str) -> bool:
    """Whether the world has an expert, whose actions then solve the task from this state."""
    before, advice = state.snapshot(), state.expert()
    if advice is None:
        return False
    expect_type(f"the expert's actions {when}", tuple[str, ...], advice)
    expect_equal(f"the snapshot after the expert was asked {when}", before, state.snapshot())
    fork = state.fork()
    outcomes = step_through(fork, advice)
    for action, outcome in zip(advice, outcomes, strict=True):
        expect(not outcome.rejected, f"the expert's {action!r} {when} to be carried out", outcome)
    if advice:
        last = outcomes[-1]
        expect(last.done and last.reward == 1, f"the task to be solved by the expert's actions {when}", last)
    expect_equal(f"the expert's actions once the task is solved by those {when}", (), fork.expert())
    return True


def play_at_once(case: EnvironmentCase) -> list[list[Outcome]]:
    """The outcomes of a few sessions of the task, each action taken in all of them at once, as a host calls them."""

    async def play() -> list[list[Outcome]]:
        world = as_async(case.world(), workers=_SESSIONS)
        states = await asyncio.gather(*(world.open(case.task) for _ in range(_SESSIONS)))
        rows = [await asyncio.gather(*(state.step(action) for state in states)) for action in case.actions]
        for closing in (state.close() for state in states if isinstance(state, Closeable)):
            if closing is not None:
                await closing
        if isinstance(world, Closes):
            await world.aclose()
        return [[row[number] for row in rows] for number in range(_SESSIONS)]

    return asyncio.run(play())
