"""A schedule: all that decides how a simulated run goes, as data, and its text on a command line."""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from quintet.ports.transport import HostName

Action: TypeAlias = Literal["cancel", "requeue", "pause", "concurrency"]


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an operator does."""

    at: float
    """Virtual seconds from the start."""
    action: Action
    number: int
    """Which episode, the concurrency, or for how many seconds the run is paused."""

    def __str__(self) -> str:
        what = {
            "cancel": f"cancels episode {self.number}",
            "requeue": f"requeues episode {self.number}",
            "pause": f"pauses the run for {self.number} s",
            "concurrency": f"sets the concurrency to {self.number}",
        }
        return f"at {self.at:g} s an operator {what[self.action]}"


class Kill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A host dies."""

    at: float
    """Virtual seconds from the start."""
    host: HostName

    def __str__(self) -> str:
        return f"at {self.at:g} s host {self.host} dies"


class Start(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One start of the run, and what befalls it."""

    kills: tuple[Kill, ...] = ()
    replacements: int = 0
    """Dead hosts that are replaced."""
    delay: float = 0.0
    """The longest time that a message takes one way, in virtual seconds."""
    loss: float = 0.0
    """Chance that a message, or its acknowledgement, is lost."""
    script: Mapping[str, float] | None = None
    """Every delay in seconds, and every loss, as 1, by name; None: they are drawn from the schedule's seed."""
    commits: int | None = None
    """Events after which the whole process dies; None: it does not."""
    tokens: int | None = None
    """Budget of the run; None: it has none."""
    commands: tuple[Command, ...] = ()

    def words(self) -> Iterator[str]:
        """Each thing that befalls it."""
        yield from map(str, self.kills)
        if self.kills and self.replacements:
            yield f"{self.replacements} dead hosts are replaced"
        yield from map(str, self.commands)
        for name, value in (self.script or {}).items():
            yield name if name.endswith("lost") else f"{name}: {value:g} s late"
        if self.script is None and (self.delay or self.loss):
            yield f"messages take up to {self.delay:g} s, and {self.loss:.1%} are lost"
        if self.tokens is not None:
            yield f"the budget is {self.tokens} tokens"
        if self.commits is not None:
            yield f"after {self.commits} events the process dies"


class Schedule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A simulated run."""

    seed: int
    scene: str
    """What runs; see `scenes`."""
    goals: tuple[str, ...] = ()
    """An episode each; none where a learner chooses them."""
    placement: Literal["colocated", "per-role"] = "colocated"
    slots: int = 2
    """Episodes on each host with subtasks."""
    calls: int | None = None
    """Model calls in flight at a time; None: any number."""
    failures: float = 0.0
    """Share of a call's first two attempts that fail."""
    starts: tuple[Start, ...] = (Start(),)
    """The last one is neither killed as a whole nor short of budget."""

    def words(self) -> str:
        """It, a line for each thing that befalls it."""
        head = f"{self.scene}, {' and '.join(self.goals) or 'learning'}; {self.placement}, {self.slots} slots a host"
        head += f"; at most {self.calls} calls at a time" if self.calls is not None else ""
        head += f"; {self.failures:.0%} of the first attempts fail" if self.failures else ""
        lines = [head]
        for number, start in enumerate(self.starts, 1):
            lines += [f"start {number}: {line}" for line in start.words()]
        return "\n".join(lines)

    @property
    def size(self) -> int:
        """Things that befall it, to say how far it was shrunk."""
        befall = sum(len(list(start.words())) for start in self.starts)
        return befall + len(self.goals) + len(self.starts) + (self.calls is not None) + (self.failures > 0)


def as_text(schedule: Schedule) -> str:
    """It as JSON in one line."""
    return msgspec.json.encode(schedule).decode()


def from_text(text: str) -> Schedule:
    """Read `as_text`'s."""
    return msgspec.json.decode(text, type=Schedule)
