"""How often Python looks for cycles of garbage, in processes that are ours: the command, and hosts on Ray.

A program that embeds the runtime decides for itself (`open_run(collect_rarely=True)`). What an episode leaves behind is
in no cycles, so nearly all that the collector does in a run is to walk objects that live; with Python's defaults it
takes more than half of the CPU of 64 trees of 64 branches (`benchmarks/README.md`).
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

_THRESHOLDS = 50_000, 4, 1_000
"""New objects, less freed ones, after which the youngest are looked through; such looks before the next generation's;
and those before all that lives is looked through."""


def collect_rarely() -> None:
    """Set the collector of this process."""
    gc.set_threshold(*_THRESHOLDS)


class _Blocks:
    """The open blocks of `collecting_rarely`, in whatever order they end: the collector is one for the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open = 0
        self._before = gc.get_threshold()
        self._froze = False
        """Whether the program had frozen objects before the first of them."""

    def begin(self) -> None:
        with self._lock:
            if not self._open:
                self._before, self._froze = gc.get_threshold(), gc.get_freeze_count() > 0
                collect_rarely()
            self._open += 1
            gc.freeze()

    def end(self) -> None:
        with self._lock:
            self._open -= 1
            if not self._open:
                gc.set_threshold(*self._before)
                if not self._froze:
                    gc.unfreeze()


_blocks = _Blocks()


@contextmanager
def collecting_rarely() -> Generator[None, None, None]:
    """A block in which cycles are looked for rarely, and never among what lives at its beginning.

    Blocks may overlap. At the end of the last the collector is as before the first, but that a program which had
    frozen objects finds more of them frozen.
    """
    _blocks.begin()
    try:
        yield
    finally:
        _blocks.end()
