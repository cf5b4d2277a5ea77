"""The seconds of an episode that was begun more than once."""

import pytest
from msgspec.structs import replace

from quintet.events import EpisodeEnded, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path
from quintet.testing.replay import run_episode
from tests.simulation.scenes import Fetcher, contest, ends_of, planned
from tests.simulation.virtual import run

EPISODE = Path("beehive/0/0")


def end_after(*starts: tuple[float, float]) -> Record:
    """The end of an episode whose earlier starts wrote three records each: when each began, and when it was killed."""
    spec, journal = contest(model=Fetcher()), SqliteJournal(":memory:")
    left = run_episode(spec, "beehive")
    for number, (began, killed) in enumerate(starts, 1):
        first, *further = left[3 * (number - 1) : 3 * number]
        journal.begin(EPISODE)
        written = [replace(first, at=began + 2, seconds=2.0), *(replace(each, at=killed) for each in further)]
        run(journal.append(replace(record, incarnation=number) for record in written))
    assert len(run(ends_of(spec, journal, planned(spec, ("beehive",))))) == 1
    (end,) = [record for record in journal.reader.records(EPISODE) if isinstance(record.event, EpisodeEnded)]
    assert end.incarnation == len(starts) + 1
    return end


def test_an_episodes_seconds_are_those_of_all_its_starts() -> None:
    assert end_after((1_000, 1_060), (5_000, 5_007)).seconds == pytest.approx(67, abs=5)
    assert 0 < end_after().seconds < 30
