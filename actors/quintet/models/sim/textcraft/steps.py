"""Plans for crafting, and which of their steps an action serves."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Decomposition, Player
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.crafting import Errand, Fetch, OutOfReachError, command_for
from quintet.models.sim.textcraft.progress import errands_left
from quintet.models.sim.textcraft.task import CraftTask, read_craft_goal
from quintet.models.sim.transcript import Exchange, Reading

_MOST_STEPS = 40
_HOLDS_FOR_GOOD = re.compile(r"could not find (?!enough items\b)", re.IGNORECASE)
"""Begins a refusal that does not come from what is held."""


class TextcraftSteps(Player[CraftTask]):
    """Plans all errands for a goal, and judges them one by one."""

    def plan_steps(self, reading: Reading[CraftTask], mind: Mind) -> Sequence[str]:
        """Everything to fetch, then every command; where there is no way, the one command that makes the goal."""
        task = reading.task.misread(mind.misreading)
        belief = believe(task.carried, mind.skill.remembered(reading))
        try:
            steps: Sequence[str] = _fetched_first(errands_left(task, belief, belief.carried))
        except OutOfReachError:
            try:
                steps = one_command(task, mind, belief.refused).steps
            except OutOfReachError as error:
                steps = [f"get {task.goal.count} {error}"]
        return steps or [task.wording]

    def with_goal(self, task: CraftTask, goal: str, times: int) -> CraftTask | None:
        read = read_craft_goal(goal)
        return None if read is None else replace(task, wording=goal, goal=replace(read, times=times))

    def serves(self, reading: Reading[CraftTask], before: Exchange, done: Exchange, mind: Mind) -> bool:
        """Whether it fetched or crafted the item of the step, or what goes into it."""
        seen = believe((), (done,))
        if seen.counted:
            return False
        return not ingredients(reading.task.misread(mind.misreading)).isdisjoint(+seen.carried)

    def shorten(self, goal: str, observation: str) -> str | None:
        return None if read_craft_goal(goal) is None else observation

    def outlasting(self, steps: Sequence[Exchange]) -> Iterator[Exchange]:
        """What cannot be fetched, and which commands the world does not know."""
        return (step for step in steps if _HOLDS_FOR_GOOD.match(step.observation))


def one_command(task: CraftTask, mind: Mind, refused: Set[str] = frozenset()) -> Decomposition:
    """The command that makes the goal, as often as it is carried out, and the items that it takes.

    Raises:
        OutOfReachError: no command makes it.
    """
    goal = task.goal
    way = command_for(task.book, goal, refused)
    times = 1 if goal.craft else min(-(-goal.count // way.count), _MOST_STEPS)
    command = task.book.filled(way, times, refused=refused) or way
    amounts = Counter[str]()
    for item, count in command.needs:
        amounts[item] += count * times
    fetches = mind.chance.order([f"fetch {amount} {item}" for item, amount in amounts.items()])
    often = "" if times == 1 else f" {times} times"
    thought = f"To have {command.makes}, I use one command{often}: {command}."
    return Decomposition(thought, [*fetches, *[str(command)] * times])


def _fetched_first(errands: Sequence[Errand]) -> list[str]:
    amounts = Counter[str]()
    for errand in errands:
        if isinstance(errand, Fetch):
            amounts[errand.item] += errand.count
    fetches = [str(Fetch(item, count)) for item, count in amounts.items()]
    return [*fetches, *(str(errand) for errand in errands if not isinstance(errand, Fetch))]


def ingredients(task: CraftTask) -> set[str]:
    """The items that a goal names, and all that go into them."""
    goal, book = task.goal, task.book
    waiting, found = [goal.item, *(item for item, _ in goal.needs)], set[str]()
    while waiting:
        item = waiting.pop()
        if item not in found:
            found.add(item)
            waiting += book.members.get(item, ())
            waiting += [need for way in book.commands.get(item, ()) for need, _ in way.needs]
    return found
