"""Every method of ours keeps the contract of methods."""

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import replace

from quintet.plugins.catalogue import METHODS
from quintet.testing.method import *  # noqa: F403
from quintet.testing.method_case import MethodCase, method_cases
from tests.actors.environments.needs import NEEDS

SETTINGS = [
    ("adapt", "textcraft", ["method.or=parallel"]),
    ("adapt", "alfworld", ["method.or=parallel"]),
    ("lats", "alfworld", ["method.workers=3"]),
    ("lats", "textcraft", ["method.workers=3", "method.order=rounds", "method.values=shuffled"]),
    ("search", "textcraft", ["method.order=mcts", "method.workers=3", "method.oracle=false"]),
    ("search", "alfworld", ["method.order=beam", "method.scores=confidences", "method.branch=disagreement"]),
    ("search", "textcraft", ["method.order=breadth", "method.scores=votes", "method.siblings=true"]),
    ("ldm2", "alfworld", ["method.spread=true", "method.max_steps=5"]),
    ("plan_execute", "alfworld", ["method.plan_form=collapsed"]),
    ("devils_advocate", "alfworld", ["method.speculate=true"]),
    ("devils_advocate", "textcraft", ["method.alignment=random", "method.limit_per=trial", "method.max_actions=5"]),
    ("plan_act", "alfworld", ["method.revision=false", "method.trials=3", "method.summarize_above=40"]),
    ("adaplanner", "textcraft", ["method.reset_after=1", "method.max_questions=0", "method.attempts=3"]),
    ("adaplanner", "alfworld", ["method.reset_after=2", "method.max_actions=6"]),
    ("reasoning_bank", "textcraft", ["method.scaling=parallel", "method.attempts=2", "method.inner.max_steps=4"]),
    ("reasoning_bank", "alfworld", ["method.scaling=sequential", "method.attempts=2", "method.inner.max_steps=4"]),
    ("reflexion", "textcraft", ["method.reflections=swapped", 'method.other_tasks=["cake", "clock", "loom"]']),
]
"""Methods, worlds, and options that lead down other branches of the method."""

OUTER = ("plan_execute", "reflexion", "adapt", "try_again", "lats")
INNER = ("react", "devils_advocate", "plan_execute", "reflexion", "adapt", "adaplanner")
NESTED = [f"{outer}({inner})" for outer in OUTER for inner in INNER]
FAST = {
    *(("reflexion(adapt)", "alfworld"), ("lats(reflexion)", "textcraft"), ("plan_execute(react)", "alfworld")),
    *(("reflexion(adaplanner)", "textcraft"), ("adapt(adaplanner)", "alfworld")),
    *(("react", "shell"), ("lats", "shell")),
}
"""Of the nested methods and of those in the shell, those that the fast suite tries; each leads through other code than
the next."""

WITHOUT_POLICY = {
    *(("naive", world) for world in ("textcraft", "alfworld", "hotpotqa", "webarena", "shell")),
    *(("random", world) for world in ("textcraft", "hotpotqa", "webshop", "webarena", "shell")),
}
"""Worlds without the policy that a method follows, or a list of actions."""


def tried_worlds(name: str) -> list[str]:
    """The worlds in which a method is tried here: those with prompts of the methods' own."""
    ours = {case.world for case in method_cases("react")}
    worlds = [case.world for case in method_cases(name) if case.world in ours]
    return [world for world in worlds if (name, world) not in WITHOUT_POLICY]


def cases() -> Iterator[ParameterSet]:
    """All cases, each of two tasks."""
    plain = [MethodCase(name=name, world=world) for name in METHODS for world in tried_worlds(name)]
    plain += [MethodCase(name=name, world=world, assignments=tuple(given)) for name, world, given in SETTINGS]
    for case in (*plain, *(case for name in NESTED for case in method_cases(name))):
        is_slow = case.name in NESTED or case.world == "shell"
        slow = [pytest.mark.slow] if is_slow and (case.name, case.world) not in FAST else []
        yield pytest.param(replace(case, tasks=2), marks=[*NEEDS.get(case.world, ()), *slow])


@pytest.fixture(params=cases(), ids=lambda case: " ".join([case.name, str(case), *case.assignments]))
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case
