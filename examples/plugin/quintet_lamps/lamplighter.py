"""The model: no language model, but rules that know lamps. A real one would call an endpoint in `complete`."""

import re

from quintet.author import Completion, Prompt, Sampling, complete_with

LAMP = re.compile(r"lamp (\d+) is (lit|dark)")
GOAL = re.compile(r"Goal: (.+)")


class Lamplighter:
    """Reads which lamps are dark, and plans or presses accordingly."""

    name = "lamplighter"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        reports = [message.content for message in messages if message.role == "user"]
        # Instructions may mention lamps too, so only user messages count. A lamp's last report is the current one.
        lamps = dict(report for text in reports for report in LAMP.findall(text))
        dark = [number for number, state in lamps.items() if state == "dark"]
        if any("\nList\n" in message.content for message in messages if message.role == "system"):
            text = _plan(dark)
        else:
            goals = GOAL.findall("\n".join(reports))
            meant = re.findall(r"\d+", goals[-1]) if goals else []
            text = _act([number for number in dark if not meant or number in meant])
        return complete_with(text, prompt, sampling)  # cuts the text as `sampling` says, and counts its tokens


def _plan(dark: list[str]) -> str:
    return "\n".join(["List", *(f"{place}. light lamp {number}" for place, number in enumerate(dark, start=1))])


def _act(dark: list[str]) -> str:
    if not dark:
        return "Thought: Every lamp that I was to light is lit.\nAction: task completed"
    return f"Thought: Lamp {dark[0]} is dark.\nAction: press {dark[0]}"
