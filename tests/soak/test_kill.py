"""A few cheap deaths, by number; `make soak` plays thousands. Run as a program, this is a nursery with a defect."""

import pytest

from quintet.messages.prompts import Prompt
from quintet.ports.model import Asked, Completion, Sampling
from quintet.roles.context import current
from quintet.runtime.calls import JournaledModel
from tests.soak.forking import answer_seeds, check_in
from tests.soak.kill import KIND, check
from tests.soak.kill.draw import draw
from tests.soak.kill.nursery import Nursery

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.skipif(bool(KIND.missing()), reason=KIND.missing()),
]

SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 60))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_that_is_killed_at_its_commits_ends_as_an_undisturbed_one(seed: int) -> None:
    found = check(seed)
    assert found.broken == ()
    assert found.repeated == 0
    assert found.drawn == draw(seed).aspects


def test_committed_calls_that_are_asked_again_in_a_replay_are_found() -> None:
    found = check_in("tests.soak.test_kill", 0)
    assert found.deaths
    assert found.repeated
    assert any(sentence.startswith("calls: ") for sentence in found.broken)


def test_a_kill_is_drawn_from_its_seed_alone_and_hits_every_moment() -> None:
    drawn = [draw(seed) for seed in range(500)]
    assert drawn == [draw(seed) for seed in range(500)]
    deaths = [life.death for each in drawn for life in each.lives]
    assert {death.moment for death in deaths if death} == {"before", "inside", "after", "between"}
    assert {each.configuration.world for each in drawn} == {"textcraft", "alfworld", "hotpotqa", "webshop"}
    assert sum(each.configuration.method in ("expert", "naive") for each in drawn) < 50


async def _ask_again(self: JournaledModel, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
    """`JournaledModel._journaled`, but for what it does with a recorded completion."""
    with current().turn() as (path, recording):
        call = self._call((path,), sampling, asked)
        recorded = self._replayed(recording, prompt)
        if recorded is None:
            return (await self._answer(call, prompt))[0]
        await self._complete(call, prompt, call.sampling, 1)
        return recorded


if __name__ == "__main__":
    assert "_journaled" in vars(JournaledModel)
    JournaledModel._journaled = _ask_again  # type: ignore[method-assign]
    answer_seeds(lambda folder: Nursery(folder).check, in_memory=True)
