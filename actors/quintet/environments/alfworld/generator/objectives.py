"""The six types of tasks: what each asks for, in words and as a goal, and what it may ask for in a room.

Source: ALFWorld, `goal_library.py`: the twelve sentences and the six goals are its formats.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from quintet.environments.alfworld.generator.rooms import kind_of, lamps, receptacle_counts
from quintet.environments.alfworld.generator.tables import FLOOR, ContentRow, RoomKind, contents, things

TaskType: TypeAlias = Literal[
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
]
TASK_TYPES: tuple[TaskType, ...] = get_args(TaskType)
SHORT: Mapping[TaskType, str] = dict(
    zip(TASK_TYPES, ("pick", "look", "clean", "heat", "cool", "pick two"), strict=True)
)
"""What a task's fact `task type` says."""


class TaskWording(Struct, frozen=True):
    """What is peculiar to a type of task."""

    sentences: tuple[str, str]
    kinds: frozenset[RoomKind]
    """The rooms it is set in."""
    allows: str = "take"
    """What its thing must allow."""
    state: str | None = None
    """What must have become of it."""
    device: str | None = None
    """The receptacle type that brings this about, and so is no place to ask for."""
    number: int = 1
    """How many things it takes."""


_ANYWHERE = frozenset[RoomKind]({"kitchen", "livingroom", "bedroom", "bathroom"})

ASKED: Mapping[TaskType, TaskWording] = {
    "pick_and_place_simple": TaskWording(("put a {o} in {r}", "put some {o} on {r}"), _ANYWHERE),
    "look_at_obj_in_light": TaskWording(
        ("look at {o} under the {r}", "examine the {o} with the {r}"), frozenset[RoomKind]({"livingroom", "bedroom"})
    ),
    "pick_clean_then_place_in_recep": TaskWording(
        ("put a clean {o} in {r}", "clean some {o} and put it in {r}"),
        frozenset[RoomKind]({"kitchen", "bathroom"}),
        allows="clean",
        state="isClean",
        device="SinkBasin",
    ),
    "pick_heat_then_place_in_recep": TaskWording(
        ("put a hot {o} in {r}", "heat some {o} and put it in {r}"),
        frozenset[RoomKind]({"kitchen"}),
        allows="heat",
        state="isHot",
        device="Microwave",
    ),
    "pick_cool_then_place_in_recep": TaskWording(
        ("put a cool {o} in {r}", "cool some {o} and put it in {r}"),
        frozenset[RoomKind]({"kitchen"}),
        allows="cool",
        state="isCool",
        device="Fridge",
    ),
    "pick_two_obj_and_place": TaskWording(
        ("put two {o} in {r}", "find two {o} and put them in {r}"), _ANYWHERE, number=2
    ),
}


class Objective(Struct, frozen=True):
    """One task: what to do with which type of thing, and where."""

    type: TaskType
    thing: str
    """A type of thing, `Apple`."""
    target: str
    """A type of receptacle, `Fridge`, or of lamp."""

    @property
    def number(self) -> int:
        """How many things it takes."""
        return ASKED[self.type].number

    def sentence(self, phrasing: int) -> str:
        """The objective in one of its two phrasings, 0 or 1."""
        return ASKED[self.type].sentences[phrasing].format(o=self.thing.lower(), r=self.target.lower())

    def goal(self) -> str:
        """The objective as a condition of PDDL."""
        if self.type == "look_at_obj_in_light":
            return _LOOK.format(o=self.thing, r=self.target)
        if self.type == "pick_two_obj_and_place":
            return _TWO.format(o=self.thing, r=self.target)
        asked = ASKED[self.type]
        allows, state = (f"({asked.allows}able ?o) ", f"({asked.state} ?o) ") if asked.state else ("", "")
        return _ONE.format(o=self.thing, r=self.target, allows=allows, state=state)


_ONE = """(and (exists (?r - receptacle) (exists (?o - object)
            (and {allows}(objectType ?o {o}Type) (receptacleType ?r {r}Type) {state}(inReceptacle ?o ?r)))))"""
_TWO = """(and (exists (?r - receptacle) (exists (?o1 - object)
            (and (objectType ?o1 {o}Type) (receptacleType ?r {r}Type) (inReceptacle ?o1 ?r) (exists (?o2 - object) (and
                (not (= ?o1 ?o2)) (objectType ?o2 {o}Type) (receptacleType ?r {r}Type) (inReceptacle ?o2 ?r)))))))"""
_LOOK = """(and
            (exists (?ot - object ?r - receptacle ?a - agent ?l - location)
                (and (objectType ?ot {r}Type) (toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l)
                    (atLocation ?a ?l) (inReceptacle ?ot ?r)))
            (exists (?o - object ?a - agent) (and (objectType ?o {o}Type) (holds ?a ?o))))"""


@cache
def possible(task_type: TaskType, scene: int) -> tuple[Objective, ...]:
    """Everything that a type of task may ask for in a room: it can be done there, and is never done at the start."""
    kind = kind_of(scene)
    if kind is None or kind not in ASKED[task_type].kinds:
        return ()
    entries = [entry for entry in contents(kind) if ASKED[task_type].allows in things()[entry.type].allows]
    return tuple(
        Objective(task_type, entry.type, target)
        for entry in entries
        if set(entry.places) != {FLOOR}
        for target in _targets(task_type, scene, entry)
    )


def reading(task_type: str, thing: str, target: str) -> Objective | None:
    """The objective that a task's name states; None: it states none."""
    if task_type not in TASK_TYPES or thing not in things():
        return None
    return Objective(task_type, thing, target)


def _targets(task_type: TaskType, scene: int, entry: ContentRow) -> Iterator[str]:
    held = sorted(things()[entry.type].receptacles & set(receptacle_counts(scene)))
    if task_type == "look_at_obj_in_light":
        yield from ["DeskLamp"] if lamps(scene) and held else []
        return
    yield from (target for target in held if target != ASKED[task_type].device and _elsewhere(held, target))


def _elsewhere(held: Sequence[str], target: str) -> bool:
    return any(place != target for place in held)
