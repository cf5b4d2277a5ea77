"""How far an attempt at crafting has come: the errands that are done, and those that are left."""

from collections import Counter
from collections.abc import Iterable

from quintet.models.sim.draws import Misreading
from quintet.models.sim.textcraft.belief import Belief
from quintet.models.sim.textcraft.crafting import Errand, Fetch, OutOfReachError, Workshop, command_for
from quintet.models.sim.textcraft.task import CraftTask


def errands_left(task: CraftTask, belief: Belief, carried: Counter[str]) -> list[Errand]:
    """What is to be fetched and crafted, in order, with these items and after these refusals.

    Raises:
        OutOfReachError: there is no way to the goal.
    """
    workshop = Workshop(task.book, carried.copy(), belief.not_found, belief.refused)
    if task.goal.craft:
        return workshop.make(command_for(task.book, task.goal, belief.refused))
    return workshop.have(task.goal.item, max(1, task.goal.count))


def share_of_errands(task: CraftTask, belief: Belief, misreading: Misreading) -> float:
    """The share of the items needed that are there, each item a question that may be misread; 0 if there is no way."""
    try:
        whole = _amounts(errands_left(task, belief, Counter(dict(task.carried))))
        left = _amounts(errands_left(task, belief, belief.carried))
    except OutOfReachError:
        return 0.0
    if not whole:
        return 0.0
    shares = [1 - min(amount, left[item]) / amount for item, amount in whole.items()]
    seen = (
        1 - share if misreading.wrong(task.wording, "is there", item) else share
        for item, share in zip(whole, shares, strict=True)
    )
    return sum(seen) / len(whole)


def _amounts(errands: Iterable[Errand]) -> Counter[str]:
    """By item: how many are to be fetched, or how often its command is to be carried out."""
    amounts = Counter[str]()
    for errand in errands:
        if isinstance(errand, Fetch):
            amounts[errand.item] += errand.count
        else:
            amounts[errand.makes] += 1
    return amounts
