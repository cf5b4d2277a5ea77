"""Every method of ours keeps the contract of methods."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.method import *  # noqa: F403
from quintet.testing.method import MethodCase, method_cases

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
    ("reflexion", "textcraft", ["method.reflections=swapped", 'method.other_tasks=["cake", "clock", "loom"]']),
]
"""Methods, worlds, and options that lead down other branches of the method."""

CASES = [
    *(case for name in METHODS for case in method_cases(name)),
    *(MethodCase(name=name, world=world, assignments=tuple(given)) for name, world, given in SETTINGS),
]


@pytest.fixture(params=CASES, ids=lambda case: " ".join([case.name, str(case), *case.assignments]))
def case(request: pytest.FixtureRequest) -> MethodCase:
    case: MethodCase = request.param
    return case
