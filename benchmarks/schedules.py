"""Simulated schedules: how many a second are played and checked, beside the same runs without faults."""

import time
from collections.abc import Iterator

from msgspec import structs

from benchmarks.measuring import Figure
from tests.soak.schedules.draw import draw
from tests.soak.schedules.play import play
from tests.soak.schedules.promises import check, undisturbed
from tests.soak.schedules.schedule import Schedule, Start

_SEEDS = range(200)


def figures() -> Iterator[Figure]:
    """A second of CPU, since other work on the machine makes others longer."""
    schedules = [draw(seed) for seed in _SEEDS]
    for schedule in schedules:
        for goal in schedule.goals or ("",):
            undisturbed(schedule.scene, goal)  # a night computes each once
    faulty = without = 0.0
    for seed, schedule in zip(_SEEDS, schedules, strict=True):
        began = time.process_time()
        assert not check(seed).broken
        between = time.process_time()
        play(_calm(schedule))
        faulty += between - began
        without += time.process_time() - between
    beside = f"{faulty / without:.2f} of the CPU of the same runs without faults"
    yield Figure("simulated schedules, a core's second", len(_SEEDS) / faulty, "/s", beside)


def _calm(schedule: Schedule) -> Schedule:
    return structs.replace(schedule, calls=None, failures=0.0, starts=(Start(),))
