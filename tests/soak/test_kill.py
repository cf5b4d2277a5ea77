"""A few cheap deaths, by number; `make soak` plays thousands. Run as a program, this is a nursery with a defect."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from quintet.messages.prompts import Prompt
from quintet.ports.model import Asked, Completion, Sampling
from quintet.roles.context import current
from quintet.runtime.calls import JournaledModel
from tests.soak.forking import answer_seeds, check_in
from tests.soak.kill import KIND, check
from tests.soak.kill.draw import draw
from tests.soak.kill.in_flight import lost_calls
from tests.soak.kill.nursery import Nursery
from tests.soak.process.found import Found
from tests.soak.process.lives import Played
from tests.soak.requests import Entry, open_log, write_entry

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


def test_a_death_that_lost_more_calls_than_were_in_flight_is_found(tmp_path: Path) -> None:
    scenario = next(each for each in map(draw, range(100)) if each.configuration.method.startswith("react"))
    log = open_log(tmp_path)
    for number in range(scenario.concurrency + 1):
        died = Played(endings=[-9], left=[Found({}, Counter(), number, 0)])
        assert [*lost_calls(scenario, died, tmp_path)] == []
        write_entry(log, Entry(digest=str(number), answered=False))
    os.close(log)
    died = Played(endings=[-9], left=[Found({}, Counter(), scenario.concurrency + 1, 0)])
    most = scenario.concurrency
    assert [*lost_calls(scenario, died, tmp_path)] == [
        f"calls: expected at most {most} in flight when process 1 died, got {most + 1} that were lost"
    ]


def test_a_kill_is_drawn_from_its_seed_alone_and_hits_every_moment() -> None:
    drawn = [draw(seed) for seed in range(500)]
    assert drawn == [draw(seed) for seed in range(500)]
    deaths = [life.death for each in drawn for life in each.lives]
    assert {death.moment for death in deaths if death} == {"before", "inside", "after", "between"}
    assert {each.configuration.world for each in drawn} == {"textcraft", "alfworld", "hotpotqa", "webshop"}
    assert sum(each.configuration.method in ("expert", "naive") for each in drawn) < 50


async def _ask_again(self: Any, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
    """`JournaledModel._journaled`, but for what it does with a recorded completion."""
    completion: Completion
    with current().turn() as (path, recording):
        call = self._call((path,), sampling, asked)
        recorded: Completion | None = self._replayed(recording, prompt)
        if recorded is None:
            [completion] = await self._answer(call, prompt)
            return completion
        await self._complete(call, prompt, 1)
        return recorded


if __name__ == "__main__":
    assert "_journaled" in vars(JournaledModel)
    JournaledModel._journaled = _ask_again  # type: ignore[method-assign]
    answer_seeds(lambda folder: Nursery(folder).check, in_memory=True)
