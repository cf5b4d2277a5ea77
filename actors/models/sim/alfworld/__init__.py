"""The reader of ALFWorld prompts."""

from collections.abc import Sequence

from actors.models.sim.alfworld.beliefs import beliefs
from actors.models.sim.alfworld.executor import next_action
from actors.models.sim.alfworld.planner import plan
from actors.models.sim.alfworld.task import read_prompt
from actors.models.sim.asked import Asked
from actors.models.sim.chance import Chance
from actors.models.sim.skills import Skill
from protocols.prompts import ChatMessage


def answer(messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, chance: Chance) -> str | None:
    """What a player says next; None if the prompt poses no task of a household."""
    reading = read_prompt(messages)
    if reading is None:
        return None
    if wanted.answer == "plan":
        made = plan(reading.task, beliefs(reading.texts, misled=skill.misled), chance)
        numbered = [f"Step {number}: {line}" for number, line in enumerate(made.steps, start=1)]
        joined = (" OR " if made.any_one else " AND ").join(f"Step {n}" for n in range(1, len(made.steps) + 1))
        order = [f"Execution Order: ({joined})"] if wanted.ordered else []
        return "\n".join([f"Thought: {made.thought}", *numbered, *order])
    thought, action = next_action(reading, skill, chance)
    return f"Thought: {thought}\nAction: {action}" if wanted.aloud else f"Action: {action}"
