"""What a run has done so far, counted while it goes on."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from quintet.messages.paths import Path, attempt_of, parent
from quintet.quota.cost import NOTHING, Cost


@dataclass
class Running:
    """An episode in progress; both times in seconds of `RunCounters.clock`."""

    started: float
    active: float
    """When it last made a call or took a step."""


@dataclass
class RunCounters:
    """What a run has done so far. Written on the event loop by the driver alone, read by the display."""

    total: int = 0
    done: int = 0
    """Episodes that ended, by a result or a fault, in earlier starts of the run too."""
    solved: int = 0
    """Of those, how many earned the full reward."""
    faulted: int = 0
    paused: bool = False
    """By an operator."""
    cost: Cost = NOTHING
    """Of answered calls, of earlier starts too."""
    done_before: int = 0
    """Episodes that ended in earlier starts of the run."""
    cost_before: Cost = NOTHING
    """Of calls that were answered in earlier starts."""
    running: dict[Path, Running] = field(default_factory=dict[Path, Running])
    clock: Callable[[], float] = time.monotonic
    oldest_call: Callable[[], float] = lambda: 0.0
    """For how many seconds the oldest model call in flight has been; 0 without one. Read by the display."""
    hosts_text: Callable[[], str] = lambda: ""
    """How many hosts live, of how many; empty: there are none to count. Read by the display."""
    _newest: dict[str, Path] = field(default_factory=dict[str, Path])
    """By task and epoch, the newest attempt."""
    _ended: dict[str, tuple[bool, bool]] = field(default_factory=dict[str, tuple[bool, bool]])
    """By task and epoch, what is counted: whether it was solved, and whether it faulted."""

    def plan(self, episode: Path) -> None:
        """An episode is to run; a new attempt replaces the one before."""
        place = parent(episode)
        newest = self._newest.setdefault(place, episode)
        if attempt_of(newest).number > attempt_of(episode).number:
            return  # it begins only to end: an operator requeued it
        self._newest[place] = episode
        if place in self._ended:
            self._count(*self._ended.pop(place), -1)

    def begin(self, episode: Path) -> None:
        """An episode started, or started again."""
        now = self.clock()
        self.running[episode] = Running(now, now)
        self.plan(episode)

    def call(self, episode: Path, cost: Cost) -> None:
        """A model answered a call of an episode."""
        self.cost += cost
        self.touch(episode)

    def touch(self, episode: Path) -> None:
        """An episode made a call or took a step."""
        if episode in self.running:
            self.running[episode].active = self.clock()

    def end(self, episode: Path, *, solved: bool, faulted: bool) -> None:
        """An episode ended; it counts unless there is a newer attempt."""
        self.running.pop(episode, None)
        place = parent(episode)
        if self._newest.setdefault(place, episode) == episode:
            self._ended[place] = solved, faulted
            self._count(solved, faulted, 1)

    def leave(self, episode: Path) -> None:
        """An attempt was interrupted: it counts for nothing, and its episode begins again."""
        self.running.pop(episode, None)

    def _count(self, solved: bool, faulted: bool, episodes: int) -> None:
        self.done += episodes
        self.solved += solved * episodes
        self.faulted += faulted * episodes
