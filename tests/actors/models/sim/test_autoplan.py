"""AutoPlan's mechanism on the simulated model: only what a plan says makes it better."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest

from quintet.environments.textcraft.world import TextCraft
from quintet.messages.learning import Experience
from quintet.messages.reflection import Depth, Reflect
from quintet.models.sim.model import Simulated, fallible, strong, weak
from tests.actors.models.sim.alfworld.playing import tasks, world
from tests.actors.models.sim.autoplan import SAMPLING, TrainingWorld

pytestmark = pytest.mark.xdist_group("autoplan")
"""One process learns each plan once for all tests."""

SEEDS = range(3)
KINDS = pytest.mark.parametrize("kind", [pytest.param("heat", marks=pytest.mark.slow), "cool"])
LEVELS = pytest.mark.parametrize("level", [weak, strong, fallible])


@cache
def training_world(level: Callable[[], Simulated] = weak) -> TrainingWorld:
    return TrainingWorld(world(causes=True), level())


@cache
def learned_plans(kind: str, seed: int, depth: Depth = "full", batch: int = 4) -> list[str]:
    return training_world().learn(tasks(kind, split="train"), seed=seed, iterations=4, batch=batch, depth=depth)


@cache
def success(kind: str, plan: str) -> float:
    return training_world().success(tasks(kind, 12), plan)


@KINDS
def test_with_full_reflection_success_rises_and_stays(kind: str) -> None:
    for seed in SEEDS:
        rates = [success(kind, plan) for plan in learned_plans(kind, seed)]
        assert rates == sorted(rates)
        assert rates[0] == 0
        assert rates[-1] >= 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["heat", "cool"])
def test_on_summaries_alone_it_does_not(kind: str) -> None:
    full, alone = (
        [success(kind, plan) for seed in SEEDS for plan in learned_plans(kind, seed, depth)[1:]]
        for depth in ("full", "summary")
    )
    assert sum(alone) < 0.75 * sum(full)


@pytest.mark.slow
def test_on_summaries_alone_a_plan_that_was_right_is_given_up_again() -> None:
    runs = [[success("cool", plan) for plan in learned_plans("cool", seed, "summary")] for seed in range(6)]
    assert any(later < earlier for rates in runs for earlier, later in pairwise(rates))


@pytest.mark.parametrize(("kind", "other"), [pytest.param("heat", "cool", marks=pytest.mark.slow), ("cool", "heat")])
def test_the_plan_of_another_kind_of_jobs_is_no_help(kind: str, other: str) -> None:
    assert success(kind, learned_plans(other, 0)[-1]) == success(kind, "") == 0


def test_a_plan_harms_no_job_that_does_without_it() -> None:
    assert success("pick", learned_plans("heat", 0)[-1]) == success("pick", "")


@LEVELS
def test_observations_that_are_blanked_teach_nothing(level: Callable[[], Simulated]) -> None:
    blind = TrainingWorld(world(causes=True), level(), seen=lambda _: "")
    lessons = [blind.lesson(task, sampling=SAMPLING) for task in tasks("heat", 2)]
    assert all(lesson.flaws.startswith("There is no flaw") for lesson in lessons)
    seeing = training_world(level)
    assert seeing.rewritten(learned_plans("heat", 0)[-1], lessons) == learned_plans("heat", 0)[-1]


def test_a_plan_does_not_make_strong_worse() -> None:
    plan = training_world(strong).learn(tasks("heat", 8, "train"), seed=0, iterations=1)[-1]
    assert training_world(strong).success(tasks("heat", 8), plan) >= training_world(strong).success(tasks("heat", 8))


def erring(rate: float) -> TrainingWorld:
    return TrainingWorld(world(causes=True), fallible(rate))


def test_fallible_at_rate_0_learns_what_strong_learns() -> None:
    batch = tasks("heat", 8, "train")
    assert erring(0).learn(batch, seed=0, iterations=1) == training_world(strong).learn(batch, seed=0, iterations=1)


def test_fallible_passes_over_steps_and_still_writes_plans() -> None:
    lines = dict[str, int]()
    for task in tasks("heat", 4):
        experience, succeeded = training_world(strong).job(task)
        request = Reflect(experience=experience, plan="", succeeded=succeeded)
        for name, one in {"strong": training_world(strong), "fallible": erring(0.3)}.items():
            lines[name] = lines.get(name, 0) + len(one.reflected(request).summary.splitlines())
    assert lines["fallible"] < lines["strong"]
    assert all(erring(0.3).learn(tasks("heat", 8, "train"), seed=0, iterations=2)[1:])


def test_the_same_again_gives_the_same() -> None:
    again = training_world().learn(tasks("heat", split="train"), seed=0, iterations=2)
    assert again == learned_plans("heat", 0)[:3]


def test_nothing_is_kept_from_one_call_to_the_next() -> None:
    task = tasks("heat", 1)[0]
    first = training_world().lesson(task, sampling=SAMPLING)
    training_world().lesson(tasks("cool", 1)[0], sampling=SAMPLING)
    assert TrainingWorld(world(causes=True), weak()).lesson(task, sampling=SAMPLING) == first


@pytest.mark.parametrize("dialect", ["new", "classic"])
def test_it_plays_and_reflects_in_both_dialects(dialect: str) -> None:
    here = TrainingWorld(world(dialect, causes=True), weak())
    plan = here.learn(tasks("cool", 8, "train"), seed=0, iterations=2)[-1]
    assert ("put <object> in/on <place>" if dialect == "classic" else "move <object> to <place>") in plan
    assert here.success(tasks("cool", 8), plan) > here.success(tasks("cool", 8)) == 0


def test_what_is_asked_in_one_conversation_is_answered_like_what_is_asked_apart() -> None:
    experience, succeeded = training_world().job(tasks("cool", 2)[1], sampling=SAMPLING)
    parts = [
        training_world().reflected(
            Reflect(experience=experience, plan="1. Cool it.", succeeded=succeeded, one_conversation=one_conversation),
            SAMPLING,
        )
        for one_conversation in (True, False)
    ]
    assert parts[0] == parts[1]


def test_a_job_without_a_turn_can_be_reflected_on() -> None:
    experience, _ = training_world().job(tasks("heat", 1)[0])
    nothing = Experience(task=experience.task, opening=experience.opening, turns=())
    found = training_world().reflected(Reflect(experience=nothing, plan="", succeeded=False))
    assert found.summary == "1. The goal was not reached."


def test_the_thought_says_at_which_step_of_the_plan_one_is() -> None:
    plan = learned_plans("heat", 0)[-1]
    experience, _ = training_world().job(tasks("heat", 1)[0], plan)
    assert experience.turns[0].completion.startswith("Thought: I am at step 1 of the plan.")
    plain, _ = training_world().job(tasks("heat", 1)[0])
    assert "step" not in plain.turns[0].completion


@cache
def workshop() -> TrainingWorld:
    return TrainingWorld(TextCraft(), weak(), steps=40)


def test_in_textcraft_learning_finds_a_plan_that_says_to_look_which_helps() -> None:
    textcraft = TextCraft()
    plan = workshop().learn(textcraft.tasks("dev"), seed=0, iterations=1)[-1]
    goals = textcraft.tasks("test")[:24]
    assert "look into the inventory" in plan
    assert workshop().success(goals, plan) >= workshop().success(goals) + 0.3


@pytest.mark.slow
def test_in_textcraft_a_plan_that_does_not_say_so_does_not_help() -> None:
    goals = TextCraft().tasks("test")[:24]
    assert workshop().success(goals, "1. Craft the goal.") == workshop().success(goals)
