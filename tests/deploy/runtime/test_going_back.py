"""Episodes that go back, in a world where that is neither exact nor undoes everything, are killed and go on."""

import re
from random import Random

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.events import Record, SessionForked
from quintet.messages.prompts import Prompt
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Asked, Completion, Sampling
from quintet.roles.registry import prompts_of
from quintet.runtime.spec import RunSpec
from quintet.testing.content import before, content_of, first_difference_in_decisions
from quintet.testing.replay import left_by_kill, run_episode
from tests.actors.shop import TEA, Shop
from tests.simulation.scenes import spec_of

_IDS = re.compile(r"\[(\d+)\]")


class Shopper:
    """Clicks on anything that it sees, and judges at random; it knows when it has tea."""

    name = "shopper"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise NotImplementedError("it is asked typed questions")

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        chance = Random(f"{prompt.node.address}/{sampling.seed}")
        shown = prompt.messages()[-1].content
        ids = [*_IDS.findall(shown), "0"]
        match asked.question:
            case "steps":
                return Completion(text="List\n1. take the tea\n2. order it")
            case "alignment":
                return Completion(text=f"The action is to shop.\n{'YES' if chance.random() < 0.6 else 'NO'}")
            case "verdict":
                has_tea = "tea" in shown.rpartition("Bought:")[2] and "goal" in shown.rpartition("Is the")[2]
                return Completion(text="YES" if has_tea or ("step" in shown[-60:] and chance.random() < 0.4) else "NO")
            case "retargeted":
                return Completion(text=f"New action is: click {ids[-2]}")
            case _:
                action = f"click {chance.choice(ids)}" if chance.random() < 0.7 else "order"
                return Completion(text=f"Thought: Hm.\nAction: {action}")


def shop_spec(seed: int, *, speculate: bool) -> RunSpec:
    prompts = find_prompts(DevilsAdvocate, "textcraft")
    for name in prompts_of(DevilsAdvocate.requests):
        prompts.text(name)
    method, roles = DevilsAdvocate(DevilsAdvocateConfig(speculate=speculate)), ("executor", "planner", "reflector")
    return spec_of(method, prompts.texts, Shopper(), world=as_world(Shop()), roles=roles, seed=seed)


def expect_same_end(spec: RunSpec, whole: list[Record], place: int) -> None:
    resumed = run_episode(spec, TEA.name, left_by_kill(whole, place))
    expected, got = content_of(whole), content_of(resumed)
    path = first_difference_in_decisions(expected, got)
    if path is not None:
        expected, got = before(expected, path), before(got, path)
    assert expected == got, place


@pytest.mark.parametrize("speculate", [False, True])
@pytest.mark.parametrize(("seed", "every"), [(0, 30), pytest.param(2, 1, marks=pytest.mark.slow)])
def test_it_goes_on_from_a_kill_anywhere_and_between_going_back_and_the_step_too(
    seed: int, every: int, *, speculate: bool
) -> None:
    spec = shop_spec(seed, speculate=speculate)
    whole = run_episode(spec, TEA.name)
    assert sum(getattr(record.event, "lasting", False) for record in whole)
    if not speculate:
        assert any(getattr(record.event, "phase", "") == "retargets" for record in whole)
        assert any(isinstance(record.event, SessionForked) for record in whole)
    for place in range(1, len(whole), every):
        expect_same_end(spec, whole, place)
