import pytest
from msgspec.structs import replace

from quintet.messages.execution import Execute
from quintet.messages.parts import Demonstrations, PromptPart, TaskPlan
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.autoplan.config import AutoPlanConfig
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.plugins.catalogue import world
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import SamplingOverride
from tests.actors.fakes import INSTRUCTIONS, THOUGHT, Answering, Kitchens, contents


def kitchen(action: str) -> tuple[Kitchens, Answering]:
    model = Answering(lambda said: "Thought: now." if said[-1].endswith(THOUGHT) else f"Action: {action}")
    return Kitchens(model, apart=True), model


def test_the_executor_is_asked_once_with_the_plan_and_for_no_claim() -> None:
    roles, model = kitchen("serve")
    plan, sampling = TaskPlan(text="1. Serve."), SamplingOverride(temperature=1.0, top_p=0.9)
    solved = roles.solve(AutoPlan(AutoPlanConfig(formalize="illegal", patience=3)), (plan,), (), sampling)
    assert isinstance(solved, Solved)
    assert (solved.reward, solved.done, solved.claimed, solved.depth) == (1.0, True, None, 1)
    (asked,) = roles.requests(Execute)
    assert (asked.max_calls, asked.patience, asked.formalized, asked.sampling) == (35, 3, "illegal", sampling)
    assert asked.parts == (plan,)
    assert not asked.claims
    assert contents(model.prompts[0])[0] == f"system: {INSTRUCTIONS}\n\nA plan for tasks of this kind:\n\n1. Serve."


@pytest.mark.parametrize("action", ["fly", "wait"])
def test_it_gives_up_when_its_turns_are_used_up_and_not_before(action: str) -> None:
    roles, model = kitchen(action)
    unsolved = roles.solve(AutoPlan(AutoPlanConfig(max_steps=7)))
    assert isinstance(unsolved, Unsolved)
    assert unsolved.reason == "out of steps"
    assert len(model.prompts) == 3 * 7


def test_it_gives_up_sooner_where_its_patience_is_limited() -> None:
    roles, model = kitchen("fly")
    unsolved = roles.solve(AutoPlan(AutoPlanConfig(patience=2)))
    assert isinstance(unsolved, Unsolved)
    assert unsolved.reason == "too many rejected actions in a row"
    assert len(model.prompts) == 3 * 2


def test_no_worked_example_is_shown_whatever_the_task_unless_it_is_asked_for() -> None:
    metadata = {"task type": "heat"}
    assert AutoPlan(AutoPlanConfig()).demonstrations(metadata) == ()
    assert AutoPlan(AutoPlanConfig(demonstrations="task")).demonstrations(metadata) == ("heat-1", "heat-2")


def test_with_examples_in_place_of_the_plan_everything_else_is_the_same_and_nothing_claims() -> None:
    example = Demonstrations(text="Goal: take salt.\nThought: Salt!\nAction: take salt\nObservation: You take salt.")
    claiming = Demonstrations(text=f"{example.text}\nThought: I have it.\nAction: task completed")
    given: dict[str, tuple[PromptPart, ...]] = {
        "plan": (TaskPlan(text="1. Serve."),),
        "examples": (claiming, claiming),
    }
    asked: dict[str, Execute] = {}
    for shown, parts in given.items():
        roles, _ = kitchen("serve")
        roles.solve(AutoPlan(AutoPlanConfig()), parts, ())
        (asked[shown],) = roles.requests(Execute)
    assert asked["examples"].parts == (example, example)
    assert replace(asked["examples"], parts=()) == replace(asked["plan"], parts=())


@pytest.mark.parametrize("name", AutoPlanLearner.worlds)
def test_every_world_has_the_tasks_to_learn_from(name: str) -> None:
    values = AutoPlanLearner.worlds[name]
    made = world(name, **AutoPlan.environments.get(name, {}))
    assert len(made.tasks(values["split"])) >= values["tasks"]
    assert values["split"] != made.splits[0]


def test_on_alfworld_it_is_told_thirteen_actions_and_six_forms_of_goals_as_its_readme_says() -> None:
    prompts = find_prompts(AutoPlan, "alfworld")
    for name in ("execute", "reflect"):
        lines = [line.removeprefix("- ") for line in prompts.text(name).splitlines() if line.startswith("- ")]
        verbs = {form.split()[0] for line in lines for form in line.partition(":")[0].split(", ")}
        assert len(verbs - {"or"}) == 13
    (goals,) = (line for line in prompts.text("execute").splitlines() if line.startswith("A whole task reads like"))
    assert goals.partition(". ")[0].count(";") == 5
