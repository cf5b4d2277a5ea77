"""The player of ALFWorld: one answerer for each request."""

import re
from collections.abc import Iterator, Set

from quintet.models.sim.alfworld.hindsight import PUTS, AlfworldHindsight
from quintet.models.sim.alfworld.memory import AlfworldMemory
from quintet.models.sim.alfworld.moves import get_rid, lay, take_one, treat, treat_inside, use_one
from quintet.models.sim.alfworld.plans import house_plan
from quintet.models.sim.alfworld.progress import is_found, not_searched, share_of_parts
from quintet.models.sim.alfworld.scene import Scene, scene_of
from quintet.models.sim.alfworld.steps import AlfworldSteps
from quintet.models.sim.alfworld.task import HouseTask, kind_in, plain, read_house_exchange, read_house_task
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import COMPLETED, Decomposition, Move
from quintet.models.sim.transcript import Exchange, Reading, without_opening

_ARTICLE = re.compile(r"\b(?:the|an?|some) ")
_X, _Y = r"(?P<x>[a-z]+(?: \d{1,9})?)", r"(?P<y>[a-z]+(?: \d{1,9})?)"
_GOES = re.compile(r"^\W*go to <", re.MULTILINE)

_MEANT = (
    (re.compile(rf"(?:walk|head|move|return) (?:back )?to {_X}"), "go to {x}"),
    (re.compile(rf"(?:pick up|grab|get|fetch) {_X} (?:from|off|out of|in|on) {_Y}"), "take {x} from {y}"),
    (re.compile(rf"(?:turn|switch) on {_X}"), "use {x}"),
    (re.compile(rf"(?:wash|rinse) {_X} (?:with|in|using|at) {_Y}"), "clean {x} with {y}"),
    (re.compile(rf"(?P<verb>clean|heat|cool) {_X} (?:using|in|on|at) {_Y}"), "{verb} {x} with {y}"),
    (re.compile(r"(?:check|look at|see) (?:my )?(?:inventory|hands?)"), "inventory"),
    (re.compile(r"look around"), "look"),
)
_LAID = re.compile(rf"(?:put|place|move|lay)(?: down)? {_X} (?:in/on|into|onto|inside|in|on|to) {_Y}")

_ABOUT_FINDING = r"\b(?:look for|find|search|take|pick up)\b"
_ABOUT_LAYING = r"\b(?:lay|put|place|move)\b"
_ABOUT_LIGHTING = r"lamp\b"


class AlfworldPlayer(AlfworldHindsight, AlfworldMemory, AlfworldSteps):
    """Looks where things usually are, opens every door, and treats objects as it believes they are treated."""

    idle = Move("I see nothing more to do, so I look where I am.", "look", subject="")

    def read_task(self, text: str) -> HouseTask | None:
        return read_house_task(text)

    def read_exchange(self, answer: str, observation: str) -> Exchange:
        return read_house_exchange(answer, observation)

    def decide(self, reading: Reading[HouseTask], mind: Mind, plan: str, instead_of: Set[str] = frozenset()) -> Move:
        scene = scene_of(reading, mind, instead_of)
        return _next(scene)._replace(subject=subject_of(scene))

    def decompose(self, reading: Reading[HouseTask], mind: Mind) -> Decomposition:
        return house_plan(scene_of(reading, mind))

    def progress(self, reading: Reading[HouseTask], mind: Mind) -> float:
        scene = scene_of(reading, mind)
        if scene.believes_reached():
            return 1.0
        return 0.0 if scene.reached() or _next(scene).action == "task failed" else share_of_parts(scene)

    def left_to_do(self, reading: Reading[HouseTask], mind: Mind) -> Iterator[str]:
        scene = scene_of(reading, mind)
        goal = scene.goal
        for thing in filter(None, (goal.thing, goal.lamp)):
            if not is_found(scene, thing):
                places = not_searched(scene, thing)
                yield from (f"Next time: look for the {thing} in {place}." for place in places)
        if goal.treatment is not None and not any(how == goal.treatment for how, _ in scene.seen.treated):
            appliances = " or ".join(scene.believed.appliances[goal.treatment])
            yield f"Next time: {goal.treatment} the {goal.thing} with the {appliances}."
        if goal.target is not None:
            yield f"Next time: bring the {goal.thing} to the {goal.target.kind}."

    def formalize(self, action: str, instructions: str) -> str | None:
        if not _GOES.search(instructions):
            return None
        meant = without_opening(_ARTICLE.sub("", plain(action)))
        laid = "put {x} in/on {y}" if PUTS.search(instructions) else "move {x} to {y}"
        for said, form in ((_LAID, laid), *_MEANT):
            if found := said.fullmatch(meant):
                return form.format(**found.groupdict())
        return meant


def _next(scene: Scene) -> Move:
    goal, held = scene.goal, scene.seen.held
    if COMPLETED not in scene.instead_of and scene.believes_reached():
        return Move("The observations show that the goal is reached.", COMPLETED)
    if goal.thing is None:
        return use_one(scene, str(goal.lamp))
    if held is None:
        return _empty_handed(scene, goal.thing)
    if kind_in(held) != goal.thing:
        return get_rid(scene, held)
    if not scene.treated(held):
        return treat(scene, held)
    if goal.target is not None:
        # Of two objects, the second belongs where the first one lies.
        targets = scene.places(goal.target)
        return lay(scene, held, targets if goal.count == 1 else sorted(targets, key=scene.reached_in, reverse=True))
    if goal.lamp is not None:
        return use_one(scene, goal.lamp)
    return get_rid(scene, held)  # the goal is reached, but the reader misreads that


def _empty_handed(scene: Scene, thing: str) -> Move:
    if move := treat_inside(scene, thing):
        return move
    move = take_one(scene, thing)
    in_doubt = move.action == "task failed" or any(action.startswith("take ") for action in scene.seen.refused)
    if in_doubt and not scene.seen.sure:
        return Move("I am not sure what I hold, so I look.", "inventory")
    return move


def subject_of(scene: Scene) -> str:
    """What is to be done now, as a pattern of the steps of a plan that are about it."""
    goal, held = scene.goal, scene.seen.held
    if goal.thing is not None and (held is None or kind_in(held) != goal.thing):
        return _ABOUT_FINDING
    if goal.treatment is not None and (goal.treatment, held) not in scene.seen.treated:
        return rf"\b{goal.treatment}\b"
    return _ABOUT_LIGHTING if goal.target is None else _ABOUT_LAYING
