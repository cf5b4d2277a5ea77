"""Our score beside the package's own checks, on the task's actions and on those with one left out, altered or added."""

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import pytest

from quintet.environments.tau2.package import imported, new_environment
from quintet.environments.tau2.scenarios import DOMAINS, CustomerScenario, scenarios
from quintet.environments.tau2.scoring import MadeCall, task_score
from quintet.environments.tau2.tools import CustomerTools
from tests.actors.environments.tau2.installed import needs_package

pytestmark = needs_package


def theirs(scenario: CustomerScenario, made: Sequence[MadeCall], said: Sequence[str]) -> tuple[float, dict[str, float]]:
    """The package's reward, and its verdicts on database and assertions, actions and what was told."""
    imported("utils.utils")
    names = {"ENV_ASSERTION": "evaluator_env.EnvironmentEvaluator", "ACTION": "evaluator_action.ActionEvaluator"}
    names |= {"DB": names["ENV_ASSERTION"], "COMMUNICATE": "evaluator_communicate.CommunicateEvaluator"}
    trajectory = [*held(scenario, made), *(message(content=text) for text in said)]
    verdicts = dict[str, float]()
    for basis in {each.value for each in scenario.criteria.reward_basis} | {"ACTION"}:
        module, _, name = names[basis].partition(".")
        evaluator: Any = getattr(import_module(f"tau2.evaluator.{module}"), name)
        asked: dict[str, Any] = {"task": scenario.task, "full_trajectory": trajectory}
        if module == "evaluator_env":
            asked |= {"environment_constructor": partial(begun, scenario), "solo_mode": scenario.alone}
        found = evaluator.calculate_reward(**asked)
        verdicts[basis] = {key.value: value for key, value in found.reward_breakdown.items()}[basis]
    bases = [each.value for each in scenario.criteria.reward_basis]
    return float(all(verdicts[basis] for basis in bases)), verdicts


def begun(scenario: CustomerScenario, solo_mode: bool = False) -> Any:
    return new_environment(scenario.domain, alone=solo_mode)


def message(**fields: Any) -> Any:
    return imported("data_model.message").AssistantMessage(role="assistant", **fields)


def held(scenario: CustomerScenario, made: Sequence[MadeCall]) -> Iterator[Any]:
    """Each call as a message, and what it returned as another."""
    tools = CustomerTools(scenario, alone=scenario.alone)
    messages = imported("data_model.message")
    for number, each in enumerate(made):
        call = messages.ToolCall(id=str(number), name=each.tool, arguments=dict(each.arguments))
        yield message(tool_calls=[call])
        content = tools.carry_out(each.tool, each.arguments, "assistant")
        yield messages.ToolMessage(id=str(number), role="tool", content=content)


def altered(scenario: CustomerScenario) -> Iterator[tuple[list[MadeCall], list[str]]]:
    """What was done and said: all of it, without its last call, with another argument, and with what is not asked."""
    gold = [MadeCall(each.name, each.arguments) for each in scenario.criteria.actions or ()]
    told = ["; ".join(scenario.criteria.communicate_info or ())]
    yield gold, told
    yield gold, ["Done."]
    yield gold[:-1], told
    yield gold[::-1], told
    if gold and gold[-1].arguments:
        name, value = list(gold[-1].arguments.items())[-1]
        others: dict[str, Any] = {"list": [], "bool": not value}
        other = others.get(type(value).__name__, "other")
        yield [*gold[:-1], MadeCall(gold[-1].tool, {**gold[-1].arguments, name: other})], told
    further = {
        "airline": MadeCall("send_certificate", {"user_id": "emma_kim_9957", "amount": 5}),
        "retail": MadeCall("get_user_details", {"user_id": "mei_davis_8935"}),
        "telecom": MadeCall("toggle_airplane_mode", {}),
    }
    yield [*gold, further[scenario.domain]], told


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("every", [100, pytest.param(10, marks=pytest.mark.slow)])
def test_rewards_are_those_of_the_packages_own_checks(domain: str, every: int) -> None:
    rewards = list[float]()
    for scenario in list(scenarios(domain).values())[::every]:
        for made, said in altered(scenario):
            tools = CustomerTools(scenario, alone=scenario.alone)
            for each in made:
                tools.carry_out(each.tool, each.arguments, "assistant")
            ours = task_score(scenario, tools, made, said)
            expected, verdicts = theirs(scenario, made, said)
            where = f"{scenario.name}: {made}"
            assert ours.reward == expected, where
            names = {"DB": "database", "ENV_ASSERTION": "assertions", "ACTION": "actions", "COMMUNICATE": "told"}
            met = {names[basis]: verdict for basis, verdict in verdicts.items()}
            assert {name: float(share == 1) for name, share in ours.figures.items()} == met, where
            rewards.append(ours.reward)
    assert set(rewards) == {0.0, 1.0}


def test_asking_for_the_score_changes_nothing() -> None:
    scenario = scenarios("telecom")["telecom_0"]
    tools = CustomerTools(scenario, alone=True)
    first, second = (task_score(scenario, tools, (), ()) for _ in range(2))
    assert first == second
    assert first.reward == 0.0
