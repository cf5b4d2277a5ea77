"""What a simulated model says, and what is in it."""

import re
from collections.abc import Coroutine
from typing import Any, TypeVar

from quintet.messages.prompts import Prompt
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling

T = TypeVar("T")


def result(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns. A simulated model waits for nothing, so no event loop is needed, which costs a third."""
    try:
        work.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    raise AssertionError("expected work that waits for nothing")


def said(model: Simulated, prompt: Prompt, sampling: Sampling | None = None) -> str:
    return result(model.complete(prompt, sampling or Sampling())).text


def action_in(text: str) -> str:
    found = re.search(r"^Action: (.+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


def steps_in(plan: str) -> list[str]:
    return re.findall(r"^Step \d+: (.+)$", plan, re.MULTILINE)
