"""Every model of ours that needs no network keeps the contract of models, and is repeatable."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.prompts import ChatMessage, assistant, system, user
from quintet.testing.model import *  # noqa: F403
from quintet.testing.model_case import ModelCase
from quintet.testing.repeatable_model import *  # noqa: F403

_TASK = """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 2 tripwire hook using 1 iron ingot, 1 stick, 1 planks
craft 1 stick using 2 bamboo
craft 1 painting using 8 stick, 1 wool

Goal: craft tripwire hook."""

ODD_TASKS = (
    "Crafting commands:\ncraft 1 a using 1 b\ncraft 1 b using 1 a\n\nGoal: craft a.",
    "Crafting commands:\ncraft 1 a using 1 a\n\nGoal: fetch 3 a.",
    "Crafting commands:\ncraft 1 a using 999999 b\ncraft 1 b using 999999 c\n\nGoal: fetch 999999 a.",
    "Crafting commands:\n"
    + "\n".join(f"craft 1 i{n} using 1 i{n - 1}, 2 i{n - 1}" for n in range(1, 200))
    + "\n\nGoal: craft i150.",
    "Crafting commands:\n" + "craft 1 a using " + "1 b, " * 2_000 + "\n\nGoal: craft a.",
    "Crafting commands:\ncraft 0 a using 0 b\n\nGoal: fetch 4 a.",
    "Crafting commands:\n\nGoal: craft .",
    "Crafting commands:\n\nGoal: fetch 0 oak logs.",
    "Crafting commands:\ncraft x using y\n\nInventory: [x] (99999999999)\n\nGoal: fetch 5 x.",
    "Goal: craft beehive.",
    "Crafting commands:\ncraft 1 painting using 8 stick, 1 wool\ncraft 1 red wool using 1 wool"
    "\n\nGoal: craft wool using ,.",
)


_ROOM = "You are in the middle of a room. Looking quickly around you, you see"
HOUSEHOLD = f"""{_ROOM} a desk 1, a fridge 1, a microwave 1, and a safe 1.

Goal: put a hot egg in safe."""
ODD_HOUSEHOLDS = (
    f"{_ROOM} nothing.\n\nGoal: put a hot egg in safe.",
    f"{_ROOM} a desk 1.\n\nGoal: put two desk in desk.",
    f"{_ROOM} a desk 999999999999999999999.\n\nGoal: find and take a pen from the desk 999999999 to 1.",
    f"{_ROOM} a desk 1.\n\nGoal: find and take a pen from the desk {'9' * 5_000}.",
    f"{_ROOM} {'a cabinet 1, ' * 5_000}.\n\nGoal: find and take a pen from the cabinet 0 to 0.",
    f"{_ROOM} a desk 1.\n\nThe last action that was carried out: take from\n\nGoal: put the pen in/on the desk.",
    f"{_ROOM} a desk 1.\n\nThe last action that was carried out: take pen 1 from desk 1\n\n"
    "Goal: cool the pen with the oven.",
    f"{_ROOM} a desk 1.\n\nGoal: use the lamp.",
    f"{_ROOM} a desk 1.\n\nGoal: {'put a hot egg in ' * 2_000}safe.",
)

EMPTY_HANDED = tuple(
    task.replace("\n\nGoal:", "\n\nInventory: You are not carrying anything.\n\nGoal:") for task in ODD_TASKS
)

ACTING = (
    system("Answer with one thought and one action:\nThought: ...\nAction: ..."),
    user(_TASK),
    assistant("Thought: I need iron.\nAction: get 1 iron ingot"),
    user("Got 1 iron ingot"),
)
AT_HOME = (
    system("Answer with one thought and one action:\nThought: ...\nAction: ..."),
    user(HOUSEHOLD),
    assistant("Thought: I look.\nAction: go to desk 1"),
    user("You arrive at desk 1. On the desk 1, you see a egg 1, and a pen 2."),
)
_WEIGH = (
    "Tried at this point already:\n- inventory\n- look\nChoose another action than these.\n\n"
    "Name 3 different actions:\nAction: one action (confidence 0.6)"
)
CHOOSING = (*ACTING[:-1], user(f"Got 1 iron ingot\n\n{_WEIGH}"))
CHOOSING_AT_HOME = (*AT_HOME[:-1], user(f"{AT_HOME[-1].content}\n\n{_WEIGH}"))
_WEIGHED_TASKS = tuple(f"{task}\n\n{_WEIGH}" for task in (*ODD_TASKS, *EMPTY_HANDED))
_WEIGHED_HOUSEHOLDS = tuple(f"{household}\n\n{_WEIGH}" for household in ODD_HOUSEHOLDS)
PLANNING_AT_HOME = (system("Number the steps:\nStep 1: ...\nExecution Order: (Step 1)"), user(HOUSEHOLD))
PLANNING = (system("Number the steps:\nStep 1: ...\nExecution Order: (Step 1)"), user(_TASK))
FOLLOWING = (user("Begin."), assistant("Thought: I begin.\nAction: inventory"), user("Inventory: [stick] (1) "))
COMPLETIONS = ["Thought: I begin.\nAction: inventory", "Thought: That is all.\nAction: task completed"]

MODELS: Mapping[str, tuple[str, Mapping[str, Any], Sequence[ChatMessage], Sequence[str]]] = {
    "sim-weak": ("sim-weak", {}, ACTING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-strong": ("sim-strong", {}, ACTING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-fallible": ("sim-fallible", {}, ACTING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-fallible in everything": ("sim-fallible", {"error_rate": 1.0}, ACTING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-fallible as planner": ("sim-fallible", {"error_rate": 1.0}, PLANNING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-strong as planner": ("sim-strong", {}, PLANNING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-weak at home": ("sim-weak", {}, AT_HOME, ODD_HOUSEHOLDS),
    "sim-fallible at home": ("sim-fallible", {"error_rate": 1.0}, AT_HOME, ODD_HOUSEHOLDS),
    "sim-fallible as planner at home": ("sim-fallible", {"error_rate": 1.0}, PLANNING_AT_HOME, ODD_HOUSEHOLDS),
    "sim-strong at home": ("sim-strong", {}, AT_HOME, ODD_HOUSEHOLDS),
    "sim-weak as planner at home": ("sim-weak", {}, PLANNING_AT_HOME, ODD_HOUSEHOLDS),
    "sim-strong with confidences": ("sim-strong", {}, CHOOSING, _WEIGHED_TASKS),
    "sim-fallible with confidences": ("sim-fallible", {"error_rate": 1.0}, CHOOSING, _WEIGHED_TASKS),
    "sim-weak with confidences at home": ("sim-weak", {}, CHOOSING_AT_HOME, _WEIGHED_HOUSEHOLDS),
    "sim-fallible with confidences at home": (
        "sim-fallible",
        {"error_rate": 1.0},
        CHOOSING_AT_HOME,
        _WEIGHED_HOUSEHOLDS,
    ),
    "scripted": ("scripted", {"completions": COMPLETIONS}, FOLLOWING, ()),
    "scripted in a cycle": ("scripted", {"completions": COMPLETIONS, "cycle": True}, FOLLOWING, ()),
}
"""By what they are tried as: the model, its options, a conversation that it answers, and malformed prompts for it."""


@pytest.fixture(params=MODELS)
def case(request: pytest.FixtureRequest) -> Iterator[ModelCase]:
    name, options, conversation, malformed = MODELS[request.param]
    with ModelCase(name, options, conversation, malformed_prompts=malformed) as case:
        yield case
