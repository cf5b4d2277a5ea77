"""The reader of TextCraft prompts."""

from collections.abc import Sequence

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.asked import Asked
from quintet.models.sim.chance import Chance
from quintet.models.sim.hindsight import overlook, read_job, read_lessons
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.plans import plan_in
from quintet.models.sim.request import action_to_reword, instructions
from quintet.models.sim.skills import Skill
from quintet.models.sim.textcraft.executor import next_action
from quintet.models.sim.textcraft.following import step_at
from quintet.models.sim.textcraft.formalizing import formal
from quintet.models.sim.textcraft.misreading import misread
from quintet.models.sim.textcraft.planner import plan
from quintet.models.sim.textcraft.reflecting import flaws, revision, summary
from quintet.models.sim.textcraft.revising import revised
from quintet.models.sim.textcraft.task import Step, Task, read_task
from quintet.models.sim.thinking import aloud, decided


def answer(
    messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, chance: Chance, misreading: Misreading
) -> str | None:
    """What a player says next; None if the prompt poses no task of TextCraft."""
    match wanted.answer:
        case "formal":
            made = formal(instructions(messages), action_to_reword(messages))
            return None if made is None else f"Action: {made}"
        case "update":
            made = revised(overlook(read_lessons(messages[-1].content), misreading), chance)
            return None if made is None else f"Plan:\n{made}"
        case "summary" | "flaws" | "revision":
            return _looked_back(messages, wanted, misreading)
        case "thought" | "action" | "plan":
            read = read_task(messages)
            return None if read is None else _played(messages, *read, wanted, skill, chance, misreading)


def _looked_back(messages: Sequence[ChatMessage], wanted: Asked, misreading: Misreading) -> str | None:
    found = read_job(messages)
    if found is None or (read := read_task(found[0].messages)) is None:
        return None
    task, told = read
    steps = [
        step for step in told if not misreading.wrong(task.wording, "looks back on", step.answer, step.observation)
    ]
    if wanted.answer == "summary":
        return summary(steps, succeeded=found[0].succeeded)
    return flaws(steps) if wanted.answer == "flaws" else revision(steps)


def _played(
    messages: Sequence[ChatMessage],
    task: Task,
    steps: Sequence[Step],
    wanted: Asked,
    skill: Skill,
    chance: Chance,
    misreading: Misreading,
) -> str:
    task = misread(task, misreading)
    if wanted.answer == "plan":
        return _planned(task, wanted, chance)
    if wanted.thought and (action := decided(wanted.thought)):
        return f"Action: {action}"
    followed = plan_in(messages)
    thought, action = next_action(task, steps, skill, chance, misreading, plan=followed, claims=wanted.claims)
    if wanted.answer == "thought":
        return aloud(step_at(followed, action), thought, action)
    return f"Thought: {thought}\nAction: {action}" if wanted.aloud else f"Action: {action}"


def _planned(task: Task, wanted: Asked, chance: Chance) -> str:
    thought, lines = plan(task, chance)
    numbered = [f"Step {number}: {line}" for number, line in enumerate(lines, start=1)]
    joined = " AND ".join(f"Step {number}" for number in range(1, len(lines) + 1))
    return "\n".join([thought, *numbered, *([f"Execution Order: ({joined})"] if wanted.ordered else ())])
