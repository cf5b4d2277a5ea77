import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.execution import Execute
from quintet.messages.memory import Classify
from quintet.messages.parts import Demonstrations, TaskPlan
from quintet.messages.planning import AllOf, AnyOf, Decompose, Decomposed, PlanStep, PlanTree
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.plan_execute.plan_execute import PlanExecute
from quintet.methods.react.demonstrations import Demonstrated
from quintet.parsing.plans import read_decomposition
from quintet.plugins.prompts import find_prompts
from tests.actors.fakes import DEMONSTRATIONS, GOAL, Kitchens, Script
from tests.actors.methods.adapt.test_adapt import FAILS, WORKS, plan
from tests.actors.methods.over_react import as_in, over_react


class Play:
    """An episode: what the executor answers to each step, and what the planner answers to each goal."""

    def __init__(self, plans: Mapping[str, str], acting: Mapping[str, Sequence[str]], **config: Any) -> None:
        # A plan that cannot be read is asked for once more, and this model only repeats itself.
        self.planning = Script({goal: [text, text] for goal, text in plans.items()})
        self.roles = Kitchens(Script(acting), self.planning)
        options: dict[str, Any] = {"rollback": False, **config}
        self.answer = self.roles.solve(over_react(PlanExecute, **options), given=(TaskPlan(text="Serve."),))

    @property
    def steps(self) -> list[str]:
        """What the executor was asked to do, in order."""
        return [request.goal for request in self.roles.requests(Execute)]

    @property
    def planned(self) -> list[str]:
        """What the planner was asked about, in order."""
        return [request.goal for request in self.roles.requests(Decompose)]


def test_it_plans_first_and_executes_each_step_as_a_subtask() -> None:
    play = Play({GOAL: plan("Step 1 AND Step 2", "a", "b")}, {"a": WORKS, "b": WORKS})
    assert isinstance(play.answer, Solved)
    assert (play.answer.claimed, play.answer.depth) == (True, 2)
    assert (play.planned, play.steps) == ([GOAL], ["a", "b"])
    assert [(asked.goal, asked.by, asked.subgoal) for asked in play.roles.requests(Solve)[1:]] == [
        ("a", "react", True),
        ("b", "react", True),
    ]
    for asked in play.roles.requests(Execute):
        assert asked.parts == (Demonstrations(text=DEMONSTRATIONS), TaskPlan(text="Serve."))


def test_a_failed_step_is_not_planned_again() -> None:
    play = Play({GOAL: plan("Step 1 AND Step 2", "a", "b")}, {"a": FAILS})
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, play.answer.claimed) == ("given up as impossible", False)
    assert (play.planned, play.steps) == ([GOAL], ["a"])


@pytest.mark.parametrize(("rollback", "reward"), [(False, 0.5), (True, 0.0)])
def test_what_an_alternative_earned_is_rolled_back_with_it(rollback: bool, reward: float) -> None:
    acting = {"a": ["Action: taste", *FAILS], "b": FAILS}
    play = Play({GOAL: plan("Step 1 OR Step 2", "a", "b")}, acting, rollback=rollback)
    assert play.answer.reward == reward


def test_what_is_handed_on_reaches_the_next_step() -> None:
    plans = {GOAL: plan("Step 1 AND Step 2", "a", "b")}
    acting = {"a": ["Action: take salt", *WORKS], "b": WORKS}
    for hand_on, shown in (("inventory", "You carry: salt"), ("last_action", "take salt")):
        play = Play(plans, acting, hand_on=hand_on)
        assert shown in str(play.roles.requests(Execute)[1].parts[-1])


@pytest.mark.parametrize("plan_form", ["detailed", "collapsed"])
def test_an_unreadable_plan_has_failed(plan_form: str) -> None:
    play = Play({GOAL: "I do not understand."}, {}, plan_form=plan_form)
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, play.answer.reward, play.steps) == ("the plan has no step", 0.0, [])
    assert play.answer.session is not None


PLANS = {
    GOAL: plan("Step 1 AND Step 2", "find salt", "serve"),
    "find salt": plan("Step 1 OR Step 2", "look left", "look right"),
    "serve": "No idea.",
    "look left": plan("Step 1 AND Step 2", "turn", "look"),
    "look right": plan("Step 1 AND Step 2", "wait", "look right"),
}
EVERY = dict.fromkeys(["find salt", "serve", "look left", "look right", "turn", "look"], WORKS)


@pytest.mark.parametrize(
    ("levels", "planned", "steps"),
    [
        (1, [GOAL], ["find salt", "serve"]),
        (2, [GOAL, "find salt", "serve"], ["look left", "serve"]),
        (3, [GOAL, "find salt", "look left", "look right", "serve"], ["turn", "look", "serve"]),
    ],
)
def test_a_collapsed_plan_has_so_many_levels_before_any_step_is_executed(
    levels: int, planned: list[str], steps: list[str]
) -> None:
    play = Play(PLANS, EVERY, plan_form="collapsed", levels=levels)
    assert isinstance(play.answer, Solved)
    assert (play.planned, play.steps) == (planned, steps)
    kinds = [type(asked) for asked in play.roles.asked if isinstance(asked, Decompose | Execute)]
    assert kinds == [*[Decompose] * len(planned), *[Execute] * len(steps)]


def test_a_step_whose_plan_has_it_again_stays_as_it_is() -> None:
    play = Play(PLANS, {**EVERY, "turn": FAILS}, plan_form="collapsed", levels=3)
    assert play.steps == ["turn", "look right", "serve"]


def test_each_form_of_plan_has_its_own_instructions() -> None:
    def instructions(demonstrations: str | None = None, **config: Any) -> tuple[str, ...]:
        return over_react(PlanExecute, {"demonstrations": demonstrations}, **config).instructions(Decompose)

    assert instructions() == ("decompose.detailed", "decompose.detailed-skills")
    assert instructions("hybrid") == ("decompose.detailed", "decompose.detailed-skills")
    assert instructions("paper") == ("decompose.detailed", "decompose.detailed-paper-skills")
    adapts = over_react(Adapt, {"demonstrations": "paper"}).instructions(Decompose)
    assert instructions("paper", plan_form="collapsed") == adapts == ("decompose", "decompose.paper-skills")


@pytest.mark.parametrize("method", [Adapt, PlanExecute])
def test_only_the_planner_is_told_the_executors_skills(method: type[Adapt | PlanExecute]) -> None:
    """A run with a memory asks for instructions of the memory's requests, too."""
    assert over_react(method).instructions(Classify) == ("classify",)


@pytest.mark.parametrize("world", PlanExecute.worlds)
def test_every_world_has_adapts_values(world: str) -> None:
    values, adapts = PlanExecute.worlds[world], Adapt.worlds[world]
    assert {name: values[name] for name in ("inner", "rollback", "hand_on")} == {
        name: adapts[name] for name in ("inner", "rollback", "hand_on")
    }
    assert values["levels"] == adapts["max_depth"] - 1
    method = as_in(PlanExecute, world)
    assert method.describe().budget == f"{values['inner']['max_steps']} a step"


SHOWN: list[tuple[str, Demonstrated | None, int]] = [
    ("textcraft", None, 3),
    ("alfworld", "hybrid", 4),
    ("alfworld", "paper", 4),
    ("hotpotqa", None, 3),
]


@pytest.mark.parametrize(("world", "kind", "plans"), SHOWN)
def test_the_planner_is_shown_detailed_plans_in_the_form_that_is_read(
    world: str, kind: Demonstrated | None, plans: int
) -> None:
    text = planners(world, kind)
    read = [read_decomposition(example) for example in text.split("\nGoal: ")[1:]]
    assert len(read) == plans
    for decomposed in read:
        assert isinstance(decomposed, Decomposed)
        assert (decomposed.ambiguous, decomposed.fallback) == (False, "")
        assert isinstance(decomposed.plan, AllOf)
    mixed = [shown for shown in read if isinstance(shown, Decomposed) and any(map(is_choice, parts_of(shown.plan)))]
    assert mixed


def planners(world: str, kind: Demonstrated | None) -> str:
    prompts = find_prompts(PlanExecute, world)
    method = over_react(PlanExecute, {"demonstrations": kind})
    return "\n\n".join(prompts.text(name) for name in method.instructions(Decompose) if name in prompts.names)


def parts_of(plan: PlanTree) -> tuple[PlanTree, ...]:
    return () if isinstance(plan, PlanStep) else plan.parts


def is_choice(plan: PlanTree) -> bool:
    return isinstance(plan, AnyOf)


def test_a_plan_for_textcraft_fetches_nothing_that_a_command_makes() -> None:
    text = planners("textcraft", None)
    commands = text.split("Crafting commands:\n")[1].split("\n\n")[0]
    made = set(re.findall(r"craft \d+ (.+?) using", commands))
    steps = re.findall(r"^Step \d+: (.+)$", text, re.MULTILINE)
    fetched = {step.split(maxsplit=2)[2] for step in steps if step.startswith("fetch ")}
    assert fetched
    assert not fetched & made
    crafted = [step for step in steps if step.startswith("craft ")]
    assert len(crafted) + sum(step.startswith("fetch ") for step in steps) == len(steps)
    assert all(step.replace("oak planks", "planks") in commands.replace("oak planks", "planks") for step in crafted)


def test_with_the_papers_skills_no_step_is_to_find_anything() -> None:
    steps = re.findall(r"^Step \d+: (.+)$", planners("alfworld", "paper"), re.MULTILINE)
    assert {step.split()[0] for step in steps} == {"take", "cool", "put", "examine"}
    assert all(re.fullmatch(r"take the \w+ from the \w+ \d+", step) for step in steps if step.startswith("take"))
