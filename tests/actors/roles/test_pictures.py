"""Pictures: journaled under the request after which they were taken, and not again in a replay."""

import asyncio

import pytest

from quintet.errors import WorldFault
from quintet.events import AnyEvent, Pictured, Record, SessionForked, SessionOpened, StepTaken
from quintet.events.recording import Recording
from quintet.messages.environment import EnvironmentRequest, Fork, Open, Opened, Snapshot, Snapshotted, Step
from quintet.messages.environment import Task as WorldTask
from quintet.messages.message import Message
from quintet.messages.paths import Path, child, episode_path
from quintet.roles.context import RequestContext, running
from quintet.roles.environment import Environment
from tests.actors.pictured import Framed, Painted, SeenClimb, SeenStairs, Unseen, picture_at
from tests.deploy.testing.broken_environments import Climb

HERE = episode_path("low stairs", 0, 0)
TASK = WorldTask(name="low stairs", seed=0)


async def _no_commit(*events: AnyEvent) -> None:
    raise AssertionError("a picture is not waited for")


class Asker:
    """Asks an environment, each request under the next path."""

    def __init__(self, climb: type[Climb], recorded: tuple[Record, ...] = ()) -> None:
        world = type("Shown", (SeenStairs,), {"climb": climb})()
        self.environment = Environment(world, host="here")
        self.recorded = Recording(HERE, recorded)
        self.noted: list[AnyEvent] = []
        self.asked = 0

    async def __call__(self, request: EnvironmentRequest) -> Message:
        self.asked += 1
        path = child(HERE, self.asked)
        context = RequestContext(path, 1, self.recorded.below(path), _no_commit, self.noted.append)
        with running(context):
            return await self.environment.receive(request)

    @property
    def pictures(self) -> dict[Path, bytes]:
        return {event.path: event.picture for event in self.noted if isinstance(event, Pictured)}


async def _played(ask: Asker) -> Asker:
    """Open, take a step, write a snapshot down, copy, and go back: the requests 1 to 5."""
    opened = await ask(Open(task=TASK))
    assert isinstance(opened, Opened)
    await ask(Step(session=opened.session, action="up"))
    taken = await ask(Snapshot(session=opened.session))
    assert isinstance(taken, Snapshotted)
    await ask(Fork(session=opened.session))
    await ask(Open(task=TASK, snapshot=taken.snapshot, origin=opened.session.id))
    return ask


def _at(number: int) -> Path:
    return child(HERE, number)


def test_what_a_world_shows_is_journaled_where_it_began_went_back_and_answered() -> None:
    ask = asyncio.run(_played(Asker(SeenClimb)))
    assert ask.pictures == {_at(1): picture_at(0), _at(2): picture_at(1), _at(5): picture_at(1)}
    assert len(ask.noted) == 3


@pytest.mark.parametrize("climb", [Climb, Unseen])
def test_nothing_is_journaled_of_what_cannot_be_seen(climb: type[Climb]) -> None:
    assert asyncio.run(_played(Asker(climb))).noted == []


def test_a_replay_journals_no_picture_where_the_request_is_recorded() -> None:
    step = StepTaken(path=_at(2), session=_at(1), action="up", observation="", reward=0, done=False, rejected=False)
    recorded = (SessionOpened(path=_at(1), session=_at(1), observation=""), step)
    ask = asyncio.run(_played(Asker(SeenClimb, tuple(Record(event=event, incarnation=1) for event in recorded))))
    assert ask.pictures == {_at(5): picture_at(1)}
    forked = SessionForked(path=_at(5), session=_at(5), origin=_at(1))
    ask = asyncio.run(_played(Asker(SeenClimb, (Record(event=forked, incarnation=1),))))
    assert [*ask.pictures] == [_at(1), _at(2)]


@pytest.mark.parametrize(("climb", "got"), [(Painted, "'a drawing of stairs'"), (Framed, "b'<svg/>'")])
def test_a_picture_of_another_form_is_the_world_s_fault(climb: type[Climb], got: str) -> None:
    with pytest.raises(WorldFault, match=f"seen-stairs: picture: expected JPEG as bytes, got {got}"):
        asyncio.run(_played(Asker(climb)))
