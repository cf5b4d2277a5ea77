"""A stream of ten tasks, killed at every position of its journal: the same notes, and no call repeated."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from quintet.events import CallMade, Published, Record
from quintet.messages.learning import Feedback, RunEpisode
from quintet.plugins.catalogue import METHODS
from quintet.testing.content import content_of
from quintet.testing.replay import Scenario, left_by_kill, run_learner
from quintet.testing.stream import stream_cases

TASKS = 10
EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'insights.py'}:Insights"
HASHED = "memory.embedder.name=hashed-words"
LEARNERS: dict[str, tuple[Feedback, tuple[str, ...]]] = {
    "ace": ("judged", ("learning.window=1", "method.inner.max_steps=2", HASHED)),
    "autoplan": ("judged", ("learning.batch=1", "method.max_steps=2")),
    "awm": ("reward", ("learning.window=1", "method.inner.max_steps=2")),
    "expel": ("judged", ("learning.window=1", "method.trials=2", "method.inner.max_steps=2", HASHED)),
    "reasoning_bank": ("judged", ("learning.window=1", "method.inner.max_steps=2", HASHED)),
    "skill_discovery": ("reward", ("learning.window=1", "method.inner.attempts=2", "method.inner.max_actions=4")),
    EXAMPLE: ("judged", ("learning.window=1", "method.inner.max_steps=2")),
}
"""Short episodes, and a version after each. AWM and the skills are of successes alone: they are rewarded."""


def test_every_learner_of_ours_that_follows_streams_is_killed() -> None:
    assert {name for name in METHODS if stream_cases(name)} == set(LEARNERS) - {EXAMPLE}


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_killed_at_every_position_of_a_stream_it_ends_with_the_same_notes_and_repeats_no_call(name: str) -> None:
    scenario = _ten_tasks(name)
    whole = run_learner(scenario)
    expected, calls = content_of(whole), _calls(whole)
    assert len(_learnt(whole)) > TASKS // 2, "most versions differ"
    for place in range(1, len(whole)):
        resumed = run_learner(scenario, left_by_kill(whole, place))
        assert _calls(resumed) == calls, f"killed after event {place}"
        assert content_of(resumed) == expected, f"killed after event {place}"


def _ten_tasks(name: str) -> Scenario:
    feedback, settings = LEARNERS[name]
    (case,) = (case for case in stream_cases(name, settings) if case.world == "textcraft")
    scenario, world = case.scenario(), case.spec.world
    learn = structs.replace(scenario.learn, training=world.tasks(world.splits[0])[:TASKS], feedback=feedback)
    return replace(scenario, learn=learn, rewards=_full_reward)


def _full_reward(_request: RunEpisode) -> float:
    return 1.0


def _learnt(records: Sequence[Record]) -> set[str]:
    """What the versions say, each once."""
    return {record.event.content for record in records if isinstance(record.event, Published)}


def _calls(records: Sequence[Record]) -> Counter[str]:
    """How often the call at each path was made."""
    return Counter(record.event.path for record in records if isinstance(record.event, CallMade))
