"""Writing the plan for jobs in households anew, from the plan so far and what jobs taught.

The plan says of each treatment that the jobs ask for what is believed of it: with what it is done, whether the object
is held then or lies inside, and what was found not to do it. What was seen to work counts for more than what somebody
suggests, that for more than the plan so far, and that for more than what one thought to begin with. Where nothing
speaks against the plan, it stays as it is, to the letter.

A job that failed, and of which nobody says why, must have failed of something; so a writer who is not sure how things
work takes one thing of the plan for the reason, at a guess, and writes it otherwise. Source: AutoPlan, figure 5, also
for the guess that an appliance has to be emptied first.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quintet.models.sim.alfworld.beliefs import APPLIANCES, MISTAKEN, PUT_INSIDE, told_by
from quintet.models.sim.alfworld.goal import Goal, Treatment
from quintet.models.sim.alfworld.task import posed
from quintet.models.sim.chance import Chance
from quintet.models.sim.hindsight import Lesson, Lessons

_EMPTIED = re.compile(r"\btake out what is in\b", re.IGNORECASE)
_PUTS_IN = re.compile(r"\bput <\w+> in/on\b")
_STATES: dict[Treatment, str] = {"clean": "clean", "heat": "hot", "cool": "cool"}


@dataclass(frozen=True)
class Way:
    """How an object is thought to be treated."""

    how: Treatment
    appliance: str
    in_hand: bool
    emptied: bool
    """What lies in the appliance is thought to be in the way."""
    useless: tuple[str, ...]
    """Kinds of places that are known not to do it."""


def revised(instructions: str, lessons: Lessons, chance: Chance, *, misled: bool) -> str | None:
    """The new plan; None where no lesson is about a household.

    Args:
        instructions: what lists the actions, so that the plan can use their form.
        lessons: what is told.
        chance: decides what is guessed.
        misled: whether the writer began with wrong beliefs about how things work.
    """
    posing = [(task.goal, lesson) for lesson in lessons.jobs if (task := posed(lesson.opening)) is not None]
    if not posing:
        return None
    before = _ways(lessons.plan, (), _treatments(lessons.plan, ()), misled=misled)
    goals = [goal for goal, _ in posing]
    after = _ways(lessons.plan, lessons.jobs, _treatments(lessons.plan, goals), misled=misled)
    unexplained: set[Treatment | None] = {goal.treatment for goal, lesson in posing if lesson.unexplained}
    if misled:
        after = _guessed(after, unexplained, chance)
    if lessons.plan and after == before and all(_covered(lessons.plan, goal) for goal in goals):
        return lessons.plan
    lines = _lines(after, goals, lessons.plan, puts=_PUTS_IN.search(instructions) is not None)
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _treatments(plan: str, goals: Sequence[Goal]) -> list[Treatment]:
    """What the plan or the goals are about."""
    named = {how for how, _ in told_by([plan]).works} | {goal.treatment for goal in goals}
    return [how for how in APPLIANCES if how in named]


def _ways(plan: str, jobs: Sequence[Lesson], treatments: Sequence[Treatment], *, misled: bool) -> list[Way]:
    seen = told_by(job.summary for job in jobs if job.succeeded)
    tried = told_by(job.revision for job in jobs if told_by([job.revision]).in_hand)
    suggested = told_by(job.revision for job in jobs)
    wrong = told_by(job.flaws for job in jobs)
    planned = told_by([plan])
    # What one wrote about before counts less than what speaks against it now, so all that failed is put together.
    fails = (planned.fails | wrong.fails | suggested.fails) - seen.works
    in_hand = seen.in_hand | suggested.in_hand | wrong.in_hand | planned.in_hand
    base = MISTAKEN if misled else APPLIANCES
    ways: list[Way] = []
    for how in treatments:
        suggestions = Counter(
            kind for job in jobs for each, kind in sorted(told_by([job.revision]).works) if each == how
        )
        said = [
            *(kind for told in (seen, tried) for each, kind in sorted(told.works) if each == how),
            *(kind for kind, _ in suggestions.most_common()),
            *(kind for each, kind in sorted(planned.works) if each == how),
        ]
        left = [kind for kind in (*said, *base[how]) if (how, kind) not in fails]
        ways.append(
            Way(
                how=how,
                appliance=(left or said or list(base[how]))[0],
                in_hand=how in in_hand or not misled or how not in PUT_INSIDE,
                emptied=_EMPTIED.search(plan) is not None,
                useless=tuple(sorted(kind for each, kind in fails if each == how)),
            )
        )
    return ways


def _guessed(ways: Sequence[Way], unexplained: set[Treatment | None], chance: Chance) -> list[Way]:
    """The ways with one thing otherwise, where jobs failed of nobody knows what."""
    others = [(number, other) for number, way in enumerate(ways) if way.how in unexplained for other in _otherwise(way)]
    if not others:
        return list(ways)
    number, other = chance.guess(others)
    return [*ways[:number], other, *ways[number + 1 :]]


def _otherwise(way: Way) -> Iterator[Way]:
    """What a misled writer could take for wrong."""
    kinds = [kind for kind in MISTAKEN[way.how] if kind == way.appliance or kind not in way.useless]
    if len(kinds) > 1:
        at = kinds.index(way.appliance) if way.appliance in kinds else -1
        yield replace(way, appliance=kinds[(at + 1) % len(kinds)])
    if way.how in PUT_INSIDE:
        yield replace(way, in_hand=not way.in_hand)
        yield replace(way, emptied=not way.emptied)


def _covered(plan: str, goal: Goal) -> bool:
    """Whether a plan speaks of what a goal asks for beside a treatment."""
    return (goal.lamp is None or "lamp" in plan) and (goal.count == 1 or "second" in plan)


def _lines(ways: Sequence[Way], goals: Sequence[Goal], plan: str, *, puts: bool) -> Iterator[str]:
    lay = "put <object> in/on <place>" if puts else "move <object> to <place>"
    several = len(ways) > 1 or any(goal.treatment is None for goal in goals)
    yield "Look for the object where such things usually are: go to <place>, and open <place> if it is closed."
    yield "As soon as you see the object: take <object> from <place>."
    for way in ways:
        yield from _treating(way, lay, f"If the goal asks for a {_STATES[way.how]} object: " if several else "")
    if any(goal.lamp for goal in goals) or "lamp" in plan:
        yield "If the goal names a lamp, look for it with the object, and there: use <object>."
    if any(goal.target for goal in goals) or not goals:
        yield f"Go to the place that the goal names, open it if it is closed, and there: {lay}."
    if any(goal.count > 1 for goal in goals) or "second" in plan:
        yield "If the goal asks for two, do the same again with a second one."
    for way in ways:
        yield from (f"A {kind} cannot be used for {way.how}ing." for kind in way.useless)


def _treating(way: Way, lay: str, when: str) -> Iterator[str]:
    for line in _handling(way, lay):
        yield f"{when}{line[0].lower()}{line[1:]}" if when else line


def _handling(way: Way, lay: str) -> Iterator[str]:
    verb = way.how.capitalize()
    yield f"Go to a {way.appliance}: go to <place>."
    if way.emptied:
        yield f"Take out what is in the {way.appliance} first: take <object> from <place>."
    if way.in_hand:
        yield f"{verb} the object with the {way.appliance} while you hold it: {way.how} <object> with <place>."
    else:
        yield f"Lay the object into the {way.appliance}: {lay}."
        yield f"{verb} the object with the {way.appliance}: {way.how} <object> with <place>."
