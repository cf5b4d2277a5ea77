"""What a hook is, and how those are found that a person names or an installed distribution registers."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeAlias

from quintet.errors import UsageError, one_line
from quintet.events import CallMade, EpisodeEnded, Record, StepTaken
from quintet.journal.feed import EpisodeStart
from quintet.plugins.code_places import raised_at
from quintet.plugins.entry_points import plug_ins
from quintet.plugins.members import find_member
from quintet.plugins.signatures import check_functions
from quintet.plugins.sources import load_module
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
            lost: how many events the hook did not receive because it was slow.
        """


HookLike: TypeAlias = str | Hook | type[Hook]
"""A hook: `FILE.py:OBJECT` or `package.module:OBJECT`, an instance, or a class that is made without arguments."""


def load_hooks(given: Sequence[HookLike]) -> tuple[Hook, ...]:
    """The hooks that a person named, in order; a `UsageError` if one is none, or cannot be imported or made."""
    return tuple(_load(each) for each in given)


def installed_hooks(report: Callable[[str], None]) -> tuple[Hook, ...]:
    """The hooks of installed distributions, by name. One that cannot be loaded is left out."""
    found: list[Hook] = []
    for plug_in in plug_ins("hook"):
        where = f"hook {plug_in.name!r} of {plug_in.brought_by}"
        try:
            found.append(_as_hook(plug_in.load(), where))
        except (Exception, SystemExit) as error:  # noqa: BLE001  somebody else's code may raise anything
            report(f"{where} is left out: {type(error).__name__}: {one_line(error)}")
    return tuple(found)


def _load(given: HookLike) -> Hook:
    if not isinstance(given, str):
        return _as_hook(given, "hooks")
    place, _, path = given.rpartition(":")
    if not place or not path:
        raise UsageError(f"hooks: expected FILE.py:OBJECT or package.module:OBJECT, got {given!r}")
    if place.endswith(".py"):
        module = load_module(Path(place).expanduser().absolute())
    else:
        try:
            module = import_module(place)
        except (Exception, SystemExit) as error:
            got = f"{type(error).__name__}: {one_line(error)}"
            raise UsageError(f"hooks: expected a module that can be imported, got {got} ({place})") from error
    value = find_member(module, path, where=place, label="hooks", expected="a Hook", is_usable=_is_hook)
    return _as_hook(value, given)


def _is_hook(value: object) -> bool:
    return isinstance(value, Hook) or (isinstance(value, type) and issubclass(value, Hook))


def _as_hook(value: object, where: str) -> Hook:
    if _is_hook(value):
        check_functions(value if isinstance(value, type) else type(value), Hook)
    if isinstance(value, Hook):
        return value
    if isinstance(value, type) and issubclass(value, Hook):
        try:
            return value()
        except (Exception, SystemExit) as error:
            got = f"{type(error).__name__}: {one_line(error)} ({raised_at(error)})"
            raise UsageError(f"{where}: expected a hook that is made without arguments, got {got}") from error
    raise UsageError(f"{where}: expected a subclass of quintet.hooks.hook.Hook or an instance, got {value!r:.80}")
