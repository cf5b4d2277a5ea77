"""What a simulated model says, and what is in it."""

import re
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling
from quintet.ports.world import Outcome, WorldState

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


def task_prompt(shown: str, *task: str) -> Prompt:
    """Instructions, and a task in paragraphs; empty ones are left out."""
    return Prompt(system(shown), user("\n\n".join(part for part in task if part)))


def take_turns(
    model: Simulated, prompt: Prompt, state: WorldState, calls: int, sampling: Sampling, seen: Callable[[str], str]
) -> Iterator[tuple[str, Outcome | None]]:
    """The actions of a model, each with the world's answer; a claim has none, and is the last.

    Args:
        model: who plays.
        prompt: before the first turn.
        state: acted in.
        calls: how many the model has.
        sampling: of every call.
        seen: what becomes of an observation before the model reads it.
    """
    for _ in range(calls):
        text = said(model, prompt, sampling)
        action = action_in(text)
        if action.startswith("task"):
            yield action, None
            return
        outcome = state.step(action)
        yield action, outcome
        prompt = prompt.extend(assistant(text), user(seen(outcome.observation)))
