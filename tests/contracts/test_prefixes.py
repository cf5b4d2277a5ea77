"""How much of each prompt extends an earlier one, stated for every method and world."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from quintet.events import CallMade, Record
from quintet.journal.prefixes import Prompted, prefix_shares, total_share
from quintet.messages.prompts import ChatMessage
from quintet.plugins.catalogue import METHODS
from quintet.testing.method_case import MethodCase, method_cases

STATED: dict[str, dict[str, int]] = json.loads((Path(__file__).parent / "prefixes.json").read_text())
"""By method and world, the characters that extend an earlier prompt, in percent of those of all prompts of two tasks,
which a model plays at random. Most episodes are short; `benchmarks/prompt_prefixes.py` has whole runs."""

FAST = {("react", "alfworld"), ("adapt", "textcraft"), ("lats", "webshop"), ("plan_act", "hotpotqa")}
"""What the fast suite tries: the four ways in which prompts are built."""
TOLERATED = 3
"""Percentage points: the words of a prompt may change."""


def stated() -> Iterator[ParameterSet]:
    for method, worlds in STATED.items():
        for world, percent in worlds.items():
            marks = () if (method, world) in FAST else pytest.mark.slow
            yield pytest.param(method, world, percent, marks=marks, id=f"{method} on {world}")


def prompted(records: list[Record]) -> Iterator[Prompted]:
    """The prompts of an episode's calls, in order."""
    nodes = {node.address: node for record in records for node in record.prompts}
    for event in (record.event for record in records):
        if isinstance(event, CallMade):
            messages: list[ChatMessage] = []
            node = nodes.get(event.prompt)
            while node is not None:
                messages[:0] = node.appended
                node = None if node.parent is None else nodes[node.parent]
            yield Prompted(event.model, event.phase, messages)


@pytest.mark.parametrize(("method", "world", "percent"), list(stated()))
def test_a_prompt_extends_earlier_ones_as_far_as_is_stated(method: str, world: str, percent: int) -> None:
    case = MethodCase(name=method, world=world)
    tasks = case.spec.world.tasks(case.spec.world.splits[0])[:2]
    shares = prefix_shares(prompt for task in tasks for prompt in prompted(case.run(task)))
    assert 100 * total_share(shares.values()).share == pytest.approx(percent, abs=TOLERATED)


@pytest.mark.slow
def test_it_is_stated_for_every_method_that_asks_a_model_in_every_world_of_ours_that_needs_no_package() -> None:
    worlds = {world for stated in STATED.values() for world in stated}
    cases = [case for name in METHODS for case in method_cases(name) if case.world in worlds]
    asking = [case for case in cases if not case.obstacle() and case.spec.methods[0].models]
    assert {case.name for case in asking} <= STATED.keys()
    assert [(case.name, case.world) for case in asking if case.world not in STATED[case.name]] == []
