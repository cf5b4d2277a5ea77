"""What a simulated model says, and what is in it."""

import asyncio
import re

from quintet.messages.prompts import Prompt
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling


def said(model: Simulated, prompt: Prompt, sampling: Sampling | None = None) -> str:
    return asyncio.run(model.complete(prompt, sampling or Sampling())).text


def action_in(text: str) -> str:
    found = re.search(r"^Action: (.+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


def steps_in(plan: str) -> list[str]:
    return re.findall(r"^Step \d+: (.+)$", plan, re.MULTILINE)
