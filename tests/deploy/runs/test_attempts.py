"""Attempts."""

import asyncio

from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import LEARNER, VISIT, episode_path
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.attempts import newest_at_tasks


def newest(*begun: EpisodePath) -> dict[tuple[str, int], int]:
    async def read() -> dict[tuple[str, int], int]:
        journal = SqliteJournal(":memory:")
        for path in begun:
            journal.begin(path)
        rows = newest_at_tasks(journal.reader.episodes())
        journal.close()
        return {key: row.attempt for key, row in rows.items()}

    return asyncio.run(read())


def test_the_newest_attempt_counts_by_its_number() -> None:
    begun = [episode_path("beehive", 0, attempt) for attempt in (2, 10, 9)] + [episode_path("beehive", 1, 0)]
    assert newest(*begun) == {("beehive", 0): 10, ("beehive", 1): 0}


def test_requests_outside_episodes_and_the_learner_are_not_attempts_at_a_task() -> None:
    begun = [LEARNER, EpisodePath(f"{VISIT}/0/3"), episode_path("beehive", 0, 1)]
    assert newest(*begun) == {("beehive", 0): 1}
