"""The reader of ALFWorld prompts."""

from collections.abc import Sequence
from dataclasses import replace

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.alfworld.beliefs import beliefs
from quintet.models.sim.alfworld.executor import next_action
from quintet.models.sim.alfworld.following import step_at
from quintet.models.sim.alfworld.formalizing import formal
from quintet.models.sim.alfworld.mind import mind
from quintet.models.sim.alfworld.misreading import misread
from quintet.models.sim.alfworld.planner import plan
from quintet.models.sim.alfworld.reflecting import flaws, revision, summary
from quintet.models.sim.alfworld.revising import revised
from quintet.models.sim.alfworld.task import Reading, read_prompt
from quintet.models.sim.asked import Asked
from quintet.models.sim.chance import Chance
from quintet.models.sim.hindsight import overlook, read_job, read_lessons
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.plans import plan_in
from quintet.models.sim.request import action_to_reword, instructions
from quintet.models.sim.skills import Skill
from quintet.models.sim.thinking import aloud, decided


def answer(
    messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, chance: Chance, misreading: Misreading
) -> str | None:
    """What a player says next; None if the prompt poses no task of a household."""
    match wanted.answer:
        case "formal":
            made = formal(instructions(messages), action_to_reword(messages))
            return None if made is None else f"Action: {made}"
        case "update":
            lessons = overlook(read_lessons(messages[-1].content), misreading)
            made = revised(instructions(messages), lessons, chance, misled=skill.misled)
            return None if made is None else f"Plan:\n{made}"
        case "summary" | "flaws" | "revision":
            return _looked_back(messages, wanted, skill, misreading)
        case "thought" | "action" | "plan":
            reading = read_prompt(messages)
            return None if reading is None else _played(messages, reading, wanted, skill, chance, misreading)


def _looked_back(messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, misreading: Misreading) -> str | None:
    found = read_job(messages)
    if found is None or (reading := read_prompt(found[0].messages)) is None:
        return None
    job, _ = found
    wording, steps = reading.task.wording, reading.steps
    seen = (step for step in steps if not misreading.wrong(wording, "looks back on", step.action, step.observation))
    reading = replace(reading, steps=tuple(seen))
    if wanted.answer == "summary":
        return summary(reading, succeeded=job.succeeded)
    return flaws(reading, job.plan) if wanted.answer == "flaws" else revision(reading, job.plan, misled=skill.misled)


def _played(
    messages: Sequence[ChatMessage],
    reading: Reading,
    wanted: Asked,
    skill: Skill,
    chance: Chance,
    misreading: Misreading,
) -> str | None:
    if wanted.answer == "plan":
        return _planned(reading, wanted, skill, chance, misreading)
    if wanted.thought and (action := decided(wanted.thought)):
        return f"Action: {action}"
    now = mind(reading, skill, chance, misreading)
    thought, action = next_action(now, claims=wanted.claims)
    if wanted.answer == "thought":
        return aloud(step_at(plan_in(messages), now), thought, action)
    return f"Thought: {thought}\nAction: {action}" if wanted.aloud else f"Action: {action}"


def _planned(reading: Reading, wanted: Asked, skill: Skill, chance: Chance, misreading: Misreading) -> str:
    believed = misread(beliefs(reading.texts, misled=skill.misled), reading.task, misreading)
    made = plan(reading.task, believed, chance, misreading)
    numbered = [f"Step {number}: {line}" for number, line in enumerate(made.steps, start=1)]
    joined = (" OR " if made.any_one else " AND ").join(f"Step {n}" for n in range(1, len(made.steps) + 1))
    order = [f"Execution Order: ({joined})"] if wanted.ordered else []
    return "\n".join([f"Thought: {made.thought}", *numbered, *order])
