"""The player of TextCraft: one answerer for each request."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import islice

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import COMPLETED, FAILED, Decomposition, Move
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.crafting import Errand, Fetch, OutOfReachError
from quintet.models.sim.textcraft.hindsight import LOOKS, TextcraftHindsight
from quintet.models.sim.textcraft.memory import TextcraftMemory
from quintet.models.sim.textcraft.progress import believes_reached, errands_left, is_reached, share_of_errands
from quintet.models.sim.textcraft.steps import TextcraftSteps, one_command
from quintet.models.sim.textcraft.task import CraftGoal, CraftTask, read_craft_exchange, read_craft_task
from quintet.models.sim.transcript import Exchange, Reading, without_opening

_LOOKING = "inventory"
_MOST_CHOICES = 8

_FORMS = re.compile(r"^\W*craft <", re.MULTILINE)
_ARTICLE = re.compile(r"^(?:an?|the|some) ", re.IGNORECASE)
_LOOK = re.compile(r"(?:(?:look (?:at|into)|check|see|open) (?:my |the )?)?inventory\b.*", re.IGNORECASE)
_GET = re.compile(r"(?:get|fetch|take|obtain|collect) (?P<items>.+)", re.IGNORECASE)
_CRAFT = re.compile(r"(?:craft|make) (?P<made>.+?) (?:using|from|out of|with) (?P<needs>.+)", re.IGNORECASE)
_JOIN = re.compile(r",? and |, ?")
_COUNT = re.compile(r"\d{1,9} ")

# A step that is about the inventory may name what it comes before.
_ABOUT_GET, _ABOUT_CRAFT = (rf"^(?!.*\binventory\b).*\b(?:{verbs})\b" for verbs in ("get|fetch", "craft"))


def _look(thought: str) -> Move:
    return Move(thought, _LOOKING, LOOKS.pattern)


class TextcraftPlayer(TextcraftHindsight, TextcraftMemory, TextcraftSteps):
    """Follows recipes down to what no command makes."""

    idle = _look("I see nothing more to do, so I look at what I hold.")

    def read_task(self, text: str) -> CraftTask | None:
        return read_craft_task(text)

    def read_exchange(self, answer: str, observation: str) -> Exchange:
        return read_craft_exchange(answer, observation)

    def decide(self, reading: Reading[CraftTask], mind: Mind, plan: str, instead_of: Set[str] = frozenset()) -> Move:
        read = mind.skill.remembered(reading)
        belief = believe(reading.task.carried, read)
        if _LOOKING not in instead_of:
            if len(read) < len((*(reading.past or ()), *reading.steps)) and not belief.counted and LOOKS.search(plan):
                return _look("I do not know for sure what I hold, and the plan says to look.")
            if belief.doubtful is not None and belief.doubtful not in belief.refused:
                return _look("I hold less than I thought, so I look at what there is.")
        task = reading.task.misread(mind.misreading)
        goal, reached = task.goal, is_reached(task, belief)
        if COMPLETED not in instead_of and believes_reached(task, belief, mind.misreading):
            what = f"crafted {goal.item}" if goal.craft else f"{goal.count} {goal.item}"
            return Move(f"I have {what}, as was asked.", COMPLETED)
        # A reader that does not see that it has what is wanted makes it again, as if it held nothing.
        carried = Counter[str]() if reached else belief.carried
        try:
            choices = _possible_now(errands_left(task, belief, carried), instead_of)
            # Where nothing else is possible now, another way is sought, as if what was tried had been refused.
            choices = choices or _possible_now(errands_left(task, belief.without(instead_of), carried), instead_of)
        except OutOfReachError as error:
            return Move(f"I see no way to come by {error}.", FAILED)
        if not choices:
            return Move("I see no other way.", FAILED)
        return _move(mind.chance.choose(choices), goal)

    def decompose(self, reading: Reading[CraftTask], mind: Mind) -> Decomposition:
        """One crafting command: what it takes, and as often as it is carried out."""
        task = reading.task.misread(mind.misreading)
        try:
            return one_command(task, mind)
        except OutOfReachError as error:
            thought = f"No crafting command makes {error}, so it has to be found."
            return Decomposition(thought, [f"fetch {task.goal.count} {error}"])

    def progress(self, reading: Reading[CraftTask], mind: Mind) -> float:
        belief = believe(reading.task.carried, mind.skill.remembered(reading))
        task = reading.task.misread(mind.misreading)
        reached = is_reached(task, belief)
        if believes_reached(task, belief, mind.misreading):
            return 1.0
        return 0.0 if reached else share_of_errands(task, belief, mind.misreading)

    def left_to_do(self, reading: Reading[CraftTask], mind: Mind) -> Iterable[str]:
        """The errands that are left, the last first, since it names what the others are for."""
        belief = believe(reading.task.carried, reading.steps)
        try:
            errands = errands_left(reading.task.misread(mind.misreading), belief, belief.carried)
        except OutOfReachError as error:
            return [f"I found no way to come by {error}, so I look for another one."]
        return [f"Next time: {errand}." for errand in dict.fromkeys(reversed(errands))]

    def formalize(self, action: str, instructions: str) -> str | None:
        if not _FORMS.search(instructions):
            return None
        action = action.rstrip(".")
        meant = without_opening(action)
        if _LOOK.fullmatch(meant):
            return "inventory"
        if found := _CRAFT.fullmatch(meant):
            needs = ", ".join(map(_counted, _JOIN.split(found["needs"])))
            return f"craft {_counted(found['made'])} using {needs}"
        if found := _GET.fullmatch(meant):
            return f"get {_counted(found['items'])}"
        return action


def _possible_now(errands: Sequence[Errand], instead_of: Set[str]) -> list[Errand]:
    """The first errand, and those that could as well come first: what is only to be fetched."""
    fetches = dict.fromkeys(each for each in errands[1:] if isinstance(each, Fetch) and each != errands[0])
    return [each for each in (errands[0], *islice(fetches, _MOST_CHOICES)) if str(each) not in instead_of]


def _move(errand: Errand, goal: CraftGoal) -> Move:
    aim = f"craft {goal.item}" if goal.craft else f"have {goal.count} {goal.item}"
    if isinstance(errand, Fetch):
        thought = f"To {aim}, I still need {errand.count} {errand.item}, which I try to get."
        return Move(thought, str(errand), _ABOUT_GET)
    held = " and ".join(f"{count} {item}" for item, count in errand.needs)
    thought = f"To {aim}, I use the command for {errand.makes}; I hold the {held} that it takes."
    return Move(thought, str(errand), _ABOUT_CRAFT)


def _counted(item: str) -> str:
    bare = _ARTICLE.sub("", item.strip())
    return bare if _COUNT.match(bare) else f"1 {bare}"
