"""Tasks that a world cannot play as a run is configured: left out of it, each with the reason."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from quintet.errors import UsageError
from quintet.ports.world import World

LeftOut: TypeAlias = Mapping[str, tuple[str, ...]]
"""By reason, in the world's words, the names of tasks: `needs a judge`."""

_OTHER_PLURALS: Mapping[str, str] = {"is": "are", "has": "have", "does": "do", "goes": "go"}


class TaskRefusals:
    """Which tasks of a run's world cannot be played, and why; `judged`: the run has a judge."""

    def __init__(self, world: World, *, judged: bool) -> None:
        self._world = world
        self._judged = judged
        self._known: dict[str, str] = {}

    def reason(self, task: str) -> str:
        """Why a task cannot be played; empty: it can."""
        if task not in self._known:
            self._known[task] = self._world.refusal(task, judged=self._judged)
        return self._known[task]

    def playable(self, tasks: Sequence[str]) -> Sequence[str]:
        """Those that can be played, in order."""
        return [name for name in tasks if not self.reason(name)]

    def left_out(self, tasks: Iterable[str]) -> LeftOut:
        """Those that cannot be played."""
        found: dict[str, tuple[str, ...]] = {}
        for name in tasks:
            if reason := self.reason(name):
                found[reason] = (*found.get(reason, ()), name)
        return found

    def refuse_named(self, section: str, tasks: Iterable[str]) -> None:
        """Refuse tasks that a user named and that cannot be played."""
        for name in tasks:
            if reason := self.reason(name):
                raise UsageError(f"{section}.tasks: expected tasks that can be played, got {name!r}, which {reason}")


def left_out_text(left_out: LeftOut) -> str:
    """How many tasks are left out of a run, by reason: `12 tasks are left out: 10 need a judge, 2 need the site map`.

    With one reason `10 tasks are left out: they need a judge`. Empty: none are.
    """
    counts = {reason: len(tasks) for reason, tasks in left_out.items()}
    number = sum(counts.values())
    if not number:
        return ""
    if len(counts) == 1:
        reasons = " ".join(f"{'it' if number == 1 else 'they'} {_agreeing(reason, number)}" for reason in counts)
    else:
        reasons = ", ".join(f"{count} {_agreeing(reason, count)}" for reason, count in counts.items())
    return f"{number} {'task is' if number == 1 else 'tasks are'} left out: {reasons}"


def _agreeing(reason: str, count: int) -> str:
    """A reason, which is worded for one task, for so many."""
    verb, space, rest = reason.partition(" ")
    return reason if count == 1 else f"{_OTHER_PLURALS.get(verb, verb.removesuffix('s'))}{space}{rest}"
