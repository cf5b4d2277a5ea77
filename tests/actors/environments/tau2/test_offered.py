import json

import pytest

from quintet.environments.tau2.scenarios import DOMAINS
from quintet.environments.tau2.world import Tau2, Telecom
from quintet.messages.environment import Task
from tests.actors.environments.by_calls import schema_of, step_by_calls
from tests.actors.environments.tau2.installed import needs_package, opened

pytestmark = needs_package

PLAYED: list[tuple[str, Telecom]] = [*((domain, "ticket") for domain in DOMAINS), ("telecom", "user")]


@pytest.mark.parametrize(("domain", "telecom"), PLAYED)
def test_what_is_offered_is_what_is_described_and_takes_what_a_json_schema_says(domain: str, telecom: Telecom) -> None:
    opening = opened(f"{domain}_0", telecom).opening
    described = [json.loads(line)["name"] for line in opening.setting.splitlines() if line.startswith('{"name":')]
    last = "done" if (domain, telecom) == ("telecom", "ticket") else "reply"
    assert [each.name for each in opening.tools] == [*described, last]
    assert {schema_of(each).schema["type"] for each in opening.tools} == {"object"}


@pytest.mark.parametrize(("domain", "telecom"), PLAYED)
def test_actions_that_are_given_as_calls_of_tools_earn_the_reward(domain: str, telecom: Telecom) -> None:
    for name in Tau2(telecom).tasks(domain)[::30]:
        state = opened(name, telecom)
        way = state.expert() or ()
        outcomes = list(step_by_calls(opened(name, telecom), way))
        assert (outcomes[-1].reward, set(outcomes[-1].figures.values())) == (1.0, {1.0})
        assert [outcome.observation for outcome in outcomes] == [state.step(action).observation for action in way]


def test_a_users_phone_is_not_offered_and_a_reply_that_asks_for_a_call_of_it_is_heard() -> None:
    state = opened("telecom_3", "user")
    assert "toggle_roaming" not in [each.name for each in state.opening.tools]
    outcome = state.step('reply {"message": "On your phone, please do this: toggle_roaming()"}')
    assert outcome.observation.startswith("User: Data Roaming is now ON.\n")
    restored = Tau2("user").restore(Task(name="telecom_3", seed=0), state.snapshot())
    assert restored.expert() == state.expert()


def test_a_phone_that_is_the_agents_is_offered() -> None:
    names = {each.name for each in opened("telecom_3").opening.tools}
    assert {"toggle_roaming", "done"} <= names
    assert "reply" not in names
