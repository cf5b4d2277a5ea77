import pytest

from quintet.models.sim.alfworld.beliefs import beliefs, told_by
from quintet.models.sim.alfworld.reflecting import NO_CHANGE, NO_FLAW, flaws, revision, summary
from quintet.models.sim.alfworld.task import Reading, Step, posed

ROOM = (
    "You are in the middle of a room. Looking quickly around you, you see a desk 1, a microwave 1, a stoveburner 1, "
    "and a toaster 1."
)
FOUND = Step("take egg 1 from desk 1", "You pick up the egg 1 from the desk 1.")
WENT = Step("go to desk 1", "You arrive at desk 1. On the desk 1, you see a egg 1.")
TOASTER = Step("heat egg 1 with toaster 1", "Nothing happens. toaster cannot be used for heating.")
TOO_SMALL = Step("move egg 1 to toaster 1", "Nothing happens. egg 1 does not fit in/on toaster 1.")
INSIDE = Step("heat egg 1 with microwave 1", "Nothing happens. You are not carrying egg 1.")
HEATED = Step("heat egg 1 with microwave 1", "You heat the egg 1 using the microwave 1.")


def job(*steps: Step, goal: str = "put a hot egg in desk") -> Reading:
    task = posed(f"{ROOM}\n\nGoal: {goal}.")
    assert task is not None
    return Reading(task, steps, ())


def test_a_summary_tells_what_was_carried_out_and_how_it_came_out_but_no_reasons() -> None:
    said = summary(job(WENT, FOUND, TOASTER, HEATED), succeeded=False)
    assert said.splitlines() == [
        "1. go to desk 1",
        "2. take egg 1 from desk 1",
        "3. heat egg 1 with microwave 1 while holding it",
        "4. The goal was not reached.",
    ]
    assert summary(job(FOUND), succeeded=True).endswith("The goal was reached.")


def test_a_flaw_is_what_was_refused_with_the_reason_treatments_first() -> None:
    full = Step("take egg 2 from desk 1", "Nothing happens. You cannot hold more than one object.")
    assert flaws(job(full, TOASTER, TOASTER), "").splitlines() == [
        "- heat egg 1 with toaster 1: toaster cannot be used for heating.",
        "- take egg 2 from desk 1: You cannot hold more than one object.",
    ]


def test_a_flaw_names_the_step_of_the_plan_that_was_followed() -> None:
    plan = "1. Take the object.\n2. Heat the object with the toaster."
    assert flaws(job(TOASTER), plan).startswith("- step 2 of the plan, heat egg 1 with toaster 1: toaster cannot")


def test_a_refusal_without_a_reason_is_a_flaw_from_which_nothing_follows() -> None:
    bare = job(Step("heat egg 1 with toaster 1", "Nothing happens."))
    assert "no reason" in flaws(bare, "")
    assert revision(bare, "", misled=True) == NO_CHANGE


@pytest.mark.parametrize("blank", ["", "(nothing)"])
def test_blanked_observations_show_no_flaw(blank: str) -> None:
    blanked = job(*(Step(step.action, blank) for step in (WENT, FOUND, TOASTER, INSIDE)))
    assert flaws(blanked, "") == NO_FLAW
    assert revision(blanked, "", misled=True) == NO_CHANGE


def test_what_was_not_found_is_no_flaw() -> None:
    said = flaws(job(WENT), "1. Heat the object with the toaster.")
    assert said == f"{NO_FLAW} No egg was found, which is nobody's fault."


def test_what_failed_gives_way_to_what_is_believed_to_come_next() -> None:
    said = revision(job(FOUND, TOASTER), "", misled=True)
    assert said.splitlines() == ["Heat the object with the stoveburner.", "A toaster cannot be used for heating."]
    planned = revision(job(FOUND, TOASTER), "1. Do not heat the object with the stoveburner.", misled=True)
    assert planned.startswith("Heat the object with the microwave.")


def test_an_appliance_that_an_object_does_not_fit_into_has_failed_for_who_puts_it_inside() -> None:
    assert revision(job(FOUND, TOO_SMALL), "", misled=True) == revision(job(FOUND, TOASTER), "", misled=True)
    there = job(FOUND, TOO_SMALL, goal="put a hot egg in toaster")
    assert revision(there, "", misled=True) == NO_CHANGE


def test_what_was_not_carried_has_to_stay_in_hand() -> None:
    said = revision(job(FOUND, INSIDE), "", misled=True)
    assert said == "Keep the object in your hand while you heat it with the microwave."
    assert beliefs([said], misled=True).appliances["heat"][0] == "microwave"
    assert told_by([said]).in_hand == {"heat"}


def test_what_was_seen_to_work_is_suggested_before_anything_else() -> None:
    said = revision(job(FOUND, TOASTER, HEATED), "", misled=True)
    assert said.startswith("Heat the object with the microwave while you hold it")


def test_a_job_that_went_well_or_treats_nothing_asks_for_no_revision() -> None:
    assert revision(job(FOUND, HEATED), "", misled=True) == NO_CHANGE
    assert revision(job(FOUND, goal="put some egg on desk"), "", misled=True) == NO_CHANGE


def test_who_has_no_wrong_beliefs_suggests_what_is_right() -> None:
    assert revision(job(FOUND, TOASTER), "", misled=False).startswith("Heat the object with the microwave.")
