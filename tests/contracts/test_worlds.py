"""Every world of ours keeps the contract of environments."""

from dataclasses import replace

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.shell.sandboxes import NEEDS_SANDBOX

BEEHIVE = EnvironmentCase(
    NamedPlugIn("textcraft"),
    Task(name="beehive", seed=7),
    (
        "inventory",
        "get 2 oak logs",
        "craft 4 oak planks using 1 oak logs",
        "get 3 honeycomb",
        "craft 4 oak planks using 1 oak logs",
        "inventory",
        "craft 1 beehive using 3 honeycomb, 6 oak planks",
    ),
    solves=True,
    own_malformed_actions=(
        "think: I craft 1 beehive using 3 honeycomb, 6 oak planks",
        "get 1000000000 diamond",
        "get " + "9" * 10_000 + " diamond",
        "get " + "0" * 10_000 + "1 diamond",
        "get 0 diamond",
        "get -1 diamond",
        "get ١ diamond",
        "get 1 " + "x" * 10_000,
        "craft  using ",
        "craft 1 beehive using ",
        "craft 1 beehive using , ,",
        "craft 1 beehive using 0 honeycomb",
        "craft 1 beehive using " + "1 honeycomb, " * 1_000,
        "craft " + "9" * 10_000 + " beehive using " + "9" * 10_000 + " planks",
        "craft " + "using " * 2_000,
    ),
)

(BED,) = environment_cases("textcraft", task="magenta bed")
"""A deeper goal: of wool and planks that have to be made first."""

(_MUG,) = environment_cases(
    "alfworld", task="pick_heat_then_place_in_recep-Mug-None-DiningTable-5.trial_T20250102_085412_815114"
)
MUG = replace(
    _MUG,
    own_malformed_actions=(
        "put mug 2 in/on diningtable 1",
        "go to " + "diningtable 1" * 1_000,
        "take  from ",
        "take mug 2 from mug 2",
        "move to to to",
        "heat mug with microwave",
        "slice mug 2 with mug 2",
        "GO TO DININGTABLE 1",
    ),
)

(_APPLES,) = environment_cases(
    "alfworld",
    {"dialect": "classic", "causes": True, "either_put": True},
    task="pick_two_obj_and_place-Apple-None-Microwave-7.trial_T20250112_051209_976163",
)
APPLES = replace(_APPLES, own_malformed_actions=("help", "put apple", "put in/on in/on in/on", "move apple to"))
"""With every option that changes what is said."""

ORCHARD = EnvironmentCase(
    NamedPlugIn("hotpotqa"),
    Task(name="salt-orchard-birthplace", seed=3),
    (
        "search[The Salt Orchard film]",
        "search[The Salt Orchard]",
        "lookup[Brandeker]",
        "lookup[Brandeker]",
        "Search[ilsa  BRANDEKER]",
        "lookup[born]",
        "finish[the Fennick]",
    ),
    solves=True,
    own_malformed_actions=(
        "search",
        "search[",
        "lookup Fennick]",
        "finished[Fennick]",
        "think[I know]",
        "search[" + "x" * 10_000,
        "[" * 10_000,
    ),
)

BRASS = EnvironmentCase(
    NamedPlugIn("hotpotqa", {"wording": "autoplan"}),
    Task(name="glass-ferry-or-brass-meridian-earlier", seed=0),
    ("I begin with search[The Glass Ferry]", "search[The Brass Meridian]", "finish[glass ferry]"),
    solves=True,
)
"""In other words, where an action may stand in a sentence."""

HARNESS = EnvironmentCase(
    NamedPlugIn("webshop"),
    Task(name="shop-1", seed=0),
    (
        "search[dog]",
        "click[next >]",
        "click[< prev]",
        "click[back to search]",
        "search[dog harness]",
        "click[b0q4gglmox]",
        "click[small]",
        "click[medium]",
        "click[features]",
        "click[< prev]",
        "click[Small]",
        "click[dark green]",
        "click[buy now]",
    ),
    solves=True,
    own_malformed_actions=(
        "search[]",
        "click[]",
        "click[buy now]",
        "click[search]",
        "click[B0Q4GGLMOX]",
        "search dog harness",
        "search[dog harness",
        "click[" + "[" * 10_000 + "]" * 10_000,
        "think[I should search.]",
        "buy now",
        "Search[dog harness]",
    ),
)

(_MAT,) = environment_cases("webshop", {"goals": "synthetic", "text": "gym", "page_len": 3}, task="shop-1")
MAT = replace(_MAT, own_malformed_actions=("search[]", "click[buy now]", "search[" + "\U0001f45f" * 2_500 + "]"))
"""In the other text, with other goals."""


TARBALL = EnvironmentCase(
    NamedPlugIn("shell"),
    Task(name="release-tarball", seed=0),
    (
        "run[cp -r app app-1.2; cd app-1.2; ls -A]",
        "run[date > /tmp/x; rm -f *.tmp */*.tmp; rm -rf cache; cat /tmp/x | wc -l]",
        "run[cd /work && tar -czf release.tar.gz app-1.2; find . -newer app | sort]",
        "submit",
    ),
    solves=True,
    own_malformed_actions=(
        "run[]",
        "run",
        "run[ls",
        "ls -la",
        "run[\x00]",
        "run[" + "x" * 30_001 + "]",
        "Submit now",
    ),
)


@pytest.fixture(
    params=[BEEHIVE, BED, MUG, APPLES, ORCHARD, BRASS, HARNESS, MAT, pytest.param(TARBALL, marks=NEEDS_SANDBOX)],
    ids=str,
)
def case(request: pytest.FixtureRequest) -> EnvironmentCase:
    case: EnvironmentCase = request.param
    return case


def test_malformed_actions_neither_end_a_task_nor_keep_it_from_being_solved(case: EnvironmentCase) -> None:
    state = case.open()
    assert not [action for action in case.malformed_actions if state.step(action).done]
    assert [state.step(action).done for action in case.actions][-1]
