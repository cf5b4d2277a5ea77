import asyncio
from typing import Any, cast

import pytest

from quintet.messages.environment import Close, Closed, Open, Opened, Session, Task
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.trials import keep_best, open_again

TASK = Task(name="supper", seed=7)
ONE, OTHER = Session(id="one", host="here"), Session(id="other", host="here")


class Sessions:
    """Roles that open and close."""

    def __init__(self) -> None:
        self.asked: list[Request[Any]] = []

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.asked.append(request)
        opened = Opened(session=OTHER, observation="A kitchen.", setting="A kitchen.", goal="serve")
        reply: Message = opened if isinstance(request, Open) else Closed()
        return cast("ReplyT", reply)


def episode(roles: Sessions) -> Episode:
    path = episode_path(TASK.name, 0, 0)
    return Episode(roles=roles, path=path, task=TASK, session=ONE, setting="", goal="serve", depth=1, parts=())


def failed(session: Session, reward: float) -> Unsolved:
    return Unsolved(session=session, reward=reward, done=False, reason="tired")


def test_a_trial_opens_the_episodes_task_anew() -> None:
    roles = Sessions()
    assert asyncio.run(open_again(episode(roles))) == OTHER
    assert roles.asked == [Open(task=TASK)]


@pytest.mark.parametrize(
    ("one", "other", "best"),
    [(0.0, 0.5, OTHER), (0.5, 0.0, ONE), (0.5, 0.5, ONE), (0.0, 1.0, OTHER)],
)
def test_the_better_trial_is_kept_and_offered_and_the_other_ones_session_is_closed(
    one: float, other: float, best: Session
) -> None:
    roles = Sessions()
    here = episode(roles)
    kept = asyncio.run(keep_best(here, failed(ONE, one), failed(OTHER, other)))
    assert (kept.session, kept.reward) == (best, max(one, other))
    assert roles.asked == [Close(session=ONE if best is OTHER else OTHER)]
    assert here.latest.offer is not None
    assert (here.latest.offer.session, here.latest.offer.reward) == (best.id, max(one, other))


def test_the_reward_decides_and_no_claim() -> None:
    claimed = Solved(session=ONE, reward=0.0, done=False, claimed=True)
    assert asyncio.run(keep_best(episode(Sessions()), claimed, failed(OTHER, 0.5))).session == OTHER
