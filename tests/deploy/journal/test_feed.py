"""The feed and the stream of a run: order, bounds, readers on other threads, and when they end."""

import asyncio
import threading
from collections import Counter

import pytest

from quintet.api import open_run
from quintet.errors import EndpointUnavailable, UsageError
from quintet.events import CallMade, EpisodeEnded, Exchanged, Record, StepTaken
from quintet.journal.feed import EpisodeStart, EventStream, Feed, FeedItem, Subscription
from quintet.messages.environment import Open, Step, Task
from quintet.messages.paths import Path

pytestmark = pytest.mark.real_time

EPISODE = Path("stick/0/0")


def ended(number: int) -> Record:
    return Record(event=EpisodeEnded(path=Path(f"stick/0/{number}"), state="solved"), incarnation=1)


async def read(subscription: Subscription) -> list[FeedItem]:
    return [item async for item in subscription]


async def test_a_reader_gets_what_is_committed_after_it_subscribed_in_order_and_ends_with_the_feed() -> None:
    feed = Feed()
    feed.committed([ended(0)])
    subscription = feed.subscribe()
    reading = asyncio.create_task(read(subscription))
    await asyncio.sleep(0)
    feed.committed([ended(1), ended(2)])
    await asyncio.sleep(0)
    feed.begun(EPISODE, 2)
    feed.committed([ended(3)])
    feed.close()
    first, second, start, last = await reading
    assert [first, second, last] == [ended(1), ended(2), ended(3)]
    assert isinstance(start, EpisodeStart)
    assert (start.path, start.incarnation) == (EPISODE, 2)


def test_a_slow_reader_loses_the_oldest_and_knows_how_many() -> None:
    feed = Feed()
    slow, fast = feed.subscribe(buffer=2), feed.subscribe()
    feed.committed([ended(number) for number in range(5)])
    feed.close()
    assert asyncio.run(read(slow)) == [ended(3), ended(4)]
    assert slow.lost == 3
    assert len(asyncio.run(read(fast))) == 5
    assert fast.lost == 0


def test_a_reader_on_a_loop_of_another_thread_is_woken() -> None:
    feed, found = Feed(), list[FeedItem]()
    subscription = feed.subscribe()
    got_first = threading.Event()

    async def work() -> None:
        async for item in subscription:
            found.append(item)
            got_first.set()

    reader = threading.Thread(target=lambda: asyncio.run(work()))
    reader.start()
    feed.committed([ended(0)])
    assert got_first.wait(60)
    feed.committed([ended(1)])
    feed.close()
    reader.join(60)
    assert found == [ended(0), ended(1)]


async def test_a_closed_subscription_ends_its_reader_and_takes_no_more() -> None:
    feed = Feed()
    subscription = feed.subscribe()
    reading = asyncio.create_task(read(subscription))
    await asyncio.sleep(0)
    subscription.close()
    assert await reading == []
    feed.committed([ended(0)])
    assert await read(subscription) == []
    subscription.close()


async def test_a_second_reader_of_one_subscription_is_refused_unless_the_first_has_left() -> None:
    feed = Feed()
    subscription = feed.subscribe()
    first = asyncio.create_task(read(subscription))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="expected one reader, got two"):
        await read(subscription)
    first.cancel()
    await asyncio.wait([first])
    feed.committed([ended(0)])
    feed.close()
    assert (await read(subscription)) == [ended(0)]


def test_a_reader_whose_loop_is_closed_harms_nobody() -> None:
    feed = Feed()
    gone, reading = feed.subscribe(), asyncio.new_event_loop()
    waiting = reading.create_task(read(gone))
    reading.run_until_complete(asyncio.sleep(0))
    waiting.cancel()
    reading.run_until_complete(asyncio.wait([waiting]))
    reading.close()
    other = feed.subscribe()
    feed.committed([ended(0)])
    feed.close()
    assert asyncio.run(read(other)) == [ended(0)]


def test_a_feed_that_is_closed_gives_nothing_and_a_buffer_holds_something() -> None:
    feed = Feed()
    feed.close()
    assert asyncio.run(read(feed.subscribe())) == []
    with pytest.raises(UsageError, match="expected a buffer of at least 1 item, got 0"):
        feed.subscribe(buffer=0)


async def test_the_feed_of_a_run_has_every_start_and_every_end() -> None:
    async with open_run("react", "textcraft", model="sim-strong", tasks=2) as run:
        subscription = run.feed.subscribe()
        async for _ in run.run(run.left()):
            pass
    items = await read(subscription)
    starts = [item.path for item in items if isinstance(item, EpisodeStart)]
    ends = [item.event.path for item in items if isinstance(item, Record) and isinstance(item.event, EpisodeEnded)]
    assert len(starts) == 2
    assert set(ends) == set(starts)


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
