"""Metrics of a run for Ray's dashboard and Prometheus: every node of the cluster serves what is counted on it."""

import asyncio
from collections import Counter as Tally
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from ray.util.metrics import Counter, Gauge

from quintet.events import CallMade, EpisodeEnded
from quintet.journal.feed import Feed, FeedItem, Subscription
from quintet.messages.paths import LEARNER
from quintet.runtime.driver import Driver

_EVERY = 2.0
"""Seconds between two reports to Ray. Ray's node agents pass them on every ten."""

_BUFFER = 100_000
"""Items that may wait: some seconds of the fastest run."""


class RunMetrics:
    """Counts what a run's feed brings, an addition a record, and reports it to Ray at times under the tag `run`."""

    def __init__(self, run: str, driver: Driver, calls_in_flight: Callable[[], int]) -> None:
        self._run = run
        self._driver = driver
        self._calls_in_flight = calls_in_flight
        self._calls: Tally[str] = Tally()
        """By model."""
        self._tokens: Tally[tuple[str, str]] = Tally()
        """By model and kind."""
        self._ended: Tally[str] = Tally()
        """By state."""
        self._metrics = (
            Counter("quintet_calls", "Model calls that were answered.", ("run", "model")),
            Counter("quintet_tokens", "Tokens of those calls, by kind: prompt, completion.", ("run", "model", "kind")),
            Counter("quintet_episodes", "Episodes that ended, by state.", ("run", "state")),
            Gauge("quintet_episodes_running", "Episodes that run now.", ("run",)),
            Gauge("quintet_episodes_queued", "Episodes that have not started.", ("run",)),
            Gauge("quintet_calls_in_flight", "Model calls that wait for their answer.", ("run",)),
            Gauge("quintet_hosts", "Hosts, by state: alive, lost.", ("run", "state")),
        )

    def count(self, item: FeedItem) -> None:
        """Count an item of the feed."""
        match getattr(item, "event", None):
            case CallMade() as call:
                self._calls[call.model] += 1
                usage = call.completion.usage
                self._tokens[call.model, "prompt"] += usage.prompt_tokens
                self._tokens[call.model, "completion"] += usage.completion_tokens
            case EpisodeEnded(path=path, state=state) if path != LEARNER:
                self._ended[state] += 1
            case _:
                pass

    def report(self) -> None:
        """Tell Ray what was counted since the last report, and how many wait and run now."""
        calls, tokens, ended, running, queued, in_flight, hosts = self._metrics
        run = {"run": self._run}
        for model, number in self._calls.items():
            calls.inc(number, run | {"model": model})
        for (model, kind), number in self._tokens.items():
            if number:
                tokens.inc(number, run | {"model": model, "kind": kind})
        for state, number in self._ended.items():
            ended.inc(number, run | {"state": state})
        for counted in (self._calls, self._tokens, self._ended):
            counted.clear()
        running.set(len(self._driver.under_way), run)
        queued.set(len(self._driver.queued), run)
        in_flight.set(self._calls_in_flight(), run)
        lives = list(self._driver.hosts.values())
        hosts.set(lives.count(True), run | {"state": "alive"})
        hosts.set(lives.count(False), run | {"state": "lost"})


@asynccontextmanager
async def report_metrics(feed: Feed, metrics: RunMetrics) -> AsyncGenerator[None, None]:
    """Inside, count what the feed brings, and report it every two seconds and at the end."""
    subscription = feed.subscribe(_BUFFER)
    working = [asyncio.create_task(_count(subscription, metrics)), asyncio.create_task(_report(metrics))]
    try:
        yield
    finally:
        subscription.end(unread=True)
        await asyncio.wait(working[:1])
        subscription.close()
        working[1].cancel()
        metrics.report()


async def _count(subscription: Subscription, metrics: RunMetrics) -> None:
    async for item in subscription:
        metrics.count(item)


async def _report(metrics: RunMetrics) -> None:
    while True:
        metrics.report()
        await asyncio.sleep(_EVERY)
