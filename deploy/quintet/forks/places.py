"""Places in a recorded episode where another can go on: `step:7`, `call:3`, `trial:2`, `node:5`, `2/1`, `start`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from quintet.errors import UsageError
from quintet.events import CallMade, NodeGrown, StepTaken, TrialEnded
from quintet.journal.codes import event_range
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import EventPlace, JournalReader
from quintet.messages.paths import Path

START: Final = "start"
"""The place before everything: nothing is copied."""

_NUMBERED: Final = re.compile(r"(step|call|trial|node):([0-9]{1,9})")
_PATH: Final = re.compile(r"[0-9]{1,9}(/[0-9]{1,9})*")
_KINDS: Final[Mapping[str, str]] = {"step": StepTaken.kind, "call": CallMade.kind, "trial": TrialEnded.kind}
_FORMS: Final = "step:N, call:N, trial:N, node:N, a path below the episode such as 2/1, or start"


class NoSuchPlace(UsageError):
    """A recorded episode has no such place, though others may."""


class ForkPlace(NamedTuple):
    """Where an episode goes on."""

    before: int
    """The id of the first event that is not copied."""
    at: str
    """The path of that event, below the episode; empty: there is none, as at the start."""
    kind: str
    """Of that event; empty: there is none."""


class RecordedEpisode:
    """A recorded attempt, and what lies where in it."""

    def __init__(self, journal: JournalReader, row: EpisodeRow) -> None:
        self.row = row
        self.events: Sequence[EventPlace] = journal.places(row)
        self._journal = journal
        self._completions: Mapping[str, str] | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether any of its calls was above temperature 0, so that other draws may answer otherwise."""
        return self._journal.highest_temperature(self.row) > 0

    def find(self, at: str) -> ForkPlace:
        """The place that a person names.

        Args:
            at: `step:N`, `call:N` or `trial:N` by number from 1, in the order in which they were recorded; `node:N` by
                the number of the search tree's node; a path, below the episode or whole; `start`.

        Raises:
            NoSuchPlace: the episode has none.
            UsageError: it is no place.
        """
        if at == START:
            return ForkPlace(event_range(self.row.number)[0], "", "")
        if numbered := _NUMBERED.fullmatch(at):
            kind, number = numbered[1], int(numbered[2])
            return self._node(number) if kind == "node" else self._nth(kind, number)
        below = at.removeprefix(f"{self.row.path}/")
        if not _PATH.fullmatch(below):
            raise UsageError(f"--at: expected {_FORMS}, got {at!r}")
        return self._first(below, f"an event at or below {at} in {self.row.path}")

    def calls_before(self, place: ForkPlace) -> Iterator[EventPlace]:
        """The calls before a place, the last one first."""
        return (each for each in reversed(self.events) if each.id < place.before and each.kind == CallMade.kind)

    def first_call(self, place: ForkPlace) -> EventPlace | None:
        """The first call at or after a place; None: there is none."""
        return next((each for each in self.events if each.id >= place.before and each.kind == CallMade.kind), None)

    def completion(self, call: str) -> str:
        """The completion of the call at a path below the episode."""
        if self._completions is None:
            skip = len(self.row.path) + 1
            records = self._journal.records_of(self.row, nodes=False)
            calls = (each.event for each in records if isinstance(each.event, CallMade))
            self._completions = {each.path[skip:]: each.completion.text for each in calls}
        return self._completions.get(call, "")

    def action(self, step: ForkPlace) -> str:
        """The action of the step at a place."""
        path = Path(f"{self.row.path}/{step.at}")
        return next((each.action for each in self.taken() if each.path == path), "")

    def taken(self) -> Iterator[StepTaken]:
        """Its steps, in the order in which they were recorded."""
        found = self._journal.events(self.row.path, "_steps")
        return (each for each in found if isinstance(each, StepTaken))

    def _nth(self, kind: str, number: int) -> ForkPlace:
        # A trial has an event at its end: it begins behind that of the one before.
        wanted = [each for each in self.events if each.kind == _KINDS[kind]]
        if kind == "trial" and number == 1:
            return self.find(START)
        place = number - 1 - (kind == "trial")
        if not 0 <= place < len(wanted):
            got = f"{len(wanted) + (kind == 'trial')} of them"
            raise NoSuchPlace(f"--at: expected a {kind} of {self.row.path}, which has {got}, got {kind}:{number}")
        if kind != "trial":
            return _place(wanted[place])
        later = (each for each in self.events if each.id > wanted[place].id)
        following = next(later, None)
        return ForkPlace(wanted[place].id + 1, "", "") if following is None else _place(following)

    def _node(self, number: int) -> ForkPlace:
        for event in self._journal.events(self.row.path, "_nodes"):
            if isinstance(event, NodeGrown) and event.node == number:
                below = event.path.removeprefix(f"{self.row.path}/")
                return self._first(below, f"node {number} of {self.row.path}")
        raise NoSuchPlace(f"--at: expected a node of a search tree in {self.row.path}, got node:{number}")

    def _first(self, below: str, wanted: str) -> ForkPlace:
        for event in self.events:
            if event.path == below or event.path.startswith(f"{below}/"):
                return _place(event)
        raise NoSuchPlace(f"--at: expected {wanted}, got none")


def _place(event: EventPlace) -> ForkPlace:
    return ForkPlace(event.id, event.path, event.kind)


def place_names(journal: JournalReader, episode: Path) -> Mapping[str, str]:
    """The places of an episode that have a number, by their paths; a trial begins where the one before ended."""
    row = journal.episode(episode)
    events = [] if row is None else journal.places(row)
    found: dict[str, str] = {}
    for name, kind in _KINDS.items():
        of_kind = (each for each in events if each.kind == kind)
        found |= {each.path: f"{name}:{number}" for number, each in enumerate(of_kind, 1 + (name == "trial"))}
    return found
