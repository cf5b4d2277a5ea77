from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.environment import Step
from quintet.messages.execution import Execute
from quintet.messages.parts import Demonstrations, Inventory, PromptPart, TaskPlan
from quintet.messages.planning import AllOf, AnyOf, Decompose, Decomposed
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.parsing.plans import read_decomposition
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import SamplingOverride
from tests.actors.fakes import DEMONSTRATIONS, GOAL, INSTRUCTIONS, SETTING, Kitchens, Script, contents
from tests.actors.methods.over_react import over_react

FAILS = ["Action: task failed"]
WORKS = ["Action: task completed"]


def plan(order: str, *steps: str) -> str:
    lines = [f"Step {number}: {step}" for number, step in enumerate(steps, start=1)]
    return "\n".join([*lines, f"Execution Order: {order}"])


class Play:
    """An episode of ADaPT: what the executor answers to each goal, and how each goal is decomposed."""

    def __init__(
        self,
        acting: Mapping[str, Sequence[str]],
        plans: Mapping[str, str] | None = None,
        given: tuple[PromptPart, ...] = (),
        sampling: SamplingOverride | None = None,
        inner: Mapping[str, Any] | None = None,
        **config: Any,
    ) -> None:
        self.acting = Script(acting)
        # A plan that cannot be read is asked for once more, and this model only repeats itself.
        self.planning = Script({goal: [text, text] for goal, text in (plans or {}).items()})
        self.roles = Kitchens(self.acting, self.planning)
        method = over_react(Adapt, inner, **{"rollback": False, **config})
        self.answer = self.roles.solve(method, given, sampling=sampling)

    @property
    def goals(self) -> list[str]:
        """What the executor was asked to do, in order."""
        return [request.goal for request in self.roles.requests(Execute)]

    @property
    def subtasks(self) -> list[Solve]:
        """What it asked of itself, in order."""
        return [request for request in self.roles.requests(Solve)[1:] if not request.by]

    def shown_before(self, goal: str) -> str:
        """How the world stood, by its own words, when the executor was first asked about this goal."""
        prompt = self.acting.prompts[self.acting.goals().index(goal)]
        return prompt.messages()[1].content.split("\n\n")[1]


def test_what_the_executor_can_do_is_not_decomposed() -> None:
    play = Play({GOAL: WORKS})
    assert isinstance(play.answer, Solved)
    assert (play.answer.claimed, play.answer.depth) == (True, 1)
    assert play.roles.requests(Decompose) == []


def test_what_it_fails_at_is_decomposed_and_each_step_is_a_subtask_one_level_down() -> None:
    play = Play({GOAL: FAILS, "a": WORKS, "b": WORKS}, {GOAL: plan("(Step 1 AND Step 2)", "a", "b")})
    assert isinstance(play.answer, Solved)
    assert (play.answer.claimed, play.answer.depth) == (True, 2)
    assert [(asked.goal, asked.depth, asked.setting) for asked in play.subtasks] == [
        ("a", 2, SETTING),
        ("b", 2, SETTING),
    ]


SERVES, BURNS = ["Action: serve", *WORKS], ["Action: burn", *FAILS]


@pytest.mark.parametrize(
    ("order", "acting", "solved", "done"),
    [
        ("Step 1 AND Step 2", {"a": FAILS}, False, False),
        ("Step 1 OR Step 2 OR Step 3", {"a": FAILS, "b": WORKS}, True, False),
        ("Step 1 OR Step 2", {"a": FAILS, "b": FAILS}, False, False),
        ("((Step 1 AND Step 2) OR Step 3) AND Step 4", {"a": WORKS, "b": FAILS, "c": WORKS, "d": WORKS}, True, False),
        ("Step 1 AND Step 2", {"a": SERVES}, True, True),
        ("Step 1 OR Step 2", {"a": BURNS}, False, True),
    ],
)
def test_a_plan_ends_where_its_logic_or_the_world_does_and_brackets_use_up_no_depth(
    order: str, acting: dict[str, list[str]], solved: bool, done: bool
) -> None:
    steps = "abcd"[: order.count("Step")]
    play = Play({GOAL: FAILS, **acting}, {GOAL: plan(order, *steps)}, max_depth=2, rollback=done)
    assert isinstance(play.answer, Solved) == solved
    assert (play.answer.claimed, play.answer.done) == (solved, done)
    assert play.goals == [GOAL, *acting]
    assert {request.depth for request in play.subtasks} == {2}
    assert play.roles.actor.sessions == 1


def test_the_planner_is_not_asked_at_the_greatest_depth() -> None:
    acting = dict.fromkeys([GOAL, "a", "b", "c"], FAILS)
    plans = {GOAL: plan("Step 1", "a"), "a": plan("Step 1", "b"), "b": plan("Step 1", "c")}
    play = Play(acting, plans, max_depth=3)
    assert play.goals == [GOAL, "a", "b"]
    assert [request.goal for request in play.roles.requests(Decompose)] == [GOAL, "a"]
    assert play.answer.depth == 3


def test_the_deepest_level_is_reported_not_the_last() -> None:
    acting = {GOAL: FAILS, "a": FAILS, "x": WORKS, "b": WORKS}
    plans = {GOAL: plan("(Step 1 AND Step 2)", "a", "b"), "a": plan("Step 1", "x")}
    assert Play(acting, plans).answer.depth == 3


def test_an_empty_plan_has_failed() -> None:
    play = Play({GOAL: FAILS}, {GOAL: "I do not understand."})
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, play.answer.depth, play.answer.claimed) == ("the plan has no step", 1, False)


def test_a_world_done_in_the_executor_s_own_run_is_not_decomposed() -> None:
    play = Play({GOAL: ["Action: serve", "Action: task failed"]})
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reward, play.answer.claimed) == (1.0, False)


TASTES = ["Action: taste", *FAILS]


@pytest.mark.parametrize(("rollback", "reward"), [(False, 0.5), (True, 0.0)])
def test_a_reward_is_kept_with_its_session_and_rolled_back_with_it(rollback: bool, reward: float) -> None:
    order = plan("(Step 1 AND Step 2)", "a", "b")
    play = Play({GOAL: TASTES, "a": WORKS, "b": FAILS}, {GOAL: order}, max_depth=2, rollback=rollback)
    assert isinstance(play.answer, Unsolved)
    assert play.answer.reward == reward
    assert Play({GOAL: TASTES}, {GOAL: "?"}, rollback=rollback).answer.reward == reward
    order = plan("(Step 1 OR Step 2)", "a", "b")
    assert Play(
        {GOAL: FAILS, "a": TASTES, "b": FAILS}, {GOAL: order}, max_depth=2, rollback=rollback
    ).answer.reward == (reward)


def test_what_a_solved_part_earned_is_kept_where_the_next_one_is_rolled_back() -> None:
    acting = {GOAL: FAILS, "a": ["Action: taste", *WORKS], "b": ["Action: taste", *FAILS]}
    play = Play(acting, {GOAL: plan("(Step 1 AND Step 2)", "a", "b"), "b": "?"}, rollback=True)
    assert isinstance(play.answer, Unsolved)
    assert play.answer.reward == 0.5


def test_without_rollback_a_subtask_starts_from_the_world_as_it_is() -> None:
    acting = {GOAL: ["Action: take salt", "Action: task failed"], "a": WORKS}
    play = Play(acting, {GOAL: plan("Step 1", "a")}, hand_on="inventory")
    assert play.shown_before("a") == "You carry: salt"
    assert play.roles.actor.sessions == 1


def test_with_rollback_a_failed_attempt_leaves_no_trace() -> None:
    acting = {GOAL: ["Action: take salt", "Action: task failed"], "a": ["Action: take oil", *WORKS], "b": WORKS}
    play = Play(acting, {GOAL: plan("Step 1 AND Step 2", "a", "b")}, hand_on="inventory", rollback=True)
    assert play.shown_before("a") == "You carry: nothing"
    assert play.shown_before("b") == "You carry: oil"


def done(play: Play) -> list[tuple[str, str]]:
    """What the answer says was done: what the executor said, and what the world answered."""
    return [(turn.completion, turn.observation) for turn in play.answer.turns]


SALTED = ("Thought: salt.\nAction: take salt", "You take salt.")
OILED = ("Action: take oil", "You take oil.")
SERVED = ("Action: serve", "Supper is served.")
EMPTY, SALTY = (("Action: inventory", f"You carry: {carried}") for carried in ("nothing", "salt"))
"""What its controller does to hand on the inventory."""


def test_the_answer_says_what_the_executor_and_the_controller_did_in_every_subtask() -> None:
    acting = {GOAL: FAILS, "a": ["salt.\nAction: take salt", *WORKS], "b": ["Action: serve", *WORKS]}
    play = Play(acting, {GOAL: plan("Step 1 AND Step 2", "a", "b")}, hand_on="inventory")
    assert done(play) == [EMPTY, EMPTY, SALTED, SALTY, SERVED]


@pytest.mark.parametrize(("rollback", "before"), [(True, []), (False, [OILED])])
def test_the_answer_leaves_out_what_was_rolled_back(rollback: bool, before: list[tuple[str, str]]) -> None:
    acting = {
        GOAL: ["Action: take oil", *FAILS],
        "a": ["salt.\nAction: take salt", *WORKS],
        "b": ["Action: serve", *WORKS],
    }
    play = Play(acting, {GOAL: plan("Step 1 AND Step 2", "a", "b")}, rollback=rollback)
    assert done(play) == [*before, SALTED, SERVED]
    lost = {GOAL: FAILS, "a": ["Action: take oil", *FAILS], "b": ["salt.\nAction: take salt", *WORKS]}
    order = plan("Step 1 OR Step 2", "a", "b")
    assert done(Play(lost, {GOAL: order}, max_depth=2, rollback=rollback)) == [*before, SALTED]
    assert done(Play({GOAL: ["Action: take oil", *FAILS]}, {GOAL: "?"}, rollback=rollback)) == before


def test_with_rollback_every_alternative_starts_from_the_same_point() -> None:
    acting = {
        GOAL: FAILS,
        "a": ["Action: take salt", *WORKS],
        "b": ["Action: take oil", *FAILS],
        "c": ["Action: take rice", *FAILS],
        "d": WORKS,
    }
    order = "Step 1 AND (Step 2 OR Step 3 OR Step 4)"
    play = Play(acting, {GOAL: plan(order, "a", "b", "c", "d")}, max_depth=2, hand_on="inventory", rollback=True)
    assert [play.shown_before(goal) for goal in "bcd"] == ["You carry: salt"] * 3


def test_without_rollback_alternatives_follow_each_other() -> None:
    acting = {GOAL: FAILS, "a": ["Action: take oil", *FAILS], "b": WORKS}
    play = Play(acting, {GOAL: plan("Step 1 OR Step 2", "a", "b")}, max_depth=2, hand_on="inventory")
    assert play.shown_before("b") == "You carry: oil"


def test_only_the_session_gone_on_with_stays_open() -> None:
    acting = {goal: ["Action: take salt", *FAILS] for goal in [GOAL, "a", "b", "x"]} | {"c": WORKS}
    plans = {GOAL: plan("(Step 1 OR Step 2) OR Step 3", "a", "b", "c"), "a": plan("Step 1", "x"), "b": "?", "x": "?"}
    play = Play(acting, plans, rollback=True)
    assert isinstance(play.answer, Solved)
    assert play.roles.actor.sessions == 1


def test_the_inventory_is_handed_to_every_executor_run_before_its_goal() -> None:
    acting = {GOAL: ["Action: take salt", *FAILS], "a": WORKS}
    play = Play(acting, {GOAL: plan("Step 1", "a")}, hand_on="inventory")
    system = f"system: {INSTRUCTIONS}\n\n{DEMONSTRATIONS}"
    assert contents(play.acting.prompts[0]) == [system, f"user: {SETTING}\n\nYou carry: nothing\n\nGoal: {GOAL}."]
    assert contents(play.acting.prompts[-1]) == [system, f"user: {SETTING}\n\nYou carry: salt\n\nGoal: a."]


def test_without_a_hand_on_nothing_is_asked_of_the_world() -> None:
    play = Play({GOAL: WORKS})
    assert play.roles.requests(Step) == []


def test_what_outlives_episodes_reaches_every_subtask_and_every_run_of_the_executor() -> None:
    given, sampling = TaskPlan(text="1. Salt."), SamplingOverride(temperature=1.0, top_p=0.9)
    acting = {GOAL: FAILS, "a": FAILS, "x": WORKS, "b": FAILS, "c": WORKS}
    plans = {GOAL: plan("Step 1 AND (Step 2 OR Step 3)", "a", "b", "c"), "a": plan("Step 1", "x"), "b": "?"}
    play = Play(acting, plans, (given,), sampling, hand_on="inventory")
    assert [(asked.goal, asked.depth) for asked in play.subtasks] == [
        ("a", 2),
        ("x", 3),
        ("b", 2),
        ("c", 2),
    ]
    assert {asked.sampling for asked in play.roles.requests(Solve)} == {sampling}
    assert {asked.parts for asked in play.subtasks} == {(given,)}
    runs = play.roles.requests(Execute)
    assert [asked.goal for asked in runs] == [GOAL, "a", "x", "b", "c"]
    for asked in runs:
        shown = [ingredient for ingredient in asked.parts if not isinstance(ingredient, Inventory)]
        assert (shown, asked.sampling) == ([Demonstrations(text=DEMONSTRATIONS), given], sampling)


def last_told(play: Play, goal: str) -> str:
    """The last action with its answer, as the executor saw it when first asked about this goal; empty if nothing."""
    said = play.shown_before(goal)
    return said.removeprefix(LAST_ACTION_TEXT) if said.startswith(LAST_ACTION_TEXT) else ""


LAST_ACTION_TEXT = "The last action that was carried out: "
SALT = "take salt\nIt was answered: You take salt."
RICE = "take rice\nIt was answered: You take rice."


def test_the_last_action_of_a_solved_subtask_is_handed_to_the_next_with_the_worlds_answer() -> None:
    acting = {GOAL: FAILS, "a": ["Action: take salt", "Action: fly", *WORKS], "b": WORKS, "c": WORKS}
    play = Play(acting, {GOAL: plan("Step 1 AND Step 2 AND Step 3", "a", "b", "c")}, hand_on="last_action")
    assert [last_told(play, goal) for goal in (GOAL, "a", "b", "c")] == ["", "", *[SALT] * 2]


def test_every_alternative_is_handed_the_same_and_nothing_of_a_failure() -> None:
    acting = {
        GOAL: ["Action: taste", *FAILS],
        "a": ["Action: take salt", *WORKS],
        "b": ["Action: take oil", *FAILS],
        "c": ["Action: take rice", *WORKS],
        "d": WORKS,
    }
    order = "Step 1 AND (Step 2 OR Step 3) AND Step 4"
    play = Play(acting, {GOAL: plan(order, *"abcd")}, max_depth=2, hand_on="last_action", rollback=True)
    assert [last_told(play, goal) for goal in "abcd"] == ["", SALT, SALT, RICE]


def test_what_was_handed_on_reaches_the_parts_of_a_subtask_that_failed() -> None:
    acting = {GOAL: FAILS, "a": ["Action: take salt", *WORKS], "b": FAILS, "x": ["Action: wait", *WORKS], "c": WORKS}
    plans = {GOAL: plan("Step 1 AND Step 2 AND Step 3", *"abc"), "b": plan("Step 1", "x")}
    play = Play(acting, plans, hand_on="last_action", rollback=True)
    assert [last_told(play, goal) for goal in "xc"] == [SALT, "wait"]


def test_without_it_no_answer_carries_an_action() -> None:
    play = Play({GOAL: ["Action: take salt", *WORKS]})
    assert isinstance(play.answer, Solved)
    assert (play.answer.last_action, play.answer.last_observation) == ("", "")


@pytest.mark.parametrize(
    ("order", "claims", "claimed"),
    [
        ("Step 1 AND Step 2", [True, True], True),
        ("Step 1 AND Step 2", [True, None], None),
        ("Step 1 AND Step 2", [True, False], False),
        ("Step 1 OR Step 2", [False, True], True),
        ("Step 1 OR Step 2", [None, False], None),
        ("Step 1 OR Step 2", [False, False], False),
        ("Step 1 AND Step 2", [None], None),
    ],
)
def test_the_claim_is_the_logic_over_the_models_own_claims(
    order: str, claims: list[bool | None], claimed: bool | None
) -> None:
    said = {True: WORKS, False: FAILS, None: ["Action: wait", "Action: wait"]}
    acting = {GOAL: FAILS} | {goal: said[claim] for goal, claim in zip("ab", claims, strict=False)}
    play = Play(acting, {GOAL: plan(order, "a", "b")}, max_depth=2, inner={"max_steps": 2})
    assert play.answer.claimed is claimed


def test_with_depth_one_and_nothing_handed_on_it_is_react() -> None:
    answers = {GOAL: ["Action: take salt", "Hm.", *FAILS]}
    adapt = Play(answers, max_depth=1, inner={"max_steps": 20, "patience": 5})
    react = Script(answers)
    answer = Kitchens(react).solve(React(ReactConfig(max_steps=20, patience=5)))
    assert adapt.answer == answer
    assert [prompt.node for prompt in adapt.acting.prompts] == [prompt.node for prompt in react.prompts]


@pytest.mark.parametrize(("world", "plans"), [("textcraft", 3), ("alfworld", 6), ("hotpotqa", 3)])
def test_the_planner_is_shown_plans_in_the_form_that_is_read(world: str, plans: int) -> None:
    shown = find_prompts(Adapt, world).text("decompose").split("\nGoal: ")[1:]
    read = [read_decomposition(text) for text in shown]
    assert len(read) == plans
    for decomposed in read:
        assert isinstance(decomposed, Decomposed)
        assert (decomposed.ambiguous, decomposed.fallback) == (False, "")
        assert isinstance(decomposed.plan, AllOf | AnyOf)
        assert len(decomposed.plan.parts) in range(2, 6)
