"""Devil's Advocate at 200 ms a call, beside its own chain of calls; and with remedies tried ahead of need."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.measuring import Figure
from benchmarks.trees import time_episode
from quintet.messages.prompts import Prompt
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.models.completion import complete_with
from quintet.plugins.catalogue import world
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Asked, Completion, Sampling
from quintet.roles.registry import prompts_of
from quintet.runtime.spec import MethodSpec, RunSpec

_LATENCY = 0.2
_REMEDIES = 2
_ACTIONS = 24
_MISSES = 0.4
"""Share of actions that do not serve their step, drawn by the action's words, so the same with and without."""
_PER_TURN: tuple[str, ...] = ("steps", "alignment", "verdict")
"""Requests that are asked one after the other. So is each action, and behind it the first of its remedies, and then the
others at once, as of a model that draws one answer a request."""


class _Agent:
    """Fetches a number of diamonds each time; nothing is ever completed. It counts its calls and their tokens."""

    name = "agent"

    def __init__(self) -> None:
        self.calls = Counter[str]()
        self.tokens = 0
        self.remedies = 0
        self._asked = Counter[str]()
        """How often each question was asked: remedies differ by this, and by nothing that depends on paths."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise NotImplementedError("it is asked typed questions")

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        self.calls[asked.question] += 1
        shown = prompt.node.appended[-1].content
        self.remedies += "Suppose that this action is wrong" in shown
        self._asked[shown] += 1
        chance = Random(f"{self._asked[shown]} {shown}")
        completion = complete_with(self._answer(asked.question, shown, chance), prompt, sampling)
        self.tokens += completion.usage.prompt_tokens + completion.usage.completion_tokens
        await asyncio.sleep(_LATENCY)
        return completion

    def _answer(self, form: str, shown: str, chance: Random) -> str:
        match form:
            case "steps":
                return "List\n1. get 9 diamond\n2. get 9 bamboo"
            case "alignment":
                action = shown.partition("The action: ")[2].partition("\n")[0]
                return f"The action is to {action}.\n{'NO' if Random(action).random() < _MISSES else 'YES'}"
            case "verdict":
                return "NO"
            case _:
                return f"Thought: More.\nAction: get {chance.randrange(10**6)} diamond"


def _spec(model: _Agent, *, speculate: bool) -> RunSpec:
    prompts = find_prompts(DevilsAdvocate, "textcraft")
    for name in prompts_of(DevilsAdvocate.requests):
        prompts.text(name)
    config = DevilsAdvocateConfig(remedies=_REMEDIES, max_actions=_ACTIONS, speculate=speculate)
    roles = ("executor", "planner", "reflector")
    method = MethodSpec(
        name=DevilsAdvocate.name,
        method=DevilsAdvocate(config),
        models=dict.fromkeys(roles, model),
        sampling=dict.fromkeys(roles, Sampling()),
        prompts=prompts.texts,
    )
    return RunSpec(methods=(method,), world=world("textcraft"), seed=0)


def figures() -> Iterator[Figure]:
    """Wall time over the chain of calls, and what speculation costs and saves."""
    with tempfile.TemporaryDirectory() as folder:
        plain, ahead = _Agent(), _Agent()
        seconds = asyncio.run(time_episode(_spec(plain, speculate=False), Path(folder) / "plain.sqlite"))
        sooner = asyncio.run(time_episode(_spec(ahead, speculate=True), Path(folder) / "ahead.sqlite"))
    actions = plain.calls["decision"] - plain.remedies
    chain = (sum(plain.calls[kind] for kind in _PER_TURN) + actions + 2 * plain.remedies / _REMEDIES) * _LATENCY
    title = f"Devil's Advocate, R = {_REMEDIES}, {_ACTIONS} actions at 200 ms"
    calls, tokens = plain.calls.total(), plain.tokens
    yield Figure(title, seconds, "s", f"{seconds / chain:.3f} x its chain of calls; {calls} calls, {tokens:,} tokens")
    beside = f"{sooner / seconds:.2f} x; {ahead.calls.total()} calls, {ahead.tokens:,} tokens"
    yield Figure("the same, remedies tried ahead of need", sooner, "s", beside)
