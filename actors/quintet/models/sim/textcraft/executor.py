"""The next action of an agent in TextCraft, and the thought before it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from quintet.models.sim.chance import Chance
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.skills import Skill
from quintet.models.sim.textcraft.belief import Belief, believe
from quintet.models.sim.textcraft.choosing import OutOfReachError, choice, command_for
from quintet.models.sim.textcraft.crafting import Fetch, Job, Workshop
from quintet.models.sim.textcraft.following import looks_first
from quintet.models.sim.textcraft.misreading import takes_for_reached
from quintet.models.sim.textcraft.task import Goal, Step, Task

_MOST_CHOICES = 8


def next_action(
    task: Task,
    steps: Sequence[Step],
    skill: Skill,
    chance: Chance,
    misreading: Misreading,
    *,
    plan: str = "",
    claims: bool = True,
) -> tuple[str, str]:
    """The thought and the action that follow the steps, as far as the skill reads them.

    Args:
        task: what is posed.
        steps: all of them.
        skill: says how much is read.
        chance: decides between equals.
        misreading: decides what is misread.
        plan: what one was given to follow; may be empty.
        claims: whether one may say that the goal is reached, or cannot be; otherwise one goes on.
    """
    read = steps if skill.window is None else steps[-skill.window :]
    belief = believe(task.carried, read)
    if looks_first(plan) and len(read) < len(steps) and not belief.counted:
        return "I do not know for sure what I hold, and the plan says to look.", "inventory"
    thought, action = _next(task, belief, chance, misreading)
    if not claims and action.startswith("task "):
        return "I see nothing more to do, so I look at what I hold.", "inventory"
    return thought, action


def _next(task: Task, belief: Belief, chance: Chance, misreading: Misreading) -> tuple[str, str]:
    goal = task.goal
    if belief.doubtful is not None and belief.doubtful not in belief.refused:
        return "I hold less than I thought, so I look at what there is.", "inventory"
    reached = _is_reached(task, belief)
    if takes_for_reached(task, belief, misreading, reached=reached):
        what = f"crafted {goal.item}" if goal.craft else f"{goal.count} {goal.item}"
        return f"I have {what}, as was asked.", "task completed"
    # A reader that does not see that it has what is wanted makes it again, as if it held nothing.
    carried = Counter[str]() if reached else belief.carried
    try:
        jobs = _jobs_left(task, belief, carried)
    except OutOfReachError as error:
        return f"I see no way to come by {error.item}.", "task failed"
    job = chance.choose(_possible_now(jobs))
    return _thought(job, goal), str(job)


def _is_reached(task: Task, belief: Belief) -> bool:
    goal = task.goal
    if goal.craft:
        return belief.crafted[goal.item] > 0
    return any(belief.carried[item] >= goal.count for item in choice(task.book, goal.item, goal.count))


def _jobs_left(task: Task, belief: Belief, carried: Mapping[str, int]) -> list[Job]:
    workshop = Workshop(task.book, carried, not_found=belief.not_found, refused=belief.refused)
    if task.goal.craft:
        return workshop.make(command_for(task.book, task.goal, belief.refused))
    return workshop.have(task.goal.item, max(1, task.goal.count))


def _possible_now(jobs: Sequence[Job]) -> list[Job]:
    """The first job, and those that could as well come first: whatever is only to be fetched."""
    fetches = dict.fromkeys(job for job in jobs[1:] if isinstance(job, Fetch) and job != jobs[0])
    return [jobs[0], *islice(fetches, _MOST_CHOICES)]


def _thought(job: Job, goal: Goal) -> str:
    aim = f"craft {goal.item}" if goal.craft else f"have {goal.count} {goal.item}"
    if isinstance(job, Fetch):
        return f"To {aim}, I still need {job.count} {job.item}, which I try to get."
    held = " and ".join(f"{count} {item}" for item, count in job.needs)
    return f"To {aim}, I use the command for {job.makes}; I hold the {held} that it takes."
