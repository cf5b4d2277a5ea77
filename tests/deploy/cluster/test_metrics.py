"""Metrics: what is counted of a feed, and what a node of a real Ray serves of it."""

import time
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from quintet.api import evaluate
from quintet.cluster import metrics
from quintet.cluster.cluster import Cluster
from quintet.cluster.metrics import RunMetrics, report_metrics
from quintet.cluster.ray_api import ray
from quintet.events import CallMade, EpisodeEnded, Record
from quintet.journal.feed import Feed
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import LEARNER, Path
from quintet.messages.prompts import PromptAddress
from quintet.ports.model import Completion, Sampling, Usage
from quintet.runtime.local import LocalRuntime
from tests.simulation.scenes import contest

pytestmark = [pytest.mark.real_time, pytest.mark.ray, pytest.mark.xdist_group("ray")]


class Metric:
    """One of Ray's, that keeps what it was told."""

    told: dict[str, float] = {}

    def __init__(self, name: str, description: str, tag_keys: Sequence[str]) -> None:
        self._name = name
        self._keys = tag_keys

    def inc(self, value: float, tags: Mapping[str, str]) -> None:
        self.told[self._at(tags)] = self.told.get(self._at(tags), 0) + value

    def set(self, value: float, tags: Mapping[str, str]) -> None:
        self.told[self._at(tags)] = value

    def _at(self, tags: Mapping[str, str]) -> str:
        assert set(tags) == set(self._keys)
        return " ".join([self._name.removeprefix("quintet_"), *(tags[key] for key in self._keys)])


def record(event: Any) -> Record:
    return Record(event=event, incarnation=1, host="host", at=0.0)


def call(prompt: int, completion: int) -> Record:
    usage = Usage(prompt_tokens=prompt, completion_tokens=completion)
    return record(
        CallMade(
            path=Path("lantern/0/0/1"),
            model="m",
            prompt=PromptAddress("0" * 32),
            sampling=Sampling(),
            completion=Completion(text="", usage=usage),
        )
    )


async def test_what_the_feed_brings_is_counted_once_and_reported_with_what_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "Counter", Metric)
    monkeypatch.setattr(metrics, "Gauge", Metric)
    monkeypatch.setattr(Metric, "told", {})

    feed = Feed()
    async with LocalRuntime(contest(), SqliteJournal(":memory:"), concurrency=1) as runtime:
        async with report_metrics(feed, RunMetrics("run", runtime.runner, lambda: 3)):
            feed.begun(Path("lantern/0/0"), 1)
            feed.committed([call(10, 2), call(5, 0)])
            feed.committed([record(EpisodeEnded(path=Path("lantern/0/0"), state="solved", reward=1.0))])
            feed.committed([record(EpisodeEnded(path=LEARNER, state="solved"))])
        feed.committed([call(1, 1)])  # nobody reads any more
    assert Metric.told == {
        "calls run m": 2,
        "tokens run m prompt": 15,
        "tokens run m completion": 2,
        "episodes run solved": 1,
        "episodes_running run": 0,
        "episodes_queued run": 0,
        "calls_in_flight run": 3,
        "hosts run alive": 1,
        "hosts run lost": 0,
    }


def served() -> str:
    """What the nodes of this process's cluster serve to Prometheus."""
    found = ""
    for node in cast("list[dict[str, Any]]", ray.nodes()):
        if node["Alive"]:
            address = f"http://{node['NodeManagerAddress']}:{node['MetricsExportPort']}/metrics"
            with urllib.request.urlopen(address, timeout=20) as answer:
                found += answer.read().decode()
    return found


@pytest.mark.slow
def test_a_node_serves_the_metrics_of_a_run(local_cluster: Cluster) -> None:
    assert local_cluster.nodes
    ended = evaluate(
        "react", "textcraft", model="sim-strong", tasks=3, settings={"runtime": {"kind": "ray", "hosts": 1}}
    )
    deadline = time.monotonic() + 60
    while "ray_quintet_episodes_total{" not in (text := served()):
        assert time.monotonic() < deadline
        time.sleep(1)
    [solved] = [line for line in text.splitlines() if line.startswith("ray_quintet_episodes_total{")]
    assert 'state="solved"' in solved
    assert float(solved.rpartition(" ")[2]) == len(ended) == 3
