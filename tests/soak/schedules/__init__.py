"""Simulated schedules: short runs on a virtual clock, whose every fault is drawn from a seed, and can be replayed."""

from tests.soak.scenario import Kind
from tests.soak.schedules.promises import NAME, check

KIND = Kind(NAME, check, weight=120)
