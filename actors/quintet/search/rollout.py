"""Roll-outs by another method: from a leaf of the tree, the episode's inner method attempts the goal."""

from dataclasses import dataclass

from quintet.messages.environment import Close
from quintet.messages.execution import Turn
from quintet.messages.parts import History
from quintet.messages.solving import Unsolved
from quintet.methods.base.copy import Copy, close_branch_sessions
from quintet.methods.base.episode import Episode
from quintet.roles.turn_text import actions_with_turns, history_sentence
from quintet.search.evaluator import LeafState, StateEvaluator
from quintet.search.expansion import Child, Point


@dataclass(frozen=True, kw_only=True)
class RollOut:
    """What an attempt from a leaf came to."""

    turns: tuple[tuple[str, Turn], ...]
    """From the leaf to the end, each with its action, those of the end left out."""
    end: Child
    failure: str
    """Why the inner method gave up; empty if it says that the goal is reached."""


async def roll_out(episode: Episode, evaluator: StateEvaluator, point: Point, phase: str) -> RollOut | None:
    """Let the inner method attempt the goal in a copy of the leaf's world. Run it by `Episode.unless_refused`.

    The inner method sees what was done from the root to the leaf as a `History`.

    Args:
        evaluator: gives the end its value; the inner method's own account counts for nothing.
        point: the leaf; its session stays as it is.
        phase: what calls for the value are counted as.

    Returns:
        None if nothing was done.
    """
    before = actions_with_turns(point.turns)
    history = History(texts=tuple(history_sentence(action, turn.observation) for action, turn in before))
    async with episode.forked(point.session) as copy:
        try:
            answer = await episode.attempt(session=copy.session, parts=(*episode.inherited, *point.parts, history))
            state = LeafState((*point.turns, *answer.turns), answer.done, confidence=1.0, reward=answer.reward)
            (value,) = await evaluator.evaluate([state], point.parts, phase)
        except BaseException:
            await close_branch_sessions(episode.roles, copy.session)
            raise
        end = copy if answer.session in (None, copy.session) else Copy(answer.session)
        turns = actions_with_turns(answer.turns)
        if not turns:
            await episode.ask(Close(session=end.session))
            return None
        end.keep()
    action, turn = turns[-1]
    child = Child(
        action=action,
        confidence=1.0,
        adjusted=False,
        turn=turn,
        copy=end,
        reward=answer.reward,
        done=answer.done,
        value=value,
    )
    return RollOut(turns=turns[:-1], end=child, failure=answer.reason if isinstance(answer, Unsolved) else "")
