"""Calls a run's hooks, each in a thread of its own that reads the feed."""

import asyncio
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TypeVarTuple

from quintet.errors import HookCrashed, UsageError, one_line
from quintet.events import CallMade, EpisodeEnded, StepTaken
from quintet.hooks.hook import Hook, RunInfo
from quintet.journal.feed import EpisodeStart, Feed, FeedItem, Subscription
from quintet.plugins.code_places import raised_at
from quintet.reports.tracebacks import innermost_first

_Values = TypeVarTuple("_Values")

_PAUSE = 0.1
"""Seconds between two looks at the feed. Waking a thread for every event would cost a run more than most hooks do."""

_BUGS = (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, TypeError)
"""What a mistake in a hook's own code raises. All else may come from what it sends to, which may be away."""


@dataclass
class RunningHooks:
    """The hooks of an open run, on its event loop. Without any, nothing is started, and the run pays nothing."""

    hooks: Sequence[Hook]
    feed: Feed
    tell: Callable[[str], None]
    """Called on this loop with what a person should know."""
    _threads: "list[_HookThread]" = field(default_factory=list["_HookThread"], init=False)

    def begin(self, run: RunInfo, stop: Callable[[HookCrashed], None] | None = None) -> None:
        """Start the hooks, before any episode does.

        Args:
            stop: called on this loop with the first bug of each hook; None: the run goes on after a bug.
        """
        loop = asyncio.get_running_loop()

        def report(text: str, bug: HookCrashed | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: the hook was left behind
                loop.call_soon_threadsafe(self.tell, text)
                if bug is not None and stop is not None:
                    loop.call_soon_threadsafe(stop, bug)

        stops = stop is not None
        self._threads = [_HookThread(hook, run, self.feed.subscribe(), report, stops=stops) for hook in self.hooks]

    async def close(self) -> None:
        """Let the hooks read what is left, and wait for each as long as it asks for. After the feed is closed."""
        for thread in self._threads:
            thread.ended.set()
        since = time.monotonic()
        for thread in self._threads:
            grace = thread.hook.grace_seconds
            await asyncio.to_thread(thread.join, max(0.0, grace - (time.monotonic() - since)))
            if thread.is_alive():
                self.tell(f"{thread.name}: still busy {grace:g} s after the run; it is left behind")


class _HookThread(Thread):
    def __init__(
        self,
        hook: Hook,
        run: RunInfo,
        events: Subscription,
        report: Callable[[str, HookCrashed | None], None],
        *,
        stops: bool,
    ) -> None:
        super().__init__(name=f"hook {type(hook).__qualname__}", daemon=True)
        self.hook = hook
        self.ended = Event()
        """Nothing follows what waits in the subscription."""
        self._run_info = run
        self._events = events
        self._report = report
        self._stops = stops
        """Whether its next bug stops the run."""
        self._errors = 0
        self._loss_reported = False
        self.start()

    def run(self) -> None:
        hook = self.hook
        self._guard(hook.on_run_begin, self._run_info)
        ended = False
        while not ended:
            ended = self.ended.wait(_PAUSE)  # before the last look
            items = self._events.take()
            for item in items:
                self._guard(self._pass_on, item)
            if items:
                self._guard(hook.flush)
            self._report_loss()
        self._stops = False  # the run is over
        self._guard(hook.on_run_end, self._run_info, self._events.lost)
        if self._errors > 1:
            self._report(f"{self.name}: raised {self._errors:,} times in all", None)
        if self._events.lost:
            self._report(f"{self.name}: lost {self._events.lost:,} events in all", None)

    def _pass_on(self, item: FeedItem) -> None:
        hook = self.hook
        if isinstance(item, EpisodeStart):
            hook.on_episode_begin(item)
            return
        event = item.event
        hook.on_record(item)
        if isinstance(event, CallMade):
            hook.on_call(event, item)
        elif isinstance(event, StepTaken):
            hook.on_step(event, item)
        elif isinstance(event, EpisodeEnded):
            hook.on_episode_end(event, item)

    def _guard(self, tell: Callable[[*_Values], None], *values: *_Values) -> None:
        try:
            tell(*values)
        except BaseException as error:  # noqa: BLE001  somebody else's code may raise anything, CancelledError too
            self._errors += 1
            stops = self._stops and isinstance(error, _BUGS)
            if self._errors == 1 or stops:
                has_place = not isinstance(error, UsageError)
                what = f"{raised_at(error)}: {type(error).__name__}: {one_line(error)}" if has_place else str(error)
                what = f"{self.name}: {what}"
                calls = f"\n{innermost_first(traceback.format_exc())}" if has_place else ""
                more = "the run stops" if stops else "the run and the hook go on"
                bug = HookCrashed(what) if stops else None
                self._report(f"{what}; {more}, and further errors are only counted{calls}", bug)
                self._stops = self._stops and not stops

    def _report_loss(self) -> None:
        if self._events.lost and not self._loss_reported:
            self._loss_reported = True
            self._report(f"{self.name}: slower than the run; it loses the oldest events", None)
