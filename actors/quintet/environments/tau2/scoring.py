"""What a conversation earned, by the criteria of its task."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from quintet.environments.tau2.package import imported
from quintet.environments.tau2.records import Records
from quintet.environments.tau2.scenarios import CustomerScenario
from quintet.environments.tau2.tools import CustomerTools


class MadeCall(NamedTuple):
    """A call that was carried out."""

    tool: str
    arguments: Mapping[str, Any]


class TaskScore(NamedTuple):
    """The reward, and what it is of."""

    reward: float
    figures: dict[str, float]


def task_score(
    scenario: CustomerScenario, tools: CustomerTools, made: Sequence[MadeCall], said: Sequence[str]
) -> TaskScore:
    """What calls and replies earned: 1 if all that the task's reward stands on is met, else 0.

    Args:
        tools: on which the calls were made.
        said: to the user.
    """
    criteria = scenario.criteria
    shares = {
        "ACTION": _share([any(_is(gold, each) for each in made) for gold in criteria.actions or ()]),
        "COMMUNICATE": _share([_told(info, said) for info in criteria.communicate_info or ()]),
    }
    bases = [basis.value for basis in criteria.reward_basis]
    if "DB" in bases:
        shares["DB"] = float(_same_database(_gold(scenario).environment, tools.environment))
    if "ENV_ASSERTION" in bases:
        asserted = tools.copy().environment
        checks = [asserted.run_env_assertion(each, raise_assertion_error=False) for each in criteria.env_assertions]
        shares["ENV_ASSERTION"] = _share(checks)
    figures = {_FIGURES[basis]: shares[basis] for basis in _reported(scenario)}
    return TaskScore(float(all(shares[basis] == 1 for basis in bases)), figures)


def figure_names(scenario: CustomerScenario) -> tuple[str, ...]:
    """The figures of a task: of what its reward stands on, and of its actions."""
    return tuple(_FIGURES[basis] for basis in _reported(scenario))


def _reported(scenario: CustomerScenario) -> Sequence[str]:
    return tuple(dict.fromkeys((*(basis.value for basis in scenario.criteria.reward_basis), "ACTION")))


_FIGURES = {"DB": "database", "ENV_ASSERTION": "assertions", "ACTION": "actions", "COMMUNICATE": "told"}


def _gold(scenario: CustomerScenario) -> CustomerTools:
    """The tools after the task's actions, the user's by the user."""
    tools = CustomerTools(scenario, alone=False)
    for each in scenario.criteria.actions or ():
        tools.carry_out(each.name, each.arguments, each.requestor)
    return tools


def _is(gold: Any, call: MadeCall) -> bool:
    """Whether a call is one of the task's actions, of whose arguments only some may count."""
    compared = call.arguments.keys() if gold.compare_args is None else gold.compare_args
    return gold.name == call.tool and all(
        (name in gold.arguments, gold.arguments.get(name)) == (name in call.arguments, call.arguments.get(name))
        for name in compared
    )


def _told(info: str, said: Sequence[str]) -> bool:
    return any(info.lower() in text.lower().replace(",", "") for text in said)


def _same_database(one: Any, other: Any) -> bool:
    """Whether two environments would have equal hashes of their database. A record that both share is not hashed."""
    fields, others = (cast("dict[str, Records]", vars(each.tools.db)) for each in (one, other))
    return all(_same_records(each, others[name]) for name, each in fields.items())


def _same_records(one: Records, other: Records) -> bool:
    digest = imported("utils.pydantic_utils").get_pydantic_hash
    return all(key in one and key in other and digest(one[key]) == digest(other[key]) for key in one.differing(other))


def _share(met: Sequence[bool]) -> float:
    return sum(met) / len(met) if met else 1.0
