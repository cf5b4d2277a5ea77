"""Attempts."""

from quintet.messages.paths import LEARNER, VISIT, Path, episode_path
from quintet.runs.attempts import newest, newest_at_tasks


def test_the_newest_attempt_counts_by_its_number() -> None:
    begun = [episode_path("beehive", 0, attempt) for attempt in (2, 10, 9)] + [episode_path("beehive", 1, 0)]
    assert newest(begun) == {("beehive", 0): 10, ("beehive", 1): 0}


def test_requests_outside_episodes_and_the_learner_are_not_attempts_at_a_task() -> None:
    begun = [LEARNER, Path(f"{VISIT}/0/3"), episode_path("beehive", 0, 1)]
    assert newest_at_tasks(begun) == {("beehive", 0): 1}
