"""What several clauses of the contract of environments check or need."""

import asyncio
from typing import Final, Literal, TypeAlias

import pytest

from quintet.environments.adapters.called import CalledWorld
from quintet.ports.world import Outcome, WorldState
from quintet.testing.environment_case import ASKED_AGAIN, EnvironmentCase, step
from quintet.testing.expectations import expect, expect_equal, expect_type
from quintet.testing.open_states import unnoted

_SESSIONS: Final = 3

ClauseNeed: TypeAlias = Literal["copies", "snapshots", "repeats", "rejections", "actions"]

GIVE_ACTIONS = "give them with --actions FILE, a JSON list"


def skip_without(case: EnvironmentCase, *needs: ClauseNeed) -> None:
    """Skip the clause if the case lacks something that it needs.

    Args:
        needs: `copies` or `snapshots` of states, a world that `repeats` its answers, one in which `rejections` leave no
            trace, and known `actions`.
    """
    world = case.world()
    lacks: dict[ClauseNeed, tuple[bool, str]] = {
        "copies": (world.forks == "none", "the world cannot copy a state"),
        "snapshots": (not world.takes_snapshots, "the world neither copies a state nor goes back to one"),
        "repeats": (not world.repeats, "the world does not answer alike twice"),
        "rejections": (world.counts_rejections, "the world counts rejected actions"),
        "actions": (not case.actions, f"no actions that it carries out were found; {GIVE_ACTIONS}"),
    }
    for lacking, why in (lacks[need] for need in needs):
        if lacking:
            pytest.skip(why)


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
    follow_expert(state.fork(), advice, when)
    return True


def follow_expert(state: WorldState, advice: tuple[str, ...], when: str) -> None:
    """Follow the expert until the task is solved, and ask it again whenever its actions are used up."""
    last: Outcome | None = None
    for _ in range(ASKED_AGAIN):
        for action in advice:
            last = step(state, action)
            expect(not last.rejected, f"the expert's {action!r} {when} to be carried out", last)
        if not advice or (last is not None and last.done):
            break
        advice = _advice(state, f"{when}, asked again")
    if last is not None:
        expect(last.done and last.reward == 1, f"the task to be solved by the expert's actions {when}", last)
    expect_equal(f"the expert's actions once the task is solved by those {when}", (), state.expert())


def _advice(state: WorldState, when: str) -> tuple[str, ...]:
    advice: object = state.expert()
    expect_type(f"the expert's actions {when}", tuple[str, ...], advice)
    return state.expert() or ()


def play_at_once(case: EnvironmentCase) -> list[list[Outcome]]:
    """The outcomes of a few sessions of the task, each action taken in all of them at once, as a host calls them."""

    async def play() -> list[list[Outcome]]:
        world = CalledWorld(unnoted(case.world()), workers=_SESSIONS)
        number = min(_SESSIONS, world.definition.places or _SESSIONS)
        states = await asyncio.gather(*(world.open(case.task) for _ in range(number)))
        rows = [await asyncio.gather(*(state.call("step", action) for state in states)) for action in case.actions]
        for state in states:
            await state.close()
        await world.aclose()
        return [[row[number] for row in rows] for number in range(len(states))]

    return asyncio.run(play())
