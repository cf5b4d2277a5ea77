"""Reflects on a job in a household, and writes the plan from it.

A summary tells what was carried out, and not why the rest was not. Flaws come from what the household answered: what
it refused, and its reason. A thing that was not found is no flaw. A revision goes as far as the job shows: what was
seen to work, else what has not failed yet; and what was not carried when it had to be.

The plan says of each treatment what is believed of it: the appliance, whether the object is held or lies inside, and
what was found not to work. What was seen to work counts for more than suggestions, those for more than the plan so
far, and that for more than the beliefs one begins with. Where nothing speaks against the plan, it stays, to the letter.
Where a job failed and no reflection says why, a misled writer changes one thing at a guess.

Source: AutoPlan, figure 5, also for the guess that an appliance has to be emptied first.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from quintet.messages.planning import Lesson
from quintet.models.sim.alfworld.beliefs import APPLIANCES, MISTAKEN, PUT_INSIDE, beliefs_after, claims_in
from quintet.models.sim.alfworld.task import HouseGoal, HouseTask, Treatment, kind_in, treatment
from quintet.models.sim.hindsight import unexplained
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.player import NO_FLAW, Player
from quintet.models.sim.transcript import Exchange, Reading, plan_steps

_REFUSED = re.compile(r"nothing happens\.?", re.IGNORECASE)
_TREATING = re.compile(r"(heat|cool|clean) [a-z]+ \d{1,9} with ([a-z]+ \d{1,9})")
_LAYING = re.compile(r"(?:move|put) [a-z]+ \d{1,9} (?:to|in/on) ([a-z]+ \d{1,9})")
_DONE = re.compile(r"\byou (heat|cool|clean) the [a-z]+ \d{1,9} using the ([a-z]+) \d{1,9}\.", re.IGNORECASE)
PUTS = re.compile(r"\bput <\w+> in/on\b")
"""Finds the form of action by which objects are laid down in one of the dialects."""
_EMPTIED = re.compile(r"\btake out what is in\b", re.IGNORECASE)
_STATES: dict[Treatment, str] = {"clean": "clean", "heat": "hot", "cool": "cool"}


class AlfworldHindsight(Player[HouseTask]):
    """Looks back on jobs, and writes their plan."""

    def summarize(self, steps: Sequence[Exchange]) -> Iterator[str]:
        done = [step for step in steps if step.observation and not _REFUSED.search(step.observation)]
        for going, group in groupby(done, lambda step: step.action.startswith("go to ")):
            if going:
                yield "go to " + ", then ".join(step.action.removeprefix("go to ") for step in group)
            else:
                yield from (s.action + " while holding it" * bool(_DONE.search(s.observation)) for s in group)

    def find_flaws(self, reading: Reading[HouseTask], plan: str) -> Sequence[str]:
        """What was refused and why, the treatment of the object first."""
        refused = _refused(reading.steps).items()
        if lines := [f"- {_step_of(plan, action)}{action}: {cause}" for action, cause in refused]:
            return sorted(lines, key=lambda line: _TREATING.search(line) is None)
        thing = reading.task.goal.thing
        if not reading.steps or any(step.action.startswith(f"take {thing} ") for step in reading.steps):
            return []
        return [f"{NO_FLAW} No {thing} was found, which is nobody's fault."]

    def suggest(self, reading: Reading[HouseTask], plan: str, skill: Skill) -> Iterator[str]:
        goal, refused = reading.task.goal, _refused(reading.steps)
        if (how := goal.treatment) is None:
            return
        treating = [(kind_in(at[2]), cause) for each, cause in refused.items() if (at := _TREATING.fullmatch(each))]
        laying = [kind for each, cause in refused.items() if (kind := _too_small(each, cause, how, goal))]
        worked = next((done[2].lower() for step in reading.steps if (done := _DONE.search(step.observation))), None)
        if worked is not None and (treating or laying):
            yield f"{how.capitalize()} the object with the {worked} while you hold it: this was seen to work."
            return
        causes = [cause for _, cause in treating]
        claims = claims_in(causes)
        failed = dict.fromkeys((*laying, *(kind for kind, _ in treating if (how, kind) in claims.fails)))
        kinds = beliefs_after((plan, *causes), misled=skill.misled).appliances[how]
        left = [kind for kind in kinds if kind not in failed]
        best = next((kind for kind in left if kind in reading.task.kinds()), left[0] if left else None)
        if failed and best:
            yield f"{how.capitalize()} the object with the {best}."
            yield from (f"A {kind} cannot be used for {how}ing." for kind in failed)
        held = next((kind for kind, why in treating if how in claims_in([why]).in_hand and kind not in failed), None)
        if held is not None:
            yield f"Keep the object in your hand while you {how} it with the {held}."
        elif how in claims.in_hand or (laying and not best):
            yield f"Keep the object in your hand while you {how} it."

    def rewrite_plan(
        self, plan: str, jobs: Sequence[tuple[HouseTask, Lesson]], instructions: str, mind: Mind
    ) -> Sequence[str] | None:
        goals, lessons, misled = [task.goal for task, _ in jobs], [lesson for _, lesson in jobs], mind.skill.misled
        before = _ways(plan, (), _treatments(plan, ()), misled=misled)
        after = _ways(plan, lessons, _treatments(plan, goals), misled=misled)
        in_question = {task.goal.treatment for task, lesson in jobs if misled and unexplained(lesson)}
        others = [
            [*after[:number], other, *after[number + 1 :]]
            for number, way in enumerate(after)
            if way.how in in_question
            for other in _alternatives(way)
        ]
        after = mind.chance.guess(others) if others else after
        if plan and after == before and all(_covered(plan, goal) for goal in goals):
            return None
        lay_down = "put <object> in/on <place>" if PUTS.search(instructions) else "move <object> to <place>"
        return list(_lines(after, goals, plan, lay_down))


def _refused(steps: Sequence[Exchange]) -> dict[str, str]:
    """The actions that were refused, and why, as the household said."""
    found = ((step.action, said, _REFUSED.match(said)) for step in steps if (said := step.observation) and step.action)
    none = "nothing happened, and no reason was given."
    return {action: said[refused.end() :].strip() or none for action, said, refused in found if refused}


def _step_of(plan: str, action: str) -> str:
    """The step of the plan that an action followed, if it is one that treats the object."""
    if (found := _TREATING.fullmatch(action)) is None:
        return ""
    claim = (treatment(found[1]), kind_in(found[2]))
    number = next((number for number, text in plan_steps(plan) if claim in claims_in([text]).works), None)
    return "" if number is None else f"step {number} of the plan, "


def _too_small(action: str, cause: str, how: Treatment, goal: HouseGoal) -> str | None:
    """The kind of appliance that an object did not fit into when it was to be treated there."""
    found = _LAYING.fullmatch(action)
    if found is None or "does not fit" not in cause or (goal.target is not None and goal.target.covers(found[1])):
        return None
    return kind_in(found[1]) if kind_in(found[1]) in MISTAKEN[how] else None


@dataclass(frozen=True)
class _Way:
    """How an object is thought to be treated."""

    how: Treatment
    appliance: str
    in_hand: bool
    emptied: bool
    """What lies in the appliance is thought to be in the way."""
    useless: tuple[str, ...]
    """Kinds of places that are known not to work."""


def _treatments(plan: str, goals: Sequence[HouseGoal]) -> list[Treatment]:
    """What the plan or the goals are about."""
    named = {how for how, _ in claims_in([plan]).works} | {goal.treatment for goal in goals}
    return [how for how in APPLIANCES if how in named]


def _ways(plan: str, jobs: Sequence[Lesson], treatments: Sequence[Treatment], *, misled: bool) -> list[_Way]:
    seen = claims_in(job.summary for job in jobs if job.succeeded)
    held = claims_in(job.revision for job in jobs if claims_in([job.revision]).in_hand)
    suggested = claims_in(job.revision for job in jobs)
    wrong = claims_in(job.flaws for job in jobs)
    planned = claims_in([plan])
    # What the plan claims counts less than what speaks against it now, so all that failed is put together.
    fails = (planned.fails | wrong.fails | suggested.fails) - seen.works
    in_hand = seen.in_hand | suggested.in_hand | wrong.in_hand | planned.in_hand
    base = MISTAKEN if misled else APPLIANCES
    ways: list[_Way] = []
    for how in treatments:
        counted = Counter(kind for job in jobs for each, kind in sorted(claims_in([job.revision]).works) if each == how)
        said = [
            *(kind for claims in (seen, held) for each, kind in sorted(claims.works) if each == how),
            *(kind for kind, _ in counted.most_common()),
            *(kind for each, kind in sorted(planned.works) if each == how),
        ]
        left = [kind for kind in (*said, *base[how]) if (how, kind) not in fails]
        ways.append(
            _Way(
                how=how,
                appliance=(left or said or list(base[how]))[0],
                in_hand=how in in_hand or not misled or how not in PUT_INSIDE,
                emptied=_EMPTIED.search(plan) is not None,
                useless=tuple(sorted(kind for each, kind in fails if each == how)),
            )
        )
    return ways


def _alternatives(way: _Way) -> Iterator[_Way]:
    """What a misled writer might try instead."""
    kinds = [kind for kind in MISTAKEN[way.how] if kind == way.appliance or kind not in way.useless]
    if len(kinds) > 1:
        at = kinds.index(way.appliance) if way.appliance in kinds else -1
        yield replace(way, appliance=kinds[(at + 1) % len(kinds)])
    if way.how in PUT_INSIDE:
        yield replace(way, in_hand=not way.in_hand)
        yield replace(way, emptied=not way.emptied)


def _covered(plan: str, goal: HouseGoal) -> bool:
    """Whether a plan covers what a goal asks for beside a treatment."""
    return (goal.lamp is None or "lamp" in plan) and (goal.count == 1 or "second" in plan)


def _lines(ways: Sequence[_Way], goals: Sequence[HouseGoal], plan: str, lay_down: str) -> Iterator[str]:
    several = len(ways) > 1 or any(goal.treatment is None for goal in goals)
    yield "Look for the object where such things usually are: go to <place>, and open <place> if it is closed."
    yield "As soon as you see the object: take <object> from <place>."
    for way in ways:
        when = f"If the goal asks for a {_STATES[way.how]} object: " if several else ""
        yield from (f"{when}{line[0].lower()}{line[1:]}" if when else line for line in _treating(way, lay_down))
    if any(goal.lamp for goal in goals) or "lamp" in plan:
        yield "If the goal names a lamp, look for it with the object, and there: use <object>."
    if any(goal.target for goal in goals):
        yield f"Go to the place that the goal names, open it if it is closed, and there: {lay_down}."
    if any(goal.count > 1 for goal in goals) or "second" in plan:
        yield "If the goal asks for two, do the same again with a second one."
    for way in ways:
        yield from (f"A {kind} cannot be used for {way.how}ing." for kind in way.useless)


def _treating(way: _Way, lay_down: str) -> Iterator[str]:
    treats = f"{way.how.capitalize()} the object with the {way.appliance}"
    action = f"{way.how} <object> with <place>."
    yield f"Go to a {way.appliance}: go to <place>."
    if way.emptied:
        yield f"Take out what is in the {way.appliance} first: take <object> from <place>."
    if way.in_hand:
        yield f"{treats} while you hold it: {action}"
    else:
        yield f"Lay the object into the {way.appliance}: {lay_down}."
        yield f"{treats}: {action}"
