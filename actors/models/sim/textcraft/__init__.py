"""The reader of TextCraft prompts."""

from collections.abc import Sequence

from actors.models.sim.asked import Asked
from actors.models.sim.chance import Chance
from actors.models.sim.skills import Skill
from actors.models.sim.textcraft.executor import next_action
from actors.models.sim.textcraft.planner import plan
from actors.models.sim.textcraft.task import read_task
from protocols.prompts import ChatMessage


def answer(messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, chance: Chance) -> str | None:
    """What a player says next; None if the prompt poses no task of TextCraft."""
    read = read_task(messages)
    if read is None:
        return None
    task, steps = read
    if wanted.answer == "plan":
        thought, lines = plan(task, chance)
        numbered = [f"Step {number}: {line}" for number, line in enumerate(lines, start=1)]
        joined = " AND ".join(f"Step {number}" for number in range(1, len(lines) + 1))
        return "\n".join([thought, *numbered, *([f"Execution Order: ({joined})"] if wanted.ordered else ())])
    thought, action = next_action(task, steps, skill, chance)
    return f"Thought: {thought}\nAction: {action}" if wanted.aloud else f"Action: {action}"
