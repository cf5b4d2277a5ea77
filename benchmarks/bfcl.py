"""BFCL: whole conversations beside the package's own loop, which carries calls out and then out again to check them.

Without its package nothing is measured: `make test-worlds` installs it in `.venv-worlds`.
"""

import time
from collections.abc import Iterator
from importlib import import_module
from itertools import count
from typing import Any

import msgspec

from benchmarks.measuring import Figure, beside_package, rate, rates
from quintet.environments.bfcl.conversations import conversations
from quintet.environments.bfcl.package import data_lines
from quintet.environments.bfcl.session import BfclState
from quintet.environments.bfcl.world import Bfcl
from quintet.messages.environment import Task
from quintet.plugins.extras import PackageMissing

_SPLIT = "base"
_MANY = 2_000
_MODELS = count()
"""The package keeps what a model did under its name."""


def figures() -> Iterator[Figure]:
    """The package's answers to all conversations of a split, one call a step, on one core."""
    try:
        world = Bfcl()
    except PackageMissing:
        return
    ours, theirs = rates(lambda: _played(world), _played_by_package, clock=time.process_time)
    yield beside_package("bfcl conversations, opened, played and checked, CPU", ours, theirs)
    state = world.open(Task(name="multi_turn_base_100", seed=0))
    for action in (state.expert() or ())[:5]:
        state.step(action)
    yield Figure("bfcl fork after 5 steps", 1e6 / rate(lambda: _forked(state)), "us")


def _played(world: Bfcl) -> int:
    names = world.tasks(_SPLIT)
    for name in names:
        state = world.open(Task(name=name, seed=0))
        for answer in conversations(_SPLIT)[name].answers:
            for call in answer:
                state.step(call)
            state.step("reply()")
        assert state.reward == 1
    return len(names)


def _played_by_package() -> int:
    package = "bfcl_eval.eval_checker.multi_turn_eval"
    utils: Any = import_module(f"{package}.multi_turn_utils")
    checker: Any = import_module(f"{package}.multi_turn_checker")
    entries = [msgspec.json.decode(line) for line in data_lines(f"BFCL_v4_multi_turn_{_SPLIT}.json")]
    for entry in entries:
        model, name = f"m{next(_MODELS)}", entry["id"]
        answers = [list(answer) for answer in conversations(_SPLIT)[name].answers]
        for call in (call for answer in answers for call in answer):
            utils.execute_multi_turn_func_call(
                [call], entry["initial_config"], entry["involved_classes"], model, name, long_context=False
            )
        steps = [[[call] for call in answer] for answer in answers]
        assert checker.multi_turn_checker(steps, answers, entry, "", model)["valid"]
    return len(entries)


def _forked(state: BfclState) -> int:
    for _ in range(_MANY):
        state.fork()
    return _MANY


if __name__ == "__main__":
    for figure in figures():
        print(figure)
