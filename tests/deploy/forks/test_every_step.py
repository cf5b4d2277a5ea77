"""Every step of every method's episodes is a place to go on from; without a change each ends as it was recorded."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from msgspec import structs

from quintet.events import StepTaken
from quintet.forks.changes import find_origin
from quintet.forks.places import RecordedEpisode
from quintet.messages.paths import Path as EpisodePath
from quintet.plugins.catalogue import METHODS
from quintet.reports.episodes import results
from tests.deploy.forks.forked import (
    UNCHANGED,
    calls,
    copied,
    end,
    fork_at,
    recorded_as,
    recorded_run,
    records,
    same_content,
    without_end,
)

pytestmark = pytest.mark.real_time

WITHOUT = {"naive", "random"}
"""Methods without a policy or a list of actions in this world."""
FURTHER = [
    ("adapt", ["method.or=parallel"]),
    ("reasoning_bank", ["method.scaling=parallel", "method.attempts=2"]),
    ("devils_advocate", ["method.speculate=true"]),
    ("lats", ["method.workers=3", "method.iterations=4"]),
]
CASES: list[tuple[str, list[str]]] = [*((name, list[str]()) for name in sorted({*METHODS} - WITHOUT)), *FURTHER]


PARALLEL = {"method.or=parallel", "method.workers=3"}
"""With these an episode may end otherwise, since branches may."""


def cases() -> Iterator[ParameterSet]:
    """Of each method five places in the fast suite, and all of every case in the slow one: it is quadratic work."""
    for name, assignments in CASES:
        for most, marks in ((5, [pytest.mark.slow] if assignments else []), (10_000, [pytest.mark.slow])):
            yield pytest.param(name, assignments, most, id=f"{' '.join([name, *assignments])} {most}", marks=marks)


@pytest.mark.parametrize(("method", "assignments", "most"), list(cases()))
def test_every_step_goes_on_to_the_recorded_end(tmp_path: Path, method: str, assignments: list[str], most: int) -> None:
    run = recorded_run(tmp_path / "run", method, "textcraft", 'run.tasks=["beehive", "torch"]', *assignments)
    reader = run.read_journal()
    assert reader is not None
    with closing(reader):
        places = [
            (each, number)
            for each in [RecordedEpisode(reader, row) for row in reader.episodes()]
            for number in range(1, 1 + sum(event.kind == StepTaken.kind for event in each.events))
        ]
        chosen = places[:: max(1, len(places) // most)]
        origins = [find_origin(each, f"step:{number}", UNCHANGED) for each, number in chosen]
    assert len(origins) > 2
    fork = fork_at(run, tmp_path / "fork", origins)
    assert fork.record.fork is not None
    made = kept = 0
    for each in fork.record.fork.episodes:
        of, live = EpisodePath(each.of), records(fork, each.episode)
        taken = copied(live)
        made, kept = made + len(calls(live)) - len(calls(taken)), kept + len(calls(taken))
        assert all(record.event.path != f"{each.episode}/{each.at}" for record in taken)
        same_content(recorded_as(run, of, each.episode), without_end(live), of, each.episode)
        if not PARALLEL & {*assignments}:
            assert structs.replace(end(fork, each.episode), path=of) == end(run, of)
    found = results(fork)
    assert (found.cost.calls, found.copied) == (made, kept)
    assert kept or method == "expert"
