"""tau2-bench keeps the contract of environments: with a user by its script, with a ticket, and with a user's phone."""

import pytest

from quintet.messages.environment import Task
from quintet.testing.environment import *  # noqa: F403
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.environment_copies import *  # noqa: F403
from quintet.testing.environment_members import *  # noqa: F403
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.tau2.installed import needs_package, opened

pytestmark = needs_package

_MALFORMED = (
    "reply",
    "reply(",
    "reply(message=1)",
    "done(1)",
    "fly(to='moon')",
    "get_user_details(user_id=ls())",
    "calculate(expression='9**9**9**9')",
    "get_user_details(user_id=" + "[" * 5_000 + "]" * 5_000 + ")",
)


@pytest.fixture(
    params=[("airline_9", "ticket"), ("retail_0", "ticket"), ("telecom_40", "ticket"), ("telecom_3", "user")],
    ids=" ".join,
)
def case(request: pytest.FixtureRequest) -> EnvironmentCase:
    name, telecom = request.param
    way = opened(name, telecom).expert() or ()
    return EnvironmentCase(
        NamedPlugIn("tau2", {"telecom": telecom}),
        Task(name=name, seed=0),
        way,
        solves=True,
        own_malformed_actions=_MALFORMED,
    )
