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
_SITUATION = "1. Observation: On the desk 1, you see a egg 1.\nAction: take egg 1 from desk 1\n\nNow:\nObservation: {}"
SITUATED_AT_HOME = (
    AT_HOME[0],
    user(f"{HOUSEHOLD}\n\nExamples:\n\n{_SITUATION.format('Nothing happens.')}\nSummary: I held a egg 1."),
)
ODD_SITUATIONS = tuple(
    f"{household}\n\nExamples:\n\n{_SITUATION.format(now)}"
    for household in (HOUSEHOLD, ODD_HOUSEHOLDS[1])
    for now in (
        "",
        "\nSummary: ",
        "Observation: \nObservation: a",
        "a\nSummary: My last action was: .",
        f"a\nSummary: {'I held a egg 1. ' * 2_000}",
        f"a\nSummary: The household refused: {'take ' * 5_000}",
        f"a\nEvaluation: {'subgoal 1: ' * 5_000}\n2. Observation: b",
    )
)
EVALUATING = (system("Write:\nsubgoal 1: the goal - complete"), *AT_HOME[1:])
SUMMING_UP = (system("Write:\nSummary: what was done"), *AT_HOME[1:])
SORTING = (system("Write:\nHigh-level Type1: name [1, 2]"), user("Goals:\n\n1. craft rail\n2. craft bread"))
ODD_LISTS = (
    "1. craft bread\n1. craft bread",
    "99999999. craft bread",
    "1. " + "craft " * 20_000,
    "\n".join(f"{number}. craft item{number}" for number in range(1, 3_000)),
    "1. put a mug in desk\n2. be happy\n3. Nothing happens.",
    "1.\n2.\n3.",
)
FINDING_A_TYPE = (system("Write:\n[2]: why"), user("Types:\n\n[1] wood\n- craft bowl\n\nNew goal: craft bowl"))
ODD_TYPES = (
    "New goal: craft bread",
    "[1] a\n\nNew goal:",
    "New goal: craft bread\n[1] a\nNew goal: craft bread\n[2] b",
    "[0] a\n[0] b\n\nNew goal: craft bread",
    "[1] " + "a " * 50_000 + "\n\nNew observation: Got 1 stick",
    "[1] a\n- put a mug in desk\n\nNew observation: " + "On the desk 1, you see a mug 1. " * 2_000,
)
COMPARING = (system("Write:\n3: why"), user("Goal: x.\n\nProcess 1:\n1. Action: a\n\nProcess 2:\n1. Action: b"))
ODD_PROCESSES = (
    "Process 1:\n\nProcess 2:",
    "Process 1:\n1. \nProcess 2:\n1. ",
    "Process 1:\n1. a\nProcess 2:\n1. a\nProcess 3:\n1. a",
    f"Process 1:\n{'1. a ' * 10_000}\nProcess 2:\n1. a",
)
PLANNING_AT_HOME = (system("Number the steps:\nStep 1: ...\nExecution Order: (Step 1)"), user(HOUSEHOLD))
PLANNING = (system("Number the steps:\nStep 1: ...\nExecution Order: (Step 1)"), user(_TASK))
_PURSUED = "The plan for this task:\n1. {}\n2. think\n\nThe step to do now: {}. a step\n\nWhat was done so far:\n- {}"
_LISTING = system("Number the steps:\nList\n1. the first\n2. the next")
LISTING = (_LISTING, user(_TASK))
LISTING_AT_HOME = (_LISTING, user(HOUSEHOLD))
_AROUND = "Before the action:\n{}\n\nThe action: {}\n\nAfter the action:\n{}\n\nDoes it serve? End with YES or NO."
_JUDGED = "What is seen now:\n{}\n\nIs the goal reached? End with YES or NO."
_SHOWN_STEP = _PURSUED.format("find and take a egg", 1, "The action is to look: You see nothing")
ALIGNING = (
    system("Write:\nThe action is to ...\nYES"),
    user(f"{HOUSEHOLD}\n\n{_SHOWN_STEP}\n\n{_AROUND.format('a', 'look', 'b')}"),
)
JUDGING = (system("Say YES or NO:\nYES"), user(f"{HOUSEHOLD}\n\n{_SHOWN_STEP}\n\n{_JUDGED.format('a')}"))
_ODD_PURSUITS = tuple(
    f"{task}\n\n{_PURSUED.format(step, number, done)}"
    for task in (_TASK, HOUSEHOLD)
    for step, number, done in (
        ("find and take a egg", 0, "(undone)"),
        ("find and take a egg", 999, "(undone) (undone) : : :"),
        ("get 99999999999 stick", 1, "The action is to : Got 99999999999 stick"),
        ("put a hot egg in " * 2_000, 1, "The action is to " * 5_000),
        ("craft 0 a using 0 b", 1, "(undone) On the desk 1, you see ; ; ;"),
        ("think", 2, "; ".join(["Nothing happens."] * 5_000)),
    )
)
ODD_ALIGNMENTS = tuple(
    f"{pursuit}\n\n{_AROUND.format(*around)}"
    for pursuit in _ODD_PURSUITS
    for around in (("", "", ""), ("a", "The action: b", "Nothing happens."), ("On the desk 1, you see ", "c: d", "e"))
)
ODD_JUDGEMENTS = tuple(f"{pursuit}\n\n{_JUDGED.format(now)}" for pursuit in _ODD_PURSUITS for now in ("", "Got 1 x"))
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
    "sim-newcomer at home": ("sim-newcomer", {}, AT_HOME, ODD_HOUSEHOLDS),
    "sim-newcomer as planner at home": ("sim-newcomer", {}, PLANNING_AT_HOME, ODD_HOUSEHOLDS),
    "sim-newcomer in a situation": ("sim-newcomer", {}, SITUATED_AT_HOME, ODD_SITUATIONS),
    "sim-fallible in a situation": ("sim-fallible", {"error_rate": 1.0}, SITUATED_AT_HOME, ODD_SITUATIONS),
    "sim-weak evaluating": ("sim-weak", {}, EVALUATING, (*ODD_TASKS, *ODD_HOUSEHOLDS)),
    "sim-fallible evaluating": ("sim-fallible", {"error_rate": 1.0}, EVALUATING, (*ODD_TASKS, *ODD_HOUSEHOLDS)),
    "sim-weak summing up": ("sim-weak", {}, SUMMING_UP, (*ODD_TASKS, *ODD_HOUSEHOLDS)),
    "sim-strong sorting": ("sim-strong", {}, SORTING, ODD_LISTS),
    "sim-fallible sorting": ("sim-fallible", {"error_rate": 1.0}, SORTING, ODD_LISTS),
    "sim-strong finding a type": ("sim-strong", {}, FINDING_A_TYPE, ODD_TYPES),
    "sim-fallible finding a type": ("sim-fallible", {"error_rate": 1.0}, FINDING_A_TYPE, ODD_TYPES),
    "sim-fallible comparing": ("sim-fallible", {"error_rate": 1.0}, COMPARING, ODD_PROCESSES),
    "sim-strong listing steps": ("sim-strong", {}, LISTING, (*ODD_TASKS, *EMPTY_HANDED)),
    "sim-fallible listing steps at home": ("sim-fallible", {"error_rate": 1.0}, LISTING_AT_HOME, ODD_HOUSEHOLDS),
    "sim-weak aligning": ("sim-weak", {}, ALIGNING, ODD_ALIGNMENTS),
    "sim-fallible aligning": ("sim-fallible", {"error_rate": 1.0}, ALIGNING, ODD_ALIGNMENTS),
    "sim-newcomer judging": ("sim-newcomer", {}, JUDGING, ODD_JUDGEMENTS),
    "sim-fallible judging": ("sim-fallible", {"error_rate": 1.0}, JUDGING, ODD_JUDGEMENTS),
    "scripted": ("scripted", {"completions": COMPLETIONS}, FOLLOWING, ()),
    "scripted in a cycle": ("scripted", {"completions": COMPLETIONS, "cycle": True}, FOLLOWING, ()),
}
"""By what they are tried as: the model, its options, a conversation that it answers, and malformed prompts for it."""


@pytest.fixture(params=MODELS)
def case(request: pytest.FixtureRequest) -> Iterator[ModelCase]:
    name, options, conversation, malformed = MODELS[request.param]
    with ModelCase(name, options, conversation, malformed_prompts=malformed) as case:
        yield case
