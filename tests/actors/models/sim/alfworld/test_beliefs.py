import pytest

from quintet.models.sim.alfworld.beliefs import APPLIANCES, MISTAKEN, beliefs_after
from tests.actors.models.sim.alfworld.playing import INSTRUCTIONS, PLANNER, PROMPTS, SKILLS


def test_a_reader_that_is_not_misled_keeps_the_right_beliefs() -> None:
    believed = beliefs_after(["Heat the egg with the toaster."], misled=False)
    assert (believed.appliances, believed.put_inside) == (APPLIANCES, frozenset())


def test_a_misled_reader_begins_with_a_toaster_and_puts_things_inside() -> None:
    believed = beliefs_after([], misled=True)
    assert (believed.appliances, believed.put_inside) == (MISTAKEN, frozenset({"heat", "cool"}))
    assert believed.appliances["heat"][0] == "toaster"


@pytest.mark.parametrize(
    "text",
    [
        "You heat the egg 1 using the microwave 1.",
        "Action: heat egg 1 with microwave 1",
        "go to a microwave; heat the object with the microwave; go to the target receptacle",
        "Use the microwave to heat it.",
        "Objects are heated with a microwave.",
        "The microwave does not have to be open when you heat the egg with the microwave.",
        "Do not open it, heat the egg with the microwave.",
    ],
)
def test_what_is_said_to_heat_is_tried_first(text: str) -> None:
    assert beliefs_after([text], misled=True).appliances["heat"][0] == "microwave"


@pytest.mark.parametrize(
    "text",
    ["toaster cannot be used for heating.", "Nothing happens. toaster 1 cannot be used for heating.",
     "Do not heat food with the toaster.", "The toaster does not heat anything."],
)  # fmt: skip
def test_what_is_said_not_to_heat_is_not_tried(text: str) -> None:
    assert "toaster" not in beliefs_after([text], misled=True).appliances["heat"]


@pytest.mark.parametrize(
    "text", ["You cool the egg 1 using the fridge 1.", "Cool it in your hand.", "cool the egg while you hold it"]
)
def test_a_text_that_shows_it_in_hand_corrects_one_treatment(text: str) -> None:
    assert beliefs_after([text], misled=True).put_inside == {"heat"}


def test_reading_that_the_object_is_not_carried_corrects_all_beliefs() -> None:
    assert beliefs_after(["Nothing happens. You are not carrying egg 1."], misled=True).put_inside == frozenset()


@pytest.mark.parametrize(
    "text", ["", "Put the egg in the microwave.", "The toaster is beside the microwave.", "The microwave is not open."]
)
def test_other_texts_correct_nothing(text: str) -> None:
    assert beliefs_after([text], misled=True) == beliefs_after([], misled=True)


def test_our_examples_and_our_planner_s_prompt_correct_everything_and_our_instructions_nothing() -> None:
    right = beliefs_after([], misled=False).put_inside
    for text in (SKILLS, PLANNER):
        believed = beliefs_after([text], misled=True)
        assert (believed.appliances["heat"][0], believed.put_inside) == ("microwave", right)
    assert beliefs_after([INSTRUCTIONS], misled=True) == beliefs_after([], misled=True)


@pytest.mark.parametrize("name", ["pick-1", "look-2", "pick-two-1"])
def test_an_example_that_heats_nothing_does_not_correct_heating(name: str) -> None:
    assert beliefs_after([PROMPTS.text(name)], misled=True) == beliefs_after([], misled=True)
