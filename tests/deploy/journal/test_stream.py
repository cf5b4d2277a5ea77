"""The stream of a run's events: what it shows, when it ends, and what leaving it early does."""

from collections import Counter

import pytest

from quintet.api import open_run
from quintet.errors import EndpointUnavailable
from quintet.events import CallMade, EpisodeEnded, Exchanged, StepTaken
from quintet.journal.feed import EventStream, Feed
from quintet.messages.environment import Open, Step, Task

pytestmark = pytest.mark.real_time


async def test_a_stream_of_episodes_shows_their_calls_steps_and_subtasks_in_order_and_ends_with_them() -> None:
    async with open_run("adapt", "textcraft", tasks=["stick"]) as run:
        records = [record async for record in run.stream(run.left())]
    kinds = [type(record.event) for record in records]
    assert set(kinds) == {CallMade, StepTaken, Exchanged, EpisodeEnded}
    assert kinds[-1] is EpisodeEnded
    assert Counter(kinds)[EpisodeEnded] == 1
    assert {record.event.request for record in records if isinstance(record.event, Exchanged)} == {"solve"}


async def test_a_stream_that_is_left_early_leaves_its_episodes_for_a_resume() -> None:
    async with open_run("react", "textcraft", tasks=2) as run:
        async with run.stream(run.left()) as stream:
            assert isinstance((await anext(stream)).event, CallMade)
        assert len(run.left()) == 2
        first = await anext(run.stream(run.left()))  # the run ends what this one runs
        assert first.event.path


async def test_a_stream_without_episodes_shows_what_is_asked_until_the_run_is_closed() -> None:
    async with open_run("react", "textcraft", tasks=1, journal=None) as run:
        stream = run.stream()
        await run.ref("environment").ask(Open(task=Task(name="stick", seed=0)))
        async with run.visit() as roles:
            session = (await roles.ask(Open(task=Task(name="stick", seed=0)))).session
            await roles.ask(Step(session=session, action="inventory"))
    (step,) = [record async for record in stream]
    assert isinstance(step.event, StepTaken)
    assert step.event.path.startswith("~visit/0/1/")


async def test_a_stream_raises_why_its_episodes_stopped_once_all_is_read() -> None:
    async def work() -> None:
        raise EndpointUnavailable("away")

    stream = EventStream(Feed().subscribe(), work())
    with pytest.raises(EndpointUnavailable, match="away"):
        await anext(stream)


async def test_a_slow_reader_of_a_stream_loses_events_and_is_told_how_many() -> None:
    async with open_run("react", "textcraft", model="sim-strong", tasks=1) as run:
        stream = run.stream(buffer=1)
        async for _ in run.run(run.left()):
            pass
    kept = [record async for record in stream]
    assert stream.lost > 1
    assert [type(record.event) for record in kept] == [EpisodeEnded]
