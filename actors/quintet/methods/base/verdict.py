"""What a run of actions means to a method: an answer, and why it gave up if it did."""

from collections.abc import Mapping, Sequence

from quintet.messages.environment import Session, Stepped
from quintet.messages.execution import Executed, Stop, Turn
from quintet.messages.solving import Solved, Unsolved

_REASONS: Mapping[Stop, str] = {
    "claimed": "the model claims failure",
    "done": "the world is done without success",
    "budget": "out of model calls",
    "patience": "too many rejected actions in a row",
    "context": "context full",
}


def verdict(executed: Executed, *, session: Session, depth: int) -> Solved | Unsolved:
    """An executor's run as the answer of whoever asked for it.

    Args:
        session: the one to go on with.
        depth: the recursion level of the task that was pursued, 1 being the user's own.
    """
    if executed.completed:
        return Solved(
            session=session,
            reward=executed.reward,
            done=executed.done,
            claimed=executed.claimed,
            depth=depth,
            turns=executed.turns,
        )
    return Unsolved(
        session=session,
        reward=executed.reward,
        done=executed.done,
        reason=_REASONS["claimed" if executed.claimed is False else executed.stop],
        claimed=executed.claimed,
        depth=depth,
        turns=executed.turns,
    )


def without_claim(
    last: Stepped | None, turns: Sequence[Turn], *, session: Session, depth: int, reason: str
) -> Solved | Unsolved:
    """The answer of a method that asks no model: solved where the world is done with the full reward.

    Args:
        last: what the last action brought; None if none was taken.
        turns: what was done, in order.
        session: the one to go on with.
        depth: the recursion level of the task that was pursued, 1 being the user's own.
        reason: why it gave up, where the world is not done.
    """
    reward, done = (0.0, False) if last is None else (last.reward, last.done)
    if done and reward >= 1:
        return Solved(session=session, reward=reward, done=True, depth=depth, turns=tuple(turns))
    reason = _REASONS["done"] if done else reason
    return Unsolved(session=session, reward=reward, done=done, reason=reason, depth=depth, turns=tuple(turns))
