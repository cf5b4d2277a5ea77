"""Attempts."""

from deploy.attempts import newest
from protocols.paths import episode_path


def test_the_newest_attempt_counts_by_its_number() -> None:
    begun = [episode_path("beehive", 0, attempt) for attempt in (2, 10, 9)] + [episode_path("beehive", 1, 0)]
    assert newest(begun) == {("beehive", 0): 10, ("beehive", 1): 0}
