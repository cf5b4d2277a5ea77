"""What a hook is: the methods that are called while a run goes on."""

from pathlib import Path
from typing import ClassVar, NamedTuple

from quintet.events import CallMade, EpisodeEnded, Record, StepTaken
from quintet.journal.feed import EpisodeStart
from quintet.runs.record import RunRecord


class RunInfo(NamedTuple):
    """The run whose events a hook receives."""

    name: str
    """Of its folder; `run` for one in memory."""
    folder: Path | None
    """None: the run is kept in memory."""
    record: RunRecord
    """Its configuration, tasks, models and versions."""


class Hook:
    """Receives a run's events as its journal commits them. Override what you need; every method does nothing here.

    The methods are called one after the other in a thread of the hook's own, so a hook may block, and needs no locks.
    It cannot change the run. If a method raises, its traceback is reported once and the hook
    receives the events that follow. A hook that is slower than the run loses the oldest events; how many is reported.
    """

    grace_seconds: ClassVar[float] = 10.0
    """How long the end of a run waits for the hook. Then it is left behind; it does not keep the process alive."""

    def on_run_begin(self, run: RunInfo) -> None:
        """The run began, or goes on after a resume."""

    def on_episode_begin(self, episode: EpisodeStart) -> None:
        """An attempt at a task started, or started again after a resume. So do the learner, `~learn`, and visits."""

    def on_call(self, call: CallMade, record: Record) -> None:
        """A model answered. The record says when, where and how long it took, as for the other events."""

    def on_step(self, step: StepTaken, record: Record) -> None:
        """A world answered an action."""

    def on_record(self, record: Record) -> None:
        """The journal committed an event of any kind. Called before the method for its kind, if there is one."""

    def on_episode_end(self, end: EpisodeEnded, record: Record) -> None:
        """An attempt ended: by a result, a fault or an operator."""

    def flush(self) -> None:
        """The hook has received everything so far: send what you have collected. Called up to ten times a second."""

    def on_run_end(self, run: RunInfo, lost: int) -> None:
        """The run is over, or interrupted.

        Args:
            run: the same as at its beginning.
            lost: how many events the hook did not receive because it was slow.
        """
