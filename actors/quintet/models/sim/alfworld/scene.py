"""The inputs of a decision in a household: the task, the picture of the household, the beliefs and the mind."""

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

from quintet.models.sim.alfworld.beliefs import Beliefs, beliefs_after
from quintet.models.sim.alfworld.picture import Picture, picture_after
from quintet.models.sim.alfworld.places import likely_places
from quintet.models.sim.alfworld.sightings import Sightings, sightings_in
from quintet.models.sim.alfworld.task import HouseGoal, HouseTask, Places, kind_in
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Move
from quintet.models.sim.transcript import Reading

_PUT_IN = re.compile(r"\bput (?:[a-z]+ \d+|<\w+>) in/on\b", re.IGNORECASE)
_MOVE_TO = re.compile(r"\bmove (?:[a-z]+ \d+|<\w+>) to\b", re.IGNORECASE)


@dataclass(frozen=True)
class Scene:
    """One moment of a task."""

    task: HouseTask
    seen: Picture
    believed: Beliefs
    mind: Mind
    puts: bool
    """Objects are laid down by `put a in/on b`; otherwise by `move a to b`."""
    shown: Sightings | None = None
    """Where texts show things, for a reader that knows nothing else of places; None: it has common sense."""
    reads_all: bool = True
    """It reads all steps, or a summary of them."""
    instead_of: Set[str] = frozenset()
    """Actions to do without."""

    @property
    def goal(self) -> HouseGoal:
        return self.task.goal

    def refused(self, action: str) -> bool:
        """Whether an action is out of the question, since it was refused or is one to do without."""
        return action in self.seen.refused or action in self.instead_of

    def avoids(self, place: str) -> bool:
        """Whether going to a place is to be done without."""
        return self.seen.here != place and f"go to {place}" in self.instead_of

    def search_order(self, thing: str) -> list[str]:
        """The places to look at, in the order in which one looks for a kind of thing."""
        return likely_places(self.task.room, thing, self.goal.admits, self.places_shown(thing))

    def places_shown(self, thing: str) -> tuple[str, ...] | None:
        """The kinds of places where texts show a kind of thing; None: it has common sense."""
        return None if self.shown is None else self.shown.get(thing, ())

    def places(self, wanted: Places) -> list[str]:
        """The places of the room that are meant."""
        return likely_places(self.task.room, "", wanted.covers)

    def put(self, thing: str, place: str) -> str:
        """The action that lays a thing down."""
        return f"put {thing} in/on {place}" if self.puts else f"move {thing} to {place}"

    def go(self, place: str, why: str) -> Move:
        """Go to a place, or look at it from there."""
        if f"go to {place}" in self.seen.refused:
            return Move(f"I may be at the {place} already.", f"examine {place}")
        return Move(why, f"go to {place}")

    def treated(self, thing: str) -> bool:
        """Whether a thing is treated as the goal asks; True if it asks for no treatment."""
        return self.goal.treatment is None or (self.goal.treatment, thing) in self.seen.treated

    def reached_in(self, place: str) -> int:
        """How many objects are in a place as the goal wants them."""
        there = {thing for thing, where in self.seen.laid if where == place}
        if self.goal.count > 1:
            there |= set(self.seen.contents.get(place, ()))
        return sum(kind_in(thing) == self.goal.thing and self.treated(thing) for thing in there)

    def reached(self) -> bool:
        """Whether the goal is reached."""
        goal, held = self.goal, self.seen.held
        in_hand = held is not None and kind_in(held) == goal.thing
        if goal.lamp is not None:
            return (in_hand or goal.thing is None) and any(kind_in(lamp) == goal.lamp for lamp in self.seen.lit)
        if goal.target is not None:
            return any(self.reached_in(place) >= goal.count for place in self.places(goal.target))
        return in_hand and held is not None and self.treated(held)

    def believes_reached(self) -> bool:
        """Whether the goal is thought to be reached. The question comes up once something was done to an object."""
        seen = self.seen
        asked = bool(seen.held or seen.laid or seen.lit)
        return self.reached() != (asked and self.mind.misreading.wrong(self.task.wording, "reached"))


def scene_of(reading: Reading[HouseTask], mind: Mind, instead_of: Set[str] = frozenset()) -> Scene:
    """The scene as a reader with this mind sees it, and the actions to do without."""
    steps, task = mind.skill.remembered(reading), reading.task
    texts = (*reading.texts, *(step.observation for step in steps))
    beliefs = beliefs_after(texts, misled=mind.skill.misled)
    return Scene(
        task=task,
        seen=picture_after(task.last_action, steps),
        believed=beliefs.misread(task, mind.misreading),
        mind=mind,
        puts=sum(map(_puts_over_moves, reading.texts)) > 0,
        shown=None if mind.skill.common_sense else sightings_in(texts),
        reads_all=mind.skill.window is None or reading.past is not None,
        instead_of=instead_of,
    )


@lru_cache(maxsize=1024)
def _puts_over_moves(text: str) -> int:
    """By how much `put a in/on b` is more frequent in a text than `move a to b`."""
    return len(_PUT_IN.findall(text)) - len(_MOVE_TO.findall(text))
