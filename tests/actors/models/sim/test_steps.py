"""The simulated levels plan one task, pursue its steps and judge them, asked by the roles with the method's prompts."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from quintet.messages.execution import Act, Decide, Retarget, Retargeted
from quintet.messages.message import ReplyT, Request
from quintet.messages.parts import History, LastAction, Situation, TaskSteps
from quintet.messages.planning import MakePlan, PlanMade
from quintet.messages.reflection import Align, Aligned, Condense, Condensed, Judge, Judged
from quintet.messages.solving import Solved
from quintet.models.sim.model import Simulated, fallible, newcomer, strong, weak
from tests.actors.fakes import converse
from tests.actors.models.sim.advocate import Advocate, world

WORLDS = pytest.mark.parametrize("name", ["textcraft", "alfworld"])
LEVELS = pytest.mark.parametrize("level", [strong, weak, newcomer, fallible])

CRAFTS = """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 1 sword using 1 stick, 6 planks
craft 1 flint knife using 2 stick"""
SWORD = "craft sword"
SWORD_STEPS = (
    "get 1 stick",
    "get 2 oak logs",
    "craft 4 oak planks using 1 oak logs",
    "craft 4 oak planks using 1 oak logs",
    "craft 1 sword using 1 stick, 6 oak planks",
)
ROOM = (
    "You are in the middle of a room. Looking quickly around you, you see a countertop 1, a drawer 1, a fridge 1, "
    "a garbagecan 1, a microwave 1, and a toaster 1."
)
EGG = "put a hot egg in fridge"
EGG_STEPS = ("find and take a egg", "heat the egg with the microwave", "put the hot egg in/on the fridge")
EMPTY = "The action is to go to countertop 1: You arrive at countertop 1; On the countertop 1, you see nothing."
TOOK = "The action is to take egg 1 from garbagecan 1: You pick up the egg 1 from the garbagecan 1."


def ask(name: str, request: Request[ReplyT], model: Simulated | None = None) -> ReplyT:
    roles = Advocate(name, "any", model or strong())
    return converse(lambda: roles.ask(request))


def plan(name: str, goal: str, *done: str, model: Simulated | None = None) -> tuple[str, ...]:
    setting = CRAFTS if name == "textcraft" else ROOM
    made = ask(name, MakePlan(setting=setting, goal=goal, parts=(History(texts=done),)), model)
    assert isinstance(made, PlanMade), made
    return tuple(step.text for step in made.steps)


def decide(
    name: str, goal: str, steps: tuple[str, ...], current: int, *done: str, seen: str = "", instead_of: str = ""
) -> str:
    setting = CRAFTS if name == "textcraft" else ROOM
    parts = (
        TaskSteps(steps=steps, current=current),
        History(texts=done),
        Situation(observation=seen or setting),
    )
    reply = ask(
        name,
        Decide(setting=setting, goal=goal, parts=parts, instead_of=(instead_of,) if instead_of else ()),
    )
    decision = reply.candidates[0].decision
    assert isinstance(decision, Act), decision
    return decision.action


def is_completed(name: str, goal: str, steps: tuple[str, ...], current: int | None, *done: str, seen: str = "") -> bool:
    setting = CRAFTS if name == "textcraft" else ROOM
    judged = ask(
        name,
        Judge(setting=setting, goal=goal, steps=steps, current=current, history=done, observation=seen or setting),
    )
    assert isinstance(judged, Judged)
    return judged.completed


def serves(
    name: str, goal: str, steps: tuple[str, ...], current: int, action: str, after: str, before: str = ""
) -> bool:
    return aligned(name, goal, steps, current, action, after, before).aligned


def aligned(
    name: str,
    goal: str,
    steps: tuple[str, ...],
    current: int,
    action: str,
    after: str,
    before: str = "",
    model: Simulated | None = None,
) -> Aligned:
    setting = CRAFTS if name == "textcraft" else ROOM
    request = Align(
        setting=setting,
        goal=goal,
        steps=steps,
        current=current,
        action=action,
        before=before or setting,
        after=after,
    )
    found = ask(name, request, model)
    assert isinstance(found, Aligned), found
    return found


def told(action: str, answer: str) -> str:
    """The sentence on an action, as the simulated model writes it."""
    return aligned("textcraft", SWORD, SWORD_STEPS, 1, action, answer).description


def test_a_plan_has_everything_to_fetch_and_then_every_command() -> None:
    assert plan("textcraft", SWORD) == SWORD_STEPS
    assert plan("textcraft", "fetch 1 stick") == ("get 1 stick",)


def test_a_plan_for_a_household_takes_treats_and_puts() -> None:
    assert plan("alfworld", EGG) == EGG_STEPS
    assert plan("alfworld", "put two egg in fridge") == (
        "find and take a egg, not from the fridge",
        "put the egg in/on the fridge",
        "find and take another egg, not from the fridge",
        "put the egg in/on the fridge",
    )


def test_a_plan_goes_by_what_earlier_trials_showed() -> None:
    (first, *_) = plan("alfworld", EGG, f"(undone) {EMPTY}")
    assert first == "find and take a egg from the fridge 1"
    seen = "(undone) The action is to go to fridge 1: The fridge 1 is open; In it, you see a egg 2."
    (first, *_) = plan("alfworld", EGG, seen)
    assert first == "find and take a egg from the fridge 1"
    refused = "(undone) The action is to get 1 stick: Could not find stick"
    assert plan("textcraft", SWORD, refused) != SWORD_STEPS
    failed = "(undone) The action is to heat egg 1 with microwave 1: Nothing happens."
    assert plan("alfworld", EGG, failed)[1] == "heat the egg"


def test_a_subtask_is_planned_and_judged_from_where_it_begins() -> None:
    """What is in hand and how it is comes from the last action before the subtask."""
    heated = LastAction(action="heat egg 1 with microwave 1", observation="You heat the egg 1 using the microwave 1.")
    goal = "put the hot egg in/on the fridge"
    made = ask("alfworld", MakePlan(setting=ROOM, goal=goal, parts=(heated,)))
    assert isinstance(made, PlanMade)
    assert [step.text for step in made.steps] == [goal]
    laid = "You move the egg 1 to the fridge 1."
    judged = Judge(
        setting=ROOM,
        goal=goal,
        steps=(goal,),
        history=(f"The action is to move egg 1 to fridge 1: {laid}",),
        observation=laid,
    )
    assert ask("alfworld", replace(judged, parts=(heated,))) == Judged(completed=True)
    assert ask("alfworld", judged) == Judged(completed=False)


def test_the_step_that_is_pursued_is_done_before_the_rest() -> None:
    assert decide("textcraft", SWORD, SWORD_STEPS, 2) == "get 2 oak logs"
    took = "You pick up the egg 1 from the countertop 1."
    done = f"The action is to take egg 1 from countertop 1: {took}"
    assert decide("alfworld", EGG, EGG_STEPS, 2, done, seen=took) == "go to microwave 1"
    hot = "You heat the egg 1 using the microwave 1."
    heated = f"The action is to heat egg 1 with microwave 1: {hot}"
    assert decide("alfworld", EGG, EGG_STEPS, 3, done, heated, seen=hot) == "go to fridge 1"


def test_a_step_that_is_done_or_no_goal_leaves_the_goal_of_the_task() -> None:
    got = told("get 2 oak logs", "Got 2 oak logs")
    assert decide("textcraft", SWORD, SWORD_STEPS, 2, got, seen="Got 2 oak logs") == "get 1 stick"
    assert decide("textcraft", SWORD, ("think it over",), 1) == "get 1 stick"
    assert is_completed("textcraft", SWORD, ("think it over",), 1)


def test_what_was_undone_has_no_effect_and_what_it_showed_still_holds() -> None:
    got = told("get 2 oak logs", "Got 2 oak logs")
    assert not is_completed("textcraft", SWORD, SWORD_STEPS, 2, f"(undone) {got}")
    assert is_completed("textcraft", SWORD, SWORD_STEPS, 2, got, seen="Got 2 oak logs")
    assert decide("alfworld", EGG, EGG_STEPS, 1) == "go to countertop 1"
    assert decide("alfworld", EGG, EGG_STEPS, 1, f"(undone) {EMPTY}") == "go to fridge 1"
    seen = (
        "(undone) The action is to open drawer 1: You open the drawer 1; The drawer 1 is open; In it, you see a egg 1."
    )
    assert decide("alfworld", EGG, EGG_STEPS, 1, seen) == "go to drawer 1"
    shut = "The drawer 1 is closed."
    assert decide("alfworld", EGG, EGG_STEPS, 1, seen, f"The action is to go to drawer 1: {shut}", seen=shut) == (
        "open drawer 1"
    )
    assert not is_completed("alfworld", EGG, EGG_STEPS, 1, f"(undone) {TOOK}")
    assert is_completed("alfworld", EGG, EGG_STEPS, 1, TOOK)


def test_an_answer_that_is_told_and_seen_counts_once() -> None:
    got = told("get 1 oak logs", "Got 1 oak logs")
    assert not is_completed("textcraft", SWORD, SWORD_STEPS, 2, got, seen="Got 1 oak logs")
    assert is_completed("textcraft", SWORD, SWORD_STEPS, 2, got, got, seen="Got 1 oak logs")


def test_a_step_that_the_plan_has_twice_is_to_be_done_twice() -> None:
    crafted = told("craft 4 oak planks using 1 oak logs", "Crafted 4 oak planks")
    assert is_completed("textcraft", SWORD, SWORD_STEPS, 3, crafted)
    assert not is_completed("textcraft", SWORD, SWORD_STEPS, 4, crafted)
    assert is_completed("textcraft", SWORD, SWORD_STEPS, 4, crafted, crafted)
    two = ("put the egg in/on the fridge", "take another egg", "put the egg in/on the fridge")
    laid = "The action is to move egg {0} to fridge 1: You move the egg {0} to the fridge 1."
    assert is_completed("alfworld", "put two egg in fridge", two, 1, laid.format(1))
    assert not is_completed("alfworld", "put two egg in fridge", two, 3, laid.format(1))
    assert is_completed("alfworld", "put two egg in fridge", two, 3, laid.format(1), laid.format(2))


def test_the_task_is_judged_by_its_goal() -> None:
    done = [told("craft 1 sword using 1 stick, 6 oak planks", "Crafted 1 sword")]
    assert is_completed("textcraft", SWORD, SWORD_STEPS, None, *done)
    assert not is_completed("textcraft", SWORD, SWORD_STEPS, None, told("get 1 stick", "Got 1 stick"))


def test_a_remedy_is_another_action_and_no_claim_is_made_where_none_is_offered() -> None:
    assert decide("alfworld", EGG, EGG_STEPS, 1, instead_of="go to countertop 1") == "go to fridge 1"
    assert decide("textcraft", SWORD, SWORD_STEPS, 2, instead_of="get 2 oak logs") == "get 1 stick"
    crafted = told("craft 1 sword using 1 stick, 6 oak planks", "Crafted 1 sword")
    assert decide("textcraft", SWORD, SWORD_STEPS, 5, crafted) == "inventory"


@pytest.mark.parametrize(
    ("current", "action", "after", "expected"),
    [
        (2, "get 2 oak logs", "Got 2 oak logs", True),
        (2, "get 2 bones", "Got 2 bones", False),
        (3, "get 1 oak logs", "Got 1 oak logs", True),
        (2, "get 2 oak logs", "Could not find oak logs", False),
        (2, "inventory", "Inventory: [oak logs] (1)", False),
        (5, "craft 4 oak planks using 1 oak logs", "Crafted 4 oak planks", True),
        (5, "craft 1 flint knife using 2 stick", "Crafted 1 flint knife", False),
        (2, "get 2 oak logs", "", False),
    ],
)
def test_what_is_fetched_or_crafted_serves_if_the_step_needs_it(
    current: int, action: str, after: str, *, expected: bool
) -> None:
    assert serves("textcraft", SWORD, SWORD_STEPS, current, action, after) is expected


@pytest.mark.parametrize(
    ("current", "action", "after", "expected"),
    [
        (1, "go to countertop 1", "You arrive at countertop 1. On the countertop 1, you see a egg 1.", True),
        (1, "go to countertop 1", "You arrive at countertop 1. On the countertop 1, you see a mug 1.", False),
        (1, "go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed.", True),
        (1, "open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see nothing.", False),
        (1, "take egg 1 from countertop 1", "You pick up the egg 1 from the countertop 1.", True),
        (1, "take mug 1 from countertop 1", "You pick up the mug 1 from the countertop 1.", False),
        (2, "go to microwave 1", "You arrive at microwave 1. The microwave 1 is closed.", True),
        (2, "go to toaster 1", "You arrive at toaster 1. On the toaster 1, you see nothing.", False),
        (2, "heat egg 1 with microwave 1", "You heat the egg 1 using the microwave 1.", True),
        (2, "cool egg 1 with fridge 1", "You cool the egg 1 using the fridge 1.", False),
        (3, "move egg 1 to fridge 1", "You move the egg 1 to the fridge 1.", True),
        (3, "move egg 1 to toaster 1", "You move the egg 1 to the toaster 1.", False),
        (3, "move egg 1 to fridge 1", "Nothing happens.", False),
        (1, "look", ROOM, False),
    ],
)
def test_what_is_done_in_a_household_serves_if_it_shows_or_does_what_the_step_is_about(
    current: int, action: str, after: str, *, expected: bool
) -> None:
    assert serves("alfworld", EGG, EGG_STEPS, current, action, after) is expected


def test_a_lamp_serves_the_step_that_uses_it() -> None:
    steps = ("find and take a book", "find and use the desklamp")
    goal = "look at book under the desklamp"
    assert serves("alfworld", goal, steps, 2, "use desklamp 1", "You turn on the desklamp 1.")
    assert not serves("alfworld", goal, steps, 1, "use desklamp 1", "You turn on the desklamp 1.")


@WORLDS
def test_whether_an_action_serves_is_misread_alike_in_the_same_words(name: str) -> None:
    action, answer = ("get 1 item {}", "Got 1 item {}") if name == "textcraft" else ("go to {}", "You arrive at {}.")

    def verdicts(rate: float) -> list[bool]:
        found = (
            aligned(
                name, "craft sword" if name == "textcraft" else EGG, ("get 1 stick",), 1, *each, model=fallible(rate)
            )
            for each in [(action.format(number), answer.format(number)) for number in range(60)]
        )
        return [each.aligned for each in found]

    right, few, many = verdicts(0.0), verdicts(0.1), verdicts(0.4)
    wrong = [{number for number in range(60) if one[number] != right[number]} for one in (few, many)]
    assert 0 < len(wrong[0]) < len(wrong[1]) < 45
    assert wrong[0] < wrong[1]
    assert verdicts(0.4) == many


def test_a_description_is_read_back_as_the_step_that_it_tells() -> None:
    assert told("get 1 stick", "Got 1 stick") == "The action is to get 1 stick: Got 1 stick"
    assert told("get 1 stick", "") == "The action is to get 1 stick: (nothing)"


def test_a_long_view_is_put_in_short_for_the_goal() -> None:
    seen = "You arrive at countertop 1. On the countertop 1, you see a mug 1, a egg 2, and a pan 1."
    found = ask("alfworld", Condense(goal=EGG, observation=seen))
    assert isinstance(found, Condensed)
    assert found.text == "You arrive at countertop 1. On the countertop 1, you see a egg 2."
    found = ask("textcraft", Condense(goal=SWORD, observation="Got 1 stick"))
    assert found == Condensed(text="Got 1 stick")


@pytest.mark.parametrize(
    ("action", "seen", "now", "expected"),
    [
        ("take mug 1 from desk 1", "a mug 1 and a mug 2", "a mug 7 and a mug 8", "take mug 7 from desk 1"),
        ("take mug 2 from desk 1", "a mug 1 and a mug 2", "a mug 7 and a mug 8", "take mug 8 from desk 1"),
        ("take mug 2 from desk 1", "a mug 1 and a mug 2", "a mug 2 and a mug 1", "take mug 2 from desk 1"),
        ("get 2 stick", "Got 1 oak logs", "Got 1 oak logs", "get 2 stick"),
    ],
)
def test_the_same_move_has_the_numbers_that_are_seen_now(action: str, seen: str, now: str, expected: str) -> None:
    found = ask("alfworld", Retarget(action=action, seen=seen, now=now))
    assert found == Retargeted(action=expected)


def first_tasks(name: str, number: int) -> tuple[str, ...]:
    found = world(name).tasks(world(name).splits[-1])
    return found[:: len(found) // number][:number]


@WORLDS
def test_trials_of_plans_reach_the_goal_and_say_so(name: str) -> None:
    for task in first_tasks(name, 2):
        played = Advocate(name, task, strong())
        answer = played.play()
        assert isinstance(answer, Solved), task
        assert answer.reward == 1.0
        assert played.trials[-1].reward == 1.0


@WORLDS
@LEVELS
def test_with_observations_blanked_no_trial_reaches_the_goal(name: str, level: Callable[[], Simulated]) -> None:
    (task,) = first_tasks(name, 1)
    played = Advocate(name, task, level(), blank=True)
    assert played.play(max_actions=12).reward == 0
    assert played.trials


def test_another_trial_profits_from_what_the_first_one_found() -> None:
    """Without remedies, a place that was searched in vain ends the trial, and the next plan says where to look."""
    played = Advocate("alfworld", first_tasks("alfworld", 1)[0], strong())
    played.play(remedies=0)
    plans = [request.failed for request in played.requests(MakePlan)]
    assert len(plans) == len(set(plans)) == len(played.trials) > 1
