"""What a goal asks for, if it is one of the six goals of the household tasks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.games.pddl import Expression

_PLACING = frozenset(
    {"=", "inreceptacle", "objecttype", "receptacletype", "cleanable", "heatable", "coolable"}
    | {"isclean", "ishot", "iscool"}
)
_LOOKING = frozenset(
    ("objecttype", "toggleable", "istoggled", "receptacleatlocation", "atlocation", "inreceptacle", "holds")
)
_VERBS = {"isclean": "clean", "ishot": "heat", "iscool": "cool"}


class GoalSpec(NamedTuple):
    """A goal's things, targets and treatment, by the household's numbers."""

    things: frozenset[int]
    """Objects, any of which will do."""
    targets: frozenset[int]
    """Receptacles to put them in; for a goal to look at something, the lamps."""
    number: int = 1
    """How many things to put into one target."""
    verb: str | None = None
    """The treatment: clean, heat or cool."""
    looking: bool = False


def goal_spec_of(house: Household) -> GoalSpec | None:
    """The spec of a game's goal; None if it is not one of the six."""
    atoms = list(_atoms(house.goal.condition))
    predicates = {atom[0] for atom in atoms}
    kinds = {atom[1]: atom[2].removesuffix("type") for atom in atoms if atom[0] in {"objecttype", "receptacletype"}}
    if "istoggled" in predicates and predicates <= _LOOKING:
        lit, seen = (_argument(atoms, predicate) for predicate in ("istoggled", "holds"))
        lamps = _of_kind(house.object_kinds, kinds.get(lit)) & house.toggleable
        return GoalSpec(_of_kind(house.object_kinds, kinds.get(seen)), lamps, looking=True)
    if "inreceptacle" not in predicates or not predicates <= _PLACING:
        return None
    thing, target = next((atom[1], atom[2]) for atom in atoms if atom[0] == "inreceptacle")
    things = _of_kind(house.object_kinds, kinds.get(thing))
    for treatment, (_, fit) in house.treatments.items():
        things = things & fit if f"{treatment}able" in predicates else things
    verb = next((verb for state, verb in _VERBS.items() if state in predicates), None)
    targets = _of_kind(house.receptacle_kinds, kinds.get(target))
    return GoalSpec(things, targets, number=2 if "=" in predicates else 1, verb=verb)


def task_type(house: Household) -> str | None:
    """The task type by a game's goal: pick, look, clean, heat, cool or pick two; None if it is not one of the six."""
    spec = goal_spec_of(house)
    if spec is None:
        return None
    return "look" if spec.looking else spec.verb or ("pick" if spec.number == 1 else "pick two")


def _atoms(condition: Expression) -> Iterator[tuple[str, ...]]:
    """The facts in a condition, regardless of the operators that join them."""
    head, *rest = condition or ("and",)
    if head == "exists":
        rest = rest[1:]
    if rest and all(isinstance(part, str) for part in rest):
        yield (str(head), *map(str, rest))
        return
    for part in rest:
        if not isinstance(part, str):
            yield from _atoms(part)


def _argument(atoms: Iterable[tuple[str, ...]], predicate: str) -> str:
    return next((atom[-1] for atom in atoms if atom[0] == predicate), "")


def _of_kind(kinds: Sequence[str], wanted: str | None) -> frozenset[int]:
    return frozenset(number for number, kind in enumerate(kinds) if kind == wanted)
