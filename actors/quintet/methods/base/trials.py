"""Trials: several goes at one task, each from its opening and in a session of its own."""

from quintet.messages.environment import Close, Open, Session
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode


async def open_again(episode: Episode) -> Session:
    """A new session of the episode's task. The first trial acts in the episode's own."""
    opened = await episode.ask(Open(task=episode.task))
    return opened.session


async def keep_best(episode: Episode, one: Solved | Unsolved, other: Solved | Unsolved) -> Solved | Unsolved:
    """The trial with the greater reward; of equal ones, `one`. It is offered, and the other's session is closed."""
    best, worse = (other, one) if other.reward > one.reward else (one, other)
    episode.offer(best)
    if worse.session is not None:
        await episode.ask(Close(session=worse.session))
    return best
