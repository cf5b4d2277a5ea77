"""Plans one task in a household, and judges which of the plan's steps an action serves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quintet.models.sim.alfworld.moves import appliances
from quintet.models.sim.alfworld.picture import REFUSED, TREATING, VIEW
from quintet.models.sim.alfworld.plans import direct_plan
from quintet.models.sim.alfworld.scene import Scene, scene_of
from quintet.models.sim.alfworld.task import HouseTask, kind_in, names_in, read_house_goal
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.transcript import Exchange, Reading


class AlfworldSteps(Player[HouseTask]):
    """Plans what to take, treat and put, and judges it step by step."""

    def plan_steps(self, reading: Reading[HouseTask], mind: Mind) -> Sequence[str]:
        return list(direct_plan(scene_of(reading, mind))) or [reading.task.wording]

    def with_goal(self, task: HouseTask, goal: str, times: int) -> HouseTask | None:
        """What is to be put somewhere twice are two things."""
        read = read_house_goal(goal)
        if read is None:
            return None
        count = max(read.count, times) if read.target is not None else read.count
        return replace(task, wording=goal, goal=replace(read, count=count))

    def serves(self, reading: Reading[HouseTask], before: Exchange, done: Exchange, mind: Mind) -> bool:
        """Whether the step's thing was taken, treated, laid down or used as it says, or seen, or its place found."""
        then = scene_of(replace(reading, steps=(), past=(before,)), mind)
        now = scene_of(replace(reading, steps=(), past=(before, done)), mind)
        goal, seen = now.goal, now.seen
        if done.action in seen.refused:
            return False
        if treated := seen.treated - then.seen.treated:
            return any(how == goal.treatment and kind_in(thing) == goal.thing for how, thing in treated)
        if laid := seen.laid - then.seen.laid:
            return any(kind_in(thing) == goal.thing and _belongs(now, place) for thing, place in laid)
        if lit := seen.lit - then.seen.lit:
            return any(kind_in(lamp) == goal.lamp for lamp in lit)
        if seen.held is not None and seen.held != then.seen.held:
            return kind_in(seen.held) == goal.thing
        moved = (seen.here, seen.contents, seen.closed) != (then.seen.here, then.seen.contents, then.seen.closed)
        return moved and seen.here is not None and _leads_on(now, seen.here)

    def shorten(self, goal: str, observation: str) -> str | None:
        """The things that a view lists are left out, but for those of the goal."""
        read = read_house_goal(goal)
        if read is None:
            return None
        wanted = (read.thing, read.lamp)
        for view in VIEW.finditer(observation):
            things = [f"a {name}" for name in names_in(view[3]) if kind_in(name) in wanted]
            observation = observation.replace(view[3], ", ".join(things) or "nothing for the goal", 1)
        return observation

    def outlasting(self, steps: Sequence[Exchange]) -> Iterator[Exchange]:
        """What each place held when it was first seen, and what could not be treated where."""
        seen: dict[str, Exchange] = {}
        for step in steps:
            if view := VIEW.search(step.observation):
                place = view[1] or view[2]
                seen.setdefault(place, Exchange("", f"On the {place}, you see {view[3]}."))
            elif REFUSED.search(step.observation.lower()) and TREATING.fullmatch(step.action):
                yield step
        yield from seen.values()
        if seen:
            yield Exchange("", "You are in the middle of a room.")


def _belongs(scene: Scene, place: str) -> bool:
    """Whether a place is where the step has the thing laid down, or put in to be treated."""
    goal = scene.goal
    return (goal.target is not None and goal.target.covers(place)) or place in appliances(scene)


def _leads_on(scene: Scene, place: str) -> bool:
    """Whether the step is done at a place, or its thing is there, or may be behind its door."""
    if _belongs(scene, place):
        return True
    there = scene.seen.contents.get(place, ())
    wanted = any(kind_in(thing) in (scene.goal.thing, scene.goal.lamp) for thing in there)
    return scene.goal.admits(place) and (wanted or place in scene.seen.closed)
