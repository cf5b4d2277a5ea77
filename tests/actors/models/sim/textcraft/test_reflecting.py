import pytest

from quintet.models.sim.textcraft.following import looks_first
from quintet.models.sim.textcraft.reflecting import LOOK, NO_CHANGE, NO_FLAW, flaws, revision, summary
from quintet.models.sim.textcraft.task import Step

GOT = Step("Action: get 2 stick", "Got 2 stick")
MADE = Step("Action: craft 1 torch using 1 stick, 1 coal", "Crafted 1 minecraft:torch")
SHORT = Step("Action: craft 1 torch using 1 stick, 1 coal", "Could not find enough items to craft minecraft:torch")
MISSING = Step("Action: get 1 torch", "Could not find torch")


def test_a_summary_tells_what_was_carried_out_and_no_reasons() -> None:
    assert summary((GOT, SHORT, GOT, MADE), succeeded=True).splitlines() == [
        "1. get 2 stick, 2 times",
        "2. craft 1 torch using 1 stick, 1 coal",
        "3. The goal was reached.",
    ]
    assert summary((), succeeded=False) == "1. The goal was not reached."


def test_what_was_refused_is_a_flaw_with_the_answer() -> None:
    assert flaws((SHORT, MISSING)).splitlines() == [
        "- craft 1 torch using 1 stick, 1 coal: Could not find enough items to craft minecraft:torch",
        "- get 1 torch: Could not find torch",
    ]


def test_fetching_again_and_again_what_is_there_is_a_flaw() -> None:
    assert flaws((GOT, GOT, GOT)) == "- get 2 stick: 2 times although it was in the inventory already."
    assert flaws((GOT, GOT)) == NO_FLAW


def test_both_come_from_not_knowing_what_one_holds() -> None:
    assert revision((SHORT,)) == revision((GOT, GOT, GOT)) == LOOK
    assert looks_first(LOOK)
    assert revision((MISSING, GOT, MADE)) == NO_CHANGE


@pytest.mark.parametrize("blank", ["", "(nothing)"])
def test_blanked_observations_show_no_flaw(blank: str) -> None:
    blanked = [Step(step.answer, blank) for step in (GOT, GOT, GOT, SHORT, MISSING)]
    assert (flaws(blanked), revision(blanked)) == (NO_FLAW, NO_CHANGE)
