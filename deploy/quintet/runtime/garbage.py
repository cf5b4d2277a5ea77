"""How often Python looks for cycles of garbage, in processes that are ours: the command, and hosts on Ray.

A program that embeds the runtime decides for itself. With Python's default of 700, 64 trees of 64 branches spend 13.1
of 23.7 seconds of CPU on it; with the number below 2.4 of 13.5, in the same memory (`benchmarks/README.md`). Few of the
objects of a run are in cycles.
"""

import gc

_ALLOCATIONS = 50_000
"""New objects, less freed ones, after which the youngest are looked through."""


def collect_rarely() -> None:
    """Set the collector of this process."""
    gc.set_threshold(_ALLOCATIONS)
