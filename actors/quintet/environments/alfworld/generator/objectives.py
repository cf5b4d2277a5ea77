"""The six types of tasks: their wordings, goals, and the objectives that a room allows; and the names of tasks.

Source: ALFWorld, `goal_library.py`: the twelve sentences and the six goals are its formats. A name holds the objective,
the room and a seed, so it alone determines its game.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from quintet.environments.alfworld.generator.rooms import kind_of, lamps, receptacle_counts
from quintet.environments.alfworld.generator.tables import FLOOR, ContentRow, RoomKind, contents, text_hash, things

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
"""The values of a task's metadata `task type`."""


class TaskWording(Struct, frozen=True):
    """The properties of a type of task."""

    sentences: tuple[str, str]
    kinds: frozenset[RoomKind]
    """Kinds of rooms for it."""
    allows: str = "take"
    """The property that its thing must have."""
    state: str | None = None
    """The state that its thing must be in."""
    device: str | None = None
    """The type of receptacle that brings this state about, which is never the target."""
    number: int = 1
    """How many things it takes."""


_ANYWHERE = frozenset[RoomKind]({"kitchen", "livingroom", "bedroom", "bathroom"})


def _treating(verb: str, state: str, device: str, kinds: set[RoomKind]) -> TaskWording:
    sentences = f"put a {state} {{o}} in {{r}}", f"{verb} some {{o}} and put it in {{r}}"
    return TaskWording(sentences, frozenset(kinds), allows=verb, state=f"is{state.title()}", device=device)


ASKED: Mapping[TaskType, TaskWording] = {
    "pick_and_place_simple": TaskWording(("put a {o} in {r}", "put some {o} on {r}"), _ANYWHERE),
    "look_at_obj_in_light": TaskWording(
        ("look at {o} under the {r}", "examine the {o} with the {r}"), frozenset[RoomKind]({"livingroom", "bedroom"})
    ),
    "pick_clean_then_place_in_recep": _treating("clean", "clean", "SinkBasin", {"kitchen", "bathroom"}),
    "pick_heat_then_place_in_recep": _treating("heat", "hot", "Microwave", {"kitchen"}),
    "pick_cool_then_place_in_recep": _treating("cool", "cool", "Fridge", {"kitchen"}),
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
    """All objectives of a task type in a room: those that can be reached there and never hold at the start."""
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


def _targets(task_type: TaskType, scene: int, entry: ContentRow) -> Iterator[str]:
    held = sorted(things()[entry.type].receptacles & set(receptacle_counts(scene)))
    if task_type == "look_at_obj_in_light":
        yield from ["DeskLamp"] if lamps(scene) and held else []
        return
    yield from (target for target in held if target != ASKED[task_type].device and len(held) > 1)


_FIRST_TRIAL = datetime(2025, 1, 1, tzinfo=UTC)
"""The official trials date from 2019, so no name of ours can be one of theirs."""
_MICROSECONDS = 365 * 24 * 3600 * 1_000_000


class TaskName(Struct, frozen=True):
    """A generated task's name, taken apart."""

    objective: Objective
    scene: int
    trial: str
    """Distinguishes the games of one objective in one room; also their seed."""

    @property
    def folder(self) -> str:
        """Its folder in the official layout, without the trial."""
        return f"{self.objective.type}-{self.objective.thing}-None-{self.objective.target}-{self.scene}"

    def __str__(self) -> str:
        return f"{self.folder}.{self.trial}"


def trial(text: str) -> str:
    """A trial's name in the official form, `trial_T20250907_184715_099476`, derived from a text."""
    moment = _FIRST_TRIAL + timedelta(microseconds=text_hash(text) % _MICROSECONDS)
    return f"trial_T{moment:%Y%m%d_%H%M%S_%f}"
