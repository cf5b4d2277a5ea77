"""Members that only some states have, called where a state has them."""

from collections.abc import Awaitable
from typing import TypeAlias, cast

from quintet.errors import WorldFault
from quintet.ports.world import AsyncState, Closeable, HasNaive, Outcome, TakesVerdicts, WorldState

Grades: TypeAlias = tuple[bool | None, ...]
"""Of `Outcome.to_grade`, in order; None: the judge gave none."""


def close_state(state: WorldState) -> None:
    """Close a state that holds something; any other is left alone."""
    if isinstance(state, Closeable):
        state.close()


def naive_actions(state: WorldState) -> tuple[str, ...] | None:
    """The actions of its naive policy; None: it has none."""
    return cast("tuple[str, ...] | None", state.naive()) if isinstance(state, HasNaive) else None


async def naive_actions_of(state: AsyncState) -> tuple[str, ...] | None:
    """The same of a state whose members are coroutines."""
    return await cast("Awaitable[tuple[str, ...] | None]", state.naive()) if isinstance(state, HasNaive) else None


def graded_outcome(state: WorldState, verdicts: Grades) -> Outcome:
    """The final outcome of its last step.

    Raises:
        WorldFault: it has answers to grade, and takes no verdicts.
    """
    return cast("Outcome", _taking_verdicts(state).graded(verdicts))


async def graded_outcome_of(state: AsyncState, verdicts: Grades) -> Outcome:
    """The same of a state whose members are coroutines."""
    return await cast("Awaitable[Outcome]", _taking_verdicts(state).graded(verdicts))


def _taking_verdicts(state: WorldState | AsyncState) -> TakesVerdicts:
    if not isinstance(state, TakesVerdicts):
        got = f"{type(state).__name__}, which has none"
        raise WorldFault(f"to_grade: expected a state with graded(verdicts), got {got}")
    return state


def picture_of(state: WorldState | AsyncState) -> object:
    """What it looks like, as it says; empty bytes: it has no picture."""
    return getattr(state, "picture", b"")  # asked at every step, where `isinstance` of a protocol would cost more
