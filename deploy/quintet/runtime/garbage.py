"""How often Python looks for cycles of garbage, in processes that are ours: the command, and hosts on Ray.

A program that embeds the runtime decides for itself (`open_run(collect_rarely=True)`). What an episode leaves behind is
in no cycles, so nearly all that the collector does in a run is to walk objects that live; with Python's defaults it
takes more than half of the CPU of 64 trees of 64 branches (`benchmarks/README.md`).
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager

_THRESHOLDS = 50_000, 4, 1_000
"""New objects, less freed ones, after which the youngest are looked through; such looks before the next generation's;
and those before all that lives is looked through."""


def collect_rarely() -> None:
    """Set the collector of this process."""
    gc.set_threshold(*_THRESHOLDS)


@contextmanager
def collecting_rarely() -> Generator[None, None, None]:
    """A block in which cycles are looked for rarely, and never among what lives at its beginning.

    At its end the collector is as before, but that a program which had frozen objects finds more of them frozen.
    """
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    collect_rarely()
    gc.freeze()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not frozen:
            gc.unfreeze()
