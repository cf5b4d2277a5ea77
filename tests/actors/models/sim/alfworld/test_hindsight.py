from collections.abc import Sequence

import pytest

from quintet.messages.planning import Lesson
from quintet.messages.prompts import user
from quintet.models.sim.alfworld.beliefs import beliefs_after, claims_in
from quintet.models.sim.alfworld.player import AlfworldPlayer
from quintet.models.sim.alfworld.task import HouseTask, read_house_task
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG, WEAK
from quintet.models.sim.player import NO_FLAW
from quintet.models.sim.transcript import Exchange, Reading
from quintet.ports.model import Sampling

PLAYER = AlfworldPlayer()


def flaws(reading: Reading[HouseTask], plan: str) -> list[str]:
    return list(PLAYER.find_flaws(reading, plan))


def revision(reading: Reading[HouseTask], plan: str, *, misled: bool) -> list[str]:
    return list(PLAYER.suggest(reading, plan, WEAK if misled else STRONG))


ROOM = (
    "You are in the middle of a room. Looking quickly around you, you see a desk 1, a microwave 1, a stoveburner 1, "
    "and a toaster 1."
)
FOUND = Exchange("take egg 1 from desk 1", "You pick up the egg 1 from the desk 1.")
WENT = Exchange("go to desk 1", "You arrive at desk 1. On the desk 1, you see a egg 1.")
TOASTER = Exchange("heat egg 1 with toaster 1", "Nothing happens. toaster cannot be used for heating.")
TOO_SMALL = Exchange("move egg 1 to toaster 1", "Nothing happens. egg 1 does not fit in/on toaster 1.")
INSIDE = Exchange("heat egg 1 with microwave 1", "Nothing happens. You are not carrying egg 1.")
HEATED = Exchange("heat egg 1 with microwave 1", "You heat the egg 1 using the microwave 1.")


def job(*steps: Exchange, goal: str = "put a hot egg in desk") -> Reading[HouseTask]:
    task = read_house_task(f"{ROOM}\n\nGoal: {goal}.")
    assert task is not None
    return Reading(task, steps, ())


def test_a_summary_tells_what_was_carried_out_but_no_reasons() -> None:
    assert list(PLAYER.summarize((WENT, FOUND, TOASTER, HEATED))) == [
        "go to desk 1",
        "take egg 1 from desk 1",
        "heat egg 1 with microwave 1 while holding it",
    ]


def test_a_flaw_is_what_was_refused_with_the_reason_treatments_first() -> None:
    full = Exchange("take egg 2 from desk 1", "Nothing happens. You cannot hold more than one object.")
    assert flaws(job(full, TOASTER, TOASTER), "") == [
        "- heat egg 1 with toaster 1: toaster cannot be used for heating.",
        "- take egg 2 from desk 1: You cannot hold more than one object.",
    ]


def test_a_flaw_names_the_step_of_the_plan_that_was_followed() -> None:
    plan = "1. Take the object.\n2. Heat the object with the toaster."
    assert flaws(job(TOASTER), plan)[0].startswith("- step 2 of the plan, heat egg 1 with toaster 1: toaster cannot")


def test_a_refusal_without_a_reason_is_a_flaw_from_which_nothing_follows() -> None:
    bare = job(Exchange("heat egg 1 with toaster 1", "Nothing happens."))
    assert "no reason" in flaws(bare, "")[0]
    assert revision(bare, "", misled=True) == []


@pytest.mark.parametrize("blank", ["", "(nothing)"])
def test_blanked_observations_show_no_flaw(blank: str) -> None:
    blanked = job(*(Exchange(step.action, blank) for step in (WENT, FOUND, TOASTER, INSIDE)))
    assert flaws(blanked, "") == []
    assert revision(blanked, "", misled=True) == []


def test_what_was_not_found_is_no_flaw() -> None:
    said = flaws(job(WENT), "1. Heat the object with the toaster.")
    assert said == [f"{NO_FLAW} No egg was found, which is nobody's fault."]


def test_what_failed_gives_way_to_what_is_believed_to_come_next() -> None:
    said = revision(job(FOUND, TOASTER), "", misled=True)
    assert said == ["Heat the object with the stoveburner.", "A toaster cannot be used for heating."]
    planned = revision(job(FOUND, TOASTER), "1. Do not heat the object with the stoveburner.", misled=True)
    assert planned[0].startswith("Heat the object with the microwave.")


def test_an_appliance_that_an_object_does_not_fit_into_has_failed_for_a_misled_reader() -> None:
    assert revision(job(FOUND, TOO_SMALL), "", misled=True) == revision(job(FOUND, TOASTER), "", misled=True)
    there = job(FOUND, TOO_SMALL, goal="put a hot egg in toaster")
    assert revision(there, "", misled=True) == []


def test_what_was_not_carried_has_to_stay_in_hand() -> None:
    said = revision(job(FOUND, INSIDE), "", misled=True)
    assert said == ["Keep the object in your hand while you heat it with the microwave."]
    assert beliefs_after(said, misled=True).appliances["heat"][0] == "microwave"
    assert claims_in(said).in_hand == {"heat"}


def test_what_was_seen_to_work_is_suggested_before_anything_else() -> None:
    said = revision(job(FOUND, TOASTER, HEATED), "", misled=True)
    assert said[0].startswith("Heat the object with the microwave while you hold it")


def test_a_job_that_went_well_or_treats_nothing_asks_for_no_revision() -> None:
    assert revision(job(FOUND, HEATED), "", misled=True) == []
    assert revision(job(FOUND, goal="put some egg on desk"), "", misled=True) == []


def test_a_reader_without_wrong_beliefs_suggests_what_is_right() -> None:
    assert revision(job(FOUND, TOASTER), "", misled=False)[0].startswith("Heat the object with the microwave.")


FLAW = "- heat egg 1 with toaster 1: toaster cannot be used for heating."
STOVE = "Heat the object with the stoveburner.\nA toaster cannot be used for heating."
HELD = "Keep the object in your hand while you heat it with the microwave."
WORKED = "1. take egg 1 from desk 1\n2. heat egg 1 with microwave 1 while holding it\n3. The goal was reached."


def lesson(goal: str = "put a hot egg in desk", **parts: str) -> Lesson:
    said = {"summary": "1. look", "flaws": "", "revision": "", **parts}
    return Lesson(opening=f"{ROOM}\n\nGoal: {goal}.", succeeded=said["summary"] == WORKED, **said)


def rewritten(plan: str, *lessons: Lesson, misled: bool = True, seed: int = 0, puts: bool = False) -> str:
    chance = Chance((user(plan),), Sampling(temperature=1, seed=seed))
    forms = "- put <object> in/on <place>" if puts else "- move <object> to <place>"
    jobs = [(task, lesson) for lesson in lessons if (task := read_house_task(lesson.opening)) is not None]
    lines = PLAYER.rewrite_plan(plan, jobs, forms, Mind(WEAK if misled else STRONG, chance, Misreading(0)))
    return plan if lines is None else "\n".join(lines)


def heats(plan: str) -> tuple[str, bool]:
    """With what a misled reader of a plan heats, and whether it holds the object."""
    believed = beliefs_after([plan], misled=True)
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


def test_a_reader_without_wrong_beliefs_guesses_nothing() -> None:
    assert guesses(RIGHT, lesson(), misled=False) == [RIGHT]


def test_where_nothing_could_be_otherwise_nothing_is_guessed() -> None:
    plan = rewritten("", lesson("put some egg on desk", flaws=NO_FLAW))
    assert guesses(plan, lesson("put some egg on desk")) == [plan]


def test_a_plan_for_one_treatment_says_nothing_about_another() -> None:
    assert beliefs_after([RIGHT], misled=True).put_inside == {"cool"}
    cooling = rewritten("", lesson("put a cool egg in desk", revision="Keep it in your hand while you cool it."))
    assert beliefs_after([cooling], misled=True).put_inside == {"heat"}
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
