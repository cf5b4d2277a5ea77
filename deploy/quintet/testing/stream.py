"""The contract of learners that follow streams: every task once and in order, no reward, and nothing lost by a kill.

The fixture `case` gives the `StreamCase` to try it on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from quintet.config.settings import Settings, from_table
from quintet.config.stream import ALONG_STREAM
from quintet.events import EpisodeEnded, Published
from quintet.messages.learning import Learn, RunEpisode
from quintet.messages.paths import LEARNER, attempt_of
from quintet.methods.base.method import Method
from quintet.testing.content import content_of
from quintet.testing.expectations import expect_equal
from quintet.testing.learner import LearnerCase, expect_nothing_lost, learner_cases
from quintet.testing.replay import Scenario, run_learner

_TASKS = 4
"""Of the stream."""


class StreamCase(LearnerCase, frozen=True, kw_only=True, dict=True):
    """A method that learns along a stream of tasks, in one of its worlds; its attempts are judged."""

    def settings(self) -> list[Settings]:
        return [*super().settings(), from_table({"run": {"stream": True}}, "quintet check")]

    def scenario(self, *, measured: int = 0) -> Scenario:
        """A short stream in which no episode earns a reward."""
        world = self.spec.world
        tasks = world.tasks(world.splits[0])[:_TASKS]
        return Scenario(self.spec, Learn(training=tasks, held_out=(), test=(), feedback="judged"), _no_reward)


def stream_cases(name: str | type[Method[Any]], assignments: Sequence[str] = ()) -> list[StreamCase]:
    """The method in every world that it learns in; none if it follows no streams.

    Args:
        assignments: settings; those that do not hold along a stream are left out, and whence its feedback is.
    """
    others = tuple(f"learning.{key}=" for key in (*ALONG_STREAM, "feedback"))
    kept = tuple(each for each in assignments if not each.startswith(others))
    cases = learner_cases(name, kept)
    return [
        StreamCase(name=each.name, world=each.world, assignments=kept) for each in cases if each.learner.follows_streams
    ]


def test_along_a_stream_every_task_is_played_once_in_order_with_the_newest_version(case: StreamCase) -> None:
    events = [record.event for record in case.whole]
    tasks = case.scenario().learn.training
    ended = [attempt_of(event.path) for event in events if isinstance(event, EpisodeEnded) and event.path != LEARNER]
    played = [(each.epoch, tasks.index(each.task), each.task) for each in ended]
    expect_equal("the tasks in the order of their versions", list(tasks), [task for _, _, task in sorted(played)])
    published = [event.version for event in events if isinstance(event, Published)]
    used = sorted({version for version, _, _ in played})
    expect_equal("the versions that tasks were played with, all but the last,", published[:-1], used)


def test_along_a_stream_nothing_depends_on_rewards(case: StreamCase) -> None:
    rewarded = run_learner(replace(case.scenario(), rewards=_full_reward))
    expect_equal("what it learns, rewarded, at ", content_of(case.whole), content_of(rewarded))


def test_along_a_stream_a_kill_changes_nothing_and_repeats_no_call(case: StreamCase) -> None:
    expect_nothing_lost(case)


def _no_reward(_request: RunEpisode) -> float:
    return 0.0


def _full_reward(_request: RunEpisode) -> float:
    return 1.0
