from math import inf

from quintet.models.sim.textcraft.book import CraftCommand, read_book, read_command, read_needs

BOOK = read_book(
    """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 4 birch planks using 1 birch logs
craft 4 oak planks using 1 oak logs
craft 1 beehive using 6 planks, 3 honeycomb
craft 4 stick using 2 planks
craft 1 stick using 2 bamboo
craft 4 polished basalt using 4 basalt
craft 1 lamp using 1 basalt
"""
)


def test_a_command_has_what_it_makes_and_what_it_takes() -> None:
    assert read_command("craft 1 beehive using 6 planks, 3 honeycomb") == CraftCommand(
        "beehive", 1, (("planks", 6), ("honeycomb", 3))
    )


def test_a_command_is_written_as_it_was_read() -> None:
    text = "craft 3 dark oak sign using 6 dark oak planks, 1 stick"
    assert str(read_command(text)) == text


def test_counts_may_be_missing() -> None:
    assert read_command("craft bowl using planks") == CraftCommand("bowl", 1, (("planks", 1),))
    assert read_needs("2 stick, planks") == (("stick", 2), ("planks", 1))


def test_other_text_is_no_command() -> None:
    for text in ("", "get 1 stick", "craft 1 stick", "craft 0 stick using 1 bamboo", "I craft 1 a using 1 b"):
        assert read_command(text) is None


def test_a_command_listed_twice_counts_once() -> None:
    assert len(BOOK.commands["oak planks"]) == 1


def test_the_shortest_chain_comes_first_among_the_ways_to_make_an_item() -> None:
    assert [way.needs for way in BOOK.commands["stick"]] == [(("bamboo", 2),), (("planks", 2),)]


def test_a_category_is_what_nothing_makes_and_is_named_like_a_kind() -> None:
    assert BOOK.members["planks"] == ("oak planks", "birch planks")


def test_a_thing_is_no_category_of_what_is_made_from_it() -> None:
    assert "basalt" not in BOOK.members
    chain = (
        "craft 6 red slab using 3 red stone\ncraft 1 old red stone using 2 red slab\ncraft 1 red stone using 1 stone"
    )
    assert "stone" not in read_book(chain + "\ncraft 1 x using 1 stone").members


def test_depths_count_the_commands_to_what_is_fetched() -> None:
    assert BOOK.depths["oak planks"] == 1
    assert BOOK.depths["stick"] == 1
    assert BOOK.depths["beehive"] == 2


def test_a_circle_is_infinitely_deep() -> None:
    book = read_book("craft 1 a using 1 b\ncraft 1 b using 1 a\ncraft 1 c using 1 d")
    assert book.depths == {"a": inf, "b": inf, "c": 1}


WOOL = read_book(
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
PAINTING = WOOL.commands["painting"][0]


def test_what_is_no_kind_stands_for_itself() -> None:
    assert WOOL.choices("stick", 1) == ["stick"]


def test_the_easiest_of_a_kind_comes_first() -> None:
    assert WOOL.choices("wool", 1) == ["white wool", "blue wool", "red wool"]


def test_one_that_is_carried_in_the_number_comes_before_it() -> None:
    assert WOOL.choices("wool", 1, {"red wool": 1})[0] == "red wool"
    assert WOOL.choices("wool", 3, {"red wool": 1, "blue wool": 2})[0] == "blue wool"


def test_a_command_is_filled_with_items() -> None:
    assert str(WOOL.filled(PAINTING)) == "craft 1 painting using 8 stick, 1 white wool"


def test_a_refused_filling_is_passed_over() -> None:
    refused = {"craft 1 painting using 8 stick, 1 white wool"}
    assert str(WOOL.filled(PAINTING, refused=refused)) == "craft 1 painting using 8 stick, 1 blue wool"


def test_a_command_whose_fillings_are_all_refused_is_not_usable() -> None:
    refused = {f"craft 1 painting using 8 stick, 1 {colour} wool" for colour in ("white", "blue", "red")}
    assert WOOL.filled(PAINTING, refused=refused) is None
