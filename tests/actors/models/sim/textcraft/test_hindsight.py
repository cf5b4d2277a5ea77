import pytest

from quintet.messages.planning import Lesson
from quintet.messages.prompts import user
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG
from quintet.models.sim.textcraft.hindsight import LOOK, LOOKS
from quintet.models.sim.textcraft.player import TextcraftPlayer
from quintet.models.sim.textcraft.task import CraftTask, read_craft_task
from quintet.models.sim.transcript import Exchange, Reading
from quintet.ports.model import Sampling

PLAYER = TextcraftPlayer()
OPENING = "Crafting commands:\ncraft 1 torch using 1 stick\n\nGoal: craft torch."


def posed() -> CraftTask:
    task = read_craft_task(OPENING)
    assert task is not None
    return task


def summary(*steps: Exchange) -> list[str]:
    return list(PLAYER.summarize(steps))


def flaws(*steps: Exchange) -> list[str]:
    return list(PLAYER.find_flaws(Reading(posed(), steps, ()), ""))


def revision(*steps: Exchange) -> list[str]:
    return list(PLAYER.suggest(Reading(posed(), steps, ()), "", STRONG))


def looks_first(plan: str) -> bool:
    return LOOKS.search(plan) is not None


GOT = Exchange("get 2 stick", "Got 2 stick")
MADE = Exchange("craft 1 torch using 1 stick, 1 coal", "Crafted 1 minecraft:torch")
SHORT = Exchange("craft 1 torch using 1 stick, 1 coal", "Could not find enough items to craft minecraft:torch")
MISSING = Exchange("get 1 torch", "Could not find torch")


def test_a_summary_tells_what_was_carried_out_and_no_reasons() -> None:
    assert summary(GOT, SHORT, GOT, MADE) == ["get 2 stick, 2 times", "craft 1 torch using 1 stick, 1 coal"]
    assert summary() == []


def test_what_was_refused_is_a_flaw_with_the_answer() -> None:
    assert flaws(SHORT, MISSING) == [
        "- craft 1 torch using 1 stick, 1 coal: Could not find enough items to craft minecraft:torch",
        "- get 1 torch: Could not find torch",
    ]


def test_fetching_again_and_again_what_is_there_is_a_flaw() -> None:
    assert flaws(GOT, GOT, GOT) == ["- get 2 stick: 2 times although it was in the inventory already."]
    assert flaws(GOT, GOT) == []


def test_both_come_from_not_knowing_what_one_holds() -> None:
    assert revision(SHORT) == revision(GOT, GOT, GOT) == [LOOK]
    assert looks_first(LOOK)
    assert revision(MISSING, GOT, MADE) == []


@pytest.mark.parametrize("blank", ["", "(nothing)"])
def test_blanked_observations_show_no_flaw(blank: str) -> None:
    blanked = [Exchange(step.action, blank) for step in (GOT, GOT, GOT, SHORT, MISSING)]
    assert flaws(*blanked) == revision(*blanked) == []


def lesson(flaws: str = "", revision: str = "") -> Lesson:
    return Lesson(opening=OPENING, succeeded=False, summary="1. get 1 stick", flaws=flaws, revision=revision)


def rewritten(plan: str, *lessons: Lesson, seed: int = 0) -> str:
    mind = Mind(STRONG, Chance((user(plan),), Sampling(temperature=1, seed=seed)), Misreading(0))
    lines = PLAYER.rewrite_plan(plan, [(posed(), each) for each in lessons], "", mind)
    return plan if lines is None else "\n".join(lines)


def test_a_suggested_look_gets_into_the_plan_and_stays() -> None:
    plan = rewritten("", lesson("no flaw"), lesson("a flaw", LOOK))
    assert looks_first(plan)
    assert rewritten(plan, lesson("no flaw")) == plan


def test_without_it_the_plan_says_how_crafting_goes() -> None:
    plan = rewritten("", lesson("no flaw"))
    assert "craft <count> <item> using" in plan
    assert not looks_first(plan)


def test_a_failure_without_a_reason_changes_one_habit_at_a_guess() -> None:
    plan = rewritten("", lesson("a flaw", LOOK))
    found = {rewritten(plan, lesson(), seed=seed) for seed in range(30)}
    assert len(found) == 3
    assert plan not in found
    assert sorted(looks_first(each) for each in found) == [False, True, True]


def test_a_plan_may_say_not_to_look() -> None:
    assert not looks_first("1. Do not look into the inventory.\n2. Get 1 stick.")
    assert not looks_first("")
