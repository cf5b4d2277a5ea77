"""Reads a prompt that shows two processes, and finds the first step in which they part."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.draws import Misreading
from quintet.models.sim.transcript import goals_in

_PROCESS = re.compile(r"^process \d{1,4}\b[^\n]*:[ \t]*$", re.IGNORECASE | re.MULTILINE)
_STEP = re.compile(r"^[ \t]*\d{1,4}[.)][ \t]*(?:action[ \t]*:[ \t]*)?(?=\S)", re.IGNORECASE | re.MULTILINE)
_OBSERVATION = re.compile(r"\s*^[ \t]*observation[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)


def find_parting(messages: Sequence[ChatMessage], misreading: Misreading) -> str | None:
    """The number of the step, with a reason; None if the prompt does not show two processes.

    The step is one of the first process: the first whose action or observation the second does not have in the same
    place. Which step it is, is one question, misread as another step of that process.
    """
    text = "\n\n".join(message.content for message in messages if message.role == "user")
    before, *processes = _PROCESS.split(text)
    if len(processes) != 2 or not (better := _steps(processes[0])):
        return None
    worse = _steps(processes[1])
    pairs = enumerate(zip_longest(better, worse[: len(better)]), 1)
    right = next((number for number, (one, other) in pairs if one != other), len(better))
    others = [number for number in range(1, len(better) + 1) if number != right]
    goal = next(iter(goals_in(before)), "")
    step = misreading.answer(right, others, goal, "parts at", better[right - 1][0])
    instead = f", and the second does {worse[step - 1][0]}" if step <= len(worse) else ", where the second had ended"
    return f"{step}: there the first process does {better[step - 1][0]}{instead}."


def _steps(process: str) -> list[tuple[str, str]]:
    """The action and the observation of each step; the latter is empty where it is not shown."""
    found = (_OBSERVATION.split(step, maxsplit=1) for step in _STEP.split(process)[1:])
    return [(" ".join(action.lower().split()), " ".join("".join(seen).split())) for action, *seen in found]
