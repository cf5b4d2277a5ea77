"""Continuations begin behind a step, before the next action is decided."""

from pathlib import Path

import pytest

from quintet.blame.places import fork_places, recorded_episodes
from quintet.errors import UsageError
from quintet.events import CallMade, StepTaken
from tests.deploy.blame.planting import record


def test_behind_a_step_nothing_of_the_next_one_is_decided_and_all_before_it_is(tmp_path: Path) -> None:
    run = record(tmp_path / "run", 1)
    with recorded_episodes(run, ["vault 0/0/0"]) as found:
        recorded = found["vault 0/0/0"]
        places = fork_places(recorded)
        steps = [event.id for event in recorded.events if event.kind == StepTaken.kind]
        assert len(places) == len(steps) + 1
        for number, place in enumerate(places):
            assert sum(step < place.before for step in steps) == number
            calls = sum(each.kind == CallMade.kind and each.id < place.before for each in recorded.events)
            assert calls == number, "each step is one call"
        assert places[0] == recorded.find("start")


def test_an_episode_that_is_not_there_is_named(tmp_path: Path) -> None:
    run = record(tmp_path / "run", 1)
    with (
        pytest.raises(UsageError, match="expected the episode vault 7/0/0, got none"),
        recorded_episodes(run, ["vault 7/0/0"]),
    ):
        pass
