"""Which of two trials is kept. Where trials begin is tested with the methods that make them, and nested ones."""

import asyncio

import pytest

from quintet.messages.environment import Close, Closed, Session
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.trials import keep_best
from tests.actors.methods.base.test_episode import COPY, HERE, Answered, episode


def failed(session: Session, reward: float) -> Unsolved:
    return Unsolved(session=session, reward=reward, done=False, reason="tired")


@pytest.mark.parametrize(
    ("one", "other", "best"),
    [
        (failed(HERE, 0.0), failed(COPY, 0.5), COPY),
        (failed(HERE, 0.5), failed(COPY, 0.0), HERE),
        (failed(HERE, 0.5), failed(COPY, 0.5), HERE),
        (failed(HERE, 0.0), failed(COPY, 1.0), COPY),
        (Solved(session=HERE, reward=0.0, done=False, claimed=True), failed(COPY, 0.5), COPY),
    ],
)
def test_the_greater_reward_is_kept_and_offered_whatever_is_claimed_and_the_other_session_is_closed(
    one: Solved | Unsolved, other: Unsolved, best: Session
) -> None:
    roles = Answered(Closed())
    here = episode(roles)
    kept = asyncio.run(keep_best(here, one, other))
    assert (kept.session, kept.reward) == (best, max(one.reward, other.reward))
    assert roles.asked == [Close(session=HERE if best is COPY else COPY)]
    assert here.latest.offer is not None
    assert (here.latest.offer.session, here.latest.offer.reward) == (best.id, kept.reward)
