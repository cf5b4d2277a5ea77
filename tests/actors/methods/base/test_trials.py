import asyncio
from typing import Any, cast

import pytest

from quintet.messages.environment import Close, Closed, Open, Opened, Session, Snapshot, Snapshotted, Task
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.trials import TrialStart, keep_best

TASK = Task(name="supper", seed=7)
ONE, OTHER = Session(id="one", host="here"), Session(id="other", host="here")


class Sessions:
    """Roles that open and close."""

    def __init__(self) -> None:
        self.asked: list[Request[Any]] = []

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.asked.append(request)
        opened = Opened(session=OTHER, observation="A kitchen.", setting="A kitchen.", goal="serve")
        replies: dict[type[Request[Any]], Message] = {Open: opened, Snapshot: Snapshotted(snapshot=b"half")}
        return cast("ReplyT", replies.get(type(request), Closed()))


EPISODE = episode_path(TASK.name, 0, 0)


def episode(roles: Sessions, path: Path = EPISODE) -> Episode:
    return Episode(roles=roles, path=path, task=TASK, session=ONE, setting="", goal="serve", depth=1, parts=())


def failed(session: Session, reward: float) -> Unsolved:
    return Unsolved(session=session, reward=reward, done=False, reason="tired")


async def tried_twice(here: Episode, trials: int) -> Session:
    start = await TrialStart.of(here, trials=trials)
    return await start.open()


def test_trials_of_the_outermost_method_begin_at_the_tasks_opening() -> None:
    roles = Sessions()
    assert asyncio.run(tried_twice(episode(roles), 2)) == OTHER
    assert roles.asked == [Open(task=TASK)]


def test_trials_of_an_inner_method_begin_in_the_state_that_it_was_given() -> None:
    roles = Sessions()
    assert asyncio.run(tried_twice(episode(roles, child(EPISODE, 3)), 2)) == OTHER
    assert roles.asked == [Snapshot(session=ONE), Open(task=TASK, snapshot=b"half", origin=ONE.id)]


def test_a_single_trial_writes_no_state_down() -> None:
    roles = Sessions()
    asyncio.run(TrialStart.of(episode(roles, child(EPISODE, 3)), trials=1))
    assert roles.asked == []


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
