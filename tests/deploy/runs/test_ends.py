"""How attempts and runs ended."""

import asyncio
from asyncio import CancelledError
from pathlib import Path

import pytest

from quintet.errors import BudgetSpent, EndpointUnavailable, Fault, WorldFault
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import LEARNER, VISIT, episode_path
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.ends import RUN_END, keep_end, newest_at_tasks, read_end, write_end


def newest(*begun: EpisodePath) -> dict[tuple[str, int], int]:
    async def read() -> dict[tuple[str, int], int]:
        journal = SqliteJournal(":memory:")
        for path in begun:
            journal.begin(path)
        rows = newest_at_tasks(journal.reader.episodes())
        journal.close()
        return {key: row.attempt for key, row in rows.items()}

    return asyncio.run(read())


def test_the_newest_attempt_at_a_task_counts_by_its_number() -> None:
    begun = [episode_path("beehive", 0, attempt) for attempt in (2, 10, 9)] + [episode_path("beehive", 1, 0)]
    apart = [LEARNER, EpisodePath(f"{VISIT}/0/3")]
    assert newest(*apart, *begun) == {("beehive", 0): 10, ("beehive", 1): 0}


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (BudgetSpent("no more"), ("spent", "no more")),
        (EndpointUnavailable("away"), ("interrupted", "away")),
        (KeyboardInterrupt(), ("interrupted", "by hand")),
        (CancelledError(), ("interrupted", "by hand")),
    ],
)
def test_a_run_that_stops_early_leaves_the_reason(tmp_path: Path, error: BaseException, found: tuple[str, str]) -> None:
    with pytest.raises(type(error)), keep_end(tmp_path):
        raise error
    end = read_end(tmp_path)
    assert end is not None
    assert (end.ended, end.reason) == found


def test_a_new_start_removes_what_the_one_before_left_and_a_bug_leaves_nothing(tmp_path: Path) -> None:
    write_end(tmp_path, "stopped", "a bug")
    with keep_end(tmp_path):
        assert read_end(tmp_path) is None
    with pytest.raises(Fault), keep_end(tmp_path):
        raise WorldFault("of an episode")
    assert read_end(tmp_path) is None
    (tmp_path / RUN_END).write_text("{")
    assert read_end(tmp_path) is None
