from quintet.messages.prompts import user
from quintet.models.sim.chance import Chance
from quintet.models.sim.hindsight import Lesson, Lessons
from quintet.models.sim.textcraft.following import looks_first, step_at
from quintet.models.sim.textcraft.reflecting import LOOK, NO_FLAW
from quintet.models.sim.textcraft.revising import revised
from quintet.ports.model import Sampling

OPENING = "Crafting commands:\ncraft 1 torch using 1 stick\n\nGoal: craft torch."


def lesson(flaws: str = "", revision: str = "", *, opening: str = OPENING) -> Lesson:
    return Lesson(opening, succeeded=False, summary="1. get 1 stick", flaws=flaws, revision=revision)


def rewritten(plan: str, *lessons: Lesson, seed: int = 0) -> str:
    made = revised(Lessons(plan, lessons), Chance((user(plan),), Sampling(temperature=1, seed=seed)))
    assert made is not None
    return made


def test_a_suggested_look_gets_into_the_plan_and_stays() -> None:
    plan = rewritten("", lesson(NO_FLAW), lesson("a flaw", LOOK))
    assert looks_first(plan)
    assert rewritten(plan, lesson(NO_FLAW)) == plan
    assert [step_at(plan, action) for action in ("inventory", "craft 1 torch using 1 stick", "look")] == [2, 4, None]


def test_without_it_the_plan_says_how_crafting_goes() -> None:
    plan = rewritten("", lesson(NO_FLAW))
    assert "craft <count> <item> using" in plan
    assert not looks_first(plan)


def test_a_failure_without_a_reason_changes_one_habit_at_a_guess() -> None:
    plan = rewritten("", lesson("a flaw", LOOK))
    found = {rewritten(plan, lesson(), seed=seed) for seed in range(30)}
    assert len(found) == 3
    assert plan not in found
    assert sorted(looks_first(each) for each in found) == [False, True, True]


def test_lessons_of_another_world_are_not_read() -> None:
    other = lesson(opening="You are in the middle of a room. You see a desk 1.\n\nGoal: put some egg on desk.")
    assert revised(Lessons("", (other,)), Chance((), Sampling())) is None


def test_a_plan_may_say_not_to_look() -> None:
    assert not looks_first("1. Do not look into the inventory.\n2. Get 1 stick.")
    assert not looks_first("")
