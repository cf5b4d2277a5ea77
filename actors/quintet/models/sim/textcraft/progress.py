"""How far an attempt at crafting has come: the errands that are done, and those that are left."""

from collections import Counter
from collections.abc import Iterable

from quintet.models.sim.draws import Misreading
from quintet.models.sim.textcraft.belief import Belief
from quintet.models.sim.textcraft.crafting import Errand, Fetch, OutOfReachError, Workshop, command_for
from quintet.models.sim.textcraft.task import CraftTask


def believes_reached(task: CraftTask, belief: Belief, misreading: Misreading) -> bool:
    """Whether the goal is thought to be reached. The question does not come up while nothing is held."""
    asked = belief.crafted.total() + belief.carried.total() > 0
    return is_reached(task, belief) != (asked and misreading.wrong(task.wording, "reached"))


def is_reached(task: CraftTask, belief: Belief) -> bool:
    """Whether the goal is reached."""
    goal = task.goal
    if goal.craft:
        return belief.crafted[goal.item] > (goal.times - 1) * goal.count
    return any(belief.carried[item] >= goal.count for item in task.book.choices(goal.item, goal.count))


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
        parts = item_shares(task, belief)
    except OutOfReachError:
        return 0.0
    if not parts:
        return 0.0
    seen = (1 - share if misreading.wrong(task.wording, "is there", item) else share for item, share in parts.items())
    return sum(seen) / len(parts)


def item_shares(task: CraftTask, belief: Belief) -> dict[str, float]:
    """By item that is to be fetched or crafted, in order: the share of it that is there.

    Raises:
        OutOfReachError: there is no way to the goal.
    """
    whole = _amounts(errands_left(task, belief, Counter(dict(task.carried))))
    left = _amounts(errands_left(task, belief, belief.carried))
    return {item: 1 - min(amount, left[item]) / amount for item, amount in whole.items()}


def _amounts(errands: Iterable[Errand]) -> Counter[str]:
    """By item: how many are to be fetched, or how often its command is to be carried out."""
    amounts = Counter[str]()
    for errand in errands:
        if isinstance(errand, Fetch):
            amounts[errand.item] += errand.count
        else:
            amounts[errand.makes] += 1
    return amounts
