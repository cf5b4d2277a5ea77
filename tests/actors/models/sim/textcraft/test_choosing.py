import pytest

from quintet.models.sim.textcraft.book import Command, read_book
from quintet.models.sim.textcraft.choosing import OutOfReachError, choice, command_for, usable
from quintet.models.sim.textcraft.task import Goal

BOOK = read_book(
    """craft 1 red wool using 1 red dye, 1 white wool
craft 1 white wool using 4 string
craft 1 blue wool using 1 ink, 1 white wool
craft 1 red dye using 1 poppy
craft 1 poppy using 1 seed
craft 1 painting using 8 stick, 1 wool
craft 4 stick using 2 wood
craft 1 stick using 2 bamboo
craft 1 bed using 3 wool"""
)
PAINTING = BOOK.commands["painting"][0]


def test_what_is_no_kind_stands_for_itself() -> None:
    assert choice(BOOK, "stick", 1) == ["stick"]


def test_the_easiest_of_a_kind_comes_first() -> None:
    assert choice(BOOK, "wool", 1) == ["white wool", "blue wool", "red wool"]


def test_one_that_is_carried_in_the_number_comes_before_it() -> None:
    assert choice(BOOK, "wool", 1, {"red wool": 1})[0] == "red wool"
    assert choice(BOOK, "wool", 3, {"red wool": 1, "blue wool": 2})[0] == "blue wool"


def test_a_command_is_filled_with_items() -> None:
    assert str(usable(BOOK, PAINTING)) == "craft 1 painting using 8 stick, 1 white wool"


def test_a_refused_filling_is_passed_over() -> None:
    refused = {"craft 1 painting using 8 stick, 1 white wool"}
    assert str(usable(BOOK, PAINTING, refused=refused)) == "craft 1 painting using 8 stick, 1 blue wool"


def test_a_command_whose_fillings_are_all_refused_is_not_usable() -> None:
    refused = {f"craft 1 painting using 8 stick, 1 {colour} wool" for colour in ("white", "blue", "red")}
    assert usable(BOOK, PAINTING, refused=refused) is None


def test_a_goal_is_crafted_by_the_shortest_chain() -> None:
    book = read_book("craft 4 torch using 1 coal\ncraft 4 coal using 1 log\ncraft 1 torch using 1 lamp oil")
    assert command_for(book, Goal(craft=True, item="torch", count=1)).needs == (("lamp oil", 1),)


def test_the_prescribed_ingredients_decide_and_the_command_gives_the_count() -> None:
    goal = Goal(craft=True, item="stick", count=1, needs=(("wood", 2),))
    assert command_for(BOOK, goal) == Command("stick", 4, (("wood", 2),))


def test_a_prescribed_member_is_meant_by_its_kind() -> None:
    goal = Goal(craft=True, item="painting", count=1, needs=(("stick", 8), ("red wool", 1)))
    assert command_for(BOOK, goal) == Command("painting", 1, goal.needs)


def test_a_refused_command_gives_way_to_the_next() -> None:
    goal = Goal(craft=True, item="stick", count=1)
    first = command_for(BOOK, goal)
    second = command_for(BOOK, goal, refused={str(first)})
    assert {first, second} == set(BOOK.commands["stick"])
    with pytest.raises(OutOfReachError, match="stick"):
        command_for(BOOK, goal, refused={str(first), str(second)})


def test_a_kind_is_crafted_as_its_easiest_member() -> None:
    assert command_for(BOOK, Goal(craft=True, item="wool", count=1)).makes == "white wool"


def test_what_no_command_makes_cannot_be_crafted() -> None:
    with pytest.raises(OutOfReachError, match="seed"):
        command_for(BOOK, Goal(craft=True, item="seed", count=1))
