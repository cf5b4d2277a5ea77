"""What an executor's run means to a method: an answer, and why it gave up if it did."""

from collections.abc import Mapping

from protocols.environment import Session
from protocols.execution import Executed, Stop
from protocols.solving import Solved, Unsolved

_REASONS: Mapping[Stop, str] = {
    "claimed": "the model claims failure",
    "done": "the world is done without success",
    "budget": "out of model calls",
    "patience": "too many rejected actions in a row",
}


def verdict(executed: Executed, *, session: Session, depth: int) -> Solved | Unsolved:
    """The run as the answer of whoever asked for it.

    Args:
        session: the one to go on with.
        depth: the recursion level of the task that was pursued, 1 being the user's own.
    """
    if executed.completed:
        return Solved(
            session=session, reward=executed.reward, done=executed.done, claimed=executed.claimed, depth=depth
        )
    return Unsolved(
        session=session,
        reward=executed.reward,
        done=executed.done,
        reason=_REASONS["claimed" if executed.claimed is False else executed.stop],
        claimed=executed.claimed,
        depth=depth,
    )
