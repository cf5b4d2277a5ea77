from collections.abc import Sequence

import pytest

from quintet.messages.prompts import user
from quintet.models.sim.alfworld.beliefs import beliefs
from quintet.models.sim.alfworld.revising import revised
from quintet.models.sim.chance import Chance
from quintet.models.sim.hindsight import Lesson, Lessons
from quintet.ports.model import Sampling

ROOM = "You are in the middle of a room. Looking quickly around you, you see a desk 1, and a microwave 1."
FLAW = "- heat egg 1 with toaster 1: toaster cannot be used for heating."
STOVE = "Heat the object with the stoveburner.\nA toaster cannot be used for heating."
HELD = "Keep the object in your hand while you heat it with the microwave."
WORKED = "1. take egg 1 from desk 1\n2. heat egg 1 with microwave 1 while holding it\n3. The goal was reached."
NO_FLAW = "There is no flaw in plan or actions."


def lesson(goal: str = "put a hot egg in desk", **told: str) -> Lesson:
    said = {"summary": "1. look", "flaws": "", "revision": "", **told}
    return Lesson(f"{ROOM}\n\nGoal: {goal}.", succeeded=said["summary"] == WORKED, **said)


def rewritten(plan: str, *lessons: Lesson, misled: bool = True, seed: int = 0, puts: bool = False) -> str:
    chance = Chance((user(plan),), Sampling(temperature=1, seed=seed))
    forms = "- put <object> in/on <place>" if puts else "- move <object> to <place>"
    made = revised(forms, Lessons(plan, lessons), chance, misled=misled)
    assert made is not None
    return made


def heats(plan: str) -> tuple[str, bool]:
    """With what a misled reader of a plan heats, and whether it holds the object."""
    believed = beliefs([plan], misled=True)
    return believed.appliances["heat"][0], "heat" not in believed.put_inside


RIGHT = rewritten("", lesson(summary=WORKED))


def test_the_first_plan_says_what_one_believes() -> None:
    plan = rewritten("", lesson(flaws=NO_FLAW))
    assert heats(plan) == ("toaster", False)
    assert "Lay the object into the toaster: move <object> to <place>." in plan
    assert heats(rewritten("", lesson(flaws=NO_FLAW), misled=False)) == ("microwave", True)


def test_flaws_and_revisions_of_all_jobs_count() -> None:
    assert heats(rewritten("", lesson(flaws=FLAW, revision=STOVE))) == ("stoveburner", False)
    assert heats(rewritten("", lesson(flaws=FLAW))) == ("stoveburner", False)
    assert heats(rewritten("", lesson(flaws=FLAW, revision=STOVE), lesson(revision=HELD))) == ("microwave", True)


def test_what_failed_before_is_kept_in_mind() -> None:
    plan = rewritten("", lesson(flaws=FLAW, revision=STOVE))
    again = lesson(flaws="- heat egg 1 with stoveburner 1: stoveburner cannot be used for heating.")
    assert heats(rewritten(plan, again)) == ("microwave", False)


def test_what_was_seen_to_work_outweighs_what_is_suggested() -> None:
    assert heats(rewritten("", lesson(revision=STOVE, flaws=FLAW), lesson(summary=WORKED))) == ("microwave", True)


def test_a_summary_of_a_job_that_failed_shows_nothing_to_work() -> None:
    failed = lesson(summary="1. heat egg 1 with microwave 1 while holding it", flaws=NO_FLAW)
    assert heats(rewritten("", failed)) == ("toaster", False)


@pytest.mark.parametrize("plan", [RIGHT, "Heat the object with the toaster.", f"{RIGHT}\nAnd mind the cat."])
def test_a_plan_against_which_nothing_speaks_stays_to_the_letter(plan: str) -> None:
    assert rewritten(plan, lesson(flaws=NO_FLAW), lesson(flaws=NO_FLAW)) == plan


def guesses(plan: str, *lessons: Lesson, misled: bool = True) -> Sequence[str]:
    return sorted({rewritten(plan, *lessons, misled=misled, seed=seed) for seed in range(30)})


def test_a_failure_without_a_reason_changes_one_thing_of_a_plan_however_right_it_was() -> None:
    found = guesses(RIGHT, lesson(), lesson(summary=WORKED))
    assert RIGHT not in found
    assert {heats(plan) for plan in found} == {("toaster", True), ("microwave", True), ("microwave", False)}
    assert any("Take out what is in the microwave first" in plan for plan in found)


def test_who_has_no_wrong_beliefs_guesses_nothing() -> None:
    assert guesses(RIGHT, lesson(), misled=False) == [RIGHT]


def test_where_nothing_could_be_otherwise_nothing_is_guessed() -> None:
    plan = rewritten("", lesson("put some egg on desk", flaws=NO_FLAW))
    assert guesses(plan, lesson("put some egg on desk")) == [plan]


def test_a_plan_for_one_treatment_says_nothing_about_another() -> None:
    assert beliefs([RIGHT], misled=True).put_inside == {"cool"}
    cooling = rewritten("", lesson("put a cool egg in desk", revision="Keep it in your hand while you cool it."))
    assert beliefs([cooling], misled=True).put_inside == {"heat"}
    assert heats(cooling) == ("toaster", False)


def test_a_plan_for_several_kinds_of_jobs_says_which_step_is_for_which() -> None:
    plan = rewritten(RIGHT, lesson("cool some egg and put it in desk"), lesson("look at egg under the desklamp"))
    assert "If the goal asks for a hot object: heat the object with the microwave while you hold it" in plan
    assert "If the goal asks for a cool object: go to a fridge" in plan
    assert "If the goal names a lamp" in plan
    assert heats(plan)[0] == "microwave"


def test_actions_have_the_form_that_the_instructions_list() -> None:
    assert "put <object> in/on <place>" in rewritten("", lesson(), puts=True)
    assert "move <object> to <place>" in rewritten("", lesson())


def test_lessons_of_another_world_are_not_read() -> None:
    other = Lesson("Crafting commands:\n\nGoal: craft a.", succeeded=False, summary="", flaws="", revision="")
    assert revised("", Lessons("", (other,)), Chance((), Sampling()), misled=True) is None
