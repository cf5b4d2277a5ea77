"""What a death may lose: the calls that were in flight."""

from collections.abc import Iterator
from pathlib import Path

from tests.soak.process.draw import Scenario
from tests.soak.process.found import NOTHING
from tests.soak.process.lives import Played
from tests.soak.requests import asked, read_log

_AT_ONCE = 9
"""Calls that an episode may have in flight, where it has branches, workers or several memories: the most are those of
three workers that score three candidates each."""


def lost_calls(scenario: Scenario, played: Played, folder: Path) -> Iterator[str]:
    """Deaths that lost more calls than were in flight, a sentence each: others were answered before their commit."""
    log, began, most = read_log(folder), NOTHING, _most(scenario)
    for number, (code, left) in enumerate(zip(played.endings, played.left, strict=True), 1):
        lost = asked(log[began.logged : left.logged]).total() - (left.committed - began.committed).total()
        if code < 0 and lost > most:
            yield f"calls: expected at most {most} in flight when process {number} died, got {lost} that were lost"
        began = left


def _most(scenario: Scenario) -> int:
    configuration = scenario.configuration
    widens = configuration.races or configuration.learning or "search" in configuration.method
    return scenario.concurrency * (_AT_ONCE if widens or "lats" in configuration.method else 1)
