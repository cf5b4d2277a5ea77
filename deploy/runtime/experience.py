"""What an episode went through, as its journal tells it."""

from collections.abc import Sequence

from actors.decision_text import read_thought
from protocols.events import CallMade, Record, SessionOpened, StepTaken
from protocols.execution import Turn
from protocols.learning import Experience


def experience(task: str, records: Sequence[Record]) -> Experience:
    """Every step of the world, each under the first thought since the step before it and the action that was taken.

    Args:
        task: its name.
        records: of one attempt, as the conversation went.
    """
    opening = ""
    turns: list[Turn] = []
    said: list[str] = []
    for record in records:
        match record.event:
            case SessionOpened(observation=observation):
                opening = opening or observation
            case CallMade(completion=completion):
                said.append(completion.text)
            case StepTaken(action=action, observation=observation):
                turns.append(Turn(completion=_completion(said, action), observation=observation))
                said = []
            case _:
                pass
    return Experience(task=task, opening=opening, turns=tuple(turns))


def _completion(said: Sequence[str], action: str) -> str:
    # A completion that is an action alone says no thought, unless it is all that was said.
    thought = next((thought for text in said[: len(said) - 1 or 1] if (thought := read_thought(text))), "")
    return "\n".join([*([f"Thought: {thought}"] if thought else []), f"Action: {action}"])
