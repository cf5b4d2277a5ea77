"""What a fallible reader misreads in a household: what treats an object, where to look, whether the goal is reached."""

from collections.abc import Iterable
from dataclasses import replace

from quintet.models.sim.alfworld.beliefs import Beliefs
from quintet.models.sim.alfworld.picture import Picture
from quintet.models.sim.alfworld.task import Task
from quintet.models.sim.misreading import Misreading


def misread(believed: Beliefs, task: Task, misreading: Misreading) -> Beliefs:
    """The beliefs as they are applied. An appliance that is misread is any other kind of place in the room."""
    if not misreading.rate:
        return believed
    appliances = {
        how: misreading.answer(
            kinds, [(kind,) for kind in sorted(task.kinds().difference(kinds))], task.wording, "treats", how
        )
        for how, kinds in believed.appliances.items()
    }
    return replace(believed, appliances=appliances)


def worth_a_look(places: Iterable[str], thing: str, task: Task, misreading: Misreading) -> list[str]:
    """The places without those that a reader passes over by mistake."""
    return [place for place in places if not misreading.wrong(task.wording, "look for", thing, place)]


def takes_for_reached(task: Task, seen: Picture, misreading: Misreading, *, reached: bool) -> bool:
    """Whether the goal is thought to be reached. Nobody asks as long as nothing was done to any object."""
    asked = bool(seen.held or seen.laid or seen.lit)
    return reached != (asked and misreading.wrong(task.wording, "reached"))
