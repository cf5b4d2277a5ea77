"""Live progress: a thread that reads plain counters twice a second, without touching the event loop."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from quintet.messages.paths import Path, attempt_of, parent

_WAKE = 0.5
_BETWEEN_LINES = 5.0
"""Seconds between two plain lines."""

_SHOWN = 4
"""How many of the longest-running episodes are named."""

_SLOW = 30.0
"""Seconds without a call or a step after which an episode counts as stuck."""


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
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    running: dict[Path, Running] = field(default_factory=dict[Path, Running])
    clock: Callable[[], float] = time.monotonic
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

    def call(self, episode: Path, prompt_tokens: int, completion_tokens: int) -> None:
        """A model answered."""
        self.calls += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
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

    def _count(self, solved: bool, faulted: bool, episodes: int) -> None:
        self.done += episodes
        self.solved += solved * episodes
        self.faulted += faulted * episodes


class Progress:
    """Shows counters inside `with`: redrawn in place on a terminal, else a line now and then.

    Output errors, such as a closed pipe or a full disk, are ignored.

    Args:
        counters: read, never written.
        label: what runs: `METHOD on WORLD, sim-weak (simulated)`.
        console: usually standard error.
    """

    def __init__(self, counters: RunCounters, label: str, console: Console) -> None:
        self._counters = counters
        self._label = label
        self._console = console
        self._began = counters.clock()
        self._already = counters.done
        self._printed = (float("-inf"), "")
        self._stop = Event()
        self._thread = Thread(target=self._watch, name="progress", daemon=True)
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None

    def __enter__(self) -> "Progress":
        if self._live is not None:
            with suppress(OSError):
                self._live.start()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        if self._live is not None:
            with suppress(OSError):
                self._live.stop()
        self._print(self.line())

    def _watch(self) -> None:
        while not self._stop.wait(_WAKE):
            self.draw()

    def draw(self) -> None:
        """Show the counters as they are now."""
        if self._live is not None:
            with suppress(OSError):
                self._live.update(self._picture(), refresh=True)
            return
        now, (printed, text) = self._counters.clock(), self._printed
        line = ", ".join([self.line(), *self.slowest()[:1]])
        if now - printed >= _BETWEEN_LINES and line != text:
            self._print(line)

    def _print(self, line: str) -> None:
        if line != self._printed[1]:
            with suppress(OSError):
                self._console.print(Text(line), soft_wrap=True)
        self._printed = (self._counters.clock(), line)

    def line(self) -> str:
        """The counters in one line."""
        counters = self._counters
        elapsed = max(counters.clock() - self._began, 1e-9)
        parts = ["paused"] if counters.paused else []
        parts.append(f"{counters.done}/{counters.total} episodes")
        if judged := counters.done - counters.faulted:
            parts.append(f"{100 * counters.solved / judged:.0f} % solved")
        if counters.faulted:
            parts.append(f"{counters.faulted} faulted")
        parts.append(f"{counters.calls:,} calls")
        parts.append(f"{counters.prompt_tokens + counters.completion_tokens:,} tokens")
        parts.append(f"{(counters.done - self._already) / elapsed:.1f} episodes/s")
        return f"{self._label}: {', '.join(parts)}"

    def slowest(self) -> list[str]:
        """The longest-running episodes; of those that seem stuck, for how long they have been silent."""
        now = self._counters.clock()
        # A copy is one bytecode: the loop may start and end episodes meanwhile.
        running = sorted(self._counters.running.copy().items(), key=lambda item: item[1].started)
        return [
            f"{episode} for {now - each.started:.0f} s"
            + (f", silent for {now - each.active:.0f} s" if now - each.active >= _SLOW else "")
            for episode, each in running[:_SHOWN]
            if now - each.started >= 1
        ]

    def _picture(self) -> Group:
        counters = self._counters
        bar = ProgressBar(total=max(counters.total, 1), completed=counters.done, width=40)
        return Group(bar, Text(self.line()), *(Text(f"  {slow}", style="dim") for slow in self.slowest()))
