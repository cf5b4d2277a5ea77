"""Live progress: a thread that reads plain counters twice a second, without touching the event loop."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType

from rich import progress as rich_progress
from rich.console import Console, RenderableType
from rich.text import Text

from quintet.runs.listing import seconds_left
from quintet.runtime.counters import RunCounters

_WAKE = 0.5
_BETWEEN_LINES = 5.0
"""Seconds between two plain lines."""

_SHOWN = 4
"""How many of the longest-running episodes are named."""

_SLOW = 30.0
"""Seconds without a call or a step after which an episode counts as stuck."""


class Progress:
    """Shows counters inside `with`: redrawn in place on a terminal, else a line now and then.

    Output errors, such as a closed pipe or a full disk, are ignored.

    Args:
        counters: read, never written.
        label: what runs: `METHOD on WORLD, MODEL`.
        learns: whether episodes to learn from are among those that are counted, so that their share solved is not
            that of the report.
    """

    def __init__(self, counters: RunCounters, label: str, console: Console, *, learns: bool = False) -> None:
        self._counters = counters
        self._label = label
        self._console = console
        self._began = counters.clock()
        self._learns = learns
        self._printed = (float("-inf"), "")
        self._stop = Event()
        self._thread = Thread(target=self._watch, name="progress", daemon=True)
        self._live = _Bar(label, self._texts, console) if console.is_terminal else None

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
                self._live.show(self._counters.done, self._counters.total, self.time_left())
            return
        now, (printed, text) = self._counters.clock(), self._printed
        line = ", ".join([self.line(), *self._in_flight(), *self.slowest()[:1]])
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
        paused = ["paused"] if counters.paused else []
        left = [f"ETA {self.time_left()}"] if self.time_left() else []
        parts = [*paused, f"{counters.done}/{counters.total} episodes", *self._figures(), *left]
        return f"{self._label}: {', '.join(parts)}"

    def _figures(self) -> list[str]:
        counters, parts = self._counters, list[str]()
        if (judged := counters.done - counters.faulted) and not self._learns:
            parts.append(f"{100 * counters.solved / judged:.0f} % solved")
        if counters.faulted:
            parts.append(f"{counters.faulted} faulted")
        parts += [f"{counters.cost.calls:,} calls", f"{counters.cost.tokens:,} tokens"]
        if written := counters.cost.completion_tokens - counters.cost_before.completion_tokens:
            parts.append(f"{written / max(self._elapsed, 1e-9):,.1f} tokens/s written")
        if counters.cost.usd:
            parts.append(f"{counters.cost.usd:.4f} USD")
        parts.append(f"{(counters.done - counters.done_before) / max(self._elapsed, 1e-9):.1f} episodes/s")
        return [*parts, *filter(None, [counters.hosts_text()])]

    def _in_flight(self) -> list[str]:
        """For how long a model call has been in flight, once that is longer than between two lines."""
        seconds = self._counters.oldest_call()
        return [f"a model call in flight for {duration(seconds)}"] if seconds >= _BETWEEN_LINES else []

    @property
    def _elapsed(self) -> float:
        return self._counters.clock() - self._began

    def time_left(self) -> str:
        """How long the run still takes at the pace of this start; empty while that is unknown, and at the end."""
        counters = self._counters
        left = counters.total - counters.done
        seconds = seconds_left(left, counters.done - counters.done_before, self._elapsed)
        return duration(seconds) if left and seconds is not None and not counters.paused else ""

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

    def _texts(self) -> list[str]:
        paused = ["paused"] if self._counters.paused else []
        return [", ".join([*paused, *self._figures(), *self._in_flight()]), *(f"  {slow}" for slow in self.slowest())]


class _Bar(rich_progress.Progress):
    """On a terminal: what runs, a bar with the time left, and lines below."""

    def __init__(self, label: str, texts: Callable[[], Sequence[str]], console: Console) -> None:
        self._label = label
        self._below = texts
        super().__init__(
            rich_progress.BarColumn(),
            rich_progress.MofNCompleteColumn(),
            rich_progress.TextColumn("{task.fields[left]}", markup=False),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task = self.add_task("", total=None, left="")

    def show(self, done: int, total: int, left: str) -> None:
        """Redraw it: episodes that are done, of how many, and the time left."""
        self.update(self._task, completed=done, total=max(total, 1), left=left and f"ETA {left}", refresh=True)

    def get_renderables(self) -> Iterator[RenderableType]:
        yield Text(self._label)
        yield from super().get_renderables()
        first, *slow = self._below()
        yield Text(first)
        yield from (Text(each, style="dim") for each in slow)


def duration(seconds: float) -> str:
    """`12 s`, `3:05 min`, `2:10 h` or `4 days`: two units at most, rounded."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02d} h" if minutes < 48 * 60 else f"{round(minutes / 1440)} days"
