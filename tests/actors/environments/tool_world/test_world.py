"""Tool environments as worlds, with functions of a user's and with inspect's own tools and scorers."""

from collections.abc import Callable
from typing import Any

import pytest

from quintet.environments.tool_world.state import ToolState
from quintet.environments.tool_world.world import ToolWorld
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from quintet.testing import environment, environment_copies, environment_members, environment_methods
from quintet.testing.contract import Verdict, run_contracts
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.subprocesses import NamedPlugIn
from tests.distributions import install
from tests.simulation.virtual import run

SUMS = {"sum-1": (19, 23, "42"), "sum-2": (1, 1, "2")}


def _tools(_: tuple[int, int, str]) -> dict[str, Callable[..., Any]]:
    calls = 0

    async def add(x: int, y: int) -> int:
        """Add two numbers.

        Nobody is told more.
        """
        nonlocal calls
        calls += 1
        return x + y

    def count() -> str:
        return f"{calls} calls"

    return {"add": add, "count": count}


def sums() -> ToolWorld:
    return ToolWorld(
        "sums",
        SUMS,
        question=lambda sample: f"What is {sample[0]} + {sample[1]}?",
        tools=_tools,
        rubric={"sum": lambda sample, answer: float(answer == sample[2])},
        forks="replay",
    )


def play(world: ToolWorld, *actions: str) -> tuple[ToolState, list[Outcome]]:
    async def go() -> tuple[ToolState, list[Outcome]]:
        state = await world.open(Task(name=world.tasks("all")[0], seed=0))
        return state, [await state.step(action) for action in actions]

    return run(go())


def test_a_question_is_answered_by_calls() -> None:
    state, outcomes = play(sums(), 'add {"x": 19, "y": 23}', "count", 'submit {"answer": "42"}', "count")
    assert state.opening.setting.splitlines() == [
        "What is 19 + 23?",
        "",
        "Call one of these tools at a time, with its arguments as JSON:",
        '- add {"x": int, "y": int}: Add two numbers.',
        "- count {}: no description",
        '- submit {"answer": "..."}: give your answer, which ends the task',
    ]
    assert [outcome.observation for outcome in outcomes] == ["42", "1 calls", "Submitted.", "The task is over."]
    assert [(outcome.reward, outcome.done) for outcome in outcomes] == [(0, False)] * 2 + [(1, True)] * 2


def test_what_utf8_cannot_say_is_escaped() -> None:
    world = ToolWorld(
        "files",
        {"list": "which? \udc80"},
        question=str,
        tools=lambda _: {"list": lambda: "\udcff.txt"},
        rubric={"any": lambda _, __: 1.0},
    )
    state, (outcome,) = play(world, "list")
    assert (state.opening.setting.splitlines()[0], outcome.observation) == ("which? \\udc80", "\\udcff.txt")


def test_what_a_tool_keeps_is_its_sessions_own_and_what_it_raises_is_seen() -> None:
    world = sums()
    _, (outcome,) = play(world, 'add {"x": 1, "y": "b"}')
    assert (outcome.observation[:10], outcome.rejected) == ("TypeError:", False)
    assert play(world, "count")[1][0].observation == "0 calls"


@pytest.mark.parametrize(
    "action",
    ["", "add", 'add {"x": 1}', "add [1, 2]", "jump {}", 'add {"x": 1, "y": 2', "\udcff", 'add {"x": ' + "[" * 10_000],
    ids=lambda action: ascii(action[:20]),
)
def test_what_is_no_call_is_rejected_with_what_was_expected(action: str) -> None:
    state, (outcome,) = play(sums(), action)
    assert outcome.rejected
    assert outcome.observation.startswith("Not called: expected one of add, count, submit with its arguments as JSON")
    assert state.observation == state.opening.observation


@pytest.mark.slow
def test_it_keeps_the_contract(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"environments": {"sums": f"{__name__}:sums"}})
    case = EnvironmentCase(
        NamedPlugIn("sums"),
        Task(name="sum-1", seed=0),
        ('add {"x": 19, "y": 23}', 'submit {"answer": "42"}'),
        solves=True,
    )
    verdicts: list[Verdict] = []
    contracts = (environment, environment_copies, environment_members, environment_methods)
    run_contracts({contract: [case] for contract in contracts}, verdicts.append)
    assert [verdict.text for verdict in verdicts if verdict.state == "broken"] == []


@pytest.mark.slow
def test_inspects_tools_and_scorers_are_used_as_they_are() -> None:
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target, includes, value_to_float
    from inspect_ai.solver import TaskState
    from inspect_ai.tool import Tool, ToolDef, tool

    @tool
    def multiply() -> Tool:
        async def execute(x: int, y: int) -> int:
            """Multiply two numbers.

            Args:
                x: the first.
                y: the second.
            """
            return x * y

        return execute

    async def score(sample: Sample, answer: str) -> float:
        output = ModelOutput.from_content("any", answer)
        state = TaskState(ModelName("any/any"), sample.id or 0, 0, sample.input, [], output=output)
        found = await includes()(state, Target(sample.target))
        assert found is not None
        return value_to_float()(found.value)

    world = ToolWorld(
        "products",
        {"one": Sample(input="What is 6 * 7?", target="42", id="one")},
        question=lambda sample: str(sample.input),
        tools=lambda sample: {ToolDef(each).name: each for each in (multiply(),)},
        rubric={"includes": score},
    )
    state, outcomes = play(world, 'multiply {"x": 6, "y": 7}', 'submit {"answer": "It is 42."}')
    assert 'multiply {"x": int, "y": int}: Multiply two numbers.' in state.opening.setting
    assert [outcome.observation for outcome in outcomes] == ["42", "Submitted."]
    assert outcomes[-1].reward == 1
