import json

import pytest

from quintet.environments.bfcl.conversations import CONVERSATION_SETS
from quintet.environments.bfcl.package import tool_docs
from quintet.environments.bfcl.world import Bfcl
from quintet.environments.described_tool import described_tool
from quintet.messages.environment import Task
from tests.actors.environments.bfcl.installed import needs_package, opened
from tests.actors.environments.by_calls import schema_of, step_by_calls

pytestmark = needs_package

APIS = ("GorillaFileSystem", "MathAPI", "MessageAPI", "TicketAPI", "TradingBot", "TravelAPI", "TwitterAPI")


@pytest.mark.parametrize("api", [*APIS, "VehicleControlAPI"])
def test_every_tool_of_the_package_takes_what_a_json_schema_says(api: str) -> None:
    for name, doc in tool_docs(api).items():
        tool = described_tool(doc)
        assert tool.name == name
        assert schema_of(tool).schema["type"] == "object"


@pytest.mark.parametrize("split", CONVERSATION_SETS)
def test_answers_that_are_given_as_calls_of_tools_serve_every_message(split: str) -> None:
    for name in Bfcl().tasks(split)[::60]:
        state = opened(name)
        way = state.expert() or ()
        outcomes = list(step_by_calls(opened(name), way))
        assert outcomes[-1].reward == 1.0
        assert [outcome.observation for outcome in outcomes] == [state.step(action).observation for action in way]


def test_the_tools_that_are_described_are_offered_and_a_reply() -> None:
    opening = opened("multi_turn_base_0").opening
    described = [json.loads(line)["name"] for line in opening.setting.splitlines() if line.startswith("{")]
    assert [each.name for each in opening.tools] == [*described, "reply"]


def test_a_missing_tool_is_offered_once_it_is_described() -> None:
    state = opened("multi_turn_miss_func_0")
    first = state.offered
    assert "sort" not in [each.name for each in first]
    for _ in range(2):
        state.step("reply {}")
        assert state.offered == first
    fork = state.fork()
    state.step('reply {"message": "I have no tool for that."}')
    assert [each.name for each in state.offered] == [*[each.name for each in first[:-1]], "sort", "reply"]
    assert (state.opening.tools, fork.offered) == (first, first)
    restored = Bfcl().restore(Task(name="multi_turn_miss_func_0", seed=0), state.snapshot())
    assert restored.offered == state.offered


def test_the_expert_knows_which_calls_were_made_in_either_form() -> None:
    state = opened("multi_turn_base_0")
    way = state.expert() or ()
    assert way[:1] == ("cd(folder='document')",)
    state.step('cd {"folder": "document"}')
    assert state.expert() == way[1:]
    assert Bfcl().restore(Task(name="multi_turn_base_0", seed=0), state.snapshot()).expert() == way[1:]
