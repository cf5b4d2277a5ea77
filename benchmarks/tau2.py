"""tau2-bench: whole conversations beside the package's own loop, which plays each again on two new databases.

Without its package nothing is measured: `make test-worlds` installs it in `.venv-worlds`.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from benchmarks.measuring import Figure, beside_package, rates
from quintet.environments.tau2.package import imported, new_environment
from quintet.environments.tau2.scenarios import DOMAINS, scenarios
from quintet.environments.tau2.session import Tau2State
from quintet.environments.tau2.world import Tau2
from quintet.messages.environment import Task
from quintet.plugins.extras import PackageMissing

_EVERY = 60
"""Of a domain's tasks every sixtieth is played."""
_SESSIONS, _CALLS = 200, 20
_EVALUATORS = {"env": "Environment", "action": "Action", "communicate": "Communicate"}


def figures() -> Iterator[Figure]:
    """The actions of tasks of each domain, on one core; one call, again and again; and copies of a session."""
    try:
        world = Tau2()
    except PackageMissing:
        return
    for domain in DOMAINS:
        ways = {name: world.open(Task(name=name, seed=0)).expert() or () for name in world.tasks(domain)[::_EVERY]}
        ours, theirs = rates(
            partial(_played, world, ways), partial(_played_by_package, domain, ways), clock=time.process_time
        )
        yield beside_package(f"tau2 {domain} conversations, opened, played and scored, CPU", ours, theirs)
        state = world.open(Task(name=next(iter(ways)), seed=0))
        (forks,) = rates(partial(_forked, state), clock=time.process_time)
        yield Figure(f"tau2 {domain} fork, CPU", 1e6 / forks, "us")
    task = Task(name="retail_0", seed=0)
    state = world.open(task)
    gold = scenarios("retail")[task.name].criteria.actions[0]
    call = f"{gold.name}({', '.join(f'{name}={value!r}' for name, value in gold.arguments.items())})"
    steps = (lambda: _called(state, call), lambda: _called_by_orchestrator(gold), lambda: _called_in_package(gold))
    ours, theirs, bare = (1e6 / each for each in rates(*steps, clock=time.process_time))
    beside = f"{ours / theirs:.2f} x the package's orchestrator with a scripted agent, {theirs:.0f} us, at most 1.1 x"
    yield Figure("tau2 call of a tool, CPU", ours, "us", f"{beside}; its environment alone, without a text, {bare:.0f}")


def _played(world: Tau2, ways: Mapping[str, Sequence[str]]) -> int:
    for name, way in ways.items():
        state = world.open(Task(name=name, seed=0))
        for action in way:
            state.step(action)
        assert state.reward == 1
    return len(ways)


def _played_by_package(domain: str, names: Iterable[str]) -> int:
    make = imported(f"domains.{domain}.environment").get_environment
    messages = imported("data_model.message")
    imported("utils.utils")
    evaluators = [
        getattr(imported(f"evaluator.evaluator_{module}"), f"{name}Evaluator") for module, name in _EVALUATORS.items()
    ]
    for scenario in map(scenarios(domain).__getitem__, names):
        environment = make(solo_mode=scenario.alone)
        if (begun := scenario.task.initial_state) is not None:
            environment.set_state(begun.initialization_data, begun.initialization_actions, [])
        said = "; ".join(scenario.criteria.communicate_info or ())
        trajectory = [messages.AssistantMessage(role="assistant", content=said)]
        for number, gold in enumerate(scenario.criteria.actions or ()):
            call = messages.ToolCall(id=str(number), name=gold.name, arguments=gold.arguments)
            trajectory += [
                messages.AssistantMessage(role="assistant", tool_calls=[call]),
                environment.get_response(call),
            ]
        asked: dict[str, Any] = {"task": scenario.task, "full_trajectory": trajectory}
        environments = {"environment_constructor": make, "solo_mode": scenario.alone}
        found = [evaluators[0].calculate_reward(**asked, **environments)]
        found += [evaluator.calculate_reward(**asked) for evaluator in evaluators[1:]]
        reached: list[dict[Any, float]] = [each.reward_breakdown or {} for each in found]
        shares = {basis: share for each in reached for basis, share in each.items()}
        assert all(shares[basis] == 1 for basis in scenario.criteria.reward_basis), (scenario.name, shares)
    return len([*names])


def _called(state: Tau2State, call: str) -> int:
    for _ in range(_SESSIONS):
        fork = state.fork()
        for _ in range(_CALLS):
            fork.step(call)
    return _SESSIONS * _CALLS


def _called_by_orchestrator(gold: Any) -> int:
    """The package's loop, whose agent makes one call again and again; the user says one thing."""
    # A client of models, which nothing here calls.
    sys.modules.setdefault("tau2.utils.llm_utils", cast("Any", SimpleNamespace(generate=None, get_cost=None)))
    loop, messages = imported("orchestrator.orchestrator"), imported("data_model.message")
    imported("utils.utils")

    def say_call(_message: Any, held: Any) -> tuple[Any, Any]:
        call = messages.ToolCall(id="", name=gold.name, arguments=gold.arguments)
        return messages.AssistantMessage(role="assistant", tool_calls=[call]), held

    def say_hello(_message: Any, held: Any) -> tuple[Any, Any]:
        return messages.UserMessage(role="user", content="Hello."), held

    def begin(message_history: Any = None) -> Any:
        return message_history

    def goes_on(_message: Any) -> bool:
        return False

    user = SimpleNamespace(get_init_state=begin, generate_next_message=say_hello)
    agent = SimpleNamespace(get_init_state=begin, generate_next_message=say_call, is_stop=goes_on)
    for _ in range(_SESSIONS // 10):
        environment = new_environment("retail", alone=False)
        played = loop.Orchestrator("retail", agent, user, environment, scenarios("retail")["retail_0"].task)
        played.initialize()
        played.step()
        for _ in range(10 * _CALLS):
            played.step()
            played.step()
        assert played.num_errors == 0
    return _SESSIONS * _CALLS


def _called_in_package(gold: Any) -> int:
    environment = new_environment("retail", alone=False)
    message = imported("data_model.message").ToolCall
    for number in range(_SESSIONS * _CALLS):
        environment.get_response(message(id=str(number), name=gold.name, arguments=gold.arguments))
    return _SESSIONS * _CALLS


def _forked(state: Tau2State) -> int:
    for _ in range(_SESSIONS):
        state.fork()
    return _SESSIONS


if __name__ == "__main__":
    for figure in figures():
        print(figure)
